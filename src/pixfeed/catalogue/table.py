"""The table every source yields, as Python sees it: policy here, the rows themselves native."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from pixfeed import _native
from pixfeed.catalogue.classes import Classes, class_names
from pixfeed.catalogue.keys import Keys
from pixfeed.catalogue.labels import Label, numbered
from pixfeed.catalogue.targets import aligned, checked, hashed
from pixfeed.errors import ConfigError, SourceError

if TYPE_CHECKING:
    from numpy.typing import NDArray

_MOST_SPLITS = 1 << 16


class Row(NamedTuple):
    """A record as a source of your own describes it.

    ``key`` names it for ever; ``place`` says where its bytes are, if not under its key; records of
    one ``group`` never come apart when ``Splits`` divide them.

    >>> Row("cat/1.jpg", label="cat").split
    'all'
    """

    key: str
    label: Label
    place: str | None = None
    split: str = "all"
    group: str | None = None


@dataclass(frozen=True, repr=False)
class Catalogue:
    """One row per record, sorted by split and key; immutable, safe to share between threads.

    ``classes[label]`` is a class's name (empty where labels are plain numbers), ``notes`` say what
    a reader should know, ``fetch`` gets a place and returns bytes where records are no files.
    ``targets`` stand for labels where one number a record does not say it, one row a record:
    multi-hot over the classes, or numbers where there are no classes; ``labels`` are 0 then.
    ``labelled`` is False where records have no label at all. ``columns`` are what else is known,
    ``features`` the names that records in shards go by where they are not ours.

    >>> Catalogue.from_rows([Row("b.png", "dog"), Row("a.png", "cat")])
    <2 records of 2 classes in 1 split: all 2>
    """

    rows: _native.Catalogue
    classes: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    fetch: Callable[[str], bytes] | None = None
    targets: NDArray[np.float32] | None = field(default=None, compare=False)
    columns: Mapping[str, NDArray[Any]] = field(default_factory=dict, compare=False)
    labelled: bool = True
    features: Mapping[str, str | None] | None = field(default=None, compare=False)

    def __post_init__(self) -> None:
        if self.targets is not None:
            object.__setattr__(self, "targets", checked(self.targets, len(self), self.classes))
        columns = {name: aligned(name, values, len(self)) for name, values in self.columns.items()}
        object.__setattr__(self, "columns", MappingProxyType(columns))

    @classmethod
    def from_rows(
        cls,
        rows: Iterable[Row],
        *,
        classes: Classes = None,
        fetch: Callable[[str], bytes] | None = None,
        root: str = "",
    ) -> Catalogue:
        """The table of rows in any order; relative places start from ``root``.

        Labels are numbers from 0, or names, which are numbered in the order of ``classes`` or,
        without it, of the alphabet. A repeated key gets ``#1``, ``#2``.

        >>> list(Catalogue.from_rows([Row("a", 1), Row("a", 0)]).keys)
        ['a', 'a#1']
        """
        described = list(rows)
        for row in described:
            _check(row)
        labels, names = numbered([row.label for row in described], class_names(classes))
        splits = list(dict.fromkeys(row.split for row in described)) or ["all"]
        if len(splits) > _MOST_SPLITS:
            raise ConfigError(
                f"the rows name {len(splits):,} splits, the first {splits[0]!r}; name a few, such "
                "as 'train' and 'test'"
            )
        number = {split: i for i, split in enumerate(splits)}
        table = build_rows(
            root,
            splits,
            [
                (
                    row.key,
                    row.key if row.place is None else row.place,
                    label,
                    number[row.split],
                    row.group,
                )
                for row, label in zip(described, labels, strict=True)
            ],
        )
        return cls(table, names, fetch=fetch)

    def __len__(self) -> int:
        return len(self.rows)

    @property
    def keys(self) -> Keys:
        """All keys, in canonical order.

        >>> list(Catalogue.from_rows([Row("b", 0), Row("a", 0)]).keys)
        ['a', 'b']
        """
        return Keys(self.rows, range(len(self.rows)))

    @property
    def ids(self) -> NDArray[np.uint64]:
        """All ids, XXH3-64 of the keys: a view of the table itself, not to be written to.

        >>> hex(Catalogue.from_rows([Row("a", 0)]).ids[0])
        '0xe6c632b61e964e1f'
        """
        return self.rows.ids

    @property
    def labels(self) -> NDArray[np.int64]:
        """All labels: a view of the table itself, not to be written to.

        >>> Catalogue.from_rows([Row("b", 7), Row("a", 5)]).labels
        array([5, 7])
        """
        return self.rows.labels

    @property
    def splits(self) -> dict[str, range]:
        """The rows of each split.

        >>> Catalogue.from_rows([Row("a", 0, split="train"), Row("b", 0, split="test")]).splits
        {'train': range(0, 1), 'test': range(1, 2)}
        """
        return {name: range(start, stop) for name, start, stop in self.rows.splits}

    @property
    def counts(self) -> dict[str, dict[str, int]]:
        """The records of each class in each split; classes without names go by their number.

        Records with several labels count for each of them, records without classes for none.

        >>> Catalogue.from_rows([Row("a", "x"), Row("b", "y"), Row("c", "x")]).counts
        {'all': {'x': 2, 'y': 1}}
        """
        return {name: self._count(where) for name, where in self.splits.items()}

    @cached_property
    def fingerprint(self) -> str:
        """SHA-256 of the sorted (key, label, split), in hexadecimal; no file is opened for it.

        Where there are targets, it is that of this hash and of the targets in the order of ids.

        >>> Catalogue.from_rows([Row("a", 0)]).fingerprint[:16]
        'dda44660c9f95cec'
        """
        if self.targets is None:
            return self.rows.fingerprint
        return hashed(self.rows.fingerprint, self.ids, self.targets)

    def rearranged(self, rows: _native.Catalogue) -> Catalogue:
        """The catalogue of some of its records, in another table of them.

        >>> one = Catalogue.from_rows([Row("a", 0), Row("b", 0)])
        >>> two = Catalogue(one.rows, targets=np.array([0.5, 2.5], np.float32))
        >>> divided = one.rows.divide(["train", "test"], [0, 1, 1], 0)
        >>> two.rearranged(divided).targets.shape
        (1,)
        """
        if self.targets is None and not self.columns:
            return replace(self, rows=rows)
        order = np.argsort(self.ids)
        places = order[np.searchsorted(self.ids, rows.ids, sorter=order)]
        targets = None if self.targets is None else self.targets[places]
        columns = {name: values[places] for name, values in self.columns.items()}
        return replace(self, rows=rows, targets=targets, columns=columns)

    def _count(self, where: range) -> dict[str, int]:
        if self.targets is not None:
            hot = np.count_nonzero(self.targets[where.start : where.stop], axis=0)
            return dict(zip(self.classes, hot.tolist(), strict=True)) if self.classes else {}
        if not self.labelled:
            return {}
        labels = self.labels[where.start : where.stop]
        values, counts = np.unique(labels, return_counts=True)
        found = dict(zip(values.tolist(), counts.tolist(), strict=True))
        if self.classes:
            return {name: found.get(label, 0) for label, name in enumerate(self.classes)}
        return {str(label): count for label, count in found.items()}

    def __repr__(self) -> str:
        splits = ", ".join(f"{name} {len(where):,}" for name, where in self.splits.items())
        return (
            f"<{_several(len(self), 'record')} {self._kind()} in "
            f"{_several(len(self.splits), 'split')}: {splits}>"
        )

    def _kind(self) -> str:
        if not self.labelled:
            return "without labels"
        if self.targets is not None and not self.classes:
            return f"with {_several(self.targets[:1].size, 'number')} each"
        return f"of {_several(len(self.classes) or len(np.unique(self.labels)), 'class')}"


def _check(row: Any) -> None:
    texts = [row.key, row.split, row.place or "", row.group or ""] if isinstance(row, Row) else []
    if not texts or not all(isinstance(text, str) for text in texts):
        raise ConfigError(
            f"{row!r} is no record; give Row(key, label) with texts as its key, place, split and "
            "group"
        )


def _several(count: int, noun: str) -> str:
    plural = "es" if noun.endswith("s") else "s"
    return f"{count:,} {noun}{'' if count == 1 else plural}"


def build_rows(
    root: str, splits: list[str], rows: list[tuple[str | None, str, int, int, str | None]]
) -> _native.Catalogue:
    """The native table of rows, with its refusals in our words.

    >>> len(build_rows("", ["all"], [("a", "a", 0, 0, None)]))
    1
    """
    try:
        return _native.Catalogue.of_rows(root, splits, rows)
    except UnicodeEncodeError as error:
        raise ConfigError(
            f"{error.object!r} is no text that can be stored; give keys, places, splits and groups "
            "in plain Unicode"
        ) from error
    except ValueError as error:
        raise SourceError(f"{error}; rename one of the two") from error
