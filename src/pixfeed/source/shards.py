"""TFRecord shards as a source: every record of every file, whoever wrote it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from glob import glob, has_magic
from os import PathLike, fspath
from os.path import commonpath
from pathlib import Path
from typing import Literal, get_args

from pixfeed import _native
from pixfeed.catalogue import Catalogue, Splits
from pixfeed.catalogue.classes import Classes, class_names, frozen
from pixfeed.errors import ConfigError, SourceError

Feature = Literal[
    "channels", "colorspace", "encoded", "filename", "format", "height", "key", "label", "order",
    "synset", "text", "width",
]  # fmt: skip
"""What is read of a record."""

_NAME = re.compile(r"(?P<split>[A-Za-z0-9]+(?:[_-][A-Za-z]+)*?)[_-]\d+[_-]of[_-]\d+")
_SHARDS = ("*.tfrecord", "*.tfrecords", "*.tfrecord-*", "*-of-*")
_SPLITS = {"val": "validation", "valid": "validation", "eval": "validation"}
_SHOWN = 3
_THREADS = 4


@dataclass(frozen=True)
class ShardSource:
    """Images in TFRecord shards of ``tf.train.Example``: encoded files, or raw uint8 tensors.

    ``path`` is a folder, one shard, or a pattern (``"data/train-*"``). Opening it walks through all
    records once, checksums included; feeding reads each by its place. A shard's split is told from
    its name (``train-00000-of-00008``), else it is "all". ``features`` names what other writers
    call their features, as in ``{"encoded": "jpeg", "label": "y"}``, or None for what is not to be
    read. Labels are integers as they are stored; ``classes`` names them. A record without a key is
    named by its shard and number. ``damaged="skip"`` leaves damaged records out, and notes them.

    >>> ShardSource("shards/", features={"encoded": "jpeg"})
    ShardSource(path='shards/', classes=None, splits=None, features={'encoded': 'jpeg'}, ...)
    """

    path: str | PathLike[str]
    classes: Classes = None
    splits: Splits | None = None
    features: Mapping[str, str | None] | None = None
    damaged: Literal["raise", "skip"] = "raise"

    def __post_init__(self) -> None:
        object.__setattr__(self, "path", _path(self.path))
        object.__setattr__(self, "classes", frozen(self.classes))
        if not (self.splits is None or isinstance(self.splits, Splits)):
            raise ConfigError(f"splits={self.splits!r} divides nothing; give pixfeed.Splits(...)")
        if self.damaged not in ("raise", "skip"):
            raise ConfigError(f"damaged is {self.damaged!r}; give 'raise' or 'skip'")
        _check_features(self.features)

    def read(self) -> Catalogue:
        """The table of all records.

        >>> ShardSource("no/such/folder").read()
        Traceback (most recent call last):
        pixfeed.errors.SourceError: no shards in 'no/such/folder'; ...
        """
        root, files = _found(str(self.path))
        named = [split_of(file) for file in files]
        splits = sorted(set(named), key=_rank)
        listed = [(file, splits.index(split)) for file, split in zip(files, named, strict=True)]
        features = None if self.features is None else dict(self.features)
        rows, damaged = _native.Catalogue.of_shards(root, splits, listed, features, _THREADS)
        notes = self._noted(files, damaged)
        if not len(rows):
            raise SourceError(f"{str(self.path)!r}: the shards hold no records; give others")
        names = class_names(self.classes) or ()
        _check_labels(rows, names, str(self.path))
        catalogue = Catalogue(rows, names, notes, features=self.features)
        return catalogue if self.splits is None else self.splits.divide(catalogue)

    def _noted(
        self, files: Sequence[str], damaged: Sequence[tuple[int, BaseException]]
    ) -> tuple[str, ...]:
        if not damaged:
            return ()
        shown = "; ".join(f"{files[file]}: {error}" for file, error in damaged[:_SHOWN])
        more = f"; and {len(damaged) - _SHOWN} more" if len(damaged) > _SHOWN else ""
        if self.damaged == "skip":
            return (f"left out {len(damaged):,} damaged records or shards' ends: {shown}{more}",)
        raise SourceError(
            f"{str(self.path)!r}: {len(damaged):,} records cannot be read: {shown}{more}; get the "
            "shards again, or leave them out with ShardSource(..., damaged='skip')"
        )


def _path(path: object) -> str:
    plain = fspath(path) if isinstance(path, PathLike) else path
    if not isinstance(plain, str) or not plain:
        raise ConfigError(f"ShardSource({path!r}) names no shards; give a folder, file or pattern")
    return plain


def split_of(file: str) -> str:
    """The split a shard's name tells, or "all".

    >>> split_of("train-00000-of-00008"), split_of("cifar10_val_00001-of-00005.tfrecord")
    ('train', 'validation')
    >>> split_of("part-7.tfrecord")
    'all'
    """
    match = _NAME.search(Path(file).name)
    if match is None:
        return "all"
    name = re.split(r"[_-]", match["split"])[-1].lower()
    return _SPLITS.get(name, name)


def _rank(split: str) -> tuple[int, str]:
    order = ("train", "validation", "test")
    return (order.index(split) if split in order else len(order), split)


def _found(place: str) -> tuple[str, list[str]]:
    """The folder the shards' names start from, and the shards, sorted."""
    at = Path(place)
    if at.is_file():
        return str(at.absolute().parent), [at.name]
    if at.is_dir():
        root, files = at, {file for pattern in _SHARDS for file in at.glob(pattern)}
    elif has_magic(place):
        files = {Path(file) for file in glob(place, recursive=True)}  # noqa: PTH207 # its own words
        root = Path(commonpath([file.parent for file in files])) if files else at
    else:
        root, files = at, set()
    shards = sorted(file for file in files if file.is_file() and not _beside(file))
    if not shards:
        raise SourceError(
            f"no shards in {place!r}; give a folder of .tfrecord files, one of them, or a pattern "
            "such as 'data/train-*'"
        )
    return str(root.absolute()), [str(file.relative_to(root)) for file in shards]


def _beside(file: Path) -> bool:
    """Whether it is what tools put beside shards."""
    return file.suffix in {".idx", ".json", ".csv", ".arrow", ".txt"} or file.name.startswith(".")


def _check_features(features: Mapping[str, str | None] | None) -> None:
    if features is None:
        return
    known = get_args(Feature)
    if not isinstance(features, Mapping):
        raise ConfigError(f"features is {features!r}; give a dict such as {{'encoded': 'jpeg'}}")
    for word, name in features.items():
        if word not in known or not (name is None or isinstance(name, str)):
            raise ConfigError(
                f"features maps {word!r} to {name!r}; give names of features, or None, for some of "
                f"{', '.join(known)}"
            )


def _check_labels(rows: _native.Catalogue, names: Iterable[str], place: str) -> None:
    count = len(tuple(names))
    if count and (rows.labels.max() >= count or rows.labels.min() < 0):
        raise SourceError(
            f"{place!r}: labels go from {rows.labels.min()} to {rows.labels.max()}, and classes= "
            f"names {count}; name all of them"
        )
