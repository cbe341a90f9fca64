"""One native thread against two."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from benchmarks.feed import data
from benchmarks.feed.process import Process, seconds
from benchmarks.model import Benchmark, Case, Contender, Settings, Table, Target
from benchmarks.timing import race

ONE = "pixfeed, 1 thread"
TWO = "pixfeed, 2 threads"


def measure(settings: Settings) -> Iterator[Table]:
    """W1 with an idle consumer."""
    made = data.prepare("w1", settings)
    items = len(made.labels)
    with (
        Process("pixfeed", "w1", made, 1) as one,
        Process("pixfeed", "w1", made, 2) as two,
    ):
        case = Case(
            title=f"W1, idle consumer: {made.said}",
            items=items,
            contenders=(
                Contender(TWO, partial(seconds, two, items)),
                Contender(ONE, partial(seconds, one, items)),
            ),
            check=lambda: f"{two.check()}; one thread: {one.check()}.",
            targets=(Target((ONE,), 1.9),),
        )
        yield race(case, settings.rounds)


BENCHMARK = Benchmark("scaling", "From one native thread to two", measure, ("pixfeed", "numpy"))
