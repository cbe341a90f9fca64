"""A list of places with labels as a source."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from os import PathLike
from pathlib import Path, PurePath
from typing import SupportsIndex

from pixfeed.catalogue import Catalogue, Splits
from pixfeed.catalogue.classes import Classes, class_names, frozen
from pixfeed.catalogue.labels import Label, numbered
from pixfeed.catalogue.table import build_rows
from pixfeed.errors import ConfigError, SourceError

Item = tuple[str | PathLike[str], Label]
"""A file's place and its label."""


@dataclass(frozen=True, repr=False)
class Items:
    """Files named one by one, each with its label: a number from 0, or a class's name.

    The key is the place as given, so relative places (which start from the working folder) keep a
    dataset's identity on another machine. No file is opened or looked for until it is read.

    >>> Items([("dog/1.jpg", "dog"), ("cat/1.jpg", "cat")]).read()
    <2 records of 2 classes in 1 split: all 2>
    """

    items: Iterable[Item]
    classes: Classes = None
    splits: Splits | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "items", tuple(_item(item) for item in self.items))
        object.__setattr__(self, "classes", frozen(self.classes))
        if not (self.splits is None or isinstance(self.splits, Splits)):
            raise ConfigError(f"splits={self.splits!r} divides nothing; give pixfeed.Splits(...)")

    def read(self) -> Catalogue:
        """The table of the items.

        >>> list(Items([("b.png", 0), ("./a.png", 1)]).read().keys)
        ['a.png', 'b.png']
        """
        items = tuple(self.items)
        if not items:
            raise SourceError("Items([]) names no images; give (place, label) pairs")
        labels, names = numbered([label for _, label in items], class_names(self.classes))
        places = [PurePath(place).as_posix() for place, _ in items]
        rows = [(None, place, label, 0, None) for place, label in zip(places, labels, strict=True)]
        table = Catalogue(build_rows(str(Path.cwd()), ["all"], [*rows]), names)
        return table if self.splits is None else self.splits.divide(table)

    def __repr__(self) -> str:
        return f"Items(<{len(tuple(self.items)):,} items>, splits={self.splits!r})"


def _item(item: object) -> Item:
    match item:
        case (str() | PathLike() as place, str() | SupportsIndex() as label) if not isinstance(
            label, bool
        ):
            return str(PurePath(place)), label if isinstance(label, str) else label.__index__()
        case _:
            raise ConfigError(f"{item!r} is no item; give (place, label) with a class as the label")
