"""Decode: the pixels that a recipe starts from."""

from __future__ import annotations

import inspect

import numpy as np
import pytest

import pixfeed
from pixfeed.recipe import Decode
from recipe.refusal import refusal


def test_its_defaults_are_those_of_decoding_alone() -> None:
    alone = inspect.signature(pixfeed.decode).parameters
    described = Decode().options()
    assert described.pop("background") == list(alone["background"].default)
    assert {name: alone[name].default for name in described} == described
    assert Decode().options()["max_pixels"] == 178_000_000


def test_numpy_numbers_and_one_gray_are_taken() -> None:
    given = Decode(np.int64(1), background=np.uint8(7), max_pixels=np.int64(9))  # type: ignore[arg-type]
    assert given == Decode(1, background=(7, 7, 7), max_pixels=9)
    assert repr(given) == repr(Decode(1, background=(7, 7, 7), max_pixels=9))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"channels": 4}, "channels of Decode is 4; give 1 (gray) or 3 (RGB)"),
        ({"channels": 2}, "channels of Decode is 2; give 1 (gray) or 3 (RGB)"),
        ({"channels": True}, "channels of Decode is True; give 1 (gray) or 3 (RGB)"),
        ({"channels": 3.0}, "channels of Decode is 3.0; give 1 (gray) or 3 (RGB)"),
        ({"channels": [3]}, "channels of Decode is [3]; give 1 (gray) or 3 (RGB)"),
        ({"channels": "RGB"}, "channels of Decode is 'RGB'; give 1 (gray) or 3 (RGB)"),
        ({"exif": 1}, "exif of Decode is 1; give True or False"),
        ({"exif": None}, "exif of Decode is None; give True or False"),
        (
            {"background": (0, 0, 256)},
            "background of Decode is (0, 0, 256); give a whole number from 0 to 255, or "
            "(red, green, blue)",
        ),
        (
            {"max_pixels": 0},
            "max_pixels of Decode is 0; give a whole number from 1 to 2**63 - 1",
        ),
        (
            {"max_pixels": 1e9},
            "max_pixels of Decode is 1000000000.0; give a whole number from 1 to 2**63 - 1",
        ),
    ],
)
def test_wrong_arguments_get_one_line(arguments: dict[str, object], message: str) -> None:
    assert refusal(lambda: Decode(**arguments)) == message  # type: ignore[arg-type]
