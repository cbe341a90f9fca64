"""Records that could not be read: told with key, place, stage and cause, and counted."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from pixfeed.errors import SourceError, placed

_SHOWN = 3

Told = tuple[int, str, BaseException]
"""A failure as the engine tells it: row, stage, exception."""


@dataclass(frozen=True)
class Failure:
    """A record that could not be read: what it is called, where it is, at which stage, and why.

    >>> print(Failure("cat/1.jpg", "data/cat/1.jpg", "read", "No such file or directory"))
    cat/1.jpg (read): No such file or directory
    """

    key: str
    place: str
    stage: str
    cause: str

    def __str__(self) -> str:
        return f"{self.key} ({self.stage}): {self.cause}"


class Failures:
    """The bad records met so far, each once, in the order they were met.

    >>> failures = Failures(lambda row: ("a.png", "data/a.png"), most=0)
    >>> failures.add([(0, "read", FileNotFoundError(2, "No such file"))])
    Traceback (most recent call last):
    pixfeed.errors.SourceError: 1 bad image, and max_bad allows 0: a.png (read): [Errno 2] No ...
    """

    def __init__(self, name: Callable[[int], tuple[str, str]], most: int | None) -> None:
        self._name = name
        self._most = most
        self._found: dict[int, Failure] = {}

    @property
    def found(self) -> tuple[Failure, ...]:
        """All of them.

        >>> Failures(lambda row: ("", ""), None).found
        ()
        """
        return tuple(self._found.values())

    def add(self, told: Iterable[Told]) -> None:
        """Takes up what a batch met, or raises SourceError where that is too much."""
        self.note(told)
        if self._most is not None and len(self._found) > self._most:
            raise SourceError(self._summary())

    def note(self, told: Iterable[Told]) -> None:
        """Takes up what a batch met, however much it is.

        >>> failures = Failures(lambda row: ("a.png", "data/a.png"), most=0)
        >>> failures.note([(0, "read", FileNotFoundError(2, "No such file"))])
        >>> len(failures.found)
        1
        """
        for row, stage, error in told:
            if row not in self._found:
                key, place = self._name(row)
                self._found[row] = Failure(key, place, stage, str(error))

    def final(self, told: Told) -> BaseException:
        """The exception for a failure that ends the run, with the record in its message."""
        row, stage, error = told
        key, place = self._name(row)
        return placed(error, key, place, stage)

    def _summary(self) -> str:
        count = len(self._found)
        shown = "; ".join(str(failure) for failure in self.found[:_SHOWN])
        more = f"; and {count - _SHOWN} more" if count > _SHOWN else ""
        images = "image" if count == 1 else "images"
        return (
            f"{count} bad {images}, and max_bad allows {self._most}: {shown}{more}; mend or remove "
            "them, or raise max_bad (loader.report().failures names all)"
        )
