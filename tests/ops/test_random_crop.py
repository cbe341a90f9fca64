"""RandomCrop takes the place that its draws name: first y, then x."""

from __future__ import annotations

import pytest

import pixfeed as pf
from decode.reference import saved
from ops.reference import Draws, off, picture


@pytest.mark.parametrize(
    ("op", "height", "width"),
    [
        (pf.RandomCrop(8), 20, 30),
        (pf.RandomCrop((3, 17)), 20, 30),
        (pf.RandomCrop((20, 30)), 20, 30),
        (pf.RandomCrop(20, padding=4), 20, 20),
        (pf.RandomCrop((21, 9), padding=(1, 2, 3, 4), fill=(1, 2, 3)), 20, 10),
        (pf.RandomCrop(12, pad_if_needed=True, fill=77), 5, 30),
        (pf.RandomCrop((9, 40), padding=(2, 1), pad_if_needed=True), 20, 11),
        (pf.RandomCrop(2, padding=30, fill=9), 3, 3),
    ],
)
def test_the_place_to_the_pixel(op: pf.RandomCrop, height: int, width: int) -> None:
    for id in range(25):
        assert off([op], picture(height, width), seed=3, epoch=id % 3, id=id) == 0


def test_every_place_is_drawn() -> None:
    """The reference itself reaches all corners."""
    places = {(draws.below(3), draws.below(2)) for draws in (Draws(0, 0, 0, i) for i in range(99))}
    assert len(places) == 6


def test_a_smaller_image_is_refused() -> None:
    with pytest.raises(
        pf.ConfigError, match=r"crop of 9 x 8 from an image of 5 x 30 pixels .*; put"
    ):
        pf.apply(pf.RandomCrop((9, 8)), saved(picture(5, 30), "PNG"))
