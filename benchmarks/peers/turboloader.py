"""TurboLoader: a tar of JPEGs, decoded and cropped in its fused pass.

Its thread pool takes every core the process may use, so the parent's restriction sets it.
It has no short-side resize with a centre crop: for `eval` it squashes the whole picture to
224x224, the nearest it offers (and less work than was asked).
"""

from __future__ import annotations

import importlib
import itertools
from collections.abc import Iterator
from typing import Any

import numpy as np

from benchmarks.peers.dataset import SIDE
from benchmarks.peers.protocol import Job, Peer, serve

BATCH = 128
AHEAD = 8


def build(job: Job) -> Peer:
    """A loader over the workload's tar."""
    turboloader: Any = importlib.import_module("turboloader")
    labels = np.asarray(job.data.labels)
    train = job.workload.startswith("w1")
    batch, ahead = job.batch or BATCH, job.ahead or AHEAD
    loader = turboloader.DataLoader(
        str(job.data.tar),
        batch_size=batch,
        num_workers=job.threads,
        image_size=SIDE[job.workload],
        output_format="pytorch",
        transform=None if job.workload == "w3" else turboloader.ImageNetNormalize(),
        shuffle=job.workload != "eval",
        train_aug=train,
        prefetch_batches=ahead,
    )
    epochs = itertools.count()

    def epoch() -> Iterator[tuple[Any, Any]]:
        loader.set_epoch(next(epochs))
        for images, seen in loader:
            yield images, labels[np.asarray(seen["indices"])]

    kind = "train_aug" if train else "fixed size"
    return Peer(turboloader.__version__, f"{kind}, batch {batch}, {ahead} batches ahead", epoch)


if __name__ == "__main__":
    serve("turboloader", build)
