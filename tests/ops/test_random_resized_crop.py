"""RandomResizedCrop takes torchvision's part and resizes it as Pillow does."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import pixfeed as pf
from decode.reference import saved
from ops.reference import Draws, off, part, picture


@pytest.mark.parametrize(
    "op",
    [
        pf.RandomResizedCrop(24),
        pf.RandomResizedCrop((16, 40), scale=(0.3, 0.5)),
        pf.RandomResizedCrop(64, interpolation="bicubic"),
        pf.RandomResizedCrop(20, interpolation="lanczos"),
        pf.RandomResizedCrop((90, 12), ratio=(0.2, 6)),
    ],
)
def test_the_part_resized_as_pillow_does(op: pf.RandomResizedCrop) -> None:
    for id in range(20):
        assert off([op], picture(100, 133), seed=8, epoch=id % 2, id=id) <= 1


@pytest.mark.parametrize("size", [(30, 40), (7, 90), (90, 7), (1, 1), (2, 3)])
def test_the_part_to_the_pixel(size: tuple[int, int]) -> None:
    """Nearest neighbours show every coordinate of the part."""
    op = pf.RandomResizedCrop((64, 64), scale=(0.05, 1), interpolation="nearest")
    for id in range(40):
        assert off([op], coordinates(*size), seed=1, id=id) == 0


def coordinates(height: int, width: int) -> np.ndarray[Any, np.dtype[np.uint8]]:
    """A picture whose pixels are their own places."""
    y, x = np.mgrid[:height, :width]
    return np.stack([y, x, y ^ x], axis=2).astype(np.uint8)


@pytest.mark.parametrize("ratio", [(5, 6), (0.1, 0.12)])
@pytest.mark.parametrize("size", [(20, 31), (31, 20), (25, 25)])
def test_what_never_fits_becomes_the_middle(
    ratio: tuple[float, float], size: tuple[int, int]
) -> None:
    op = pf.RandomResizedCrop(16, scale=(1, 1), ratio=ratio, interpolation="nearest")
    assert part(op, size, Draws(0, 0, 0, 0)) == part(op, size, Draws(0, 0, 0, 1))
    for id in range(3):
        assert off([op], coordinates(*size), id=id) == 0


def test_all_of_an_image_is_that_image() -> None:
    op = pf.RandomResizedCrop((18, 18), scale=(1, 1), ratio=(1, 1))
    pixels = picture(18, 18)
    assert np.array_equal(pf.apply(op, saved(pixels, "PNG")), pixels)


def test_it_works_on_what_ops_before_it_left() -> None:
    ops = [pf.Pad(5, fill=200), pf.CenterCrop((50, 60)), pf.RandomResizedCrop(24)]
    for id in range(10):
        assert off(ops, picture(48, 70), id=id) <= 1
