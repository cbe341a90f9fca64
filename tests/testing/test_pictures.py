"""Drawn pictures: the same every time, of any size, and as hard to compress as photos."""

from __future__ import annotations

import io

import numpy as np
import pytest
from PIL import Image

from pixfeed.testing import scene


@pytest.mark.parametrize("shape", [(1, 1), (1, 65), (65, 1), (3, 5), (64, 48)])
def test_any_size_is_drawn(shape: tuple[int, int]) -> None:
    picture = scene(*shape, seed=3)
    assert picture.shape == (*shape, 3)
    assert picture.dtype == np.uint8
    assert picture.flags.c_contiguous


def test_a_seed_names_one_picture() -> None:
    assert np.array_equal(scene(40, 60, seed=4), scene(40, 60, seed=4))
    assert not np.array_equal(scene(40, 60, seed=4), scene(40, 60, seed=5))


@pytest.mark.parametrize("seed", range(4))
def test_a_scene_is_like_a_photo(seed: int) -> None:
    picture = scene(240, 320, seed=seed)
    file = io.BytesIO()
    Image.fromarray(picture).save(file, "JPEG", quality=90)
    bits_per_pixel = len(file.getvalue()) * 8 / (240 * 320)
    assert 1 < bits_per_pixel < 4
    assert picture.std(axis=(0, 1)).min() > 15
    steps = np.abs(np.diff(picture.astype(int), axis=1))
    assert np.median(steps) < 8 < 60 < steps.max(), "smooth shading and hard edges"
