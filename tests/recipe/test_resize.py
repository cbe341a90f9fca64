"""Resize: by the shorter side, to a size, or fitted inside one."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pixfeed.recipe import Resize
from recipe.refusal import refusal

SIZE = "a whole number from 1 to 2**30 - 1, or (height, width)"
WHOLE = "a whole number from 1 to 2**30 - 1"
SIDES = st.integers(1, 2**30 - 1)


@given(SIDES, SIDES)
def test_one_number_is_the_shorter_side_unless_it_pads(one: int, other: int) -> None:
    assert Resize(one).options()["size"] == [one]
    assert Resize(one) == Resize((one,)) == Resize([one])
    assert Resize(one) != Resize((one, one))
    assert Resize((one, other)).options()["size"] == [one, other]
    assert Resize(one, pad=True) == Resize((one, one), pad=True) == Resize([one], pad=True)


def test_what_the_native_side_gets() -> None:
    assert Resize((3, 4), interpolation="lanczos", pad=True, fill=7).options() == {
        "size": [3, 4],
        "interpolation": "lanczos",
        "max_size": None,
        "pad": True,
        "fill": [7, 7, 7],
    }
    assert Resize(3, max_size=4).options()["max_size"] == 4


@pytest.mark.parametrize(
    ("size", "options", "message"),
    [
        (0, {}, f"size of Resize is 0; give {SIZE}"),
        (-1, {}, f"size of Resize is -1; give {SIZE}"),
        (2**30, {}, f"size of Resize is 1073741824; give {SIZE}"),
        (2.5, {}, f"size of Resize is 2.5; give {SIZE}"),
        (True, {}, f"size of Resize is True; give {SIZE}"),
        ("256", {}, f"size of Resize is '256'; give {SIZE}"),
        (None, {}, f"size of Resize is None; give {SIZE}"),
        ((), {}, f"size of Resize is (); give {SIZE}"),
        ((1, 2, 3), {}, f"size of Resize is (1, 2, 3); give {SIZE}"),
        ((256, 0), {"pad": True}, f"size of Resize is (256, 0); give {SIZE}"),
        ({1, 2}, {}, f"size of Resize is {{1, 2}}; give {SIZE}"),
        (((1, 2),), {}, f"size of Resize is ((1, 2),); give {SIZE}"),
        (
            8,
            {"interpolation": "cubic"},
            "interpolation of Resize is 'cubic'; give one of nearest, bilinear, bicubic, lanczos",
        ),
        (
            8,
            {"interpolation": 2},
            "interpolation of Resize is 2; give one of nearest, bilinear, bicubic, lanczos",
        ),
        (8, {"pad": "yes"}, "pad of Resize is 'yes'; give True or False"),
        (
            8,
            {"fill": -1},
            "fill of Resize is -1; give a whole number from 0 to 255, or (red, green, blue)",
        ),
        (8, {"max_size": 9.5}, f"max_size of Resize is 9.5; give {WHOLE}"),
        (8, {"max_size": (9,)}, f"max_size of Resize is (9,); give {WHOLE}"),
        (
            8,
            {"max_size": 8},
            "max_size of Resize is 8, but the shorter side becomes 8; give a larger max_size, or "
            "leave it out",
        ),
        (
            (8, 8),
            {"max_size": 9},
            "max_size of Resize is 9, but size is (8, 8) and bounds both sides; give one number "
            "as size, or leave max_size out",
        ),
        (
            8,
            {"max_size": 9, "pad": True},
            "max_size of Resize is 9, but pad=True bounds both sides by size; give one of the two",
        ),
    ],
)
def test_wrong_arguments_get_one_line(size: Any, options: dict[str, Any], message: str) -> None:
    assert refusal(lambda: Resize(size, **options)) == message
