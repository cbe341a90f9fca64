"""Which column of a table is what."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NamedTuple

from pixfeed.catalogue.classes import quoted
from pixfeed.errors import ConfigError, SourceError

IMAGE_NAMES = ("filename", "file_name", "file", "image", "path", "id")
"""What the column of images is looked for as, in any case; else it is the first column."""
LABEL_NAMES = ("class", "label", "target", "category")
"""What the column of labels is looked for as, in any case."""


class Roles(NamedTuple):
    """The names of the columns, by what they are for.

    >>> Roles("filename", ("class",), None, None, ("age",)).wanted
    ('filename', 'class', 'age')
    """

    image: str
    labels: tuple[str, ...]
    split: str | None
    group: str | None
    further: tuple[str, ...]

    @property
    def wanted(self) -> tuple[str, ...]:
        """All columns that are read, each once.

        >>> Roles("id", (), "id", None, ()).wanted
        ('id',)
        """
        said = (self.image, *self.labels, self.split, self.group, *self.further)
        return tuple(dict.fromkeys(name for name in said if name is not None))


class Columns:
    """The columns of one table, to look for roles in.

    >>> columns = Columns("labels.csv", ["Id", "breed"])
    >>> columns.image(None)
    'Id'
    >>> columns.labels(None, "Id")
    Traceback (most recent call last):
    pixfeed.errors.SourceError: 'labels.csv' has no column class, label, target or category; ...
    """

    def __init__(self, table: str, names: Sequence[str]) -> None:
        self._table = table
        self.names = tuple(name for name in names if name)

    def image(self, said: str | None) -> str:
        """The column of images.

        >>> Columns("x.csv", ["", "id", "Path"]).image(None)
        'Path'
        """
        if said is not None:
            return self.one("image", said)
        return self._first(IMAGE_NAMES, self.names) or self.names[0]

    def labels(self, said: Sequence[str] | None, image: str) -> tuple[str, ...]:
        """The columns of labels.

        >>> Columns("x.csv", ["file", "Class"]).labels(None, "file")
        ('Class',)
        """
        if said is not None:
            return tuple(self.one("label", name) for name in said)
        found = self._first(LABEL_NAMES, [name for name in self.names if name != image])
        if found is None:
            raise SourceError(
                f"{self._table!r} has no column class, label, target or category; name one of its "
                f"columns with label= ({self._listed()}), or give label=None "
                "(its first line must be a header)"
            )
        return (found,)

    def one(self, what: str, said: str) -> str:
        """A column that the user named, which must be there.

        >>> Columns("x.csv", ["file", "class"]).one("group", "patient")
        Traceback (most recent call last):
        pixfeed.errors.ConfigError: group='patient' is no column of 'x.csv'; its columns are ...
        """
        if said not in self.names:
            raise ConfigError(
                f"{what}={said!r} is no column of {self._table!r}; its columns are {self._listed()}"
            )
        return said

    def further(self, said: Sequence[str] | None, used: Collection[str | None]) -> tuple[str, ...]:
        """The columns that travel along.

        >>> Columns("x.csv", ["file", "class", "age"]).further(None, ["file", "class"])
        ('age',)
        """
        if said is not None:
            return tuple(self.one("columns", name) for name in said)
        return tuple(name for name in self.names if name not in used)

    def _listed(self) -> str:
        return quoted(self.names)

    @staticmethod
    def _first(wanted: Sequence[str], names: Sequence[str]) -> str | None:
        there = {name.casefold(): name for name in reversed(names)}
        return next((there[name] for name in wanted if name in there), None)
