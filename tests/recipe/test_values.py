"""Values: whatever is given, it is kept as plain Python or refused in one line."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pixfeed.errors import ConfigError
from pixfeed.recipe.shapes import colour, portion, short_or_size, sides, size, span
from pixfeed.recipe.values import chance, flag, one_of, optional, real, refused, whole
from recipe.refusal import refusal

RULES = [chance, colour, flag, one_of("a"), optional(whole)]
SHAPES = [portion, short_or_size, sides, size, span]
ATOMS = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=3)
ANYTHING = st.recursive(ATOMS, lambda inner: st.lists(inner, max_size=4))
Given = Callable[[str, Any], object]


def plain(value: object) -> bool:
    items = value if isinstance(value, tuple) else (value,)
    return all(item is None or type(item) in (bool, int, float, str) for item in items)


@pytest.mark.parametrize("rule", [*RULES, *SHAPES])
@given(value=ANYTHING)
def test_anything_is_kept_plain_or_refused(rule: Given, value: Any) -> None:
    try:
        kept = rule("it", value)
    except ConfigError:
        assert refusal(lambda: rule("it", value)).startswith("it is ")
    else:
        assert plain(kept)
        assert rule("it", kept) == kept


@given(st.integers(1, 255))
def test_numpys_numbers_are_numbers(number: int) -> None:
    for given_ in (np.uint8(number), np.int64(number), np.array(number)):
        assert type(whole("it", given_)) is int
        assert size("it", given_) == (number, number)
    assert sides("it", np.array([number, 0])) == (number, 0, number, 0)
    assert type(real(np.float32(number))) is float


def test_numbers_of_other_kinds_are_numbers() -> None:
    assert real(Fraction(3, 4)) == 0.75
    assert flag("it", np.True_) is True
    assert one_of("a")("it", np.str_("a")) == "a"


@pytest.mark.parametrize("value", ["1", b"1", 1j, np.float64("nan"), [], None, int, np.int64])
def test_what_is_no_number_is_none(value: object) -> None:
    assert real(value) is None


def test_long_values_are_cut_and_lines_joined() -> None:
    message = str(refused("it", np.zeros((50, 50)), "less"))
    assert message.startswith("it is array([[0., 0., 0.,")
    assert message.endswith("...; give less")
    assert len(message) < 120
    assert "\n" not in message
