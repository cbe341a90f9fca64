"""Parquet, read by pyarrow: the ``tables`` extra."""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from pixfeed.errors import ConfigError
from pixfeed.source.json_lines import cell_of
from pixfeed.source.problems import Problems
from pixfeed.source.sheet import Cells, check_names, not_a_table

_AT_ONCE = 1 << 14


@dataclass(frozen=True)
class Parquet:
    """A Parquet file's columns of text, numbers, truth values, times and lists of such.

    >>> Parquet(Path("labels.parquet"), ("filename", "class")).unit
    'row'
    """

    unit: ClassVar[str] = "row"
    path: Path
    names: tuple[str, ...]

    @classmethod
    def at(cls, path: Path) -> Parquet:
        """The table at a path, once its schema is read.

        >>> Parquet.at(Path("no/labels.parquet"))
        Traceback (most recent call last):
        FileNotFoundError: ...
        """
        with _opened(path) as file:
            plain = [field.name for field in file.schema_arrow if _is_plain(field.type)]
        return cls(path, check_names(path, plain))

    def take(self, wanted: Sequence[str], problems: Problems) -> Cells:  # noqa: ARG002 # every row of a Parquet file is one
        """The cells of some columns; a null is an empty cell.

        >>> Parquet(Path("no/x.parquet"), ("file",)).take([], Problems("x.parquet", "row"))
        Traceback (most recent call last):
        FileNotFoundError: ...
        """
        cells = Cells.of(wanted)
        with _opened(self.path) as file:
            for batch in file.iter_batches(_AT_ONCE, columns=list(wanted)):
                for name, column in cells.columns.items():
                    values = batch.column(name).to_pylist()
                    column.extend(_text(value) for value in values)
            cells.lines = array("Q", range(1, file.metadata.num_rows + 1))
        return cells


def _text(value: object) -> Any:
    cell = cell_of(value)
    return str(value) if cell is None else cell


def _is_plain(kind: Any) -> bool:
    from pyarrow import types

    if types.is_list(kind) or types.is_large_list(kind) or types.is_dictionary(kind):
        return _is_plain(kind.value_type)
    asked = (types.is_string, types.is_large_string, types.is_integer, types.is_floating)
    rest = (types.is_boolean, types.is_temporal, types.is_null, types.is_decimal)
    return any(is_kind(kind) for is_kind in (*asked, *rest))


@contextmanager
def _opened(path: Path) -> Iterator[Any]:
    try:
        from pyarrow import ArrowException
        from pyarrow.parquet import ParquetFile
    except ImportError as error:
        raise ConfigError(
            f"{str(path)!r} is a Parquet file, which needs pyarrow; pip install 'pixfeed[tables]'"
        ) from error
    with path.open("rb") as raw:
        try:
            with ParquetFile(raw) as file:
                yield file
        except (ArrowException, OSError) as error:
            why = str(error).partition("\n")[0]
            raise not_a_table(path, f"pyarrow cannot read it ({why})") from error
