"""A table of files and labels as a source: CSV, TSV, JSONL or Parquet."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass
from os import PathLike, fspath
from pathlib import Path
from typing import Any, cast

import numpy as np

from pixfeed.catalogue import Catalogue, Splits
from pixfeed.catalogue.classes import Classes, class_names, frozen
from pixfeed.errors import ConfigError, SourceError
from pixfeed.source.aligning import Records
from pixfeed.source.labels import Labels, labels_of
from pixfeed.source.places import MISSING, places, suffix_of
from pixfeed.source.problems import Problems
from pixfeed.source.reading import Reading, check_name
from pixfeed.source.roles import Columns, Roles
from pixfeed.source.sheet import Cells, Sheet, open_sheet
from pixfeed.source.targets import Teller, Told

_LOOKED_FOR = Labels()
_PLAIN = Reading()


@dataclass(frozen=True)
class Table:
    """Files and their labels, as a table with a header says: CSV, TSV, JSONL or Parquet.

    Names of files start from ``root`` (the table's own folder, if it is not said), may not leave
    it, and get ``suffix`` where they lack it. A record's key is its file's path below the root, so
    a table and a class folder of the same files are one dataset. ``image`` is the column of files:
    filename, file_name, file, image, path or id, else the first. ``label`` is that of labels:
    class, label, target or category; other columns, several, or what they mean say ``Labels``,
    no label says None. ``classes`` numbers the classes, otherwise they are sorted by name.
    ``splits`` divides the records, or names the column that does (train, val, ...). Rows that
    cannot be used are told together in one error, or as ``reading`` says. Files are looked for,
    none is opened.

    >>> Table("trainLabels.csv", root="train/", suffix=".png").label
    Labels(columns=None, kind=None, separator=None, names=None)
    """

    path: str | PathLike[str]
    _: KW_ONLY
    root: str | PathLike[str] | None = None
    image: str | None = None
    suffix: str = ""
    label: str | Sequence[str] | Labels | None = _LOOKED_FOR
    classes: Classes = None
    splits: Splits | str | None = None
    reading: Reading = _PLAIN

    def __post_init__(self) -> None:
        object.__setattr__(self, "path", _path("path", self.path))
        if self.root is not None:
            object.__setattr__(self, "root", _path("root", self.root))
        if self.image is not None:
            check_name("image", self.image)
        object.__setattr__(self, "label", labels_of(self.label))
        object.__setattr__(self, "classes", frozen(self.classes))
        self._check_kinds()

    def _check_kinds(self) -> None:
        if not isinstance(self.suffix, str):
            raise ConfigError(f"suffix={self.suffix!r} is no end of a name; give one like '.png'")
        if self.splits == "" or not isinstance(self.splits, Splits | str | None):
            raise ConfigError(
                f"splits={self.splits!r} divides nothing; give pixfeed.Splits(...) or a column's "
                "name"
            )
        if not isinstance(self.reading, Reading):
            raise ConfigError(f"reading={self.reading!r} is none; give pixfeed.Reading(...)")
        if self.label is None and self.classes is not None:
            raise ConfigError("label=None says that there are no classes; leave classes= out")

    def read(self) -> Catalogue:
        """The table's records as they are now.

        >>> Table("no/labels.csv").read()
        Traceback (most recent call last):
        pixfeed.errors.SourceError: no such table: 'no/labels.csv'; ...
        """
        path = cast("str", self.path)
        sheet = open_sheet(Path(path))
        roles = self._roles(sheet)
        problems = Problems(path, sheet.unit)
        cells = sheet.take(roles.wanted, problems)
        problems.number(cells.lines)
        records = self._records(roles, cells, problems)
        notes = problems.settle(len(cells), self.reading.bad, self._hint(roles, records, problems))
        if not cells.lines:
            raise SourceError(f"{path!r} has a header and no rows; give a table with rows")
        catalogue = records.catalogue(problems.kept(len(cells)), notes)
        return self.splits.divide(catalogue) if isinstance(self.splits, Splits) else catalogue

    def _roles(self, sheet: Sheet) -> Roles:
        columns = Columns(cast("str", self.path), sheet.names)
        image = columns.image(self.image)
        spec = cast("Labels | None", self.label)
        labels = () if spec is None else columns.labels(_names(spec), image)
        split = columns.one("splits", self.splits) if isinstance(self.splits, str) else None
        group = self.reading.group and columns.one("group", self.reading.group)
        further = columns.further(self.reading.columns, {image, *labels, split})
        return Roles(image, labels, split, group, further)

    def _records(self, roles: Roles, cells: Cells, problems: Problems) -> Records:
        root = self._root()
        records = Records(
            root=root,
            places=places(cells.columns[roles.image], root, self.suffix, problems),
            told=self._told(roles, cells, problems),
            labelled=self.label is not None,
            splits=None if roles.split is None else cells.columns[roles.split],
            groups=None if roles.group is None else cells.columns[roles.group],
            columns={name: cells.columns[name] for name in roles.further},
        )
        records.check(problems, repeats=self.reading.repeats)
        return records

    def _told(self, roles: Roles, cells: Cells, problems: Problems) -> Told:
        if self.label is None or not cells.lines:
            return Told(np.zeros(len(cells), np.int64), None, ())
        teller = Teller(cast("Labels", self.label), class_names(self.classes), problems)
        return teller.tell({name: cells.columns[name] for name in roles.labels})

    def _root(self) -> str:
        root = Path(self.path).parent if self.root is None else Path(self.root)
        if not root.is_dir():
            found = "is a file" if root.exists() else "is not there"
            raise SourceError(f"root={str(root)!r} {found}; give the folder that holds the files")
        return str(root.absolute())

    def _hint(self, roles: Roles, records: Records, problems: Problems) -> str:
        """What to do where not one file is there."""
        named = [place for place in records.places if place]
        if not named or problems.count(MISSING) < len(named):
            return ""
        missing, found = named[0], suffix_of(named[0], records.root)
        if found is not None:
            return f"there is {missing + found!r}: give suffix={found!r}"
        return (
            f"the column {roles.image!r} names no file below {records.root!r}: name the folder "
            "they start from with root=, or the column with image="
        )


def _names(spec: Labels) -> tuple[str, ...] | None:
    return cast("tuple[str, ...] | None", spec.columns)


def _path(what: str, path: Any) -> str:
    plain = fspath(path) if isinstance(path, PathLike) else path
    if not isinstance(plain, str) or not plain:
        raise ConfigError(f"{what}={path!r} is no path; give it as a string or a Path")
    return plain
