"""How much work a broken file can cost before it is refused."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator
from typing import Any

from benchmarks.model import ROOT, Benchmark, CheckError, Settings, Table
from benchmarks.timing import timed

SHOWN = 5


def measure(settings: Settings) -> Iterator[Table]:
    """Every file of the dirty set that must be refused; the slowest are shown."""
    cases = _cases()
    decode: Any = importlib.import_module("pixfeed").decode
    error: Any = importlib.import_module("pixfeed").DecodeError
    taken = sorted(
        ((_fastest(decode, error, case, settings.rounds), case) for case in cases), key=_time
    )
    rows = tuple(
        (case.name, case.code, f"{len(case.data):,}", f"{seconds * 1e3:.2f}")
        for seconds, case in reversed(taken[-SHOWN:])
    )
    header = ("file", "refused as", "bytes", "ms")
    note = f"Checked first: all {len(cases)} files are refused with their stated error."
    title = f"The {SHOWN} slowest refusals of {len(cases)} (each the fastest of {settings.rounds})"
    yield Table(title, header, rows, (note,))


def _cases() -> list[Any]:
    sys.path.insert(0, str(ROOT / "tests"))
    dirty: Any = importlib.import_module("decode.dirty")
    return list(dirty.refused())


def _fastest(decode: Any, error: Any, case: Any, rounds: int) -> float:
    found: list[str] = []

    def refuse() -> None:
        try:
            decode(case.data)
        except error as refusal:
            found.append(refusal.code)

    seconds = min(timed(refuse)() for _ in range(rounds))
    if found != [case.code] * rounds:
        raise CheckError(f"{case.name}: refused as {found[:1] or 'nothing'}, not as {case.code}")
    return seconds


def _time(outcome: tuple[float, Any]) -> float:
    return outcome[0]


BENCHMARK = Benchmark("refusals", "Refusing broken files, one thread", measure)
