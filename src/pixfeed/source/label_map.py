"""From what a table says to names or numbers of classes, by a map beside it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from os import PathLike, fspath
from pathlib import Path

from pixfeed.catalogue.classes import composed
from pixfeed.errors import ConfigError, SourceError
from pixfeed.source.problems import Problems, short
from pixfeed.source.sheet import open_sheet

Pairs = tuple[tuple[str, str | int], ...]
"""What the table says, and the name or number it stands for."""

_WHOLE = re.compile(r"0|[1-9][0-9]{0,18}", re.ASCII)


def is_whole(text: str) -> bool:
    """Whether a text is a number of a class, spelled as one would: without sign or zeros before it.

    >>> is_whole("10"), is_whole("007"), is_whole("-1")
    (True, False, False)
    """
    return _WHOLE.fullmatch(text) is not None


@dataclass(frozen=True)
class LabelMap:
    """How labels are translated, and the classes that follow from it, if any do.

    >>> LabelMap.of((("n1", 1), ("n0", 0)))
    LabelMap(texts={'n1': 'n1', 'n0': 'n0'}, classes=('n0', 'n1'))
    >>> LabelMap.of((("0", "cat"), ("1", "bee")))
    LabelMap(texts={'0': 'cat', '1': 'bee'}, classes=('cat', 'bee'))
    >>> LabelMap.of((("tabby", "cat"), ("siam", "cat")))
    LabelMap(texts={'tabby': 'cat', 'siam': 'cat'}, classes=None)
    """

    texts: Mapping[str, str]
    classes: tuple[str, ...] | None

    @classmethod
    def of(cls, pairs: Pairs) -> LabelMap:
        """The map of pairs; numbers from 0 without a gap number the classes.

        >>> LabelMap.of((("a", 5), ("b", 5))).texts
        {'a': '5', 'b': '5'}
        """
        texts = {composed(said): composed(str(meant)) for said, meant in pairs}
        if _are_places(list(texts.values())):
            names = sorted(texts, key=lambda name: int(texts[name]))
            return cls({name: name for name in texts}, tuple(names))
        if _are_places(list(texts)) and len(set(texts.values())) == len(texts):
            return cls(texts, tuple(texts[number] for number in sorted(texts, key=int)))
        return cls(texts, None)


def _are_places(texts: Sequence[str]) -> bool:
    """Whether texts are the numbers from 0 up, each once."""
    return all(map(is_whole, texts)) and sorted(map(int, texts)) == list(range(len(texts)))


def pairs_of(given: object) -> Pairs | str:
    """``names=`` checked: pairs that never change, or the path of a file of them.

    >>> pairs_of({"n0": "tench"}), pairs_of(Path("classes.csv"))
    ((('n0', 'tench'),), 'classes.csv')
    """
    if isinstance(given, PathLike | str) and isinstance(path := fspath(given), str) and path:
        return path
    pairs = tuple(given.items()) if isinstance(given, Mapping) else given
    if isinstance(pairs, tuple) and pairs and all(map(_is_pair, pairs)):
        return tuple((str(said), meant) for said, meant in pairs)
    raise ConfigError(
        f"names={short(given)} maps no labels; give a dict from label to name or number, or the "
        "path of a table whose first two columns say so"
    )


def _is_pair(pair: object) -> bool:
    match pair:
        case (bool(), _) | (_, bool()):
            return False
        case (str() | int(), str() | int()):
            return True
        case _:
            return False


def read_map(path: str) -> Pairs:
    """The pairs that a table's first two columns are.

    >>> read_map("no/classes.csv")
    Traceback (most recent call last):
    pixfeed.errors.SourceError: no such table: 'no/classes.csv'; ...
    """
    sheet = open_sheet(Path(path))
    names = [name for name in sheet.names if name][:2]
    if len(names) < 2:
        raise SourceError(
            f"{path!r} maps no labels: it has one column; give it a label and a name or number"
        )
    problems = Problems(path, sheet.unit)
    cells = sheet.take(names, problems)
    problems.number(cells.lines)
    pairs: dict[str, str] = {}
    said, meant = (cells.columns[name] for name in names)
    for row, (label, name) in enumerate(zip(said, meant, strict=True)):
        if not (isinstance(label, str) and isinstance(name, str) and label and name):
            problems.spoil("an empty cell", row)
        elif pairs.setdefault(label, name) != name:
            problems.spoil("another meaning for a label", row, label)
    if str(problems):
        raise SourceError(f"{path!r} cannot be used as a map of labels: {problems}; mend it")
    if not pairs:
        raise SourceError(f"{path!r} maps no labels: it has a header and no rows")
    return tuple(pairs.items())
