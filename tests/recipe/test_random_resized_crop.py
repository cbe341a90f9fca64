"""RandomResizedCrop: a size, a share of the area, and a shape."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pixfeed.recipe import RandomResizedCrop
from recipe.refusal import refusal

SHARES = st.floats(0, 1, exclude_min=True)


def test_the_defaults_are_those_of_torchvision() -> None:
    assert RandomResizedCrop(224).options() == {
        "size": [224, 224],
        "scale": [0.08, 1.0],
        "ratio": [0.75, 1.3333333333333333],
        "interpolation": "bilinear",
    }


@given(SHARES, SHARES)
def test_bounds_come_in_order(one: float, other: float) -> None:
    low, high = sorted([one, other])
    made = RandomResizedCrop(8, scale=[low, high], ratio=[low, high])
    assert made.scale == made.ratio == (low, high)
    if low < high:
        assert "scale" in refusal(lambda: RandomResizedCrop(8, scale=(high, low)))
        assert "ratio" in refusal(lambda: RandomResizedCrop(8, ratio=(high, low)))


@pytest.mark.parametrize("scale", [(0, 1), (1, 0.5), (0.5, 1.1), (0.1,), 0.5, "ab", (0.1, None)])
def test_wrong_scales_get_one_line(scale: Any) -> None:
    assert refusal(lambda: RandomResizedCrop(8, scale=scale)) == (
        f"scale of RandomResizedCrop is {scale!r}; give (low, high) with 0 < low <= high <= 1"
    )


@pytest.mark.parametrize("ratio", [(0, 1), (2, 1), (-1, 1), (1, float("inf")), (1, True), None])
def test_wrong_ratios_get_one_line(ratio: Any) -> None:
    assert refusal(lambda: RandomResizedCrop(8, ratio=ratio)) == (
        f"ratio of RandomResizedCrop is {ratio!r}; give (low, high) with 0 < low <= high"
    )


def test_wrong_sizes_and_filters_get_one_line() -> None:
    assert refusal(lambda: RandomResizedCrop((8, 8, 3))) == (
        "size of RandomResizedCrop is (8, 8, 3); give a whole number from 1 to 2**30 - 1, or "
        "(height, width)"
    )
    assert refusal(lambda: RandomResizedCrop(8, interpolation="area")) == (  # type: ignore[arg-type]
        "interpolation of RandomResizedCrop is 'area'; give one of nearest, bilinear, bicubic, "
        "lanczos"
    )
