"""CenterCrop: a size, and nothing else."""

from __future__ import annotations

import numpy as np
import pytest

from pixfeed.recipe import CenterCrop
from recipe.refusal import refusal


@pytest.mark.parametrize("size", [7, (7, 7), [7], np.int32(7), np.array([7, 7]), (np.uint8(7),)])
def test_one_number_is_both_sides(size: int) -> None:
    assert CenterCrop(size) == CenterCrop((7, 7))
    assert repr(CenterCrop(size)) == "CenterCrop(size=(7, 7))"


def test_height_comes_first() -> None:
    assert CenterCrop((2, 3)).options() == {"size": [2, 3]}
    assert CenterCrop((2, 3)) != CenterCrop((3, 2))


@pytest.mark.parametrize("size", [0, (3, 0), (1, 2, 3), 1.0, "9", None, False, [[1, 2]], int])
def test_wrong_sizes_get_one_line(size: int) -> None:
    wanted = "a whole number from 1 to 2**30 - 1, or (height, width)"
    assert refusal(lambda: CenterCrop(size)) == f"size of CenterCrop is {size!r}; give {wanted}"
