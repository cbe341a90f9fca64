"""RandomCrop: a size, and what is laid around the image first."""

from __future__ import annotations

from typing import Any

import pytest

from pixfeed.recipe import RandomCrop
from recipe.refusal import refusal


def test_nothing_is_padded_by_default() -> None:
    assert RandomCrop(5).options() == {
        "size": [5, 5],
        "padding": [0, 0, 0, 0],
        "pad_if_needed": False,
        "fill": [0, 0, 0],
    }
    assert RandomCrop(5) == RandomCrop((5, 5), padding=None) == RandomCrop(5, padding=0)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            {"size": 0},
            "size of RandomCrop is 0; give a whole number from 1 to 2**30 - 1, or (height, width)",
        ),
        (
            {"padding": -1},
            "padding of RandomCrop is -1; give a whole number from 0 to 2**30 - 1, "
            "(left and right, top and bottom), or (left, top, right, bottom)",
        ),
        (
            {"padding": (1, 2, 3)},
            "padding of RandomCrop is (1, 2, 3); give a whole number from 0 to 2**30 - 1, "
            "(left and right, top and bottom), or (left, top, right, bottom)",
        ),
        ({"pad_if_needed": 1}, "pad_if_needed of RandomCrop is 1; give True or False"),
        (
            {"fill": (1, 2)},
            "fill of RandomCrop is (1, 2); give a whole number from 0 to 255, or "
            "(red, green, blue)",
        ),
    ],
)
def test_wrong_arguments_get_one_line(arguments: dict[str, Any], message: str) -> None:
    assert refusal(lambda: RandomCrop(**{"size": 8, **arguments})) == message
