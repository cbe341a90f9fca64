"""From what a user names to a source."""

from __future__ import annotations

import os
from pathlib import Path

from pixfeed.catalogue import Catalogue, Dataset, Source
from pixfeed.errors import ConfigError
from pixfeed.source.folder import Folder

_READ = (
    "a class folder (root/class/image), a table (CSV, TSV, JSONL, Parquet), TFRecord shards, "
    "Folder, Table, ShardSource, Items, or an object with the Source protocol"
)
_TABLES = {".csv", ".tsv", ".tab", ".jsonl", ".ndjson", ".parquet", ".pq"}


def resolve(place: object) -> Source:
    """The source a place stands for; sources are handed through.

    >>> resolve("train/")
    Folder(path='train/', classes=None, splits=None)
    >>> resolve("https://example.org/cats.tar")
    Traceback (most recent call last):
    pixfeed.errors.ConfigError: 'https://example.org/cats.tar' is a URL, which ...
    """
    if isinstance(place, str | os.PathLike):
        return _at(os.fspath(place))
    if isinstance(place, Source) and not isinstance(place, type):
        return place
    raise ConfigError(f"{type(place).__name__} {_shown(place)} is no source; give {_READ}")


def open(source: str | os.PathLike[str] | Source) -> Dataset:
    """The dataset of a source, to look at and index; reads names only, no image.

    >>> from pixfeed.source import Items
    >>> dataset = open(Items([("dog/1.jpg", "dog"), ("cat/1.jpg", "cat")]))
    >>> dataset
    <2 records of 2 classes in 1 split: all 2>
      image: uint8 (height, width, 3)
      label: int64, 2 classes
      classes: cat 1, dog 1
    >>> len(dataset), dataset.classes, dataset.counts
    (2, ('cat', 'dog'), {'all': {'cat': 1, 'dog': 1}})
    """
    found = resolve(source)
    read = found.read()
    if not isinstance(read, Catalogue):
        raise ConfigError(
            f"{type(source).__name__}.read() gave {type(read).__name__} {_shown(read)}; return a "
            "Catalogue, as Catalogue.from_rows makes"
        )
    return Dataset(read, reread=found.read)


def _at(place: object) -> Source:
    if not isinstance(place, str):
        raise ConfigError(f"{place!r} is a path in bytes; give it as a string")
    if "://" not in place and Path(place).suffix.lower() in _TABLES and not Path(place).is_dir():
        from pixfeed.source.table import Table

        return Table(place)
    if "://" not in place and _is_shards(place):
        from pixfeed.source.shards import ShardSource

        return ShardSource(place)
    kind = _kind(place)
    if kind is not None:
        raise ConfigError(f"{place!r} is {kind}, which cannot be read as a dataset; give {_READ}")
    return Folder(place)


def _is_shards(place: str) -> bool:
    """Whether a folder, file or pattern is one of shards, by names alone."""
    path = Path(place)
    if path.is_dir():
        return any(any(path.glob(pattern)) for pattern in ("*.tfrecord*", "*-of-*"))
    if path.exists():
        return ".tfrecord" in path.name or "-of-" in path.name
    return any(sign in place for sign in "*?[")


def _kind(place: str) -> str | None:
    """What a place is that is known and not read, in words."""
    if "://" in place:
        return "a URL"
    path = Path(place)
    return f"a {path.suffix} file" if path.is_file() and path.suffix else None


def _shown(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."
