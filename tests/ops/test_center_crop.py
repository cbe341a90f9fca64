"""CenterCrop takes torchvision's middle, and pads what is smaller with black."""

from __future__ import annotations

from itertools import product

import pytest

import pixfeed as pf
from ops.reference import off, picture


@pytest.mark.parametrize("size", list(product((20, 21, 22, 23), (30, 31, 33))))
def test_the_middle_to_the_pixel(size: tuple[int, int]) -> None:
    """Odd and even rests on both sides: halves go to the even neighbour."""
    for height, width in product((24, 25, 26, 27), (34, 35, 36, 37)):
        assert off([pf.CenterCrop(size)], picture(height, width)) == 0


@pytest.mark.parametrize("size", [(9, 9), (5, 20), (20, 5), (21, 22), (7, 8), (100, 3)])
def test_a_smaller_image_gets_room(size: tuple[int, int]) -> None:
    assert off([pf.CenterCrop(size)], picture(8, 7)) == 0


def test_the_whole_image_is_its_middle() -> None:
    assert off([pf.CenterCrop((12, 13))], picture(12, 13)) == 0
