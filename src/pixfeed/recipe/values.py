"""Values that users give to ops: checked, and turned into plain Python that never changes."""

from __future__ import annotations

import operator
import sys
from collections.abc import Callable
from numbers import Real
from typing import Any

from pixfeed.errors import ConfigError

Rule = Callable[[str, Any], object]
"""A value's name and the value as given, to the value as kept; or a ConfigError."""

WIDEST = 2**30 - 1
LONGEST = 2**63 - 1
_SHOWN = 80


def refused(name: str, value: object, wanted: str) -> ConfigError:
    """The error for a value that cannot be meant, in one line however the value prints.

    >>> refused("p of Flip", "often", "a number from 0 to 1")
    ConfigError("p of Flip is 'often'; give a number from 0 to 1")
    """
    said = " ".join(repr(value).split())
    short = said if len(said) <= _SHOWN else f"{said[:_SHOWN]}..."
    return ConfigError(f"{name} is {short}; give {wanted}")


def whole(name: str, value: object, least: int = 1, most: int = WIDEST) -> int:
    """A whole number; NumPy's pass, booleans, floats and text do not.

    >>> whole("max_size of Resize", 640)
    640
    """
    number = index(value)
    if number is None or not least <= number <= most:
        raise refused(name, value, f"a whole number from {least} to {_limit(most)}")
    return number


def flag(name: str, value: object) -> bool:
    """True or False, and nothing that merely counts as one of them.

    >>> flag("exif of Decode", True)
    True
    """
    plain = _plain(value)
    if not isinstance(plain, bool):
        raise refused(name, value, "True or False")
    return plain


def chance(name: str, value: object) -> float:
    """A probability.

    >>> chance("p of RandomVerticalFlip", 1)
    1.0
    """
    number = real(value)
    if number is None or not 0 <= number <= 1:
        raise refused(name, value, "a number from 0 to 1")
    return number


def one_of(*known: str) -> Rule:
    """The rule for a word out of a few.

    >>> one_of("NCHW", "NHWC")("layout of ToArray", "CHW")
    Traceback (most recent call last):
    pixfeed.errors.ConfigError: layout of ToArray is 'CHW'; give one of NCHW, NHWC
    """

    def rule(name: str, value: object) -> str:
        plain = _plain(value)
        if not isinstance(plain, str) or plain not in known:
            raise refused(name, value, f"one of {', '.join(known)}")
        return plain

    return rule


def optional(rule: Rule) -> Rule:
    """The rule for a value that may be left out, as None.

    >>> optional(whole)("max_size of Resize", None) is None
    True
    """

    def unless_none(name: str, value: object) -> object:
        return None if value is None else rule(name, value)

    return unless_none


def index(value: object) -> int | None:
    """The int that a value is, or None.

    >>> index(3), index(True), index(3.0), index([3])
    (3, None, None, None)
    """
    plain = _plain(value)
    try:
        return None if isinstance(plain, bool) else operator.index(plain)
    except TypeError:
        return None


def real(value: object) -> float | None:
    """The finite float that a value is, or None.

    >>> real(3), real(True), real("3"), real(float("nan"))
    (3.0, None, None, None)
    """
    plain = _plain(value)
    number = isinstance(plain, Real) and not isinstance(plain, bool)
    # Adding zero leaves one zero of two, so that equal ops have equal digests.
    return float(plain) + 0.0 if number and abs(plain) <= sys.float_info.max else None


def wholes(value: object, least: int, most: int) -> tuple[int, ...]:
    """The whole numbers of a number or a list of them; empty where one is none, or outside.

    >>> wholes(3, 0, 9), wholes([1, 2], 0, 9), wholes([1, 20], 0, 9)
    ((3,), (1, 2), ())
    """
    items = _items(value)
    numbers = [index(item) for item in items]
    inside = tuple(number for number in numbers if number is not None and least <= number <= most)
    return inside if len(inside) == len(items) else ()


def reals(value: object) -> tuple[float, ...]:
    """The finite floats of a number or a list of them; empty where one is none.

    >>> reals(1), reals((0.5, 2)), reals([0.5, "x"])
    ((1.0,), (0.5, 2.0), ())
    """
    items = _items(value)
    found = tuple(number for number in map(real, items) if number is not None)
    return found if len(found) == len(items) else ()


def _items(value: object) -> tuple[Any, ...]:
    plain = _plain(value)
    return tuple(plain) if isinstance(plain, tuple | list) else (plain,)


def _plain(value: Any) -> Any:
    """NumPy's numbers and arrays, and tensors, as Python has them."""
    return value if isinstance(value, type) or not hasattr(value, "tolist") else value.tolist()


def _limit(most: int) -> str:
    return {WIDEST: "2**30 - 1", LONGEST: "2**63 - 1"}.get(most, str(most))
