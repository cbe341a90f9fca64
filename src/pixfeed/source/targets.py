"""From the cells of label columns to labels, or to targets where one number does not say it."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple, TypeVar

import numpy as np

from pixfeed.catalogue.classes import composed
from pixfeed.errors import ConfigError, SourceError
from pixfeed.source.label_map import LabelMap, is_whole
from pixfeed.source.labels import Kind, Labels
from pixfeed.source.problems import Problems
from pixfeed.source.sheet import Cell

if TYPE_CHECKING:
    from numpy.typing import NDArray

_Said = TypeVar("_Said")

_MOST_BYTES = 1 << 32
_LARGEST = np.iinfo(np.int64).max
_FLAGS = {"0": 0.0, "1": 1.0, "0.0": 0.0, "1.0": 1.0, "false": 0.0, "true": 1.0}
_UNSAID = {"nan", "na", "n/a", "null", "none", "inf", "-inf"}


class Told(NamedTuple):
    """What a table says of its rows: a label each, or targets and labels that are all 0.

    >>> Told(np.zeros(2, np.int64), None, ("cat",)).classes
    ('cat',)
    """

    labels: NDArray[np.int64]
    targets: NDArray[np.float32] | None
    classes: tuple[str, ...]


@dataclass(frozen=True)
class Teller:
    """Reads columns of labels; rows whose label says nothing are noted as problems.

    >>> problems = Problems("labels.csv", "line")
    >>> Teller(Labels(), None, problems).tell({"class": ["dog", "cat"]})
    Told(labels=array([1, 0]), targets=None, classes=('cat', 'dog'))
    """

    spec: Labels
    classes: tuple[str, ...] | None
    problems: Problems

    def tell(self, columns: dict[str, list[Cell]]) -> Told:
        """Labels and targets of all rows, in their order.

        >>> teller = Teller(Labels(separator="|"), None, Problems("labels.csv", "line"))
        >>> teller.tell({"tags": ["b|a", "a", ""]}).targets.tolist()
        [[1.0, 1.0], [1.0, 0.0], [0.0, 0.0]]
        """
        self._refuse_empty(columns)
        several = len(columns) > 1
        listed = any(isinstance(cell, tuple) for cell in chain(*columns.values()))
        kind = self.spec.kind or self._kind(columns, several=several)
        if kind in ("float", "flag"):
            return self._numbers(columns, kind, several=several)
        if several or listed or self.spec.separator:
            return self._several(columns)
        return self._one(next(iter(columns.values())), kind)

    def _refuse_empty(self, columns: dict[str, list[Cell]]) -> None:
        for name, cells in columns.items():
            if not any(cells):
                raise SourceError(
                    f"{self.problems.table!r}: the column {name!r} is empty in every row; name the "
                    "column of labels with label=, or give label=None"
                )

    def _kind(self, columns: dict[str, list[Cell]], *, several: bool) -> Kind:
        said = set(chain(*columns.values()))
        texts = {cell for cell in said if isinstance(cell, str)} - {""}
        if self.spec.separator or self.spec.names is not None or len(texts) < len(said - {""}):
            return "name"
        if several and all(text.casefold() in _FLAGS for text in texts):
            return "flag"
        return "float" if several and _are_numbers(texts) else self._kind_of_one(texts)

    def _kind_of_one(self, texts: set[str]) -> Kind:
        named = not texts.isdisjoint(self.classes or ())
        if named or not _are_numbers(texts):
            return "name"
        whole = all(is_whole(text) or text.casefold() in _UNSAID for text in texts)
        return "number" if whole else "float"

    def _one(self, cells: Sequence[Cell], kind: Kind) -> Told:
        codes, said = _encoded([cell for cell in cells if isinstance(cell, str)])
        number, classes = self._numbering([said], kind, alone=True)
        numbers = np.array([number(text) for text in said], np.int64)
        labels = numbers[codes]
        for row in np.flatnonzero(labels < 0).tolist():
            self._spoil(row, cells[row])
        return Told(np.maximum(labels, 0), None, classes)

    def _several(self, columns: dict[str, list[Cell]]) -> Told:
        codes, said = _encoded([*zip(*columns.values(), strict=True)])
        tags = [self._tags(cells) for cells in said]
        number, classes = self._numbering(tags, "name", alone=False)
        self._refuse_large(len(codes), len(classes))
        hot = np.zeros((len(tags), len(classes)), np.float32)
        unknown: dict[int, str] = {}
        for i, cell in enumerate(tags):
            numbers = [number(tag) for tag in cell]
            hot[i, [n for n in numbers if n >= 0]] = 1
            if -1 in numbers:
                unknown[i] = cell[numbers.index(-1)]
        for row in np.flatnonzero(np.isin(codes, list(unknown))).tolist():
            self._spoil(row, unknown[codes[row]])
        return Told(np.zeros(len(codes), np.int64), hot[codes], classes)

    def _tags(self, cells: Sequence[Cell]) -> list[str]:
        """The labels of one row, from all of its columns."""
        tags: list[str] = []
        for cell in cells:
            parts = cell.split(self.spec.separator) if isinstance(cell, str) else cell
            tags += (part.strip() for part in parts)
        return [tag for tag in tags if tag]

    def _numbering(
        self, said: Sequence[Sequence[str]], kind: Kind, *, alone: bool
    ) -> tuple[Callable[[str], int], tuple[str, ...]]:
        """What gives a text its class's number (-1 where it names none), and the classes."""
        labels = self.spec.map()
        classes = self.classes or (labels.classes if labels else None)
        meant = {text: _meant(text, labels) for text in chain(*said) if text}
        known = {text for text in meant.values() if text is not None}
        whole = bool(known) and all(map(is_whole, known))
        if classes is None:
            if alone and (kind == "number" or (whole and labels is not None)):
                return lambda text: _whole(meant.get(text), _LARGEST), ()
            classes = tuple(sorted(known, key=int if whole and not alone else None))
        counted = whole and known.isdisjoint(classes) and self.spec.kind != "name"
        if counted or (kind == "number" and labels is None):
            last = len(classes) - 1
            return lambda text: _whole(meant.get(text), last), classes
        places = {name: place for place, name in enumerate(classes)}
        return lambda text: places.get(meant.get(text) or "", -1), classes

    def _numbers(self, columns: dict[str, list[Cell]], kind: Kind, *, several: bool) -> Told:
        if self.classes is not None:
            raise ConfigError(
                f"classes= names classes, but the labels of {self.problems.table!r} are of the "
                f"kind {kind!r}; leave classes= out, or say kind= in label=pixfeed.Labels(...)"
            )
        self._refuse_large(len(next(iter(columns.values()))), len(columns))
        read = _flag if kind == "flag" else number_of
        found = [self._column(cells, read) for cells in columns.values()]
        flat = kind == "float" and not several
        targets = found[0] if flat else np.stack(found, axis=1)
        classes = tuple(map(composed, columns)) if kind == "flag" else ()
        return Told(np.zeros(len(targets), np.int64), targets, classes)

    def _column(self, cells: Sequence[Cell], read: Callable[[Cell], float]) -> NDArray[np.float32]:
        codes, said = _encoded(cells)
        with np.errstate(over="ignore"):
            numbers = np.array([read(cell) for cell in said], np.float64).astype(np.float32)[codes]
        for row in np.flatnonzero(~np.isfinite(numbers)).tolist():
            self.problems.spoil("the label is no number", row, cells[row])
        return np.nan_to_num(numbers)

    def _spoil(self, row: int, said: Cell) -> None:
        if not said:
            self.problems.spoil("the label is empty", row)
        else:
            self.problems.spoil("the label is none of the classes", row, said)

    def _refuse_large(self, rows: int, columns: int) -> None:
        if rows * columns * 4 > _MOST_BYTES:
            raise SourceError(
                f"{self.problems.table!r}: {rows:,} rows with {columns:,} classes each take more "
                "than 4 GiB; name the column of labels with label=, or give fewer classes="
            )


def _encoded(cells: Sequence[_Said]) -> tuple[NDArray[np.int64], list[_Said]]:
    """What cells say as numbers, and what each number says."""
    codes: dict[_Said, int] = {}
    numbers = [codes.setdefault(cell, len(codes)) for cell in cells]
    return np.array(numbers, np.int64), list(codes)


def _are_numbers(texts: set[str]) -> bool:
    """Whether texts are numbers, but for those that say that there is none."""
    said = [text for text in texts if text.casefold() not in _UNSAID]
    return bool(said) and all(not math.isnan(number_of(text)) for text in said)


def number_of(cell: Cell) -> float:
    """The number a cell says, or NaN; names that look like one, such as 007 and 1_000, say none.

    >>> number_of("-1.5e3"), number_of("007"), number_of("")
    (-1500.0, nan, nan)
    """
    text = cell if isinstance(cell, str) else ""
    digits = text.lstrip("+-")
    odd = "_" in text or (digits[:1] == "0" and digits[1:2].isdigit()) or not text.isascii()
    try:
        return math.nan if odd else float(text)
    except ValueError:
        return math.nan


def _flag(cell: Cell) -> float:
    return _FLAGS.get(cell.casefold(), math.nan) if isinstance(cell, str) else math.nan


def _meant(text: str, labels: LabelMap | None) -> str | None:
    plain = composed(text)
    return plain if labels is None else labels.texts.get(plain)


def _whole(text: str | None, highest: int) -> int:
    number = int(text) if text is not None and is_whole(text) else -1
    return number if number <= highest else -1
