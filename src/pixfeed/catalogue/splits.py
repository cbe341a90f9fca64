"""Splits: how a table is divided, as configuration."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from math import lcm
from os import PathLike
from typing import Literal

import numpy as np

from pixfeed import _native
from pixfeed.catalogue.table import Catalogue
from pixfeed.errors import ConfigError

_FINEST = 1_000_000
_SEEDS = 1 << 64


@dataclass(frozen=True)
class Splits:
    """How records are divided: every class gets the floor or the ceiling of its exact share.

    The fractions sum to 1; 0 means that there is no such split. Which record goes where is decided
    by a hash of its key and ``seed``, so no training seed moves a test image. ``limit`` uses only
    so many records, of every class its share. ``group`` keeps records together: ``"folder"`` those
    of one folder, a function from key to name those it gives one name; groups win over exactness,
    and the catalogue's notes say by how much. ``keep`` and ``dedupe`` need what shards store, and
    are refused until those can be read.

    >>> Splits(train=0.9, validation=0.1, test=0).seed
    0
    """

    train: float = 0.8
    validation: float = 0.1
    test: float = 0.1
    seed: int = 0
    group: Callable[[str], str] | Literal["folder"] | None = None
    keep: str | PathLike[str] | None = None
    limit: int | None = None
    dedupe: bool = False

    def __post_init__(self) -> None:
        _check_fractions(self)
        _check_whole("seed", self.seed, 0, _SEEDS - 1)
        if self.limit is not None:
            _check_whole("limit", self.limit, 1, _SEEDS - 1)
        if not (self.group is None or self.group == "folder" or callable(self.group)):
            raise ConfigError(
                f"group={self.group!r} groups nothing; give 'folder' or a function from key to name"
            )
        _refuse_unbuilt(self)

    @property
    def fractions(self) -> dict[str, Fraction]:
        """The exact fraction of each split there is; 0.8 means four fifths.

        >>> Splits(train=0.75, validation=0.25, test=0).fractions
        {'train': Fraction(3, 4), 'validation': Fraction(1, 4)}
        """
        given = {"train": self.train, "validation": self.validation, "test": self.test}
        return {name: _exact(value) for name, value in given.items() if value > 0}

    def shares(self, records: int) -> dict[str, Fraction]:
        """The fraction of so many records that each split gets, once ``limit`` is applied.

        >>> Splits(limit=50).shares(100)
        {'train': Fraction(2, 5), 'validation': Fraction(1, 20), 'test': Fraction(1, 20)}
        """
        limit = records if self.limit is None else min(self.limit, records)
        used = Fraction(limit, records) if records else Fraction(1)
        return {name: fraction * used for name, fraction in self.fractions.items()}

    def divide(self, catalogue: Catalogue) -> Catalogue:
        """The catalogue in these splits; deterministic, and the same for rows in any order.

        >>> from pixfeed.catalogue import Row
        >>> rows = [Row(f"{i}.jpg", label=i % 2) for i in range(20)]
        >>> Splits().divide(Catalogue.from_rows(rows))
        <20 records of 2 classes in 3 splits: train 16, validation 2, test 2>
        """
        if len(catalogue.splits) > 1:
            raise ConfigError(
                f"the source has splits already ({', '.join(catalogue.splits)}); leave out either "
                "those or splits="
            )
        shares = self.shares(len(catalogue))
        whole = lcm(*(share.denominator for share in shares.values()))
        weights = [int(share * whole) for share in shares.values()]
        rows = catalogue.rows if self.group is None else self._grouped(catalogue)
        divided = rows.divide(list(shares), [*weights, whole - sum(weights)], self.seed)
        new = catalogue.rearranged(divided)
        return replace(new, notes=(*catalogue.notes, *_notes(catalogue, new, shares)))

    def _grouped(self, catalogue: Catalogue) -> _native.Catalogue:
        group = _folder if self.group == "folder" else self.group
        names = [group(key) for key in catalogue.keys] if callable(group) else []
        for key, name in zip(catalogue.keys, names, strict=True):
            if not isinstance(name, str):
                raise ConfigError(f"group= gave {name!r} for {key!r}; let it return a string")
        return catalogue.rows.with_groups(names)


def _folder(key: str) -> str:
    return key.rpartition("/")[0]


def _exact(fraction: float) -> Fraction:
    """What was meant: 0.1 is a tenth, and 1/3 a third, though no float is either."""
    return Fraction(str(fraction)).limit_denominator(_FINEST)


def _is_fraction(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= 1


def _check_fractions(splits: Splits) -> None:
    given = {"train": splits.train, "validation": splits.validation, "test": splits.test}
    for name, value in given.items():
        if not _is_fraction(value):
            raise ConfigError(f"{name}={value!r} is no fraction; give a number from 0 to 1")
    total = sum(_exact(value) for value in given.values())
    if total != 1:
        said = ", ".join(f"{name}={value}" for name, value in given.items())
        raise ConfigError(
            f"{said} sum to {float(total):g}; give fractions that sum to 1 (0 for a split that "
            "shall not be; limit= uses fewer records)"
        )


def _check_whole(name: str, value: object, lowest: int, highest: int) -> None:
    whole = isinstance(value, int) and not isinstance(value, bool) and lowest <= value <= highest
    if not whole:
        raise ConfigError(f"{name}={value!r}; give a whole number from {lowest} to {highest}")


def _refuse_unbuilt(splits: Splits) -> None:
    if splits.keep is not None:
        raise ConfigError(
            "keep= continues the splits of an earlier pack, and packs cannot be read yet; leave it "
            "out"
        )
    if splits.dedupe is not False:
        raise ConfigError(
            "dedupe= compares the contents of files, which is not built yet; leave it out"
        )


def _notes(old: Catalogue, new: Catalogue, shares: dict[str, Fraction]) -> list[str]:
    notes = [f"the split {name!r} has no records" for name, rows in new.splits.items() if not rows]
    if new.rows.grouped:
        notes.append(_deviation(old, new, shares))
    return notes


def _deviation(old: Catalogue, new: Catalogue, shares: dict[str, Fraction]) -> str:
    """By how much keeping groups together moved the splits from their exact shares."""
    labels, sizes = np.unique(old.labels, return_counts=True)
    totals, classes = [], []
    for name, rows in new.splits.items():
        share = float(shares[name])
        inside = np.sort(new.labels[rows.start : rows.stop])
        counts = np.searchsorted(inside, labels, "right") - np.searchsorted(inside, labels, "left")
        totals.append(f"{name} {len(rows) - share * len(old):+.1f}")
        classes.append(float(np.abs(counts - share * sizes).max(initial=0)))
    return (
        f"groups were kept whole: records more or fewer than the exact share: {', '.join(totals)}; "
        f"at most {max(classes):.1f} in one class"
    )
