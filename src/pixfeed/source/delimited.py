"""CSV and TSV: a header, then rows of cells with a delimiter between them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, ClassVar

from pixfeed.errors import SourceError
from pixfeed.source.problems import Problems, short
from pixfeed.source.sheet import Cell, Cells, check_names, not_a_table, text_lines

if TYPE_CHECKING:
    from _csv import Reader

_DELIMITERS = ",;\t|"
_IMAGES = {"jpg", "jpeg", "jpe", "jfif", "png", "webp", "gif", "bmp", "dib", "tif", "tiff"}


@dataclass(frozen=True)
class Delimited:
    """A file of lines whose delimiter was told from its header.

    >>> Delimited(Path("labels.csv"), ("filename", "class"), ",").unit
    'line'
    """

    unit: ClassVar[str] = "line"
    path: Path
    names: tuple[str, ...]
    delimiter: str

    @classmethod
    def at(cls, path: Path) -> Delimited:
        """The table at a path, once its header is read and checked.

        >>> Delimited.at(Path("no/labels.csv"))
        Traceback (most recent call last):
        FileNotFoundError: ...
        """
        first = next((line for line in text_lines(path) if line.strip()), "")
        delimiter = _told(first, path)
        header = next((row for row in _rows(path, _Counted(path), delimiter) if any(row)), [])
        names = check_names(path, [name.strip() for name in header])
        pictures = [name for name in names if _is_picture(name)]
        if pictures:
            raise SourceError(
                f"{str(path)!r} has no header: its first line names the image "
                f"{short(pictures[0])}; put a line such as 'filename{delimiter}class' above it"
            )
        if not any(names) or not all(map(str.isprintable, names)):
            raise not_a_table(path, f"its first line is {short(first)}")
        return cls(path, names, delimiter)

    def take(self, wanted: Sequence[str], problems: Problems) -> Cells:
        """The cells of some columns; rows with more or fewer cells than the header are noted.

        >>> Delimited(Path("no/x.csv"), ("filename",), ",").take([], Problems("x.csv", "line"))
        Traceback (most recent call last):
        FileNotFoundError: ...
        """
        cells, width, start, end = Cells.of(wanted), len(self.names), 0, 0
        places = [(self.names.index(name), cells.columns[name], _Shared()) for name in wanted]
        lines = _Counted(self.path)
        for row in _rows(self.path, lines, self.delimiter):
            start, end = end + 1, lines.number
            if len(row) == width and any(row):
                cells.lines.append(start)
                for place, column, shared in places:
                    column.append(shared[row[place]])
            elif any(row):
                problems.add(f"not as many cells as the header's {width}", start, row)
        lines.refuse_open(start)
        # The header is the first row of all.
        cells.lines.pop(0)
        for column in cells.columns.values():
            column.pop(0)
        return cells


class _Shared(dict[str, Cell]):
    """Text without the spaces around it, one object for what is said often."""

    _ENOUGH = 1 << 16

    def __missing__(self, cell: str) -> Cell:
        text = cell.strip()
        if len(self) < self._ENOUGH:
            self[cell] = text
        return text


class _Counted:
    """The lines of a file, counted, with the quotes in them."""

    def __init__(self, path: Path) -> None:
        self.number = 0
        self._path = path
        self._quotes = 0

    def __iter__(self) -> Iterator[str]:
        for line in text_lines(self._path):
            self.number += 1
            self._quotes += line.count('"')
            yield line

    def refuse_open(self, start: int) -> None:
        """Refuses a last row whose quote swallowed lines and is never closed."""
        if self._quotes % 2 and start < self.number:
            raise SourceError(
                f"{str(self._path)!r}: a quote that opens in line {start:,} is never closed; "
                'close it, or double quotes that are meant as such ("")'
            )


def _rows(path: Path, lines: _Counted, delimiter: str) -> Iterator[list[str]]:
    import csv

    reader: Reader = csv.reader(lines, delimiter=delimiter, skipinitialspace=True)
    try:
        yield from reader
    except csv.Error as error:
        raise SourceError(
            f"{str(path)!r}: line {lines.number:,} cannot be read: {error}; look for a quote that "
            "is never closed, and end lines with a newline"
        ) from error


def _told(header: str, path: Path) -> str:
    """The delimiter that a header has most of, outside of quotes."""
    plain = "".join(header.split('"')[::2])
    usual = "\t" if PurePath(path).suffix.lower() in (".tsv", ".tab") else ","
    return max(usual + _DELIMITERS, key=plain.count)


def _is_picture(name: str) -> bool:
    return name.rpartition(".")[2].lower() in _IMAGES and "." in name
