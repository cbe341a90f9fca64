"""A table's file as columns of text, whatever its kind: told from its content."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from pixfeed.errors import SourceError
from pixfeed.source.problems import Problems, short

Cell = str | tuple[str, ...]
"""What a table says at one place: text without the spaces around it, or a list of such."""

LONGEST = 1 << 20
"""The bytes of the longest line that is read."""

_MOST_COLUMNS = 4096
_FOREIGN = {
    b"PK\x03\x04": "a ZIP archive or an Excel file; save the sheet as CSV",
    b"\x1f\x8b": "compressed by gzip; unpack it",
    b"\xff\xfe": "text in UTF-16; save it as UTF-8",
    b"\xfe\xff": "text in UTF-16; save it as UTF-8",
    b"\xd0\xcf\x11\xe0": "an Excel file; save the sheet as CSV",
}


@dataclass
class Cells:
    """Some columns of a table, and the line of each row, while it is read.

    >>> Cells.of(["filename", "class"]).columns
    {'filename': [], 'class': []}
    """

    columns: dict[str, list[Cell]]
    lines: array[int] = field(default_factory=lambda: array("Q"))

    @classmethod
    def of(cls, names: Sequence[str]) -> Cells:
        """Columns of these names, without rows yet.

        >>> len(Cells.of(["filename"]))
        0
        """
        return cls({name: [] for name in names})

    def __len__(self) -> int:
        return len(self.lines)


class Sheet(Protocol):
    """A table's file whose columns are known and whose rows can be taken.

    >>> Sheet.take.__name__
    'take'
    """

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the columns.

        >>> Sheet.names.fget is not None
        True
        """
        ...

    @property
    def unit(self) -> str:
        """What places in the file are counted in: lines or rows.

        >>> Sheet.unit.fget is not None
        True
        """
        ...

    def take(self, wanted: Sequence[str], problems: Problems) -> Cells:
        """The cells of some columns; lines that are no rows are noted as problems.

        >>> Sheet.take.__name__
        'take'
        """
        ...


def open_sheet(path: Path) -> Sheet:
    """The table that lies at a path; its header is read and checked.

    >>> open_sheet(Path("no/labels.csv"))
    Traceback (most recent call last):
    pixfeed.errors.SourceError: no such table: 'no/labels.csv'; give the path of a CSV, TSV, ...
    """
    from pixfeed.source.delimited import Delimited
    from pixfeed.source.json_lines import JsonLines
    from pixfeed.source.parquet import Parquet

    start = _start(path)
    if start.startswith(b"PAR1"):
        return Parquet.at(path)
    for magic, what in _FOREIGN.items():
        if start.startswith(magic):
            raise SourceError(f"{str(path)!r} is {what}")
    text = start.removeprefix(b"\xef\xbb\xbf").lstrip()
    if not text:
        raise SourceError(f"{str(path)!r} is empty; give a table with a header and rows")
    if text.startswith(b"["):
        raise SourceError(f"{str(path)!r} is a JSON list; write one JSON object a line (JSONL)")
    return JsonLines.at(path) if text.startswith(b"{") else Delimited.at(path)


def _start(path: Path) -> bytes:
    wanted = "give the path of a CSV, TSV, JSONL or Parquet file"
    if not path.exists():
        raise SourceError(f"no such table: {str(path)!r}; {wanted}")
    if not path.is_file():
        raise SourceError(f"{str(path)!r} is no file; {wanted}")
    with path.open("rb") as file:
        return file.read(4096)


def text_lines(path: Path) -> Iterator[str]:
    """The lines of a file of text, with their ends; bounded in memory by the longest line.

    >>> next(text_lines(Path("no/labels.csv")))
    Traceback (most recent call last):
    FileNotFoundError: ...
    """
    with path.open("rb") as file:
        number = 0
        while line := file.readline(LONGEST + 1):
            number += 1
            if len(line) > LONGEST or b"\0" in line:
                found = "zero bytes" if b"\0" in line else f"more than {LONGEST:,} bytes"
                raise not_a_table(path, f"line {number:,} has {found}")
            try:
                text = line.decode()
            except UnicodeDecodeError as error:
                raise SourceError(
                    f"{str(path)!r} is no text in UTF-8: line {number:,} has the byte "
                    f"0x{line[error.start]:02x}; save it as UTF-8"
                ) from error
            yield text.removeprefix("\ufeff") if number == 1 else text


def not_a_table(path: Path, why: str) -> SourceError:
    """The error for a file that is something else.

    >>> print(not_a_table(Path("x.csv"), "line 1 has zero bytes"))
    'x.csv' is no table: line 1 has zero bytes; give a CSV, TSV, JSONL or Parquet file
    """
    return SourceError(f"{str(path)!r} is no table: {why}; give a CSV, TSV, JSONL or Parquet file")


def check_names(path: Path, names: Sequence[str]) -> tuple[str, ...]:
    """The names of a table's columns, if they can be told apart; unnamed ones have none.

    >>> check_names(Path("x.csv"), ["", "filename", "class"])
    ('', 'filename', 'class')
    >>> check_names(Path("x.csv"), ["file", "class", "class"])
    Traceback (most recent call last):
    pixfeed.errors.SourceError: 'x.csv' has several columns named 'class'; give each its own name
    """
    if not any(names) or len(names) > _MOST_COLUMNS:
        raise not_a_table(path, f"it has {len(names) if any(names) else 0:,} columns")
    twice = [name for name, count in Counter(names).items() if count > 1 and name]
    if twice:
        raise SourceError(
            f"{str(path)!r} has several columns named {short(twice[0])}; give each its own name"
        )
    return tuple(names)
