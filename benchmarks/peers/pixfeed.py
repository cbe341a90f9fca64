"""pixfeed itself, fed from the same class folder through its public Loader."""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from typing import Any

from benchmarks.peers.dataset import SIDE
from benchmarks.peers.protocol import Job, Peer, serve

BATCH = 64


def build(job: Job) -> Peer:
    """A Loader over the workload's class folder."""
    pf: Any = importlib.import_module("pixfeed")
    loader = pf.Loader(
        str(job.data.folder),
        batch_size=BATCH,
        recipe=recipe(pf, job.workload),
        shuffle=job.workload != "eval",
        seed=0,
        order=pf.Order(last="keep"),
        run=pf.Run(threads=job.threads),
    )

    def epoch() -> Iterator[tuple[Any, Any]]:
        yield from loader

    version = importlib.import_module("importlib.metadata").version("pixfeed")
    return Peer(version, f"class folder, batch {BATCH}", epoch)


def recipe(pf: Any, workload: str) -> Any:
    """The workload's recipe in pixfeed's words."""
    side = SIDE[workload]
    if workload == "w3":
        return [pf.Resize((side, side)), pf.ToArray(dtype="float32", layout="NCHW")]
    end = pf.ToArray(dtype="float32", layout="NCHW", mean=pf.IMAGENET_MEAN, std=pf.IMAGENET_STD)
    if workload == "eval":
        return [pf.Resize(256), pf.CenterCrop(side), end]
    return [pf.RandomResizedCrop(side), pf.RandomHorizontalFlip(), end]


if __name__ == "__main__":
    serve("pixfeed", build)
