"""Datasets made on the spot, and what a batch is, in short."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pixfeed as pf
from decode.reference import cut, saved
from pixfeed.catalogue import Catalogue, Row

SEED = 11
CROPS = (pf.RandomResizedCrop(8), pf.RandomHorizontalFlip())
"""A recipe that draws, so that every use of a record looks different."""

Told = tuple[int, int, str]


def mixed(root: Path, images: int) -> Path:
    """Class folders of PNG and JPEG files of many sizes and samplings."""
    for number in range(images):
        pixels = cut(30 + number % 17, 40 + number % 23, 1 + number % 3)
        form = ("PNG", "JPEG")[number % 2]
        options = {"subsampling": number % 3, "quality": 90} if form == "JPEG" else {}
        suffix = "png" if form == "PNG" else "jpg"
        path = root / f"class-{number % 5}" / f"{number:03d}.{suffix}"
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(saved(pixels, form, **options))
    return root


def told(batch: pf.Batch) -> Told:
    """Place and a digest of everything a batch holds."""
    arrays = (*batch, batch.ids, batch.valid, batch.hashes)
    digest = hashlib.sha256(b"".join(array.tobytes() for array in arrays))
    digest.update(repr((batch.hash, batch.keys, batch.images.shape)).encode())
    return batch.epoch, batch.step, digest.hexdigest()


def epochs(loader: pf.Loader, count: int = 2) -> list[Told]:
    """The next epochs of a loader, in short."""
    batches = [told(batch) for _ in range(count) for batch in loader]
    loader.close()
    return batches


@dataclass(frozen=True)
class Files:
    """A source of named files, wherever its root is: what is there is not looked at."""

    root: str
    labels: tuple[tuple[str, int], ...]

    def read(self) -> Catalogue:
        rows = [Row(key, label) for key, label in self.labels]
        return Catalogue.from_rows(rows, root=self.root)


class Drawer:
    """A source of bytes by name; a label each."""

    def __init__(self, fetch: Callable[[str], Any], labels: Mapping[str, int]) -> None:
        self.fetch, self.labels = fetch, labels

    def read(self) -> Catalogue:
        rows = [Row(key, label) for key, label in self.labels.items()]
        return Catalogue.from_rows(rows, fetch=self.fetch)


def numbered(fetch: Callable[[str], Any], images: int = 20, classes: int = 2) -> Drawer:
    """A drawer of records called 000, 001 and so on."""
    return Drawer(fetch, {f"{number:03d}": number % classes for number in range(images)})


def ids_of(loader: pf.Loader) -> dict[str, int]:
    """The id of every key."""
    data = loader.dataset
    return dict(zip(data.keys, data.ids.tolist(), strict=True))


def one(batches: Iterable[pf.Batch]) -> pf.Batch:
    """The only batch of an epoch."""
    (batch,) = batches
    return batch
