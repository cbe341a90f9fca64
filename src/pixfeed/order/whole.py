"""Whole numbers that users give: checked, and turned into int."""

from __future__ import annotations

import operator

from pixfeed.errors import ConfigError

MOST_RECORDS = 2**40
WORD = 2**64 - 1


def whole(name: str, value: object, least: int, most: int = WORD) -> int:
    """``value`` as an int from ``least`` to ``most``, or a ConfigError that names it.

    NumPy's integers pass; booleans, floats and text do not.

    >>> whole("batch_size", 32, 1)
    32
    >>> whole("seed", "7", 0)
    Traceback (most recent call last):
    pixfeed.errors.ConfigError: seed is '7' (str); give a whole number from 0 to 2**64 - 1
    """
    try:
        number = None if isinstance(value, bool) else operator.index(value)  # type: ignore[arg-type]
    except TypeError:
        number = None
    if number is None or not least <= number <= most:
        kind = f" ({type(value).__name__})" if number is None else ""
        raise ConfigError(f"{name} is {value!r}{kind}; give {_range(least, most)}")
    return number


def _range(least: int, most: int) -> str:
    limits = {MOST_RECORDS: "2**40", WORD: "2**64 - 1"}
    return f"a whole number from {least} to {limits.get(most, most)}"
