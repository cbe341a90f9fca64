"""Labels as sources give them, numbers or names, to the numbers the table holds."""

from __future__ import annotations

import operator
from collections.abc import Sequence

import numpy as np

from pixfeed.catalogue.classes import composed, quoted
from pixfeed.errors import ConfigError

Label = int | str
"""A class's number, from 0, or its name."""

_HIGHEST = np.iinfo(np.int64).max


def numbered(
    labels: Sequence[Label], classes: tuple[str, ...] | None
) -> tuple[list[int], tuple[str, ...]]:
    """The labels as numbers, and the names of the classes (none for plain numbers).

    >>> numbered(["dog", "cat", "dog"], None)
    ([1, 0, 1], ('cat', 'dog'))
    >>> numbered([3, 5], None)
    ([3, 5], ())
    """
    named = [composed(label) for label in labels if isinstance(label, str)]
    if not named:
        return _numbers(labels, classes), classes or ()
    if len(named) < len(labels):
        raise ConfigError(
            f"some labels are names like {named[0]!r} and some are not; give all of them as names "
            "or all as numbers"
        )
    names = tuple(sorted(set(named))) if classes is None else classes
    return _by_name(named, names), names


def _by_name(labels: list[str], names: tuple[str, ...]) -> list[int]:
    number = {name: i for i, name in enumerate(names)}
    missing = sorted(set(labels) - number.keys())
    if missing:
        raise ConfigError(f"classes= lacks {quoted(missing)}, which records have; add them to it")
    return [number[label] for label in labels]


def _numbers(labels: Sequence[Label], classes: tuple[str, ...] | None) -> list[int]:
    highest = _HIGHEST if classes is None else len(classes) - 1
    return [_number(label, highest) for label in labels]


def _number(label: Label, highest: int) -> int:
    try:
        number = operator.index(label)  # type: ignore[arg-type] # names were told apart before
    except TypeError:
        number = -1
    if isinstance(label, bool) or not 0 <= number <= highest:
        among = "a number from 0 up" if highest == _HIGHEST else f"a number from 0 to {highest}"
        raise ConfigError(f"the label {label!r} is no class; give {among}, or a class's name")
    return number
