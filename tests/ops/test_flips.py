"""Flips: as often as p says, on the records that the draws name."""

from __future__ import annotations

import numpy as np
import pytest

import pixfeed as pf
from decode.reference import saved
from ops.reference import Draws, off, picture

FLIPS = (pf.RandomHorizontalFlip, pf.RandomVerticalFlip)
Flip = type[pf.RandomHorizontalFlip] | type[pf.RandomVerticalFlip]


@pytest.mark.parametrize("flip", FLIPS)
@pytest.mark.parametrize("p", [0, 0.3, 0.5, 1])
def test_to_the_pixel(flip: Flip, p: float) -> None:
    for id in range(30):
        assert off([flip(p)], picture(5, 7), seed=2, epoch=1, id=id) == 0


@pytest.mark.parametrize("flip", FLIPS)
def test_p_is_the_share(flip: Flip) -> None:
    pixels = picture(2, 2)
    data = saved(pixels, "PNG")
    flipped = sum(not np.array_equal(pf.apply(flip(0.25), data, id=i), pixels) for i in range(400))
    drawn = sum(Draws(0, 0, 0, i).fraction() < 0.25 for i in range(400))
    assert flipped == drawn
    assert 60 < flipped < 140


def test_two_flips_draw_apart() -> None:
    """The op's number names its draws, so two flips of one record are no pair."""
    ops = [pf.RandomHorizontalFlip(), pf.RandomHorizontalFlip(), pf.RandomVerticalFlip()]
    for id in range(30):
        assert off(ops, picture(5, 7), id=id) == 0


def test_one_channel_is_mirrored_too() -> None:
    gray = picture(5, 6)[..., 0]
    made = pf.apply([pf.Decode(1), pf.RandomHorizontalFlip(1)], saved(gray, "PNG"))
    assert np.array_equal(made[..., 0], gray[:, ::-1])
