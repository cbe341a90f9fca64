"""What the labels of a table are, as configuration."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from os import PathLike
from typing import Any, Literal

from pixfeed.errors import ConfigError
from pixfeed.source.label_map import LabelMap, Pairs, pairs_of, read_map
from pixfeed.source.reading import names_of

Kind = Literal["name", "number", "float", "flag"]
"""Names of classes, their numbers, numbers to be predicted, or a 0 or 1 for a class a column."""

_KINDS = ("name", "number", "float", "flag")


@dataclass(frozen=True)
class Labels:
    """What a table says about its images, and in which columns.

    Without ``kind`` the values tell: whole numbers from 0 are numbers of classes, kept as they
    are; other numbers are ``"float"`` targets; all else is names of classes. Several columns that
    hold only 0 and 1 are ``"flag"``: one class a column. ``separator`` parts several names in one
    cell; these, lists in JSONL and Parquet, and several columns of names become multi-hot.
    ``names`` maps what the table says to names or numbers of classes: a dict, or a table whose
    first two columns do.

    >>> Labels("tags", separator="|")
    Labels(columns=('tags',), kind=None, separator='|', names=None)
    >>> Labels(["x", "y"], kind="float").columns
    ('x', 'y')
    """

    columns: str | Sequence[str] | None = None
    kind: Kind | None = None
    separator: str | None = None
    names: Mapping[str, str | int] | str | PathLike[str] | Pairs | None = None

    def __post_init__(self) -> None:
        if self.columns is not None:
            one = isinstance(self.columns, str)
            said = names_of("label", [self.columns] if one else self.columns)
            if not said:
                raise ConfigError("label=[] names no column; give None for no label")
            object.__setattr__(self, "columns", said)
        if self.kind not in (None, *_KINDS):
            known = ", ".join(map(repr, _KINDS))
            raise ConfigError(f"kind={self.kind!r} is no kind of label; give one of {known}")
        if self.separator is not None and not _is_text(self.separator):
            raise ConfigError(f"separator={self.separator!r} parts nothing; give a text like '|'")
        if self.names is not None:
            object.__setattr__(self, "names", pairs_of(self.names))
        self._refuse_contradictions()

    def _refuse_contradictions(self) -> None:
        for name in ("separator", "names"):
            if self.kind in ("float", "flag") and getattr(self, name) is not None:
                raise ConfigError(
                    f"{name}= is for names of classes, and kind={self.kind!r} says that there are "
                    "none; leave out one of the two"
                )

    def map(self) -> LabelMap | None:
        """The map that ``names`` gives, read if it is a file.

        >>> Labels(names={"0": "cat", "1": "bee"}).map().classes
        ('cat', 'bee')
        """
        given: Any = self.names
        if given is None:
            return None
        return LabelMap.of(read_map(given) if isinstance(given, str) else given)


def _is_text(value: object) -> bool:
    return isinstance(value, str) and bool(value)


def labels_of(label: object) -> Labels | None:
    """``label=`` as what it stands for: a column's name, several, a description, or no label.

    >>> labels_of("breed").columns, labels_of(None)
    (('breed',), None)
    """
    if label is None or isinstance(label, Labels):
        return label
    if isinstance(label, str | Sequence):
        return Labels(label)
    raise ConfigError(
        f"label={label!r} names no column; give a name, a list of names, pixfeed.Labels(...), or "
        "None for no label"
    )
