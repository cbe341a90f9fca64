"""JSONL: one JSON object a line."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any, ClassVar

from pixfeed.source.problems import Problems
from pixfeed.source.sheet import Cell, Cells, check_names, not_a_table, text_lines

_LOOKED_AT = 1000


@dataclass(frozen=True)
class JsonLines:
    """A file of objects; its columns are the names in the first thousand of them.

    >>> JsonLines(Path("labels.jsonl"), ("filename", "class")).unit
    'line'
    """

    unit: ClassVar[str] = "line"
    path: Path
    names: tuple[str, ...]

    @classmethod
    def at(cls, path: Path) -> JsonLines:
        """The table at a path, once its first objects are read.

        >>> JsonLines.at(Path("no/labels.jsonl"))
        Traceback (most recent call last):
        FileNotFoundError: ...
        """
        found: dict[str, bool] = {}
        for number, _, record in islice(_objects(path), _LOOKED_AT):
            if record is None and not found:
                raise not_a_table(path, f"line {number:,} begins like JSON and is no JSON object")
            for name, value in (record or {}).items():
                found[name] = found.get(name, True) and cell_of(value) is not None
        return cls(path, check_names(path, [name for name, plain in found.items() if plain]))

    def take(self, wanted: Sequence[str], problems: Problems) -> Cells:
        """The cells of some columns; a name that an object lacks is an empty cell.

        >>> JsonLines(Path("no/x.jsonl"), ("file",)).take([], Problems("x.jsonl", "line"))
        Traceback (most recent call last):
        FileNotFoundError: ...
        """
        cells = Cells.of(wanted)
        for number, text, record in _objects(self.path):
            if record is None:
                problems.add("no JSON object", number, text)
                continue
            cells.lines.append(number)
            for name, column in cells.columns.items():
                column.append(cell_of(record.get(name)) or "")
        return cells


def _objects(path: Path) -> Iterator[tuple[int, str, dict[str, Any] | None]]:
    """Number, text and object of every line that is not blank; None for what is no object."""
    import json

    for number, line in enumerate(text_lines(path), 1):
        text = line.strip()
        if text:
            try:
                value = json.loads(text)
            except (ValueError, RecursionError):
                value = None
            yield number, text, value if isinstance(value, dict) else None


def cell_of(value: object) -> Cell | None:
    """A value as a table in text would say it; None for what is no cell.

    >>> cell_of(" cat "), cell_of(3), cell_of(None), cell_of(["a", 1]), cell_of({})
    ('cat', '3', '', ('a', '1'), None)
    """
    if isinstance(value, list):
        parts = [cell_of(part) for part in value]
        texts = tuple(part for part in parts if isinstance(part, str))
        return texts if len(texts) == len(parts) else None
    if value is None or isinstance(value, str):
        return (value or "").strip()
    return str(value) if isinstance(value, int | float) else None
