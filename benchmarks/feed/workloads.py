"""W1, W1 at 4:2:0, evaluation and W3: one race each against the rivals that can run it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from functools import partial

from benchmarks.feed import data
from benchmarks.feed.process import Process, seconds
from benchmarks.model import (
    Benchmark,
    Case,
    Contender,
    Settings,
    Table,
    Target,
    UnavailableError,
)
from benchmarks.peers.dataset import Dataset
from benchmarks.timing import race

FASTEST = ("turboloader", "dali")
ALL = ("turboloader", "dali", "tfdata", "torchvision")
ROSTER: dict[str, tuple[tuple[str, ...], tuple[Target, ...]]] = {
    "w1": (ALL, (Target(FASTEST, 3.0),)),
    "w1-420": ((*ALL, "ffcv"), (Target(FASTEST, 3.5), Target(("ffcv",), 4.0))),
    "eval": (ALL, (Target(ALL, 2.2),)),
    "w3": (ALL, (Target(("dali",), 4.0),)),
}
SECTIONS = {
    "w1": "W1: a folder of photos to training batches",
    "w1-420": "W1 on photos at quality 90, 4:2:0",
    "eval": "A folder of photos to evaluation batches",
    "w3": "W3: a folder of tiny JPEGs to batches",
}
TITLES = {
    "w1": "W1: RandomResizedCrop(224), flip, normalise to float32 NCHW",
    "w1-420": "W1 on the commonest kind of JPEG (quality 90, 4:2:0)",
    "eval": "Evaluation: Resize(256), CenterCrop(224), normalise to float32 NCHW",
    "w3": "W3: 32x32 JPEGs to 28x28 float32 NCHW",
}


def measure(workload: str, settings: Settings) -> Iterator[Table]:
    """Start every contender, check each, and race them on `settings.threads` threads."""
    made = data.prepare(workload, settings)
    with ExitStack() as alive:
        present, notes = _started(workload, made, settings, alive)
        table = race(_case(workload, made, present), settings.rounds)
        said = tuple(process.said for process in present)
        yield Table(table.title, table.header, table.rows, (*table.notes, *said, *notes))


def _started(
    workload: str, made: Dataset, settings: Settings, alive: ExitStack
) -> tuple[list[Process], list[str]]:
    present: list[Process] = []
    notes: list[str] = []
    for peer in _asked(workload, settings):
        try:
            process = Process(peer, workload, made, settings.threads)
            present.append(alive.enter_context(process))
        except UnavailableError as missing:
            notes.append(f"Not measured: {missing}")
    if not present or (not settings.peers and present[0].peer != "pixfeed"):
        raise UnavailableError("; ".join(notes))
    return present, notes


def _asked(workload: str, settings: Settings) -> Sequence[str]:
    roster = ("pixfeed", *ROSTER[workload][0])
    return [peer for peer in roster if not settings.peers or peer in settings.peers]


def _case(workload: str, made: Dataset, present: list[Process]) -> Case:
    items = len(made.labels)
    contenders = tuple(
        Contender(process.peer, partial(seconds, process, items)) for process in present
    )
    return Case(
        title=f"{TITLES[workload]}; {made.said}",
        items=items,
        contenders=contenders,
        check=_checks(present),
        targets=ROSTER[workload][1] if present[0].peer == "pixfeed" else (),
    )


def _checks(present: list[Process]) -> Callable[[], str]:
    return lambda: "; ".join(process.check() for process in present) + "."


BENCHMARKS = tuple(
    Benchmark(name, SECTIONS[name], partial(measure, name), ("pixfeed", "numpy")) for name in ROSTER
)
