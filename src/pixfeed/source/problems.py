"""What is wrong with the rows of a table, collected and told together."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal

from pixfeed.errors import SourceError

Policy = Literal["raise", "skip"]
"""Whether rows that cannot be used are an error, or left out and noted."""

_SHOWN = 3
_LONGEST = 60


class Problems:
    """The rows of a table that cannot be used, by reason; it belongs to one reading.

    >>> problems = Problems("labels.csv", "line")
    >>> problems.add("the file is missing", 7, "a.png")
    >>> problems.add("the file is missing", 9, "b.png")
    >>> print(problems)
    the file is missing: 2 (line 7 'a.png', line 9 'b.png')
    """

    def __init__(self, table: str, unit: str) -> None:
        self.table = table
        self._unit = unit
        self._lines: Sequence[int] = ()
        self._counts: dict[str, int] = {}
        self._shown: dict[str, list[str]] = {}
        self._spoilt: set[int] = set()
        self._unread = 0

    def add(self, reason: str, line: int, what: object = None) -> None:
        """Notes a line that could not even be read into a row.

        >>> Problems("labels.csv", "line").add("it has 3 cells instead of 2", 7)
        """
        self._unread += 1
        self._note(reason, line, what)

    def number(self, lines: Sequence[int]) -> None:
        """Says on which line of the table each row stands.

        >>> Problems("labels.csv", "line").number([2, 3])
        """
        self._lines = lines

    def spoil(self, reason: str, row: int, what: object = None) -> None:
        """Notes a row that cannot be used.

        >>> problems = Problems("labels.csv", "line")
        >>> problems.number([2, 3])
        >>> problems.spoil("the label is empty", 1)
        >>> print(problems)
        the label is empty: 1 (line 3)
        """
        self._spoilt.add(row)
        self._note(reason, self._lines[row], what)

    def drop(self, rows: Iterable[int]) -> None:
        """Marks rows as not to be used, for a reason that was noted with others.

        >>> problems = Problems("labels.csv", "line")
        >>> problems.drop([0, 4])
        >>> problems.kept(5)
        [1, 2, 3]
        """
        self._spoilt.update(rows)

    def kept(self, rows: int) -> list[int]:
        """The rows nothing is wrong with, of so many.

        >>> Problems("labels.csv", "line").kept(2)
        [0, 1]
        """
        if not self._spoilt:
            return list(range(rows))
        return [row for row in range(rows) if row not in self._spoilt]

    def spoils(self, row: int) -> bool:
        """Whether something is wrong with a row.

        >>> Problems("labels.csv", "line").spoils(0)
        False
        """
        return row in self._spoilt

    def count(self, reason: str) -> int:
        """How many rows were noted for a reason.

        >>> Problems("labels.csv", "line").count("the file is missing")
        0
        """
        return self._counts.get(reason, 0)

    def settle(self, rows: int, policy: Policy, hint: str = "") -> tuple[str, ...]:
        """Notes on what is left out of so many rows; one SourceError that tells all, if asked.

        >>> problems = Problems("labels.csv", "line")
        >>> problems.add("it has 3 cells instead of 2", 7)
        >>> problems.settle(5, "skip")
        ('left out rows: it has 3 cells instead of 2: 1 (line 7)',)
        >>> problems.settle(5, "raise")
        Traceback (most recent call last):
        pixfeed.errors.SourceError: 'labels.csv': 1 of 6 rows cannot be used: it has 3 cells ...
        """
        bad, every = len(self._spoilt) + self._unread, rows + self._unread
        if not self._counts:
            return ()
        if policy == "skip" and bad < every:
            return (*(f"left out rows: {line}" for line in self._told()),)
        ways = {
            "raise": "mend them, or leave them out with reading=pixfeed.Reading(bad='skip')",
            "skip": "there is none to keep; mend them",
        }
        raise SourceError(
            f"{self.table!r}: {bad:,} of {every:,} rows cannot be used: {self}; "
            f"{hint or ways[policy]}"
        )

    def _note(self, reason: str, line: int, what: object) -> None:
        self._counts[reason] = self._counts.get(reason, 0) + 1
        shown = self._shown.setdefault(reason, [])
        if len(shown) < _SHOWN:
            shown.append(f"{self._unit} {line}" + ("" if what is None else f" {short(what)}"))

    def _told(self) -> list[str]:
        return [
            f"{reason}: {count:,} ({', '.join(self._shown[reason])}"
            f"{', ...' if count > _SHOWN else ''})"
            for reason, count in self._counts.items()
        ]

    def __str__(self) -> str:
        return "; ".join(self._told())


def short(value: object) -> str:
    """A value for an error, cut where it is long.

    >>> short("a" * 1000)[-6:]
    'aaa...'
    """
    text = repr(value)
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 3]}..."
