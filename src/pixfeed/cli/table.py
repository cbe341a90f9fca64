"""Tables for a terminal."""

from __future__ import annotations

from collections.abc import Container, Sequence


def aligned(rows: Sequence[Sequence[str]], right: Container[int] = ()) -> list[str]:
    """The rows as lines with their columns aligned, the first underlined as a header.

    Columns in `right` are flush right.

    >>> print(*aligned([("name", "bytes"), ("a", "12"), ("bcdef", "3")], right={1}), sep="\\n")
    name   bytes
    -----  -----
    a         12
    bcdef      3
    """
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    rule = ["-" * width for width in widths]
    return [_line(row, widths, right) for row in (rows[0], rule, *rows[1:])]


def _line(row: Sequence[str], widths: Sequence[int], right: Container[int]) -> str:
    cells = (
        cell.rjust(width) if i in right else cell.ljust(width)
        for i, (cell, width) in enumerate(zip(row, widths, strict=True))
    )
    return "  ".join(cells).rstrip()
