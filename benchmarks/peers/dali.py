"""DALI on the CPU: file reader, fused crop decode, resize without antialias."""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from typing import Any

import numpy as np

from benchmarks.peers.dataset import MEAN, SIDE, STD
from benchmarks.peers.protocol import Job, Peer, serve

BATCH = 128
TINY_BATCH = 250
AHEAD = 3


def build(job: Job) -> Peer:
    """A CPU-only pipeline over the workload's class folder."""
    dali: Any = importlib.import_module("nvidia.dali")
    batch = job.batch or (TINY_BATCH if job.workload == "w3" else BATCH)
    ahead = job.ahead or AHEAD
    pipe = dali.Pipeline(
        batch_size=batch,
        num_threads=job.threads,
        device_id=None,
        prefetch_queue_depth=ahead,
        seed=0,
    )
    with pipe:
        pipe.set_outputs(*_graph(job, dali))
    pipe.build()
    total = len(job.data.labels)
    if total % batch:
        raise ValueError(f"its reader goes round for ever: {total} images must divide by {batch}")

    def epoch() -> Iterator[tuple[Any, Any]]:
        for _ in range(total // batch):
            images, labels = pipe.run()
            yield np.asarray(images.as_tensor()), np.asarray(labels.as_tensor())

    said = f"device='cpu', batch {batch}, prefetch_queue_depth {ahead}, antialias=False"
    return Peer(dali.__version__, said, epoch)


def _graph(job: Job, dali: Any) -> tuple[Any, Any]:
    fn = importlib.import_module("nvidia.dali.fn")
    train = job.workload != "eval"
    encoded, labels = fn.readers.file(
        file_root=str(job.data.folder),
        shuffle_after_epoch=train,
    )
    return _pixels(job.workload, encoded, fn, dali.types), labels


def _pixels(workload: str, encoded: Any, fn: Any, types: Any) -> Any:
    side = SIDE[workload]
    if workload == "eval":
        # The middle 224 of a short side scaled to 256 is the middle 224/256 of the short side.
        shape = fn.peek_image_shape(encoded)[:2]
        edge = fn.reductions.min(shape) * (224 / 256)
        start = fn.cast((shape - edge) / 2.0, dtype=types.INT32)
        window = fn.cast(fn.stack(edge, edge), dtype=types.INT32)
        image = fn.decoders.image_slice(encoded, start, window, axes=[0, 1])
        return _normalised(fn.resize(image, size=(side, side), antialias=False), fn, types)
    if workload == "w3":
        image = fn.resize(fn.decoders.image(encoded), size=(side, side), antialias=False)
        return fn.crop_mirror_normalize(
            image, dtype=types.FLOAT, output_layout="CHW", mean=[0.0], std=[255.0]
        )
    image = fn.resize(fn.decoders.image_random_crop(encoded), size=(side, side), antialias=False)
    return _normalised(image, fn, types, mirror=fn.random.coin_flip())


def _normalised(image: Any, fn: Any, types: Any, **how: Any) -> Any:
    return fn.crop_mirror_normalize(
        image,
        dtype=types.FLOAT,
        output_layout="CHW",
        mean=list(MEAN * 255.0),
        std=list(STD * 255.0),
        **how,
    )


if __name__ == "__main__":
    serve("dali", build)
