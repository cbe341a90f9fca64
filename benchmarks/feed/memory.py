"""Whether memory stays flat over many epochs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from benchmarks.feed import data
from benchmarks.feed.alone import BATCH, EPOCHS
from benchmarks.feed.child import alone
from benchmarks.model import Benchmark, Settings, Table
from benchmarks.timing import verdict

PHOTOS = 600
GROWTH_LIMIT = 16.0
PEAK_LIMIT = 300.0


def measure(settings: Settings) -> Iterator[Table]:
    """Resident memory after each of 20 epochs of W1; the first epoch fills pools."""
    made = data.prepare("w1", replace(settings, images=PHOTOS))
    answer = alone("memory", made, settings)
    after, peak = answer["after"], answer["peak"]
    growth = max(after[1:]) - after[0]
    rows = (
        _row("growth after the first epoch", growth, GROWTH_LIMIT),
        _row("the most of the whole process", peak, PEAK_LIMIT),
    )
    title = f"{EPOCHS} epochs of W1 at batch {BATCH}, {settings.threads} threads: {made.said}"
    yield Table(title, ("resident memory", "MiB", "target", ""), rows)


def _row(what: str, mebibytes: float, limit: float) -> tuple[str, ...]:
    return what, f"{mebibytes:.1f}", f"< {limit:.0f}", verdict(mebibytes < limit)


BENCHMARK = Benchmark("memory", "Memory over epochs", measure, ("pixfeed", "numpy"))
