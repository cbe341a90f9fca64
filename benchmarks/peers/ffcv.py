"""FFCV on a file of its own: the same photos, encoded by its writer at quality 90 (4:2:0).

It hands out a channels-last view instead of contiguous NCHW, which saves it a copy.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.peers.dataset import MEAN, SIDE, STD, Dataset
from benchmarks.peers.protocol import Job, Peer, serve

# Its scratch is the largest photo times the batch: small batches stay nearer the cache.
BATCH = 32
AHEAD = 3


class Photos:
    """The original photos, upright pixels and label, as FFCV's writer wants them."""

    def __init__(self, data: Dataset) -> None:
        self._paths = sorted(data.folder.glob("*/*"))
        self._labels = data.labels

    def __len__(self) -> int:
        return len(self._paths)

    def __getitem__(self, index: int) -> tuple[Any, int]:
        image: Any = importlib.import_module("PIL.Image")
        return image.open(self._paths[index]).convert("RGB"), self._labels[index]


def build(job: Job) -> Peer:
    """A loader over the .beton, which is written first where it is missing."""
    if job.workload != "w1-420":
        raise ValueError(f"FFCV is measured on w1-420 only, not on {job.workload}")
    beton = job.data.root / "photos.beton"
    if not beton.exists():
        _write(beton, Dataset.read(job.data.root.parent / "w1"), job.threads)
    batch, ahead = job.batch or BATCH, job.ahead or AHEAD
    loader = _loader(beton, job.threads, batch, ahead)

    def epoch() -> Iterator[tuple[Any, Any]]:
        for images, labels in loader:
            yield images.numpy(), labels.numpy().reshape(-1)

    said = (
        f"its own file, os_cache, random order, batch {batch}, batches_ahead {ahead}, channels last"
    )
    return Peer(importlib.import_module("importlib.metadata").version("ffcv"), said, epoch)


def _loader(beton: Path, threads: int, batch: int, ahead: int) -> Any:
    loader: Any = importlib.import_module("ffcv.loader")
    images: Any = importlib.import_module("ffcv.fields.rgb_image")
    basics: Any = importlib.import_module("ffcv.fields.basics")
    ops: Any = importlib.import_module("ffcv.transforms")
    side = SIDE["w1-420"]
    return loader.Loader(
        str(beton),
        batch_size=batch,
        num_workers=threads,
        order=loader.OrderOption.RANDOM,
        seed=0,
        os_cache=True,
        drop_last=False,
        batches_ahead=ahead,
        pipelines={
            "image": [
                images.RandomResizedCropRGBImageDecoder((side, side)),
                ops.RandomHorizontalFlip(),
                ops.NormalizeImage(MEAN * 255.0, STD * 255.0, np.float32),
                ops.ToTensor(),
                ops.ToTorchImage(),
            ],
            "label": [basics.IntDecoder(), ops.ToTensor()],
        },
    )


def _write(beton: Path, photos: Dataset, threads: int) -> None:
    writer: Any = importlib.import_module("ffcv.writer")
    fields: Any = importlib.import_module("ffcv.fields")
    unfinished = beton.with_suffix(".part")
    columns = {
        "image": fields.RGBImageField(write_mode="jpg", jpeg_quality=90),
        "label": fields.IntField(),
    }
    writer.DatasetWriter(str(unfinished), columns, num_workers=threads).from_indexed_dataset(
        Photos(photos)
    )
    unfinished.rename(beton)


if __name__ == "__main__":
    serve("ffcv", build)
