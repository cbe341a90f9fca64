"""Pad: four sides and a colour."""

from __future__ import annotations

from typing import Any

import pytest

from pixfeed.recipe import Pad
from recipe.refusal import refusal


@pytest.mark.parametrize(
    ("padding", "sides"),
    [
        (0, [0, 0, 0, 0]),
        (2, [2, 2, 2, 2]),
        ([2], [2, 2, 2, 2]),
        ((1, 2), [1, 2, 1, 2]),
        ((1, 2, 3, 4), [1, 2, 3, 4]),
    ],
)
def test_fewer_numbers_stand_for_several_sides(padding: Any, sides: list[int]) -> None:
    assert Pad(padding).options()["padding"] == sides


@pytest.mark.parametrize(
    ("fill", "colour"), [(0, [0, 0, 0]), (255, [255] * 3), ([9], [9] * 3), ((1, 2, 3), [1, 2, 3])]
)
def test_one_number_is_a_gray(fill: Any, colour: list[int]) -> None:
    assert Pad(1, fill=fill).options()["fill"] == colour


@pytest.mark.parametrize("padding", [-1, (1, -1), (1, 2, 3), (), 1.5, "1", None, 2**30])
def test_wrong_padding_gets_one_line(padding: Any) -> None:
    assert refusal(lambda: Pad(padding)) == (
        f"padding of Pad is {padding!r}; give a whole number from 0 to 2**30 - 1, "
        "(left and right, top and bottom), or (left, top, right, bottom)"
    )


@pytest.mark.parametrize("fill", [-1, 256, 0.5, (1, 2), (1, 2, 3, 4), "red", None, (0, 0, 256)])
def test_wrong_fill_gets_one_line(fill: Any) -> None:
    assert refusal(lambda: Pad(1, fill=fill)) == (
        f"fill of Pad is {fill!r}; give a whole number from 0 to 255, or (red, green, blue)"
    )
