"""What each rival's best batch size and prefetch are here; the winners are its file's constants.

Not among the benchmarks that run without names: it is for the one who keeps the rivals fair.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from benchmarks.feed import data
from benchmarks.feed.process import Process, seconds
from benchmarks.model import Benchmark, Settings, Table, UnavailableError
from benchmarks.peers.dataset import Dataset

WORKLOAD = "w1-420"
BATCHES = (32, 64, 128, 256)
AHEADS = (2, 4, 8)


def measure(settings: Settings) -> Iterator[Table]:
    """Every rival with every setting on photos at 4:2:0, one process after another."""
    made = data.prepare(WORKLOAD, settings)
    for peer in settings.peers or ("turboloader", "dali", "tfdata", "torchvision", "ffcv"):
        rows = tuple(sorted(_rows(peer, made, settings), key=lambda row: row[2], reverse=True))
        shown = tuple((batch, ahead, f"{rate:,.0f}") for batch, ahead, rate in rows)
        yield Table(f"{peer}: {made.said}", ("batch", "ahead", "img/s"), shown)


def _rows(peer: str, made: Dataset, settings: Settings) -> Iterator[tuple[str, str, float]]:
    for batch, ahead in product(map(str, BATCHES), map(str, AHEADS)):
        more = ("--batch", batch, "--ahead", ahead)
        try:
            with Process(peer, WORKLOAD, made, settings.threads, *more) as process:
                process.check()
                items = len(made.labels)
                taken = min(seconds(process, items) for _ in range(settings.rounds))
        except UnavailableError:
            continue
        yield batch, ahead, items / taken


BENCHMARK = Benchmark("settings", "The rivals' best settings", measure, ())
