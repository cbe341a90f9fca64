"""How soon the first batch is there, in a fresh process."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from statistics import median

from benchmarks.feed import data
from benchmarks.feed.alone import BATCH
from benchmarks.feed.child import alone
from benchmarks.model import Benchmark, CheckError, Settings, Table
from benchmarks.timing import verdict

PHOTOS = 300
IMPORT_LIMIT = 0.1
FIRST_LIMIT = 0.5


def measure(settings: Settings) -> Iterator[Table]:
    """`import pixfeed`, then the first batch of W1 from 300 photos."""
    made = data.prepare("w1", replace(settings, images=PHOTOS))
    answers = [alone("start", made, settings) for _ in range(settings.rounds + 1)][1:]
    shape = [BATCH, 3, 224, 224]
    if any(answer["shape"] != shape for answer in answers):
        raise CheckError(f"a first batch is {answers[0]['shape']}, not {shape}")
    rows = (
        _row("import pixfeed", [answer["import"] for answer in answers], IMPORT_LIMIT),
        _row("then the first batch", [answer["first"] for answer in answers], FIRST_LIMIT),
    )
    header = ("from a fresh process", "ms (lowest..highest)", "target", "")
    yield Table(f"First batch of W1: {made.said}", header, rows)


def _row(what: str, seconds: list[float], limit: float) -> tuple[str, ...]:
    shown = f"{median(seconds) * 1e3:.0f} ({min(seconds) * 1e3:.0f}..{max(seconds) * 1e3:.0f})"
    return what, shown, f"< {limit * 1e3:.0f}", verdict(median(seconds) < limit)


BENCHMARK = Benchmark("start", "Import and first batch", measure, ("pixfeed", "numpy"))
