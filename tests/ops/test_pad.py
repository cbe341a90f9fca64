"""Pad lays a border of one colour, on each side as much as asked."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import pixfeed as pf
from decode.reference import saved
from ops.reference import off, picture


@pytest.mark.parametrize("padding", [0, 3, (1, 2), (1, 2, 3, 4), (0, 0, 5, 0), (40, 0, 0, 30)])
@pytest.mark.parametrize("fill", [0, 7, (255, 3, 90)])
def test_the_border_to_the_pixel(padding: Any, fill: Any) -> None:
    assert off([pf.Pad(padding, fill=fill)], picture(9, 11)) == 0


def test_borders_of_two_colours() -> None:
    assert off([pf.Pad(2, fill=(9, 8, 7)), pf.Pad((1, 3), fill=250)], picture(9, 11)) == 0
    assert off([pf.Pad(2, fill=250), pf.Pad((1, 3), fill=250)], picture(9, 11)) == 0


def test_a_crop_may_lie_in_the_border_alone() -> None:
    """Where nothing of the image is left, the fill is."""
    for ops in ([pf.Pad((9, 0, 0, 0), fill=5)], [pf.Pad((0, 9, 0, 0), fill=5)]):
        assert off([*ops, pf.Pad((0, 0, 40, 40), fill=5), pf.CenterCrop(3)], picture(4, 4)) == 0


def test_one_channel() -> None:
    gray = picture(5, 6)[..., 0]
    made = pf.apply([pf.Decode(1), pf.Pad(1, fill=9)], saved(gray, "PNG"))
    assert made.shape == (7, 8, 1)
    assert (made[1:-1, 1:-1, 0] == gray).all()
    assert {*made[0, :, 0].tolist(), *made[:, -1, 0].tolist()} == {9}


def test_borders_add_up_or_are_refused() -> None:
    """The middle of ever larger borders is the image's, as long as there is an answer."""
    data, most = saved(picture(12, 14), "PNG"), 2**30 - 1
    middle = pf.apply(pf.CenterCrop(4), data)
    assert np.array_equal(pf.apply([pf.Pad(most), pf.CenterCrop(4)], data), middle)
    for count in (2, 3, 4, 5):
        try:
            made = pf.apply([*[pf.Pad(most)] * count, pf.CenterCrop(4)], data)
        except (pf.ConfigError, pf.DecodeError):
            continue
        assert np.array_equal(made, middle)
