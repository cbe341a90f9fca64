"""The rows of a table as a catalogue: targets and columns lie where the sorted rows do."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from pixfeed.catalogue import Catalogue
from pixfeed.catalogue.classes import quoted
from pixfeed.catalogue.table import build_rows
from pixfeed.errors import SourceError
from pixfeed.source.label_map import is_whole
from pixfeed.source.problems import Problems
from pixfeed.source.sheet import Cell
from pixfeed.source.split_folders import SPLIT_NAMES
from pixfeed.source.targets import Told, number_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

_MOST_SPLITS = 100
_FIRST = ("train", "validation", "test")
_LONGEST_WHOLE = 18


@dataclass
class Records:
    """What a table says of its rows, in its own order, while it is read.

    >>> told = Told(np.zeros(2, np.int64), np.array([1, 2], np.float32), ())
    >>> records = Records("", ["b", "a"], told, columns={"age": ["40", "20"]})
    >>> catalogue = records.catalogue([0, 1], ())
    >>> list(catalogue.keys), catalogue.targets.tolist(), catalogue.columns["age"].tolist()
    (['a', 'b'], [2.0, 1.0], [20, 40])
    """

    root: str
    places: Sequence[str]
    told: Told
    labelled: bool = True
    splits: Sequence[Cell] | None = None
    groups: Sequence[Cell] | None = None
    columns: Mapping[str, Sequence[Cell]] = field(default_factory=dict)
    _repeated: bool = False

    def check(self, problems: Problems, *, repeats: Literal["bad", "keep"]) -> None:
        """Notes rows without a split, and those whose file has another row.

        >>> problems = Problems("labels.csv", "line")
        >>> problems.number([2, 3])
        >>> records = Records("", ["a", "a"], Told(np.array([0, 1]), None, ()))
        >>> records.check(problems, repeats="bad")
        >>> print(problems)
        the file has another row that says otherwise: 1 (line 3 'a')
        """
        for row, cell in enumerate(self.splits or ()):
            if not isinstance(cell, str) or not cell:
                problems.spoil("the split is empty", row)
        first: dict[str, int] = {}
        for row, place in enumerate(self.places):
            if problems.spoils(row):
                continue
            before = first.setdefault(place, row)
            if before != row:
                self._repeated = True
                if repeats == "bad":
                    self._spoil(problems, before, row)

    def _spoil(self, problems: Problems, before: int, row: int) -> None:
        place = self.places[row]
        if self._said(before) == self._said(row):
            problems.spoil("the file has another row that says the same", row, place)
        else:
            problems.spoil("the file has another row that says otherwise", row, place)
            # Which of the two is right cannot be told.
            problems.drop([before])

    def _said(self, row: int) -> tuple[int, str, list[float]]:
        targets = self.told.targets
        split = "" if self.splits is None else _split(self.splits[row])
        return int(self.told.labels[row]), split, [] if targets is None else [*targets[row].flat]

    def catalogue(self, kept: list[int], notes: tuple[str, ...]) -> Catalogue:
        """The catalogue of some of the rows.

        >>> Records("", ["b", "a"], Told(np.zeros(2, np.int64), None, ())).catalogue([1], ())
        <1 record of 1 class in 1 split: all 1>
        """
        if self._repeated:
            # What repeated keys are numbered by must not depend on the order of the table.
            kept = sorted(kept, key=self._said)
        names, numbers = self._numbered_splits(kept)
        rows = [
            (None, self.places[row], label, split, self._group(row))
            for row, label, split in zip(
                kept, self.told.labels[kept].tolist(), numbers, strict=True
            )
        ]
        table = build_rows(self.root, names, [*rows])
        targets, columns = self.told.targets, {}
        if targets is not None or self.columns:
            # The same rows with their numbers for labels: sorted, they say where each came from.
            numbered = [(*row[:2], n, *row[3:]) for n, row in enumerate(rows)]
            order = np.array(kept)[build_rows(self.root, names, [*numbered]).labels]
            targets = None if targets is None else targets[order]
            columns = {name: _column(cells, order) for name, cells in self.columns.items()}
        return Catalogue(
            table,
            self.told.classes,
            notes,
            targets=targets,
            columns=columns,
            labelled=self.labelled,
        )

    def _numbered_splits(self, kept: Sequence[int]) -> tuple[list[str], list[int]]:
        if self.splits is None:
            return ["all"], [0] * len(kept)
        said = [_split(self.splits[row]) for row in kept]
        known = set(said)
        names = [name for name in _FIRST if name in known] + sorted(known.difference(_FIRST))
        if len(names) > _MOST_SPLITS:
            raise SourceError(
                f"the column of splits names {len(names):,} of them: {quoted(names)}; name a "
                "column with a few, such as train and test"
            )
        number = {name: place for place, name in enumerate(names)}
        return names, [number[name] for name in said]

    def _group(self, row: int) -> str | None:
        cell = None if self.groups is None else self.groups[row]
        return "\0".join(cell) if isinstance(cell, tuple) else cell or None


def _split(cell: Cell) -> str:
    name = cell if isinstance(cell, str) else ""
    return SPLIT_NAMES.get(name.lower(), name)


def _column(cells: Sequence[Cell], order: NDArray[np.int64]) -> NDArray[Any]:
    """A column's cells: whole numbers, numbers, or what was said."""
    said = [cells[row] for row in order.tolist()]
    distinct = set(said)
    if all(isinstance(cell, str) and _is_whole(cell) for cell in distinct):
        return np.array([int(cell) for cell in said if isinstance(cell, str)], np.int64)
    if all(np.isfinite(number_of(cell)) for cell in distinct):
        return np.array([number_of(cell) for cell in said], np.float64)
    column = np.empty(len(said), object)
    column[:] = said
    return column


def _is_whole(text: str) -> bool:
    return is_whole(text.removeprefix("-")) and len(text) <= _LONGEST_WHOLE
