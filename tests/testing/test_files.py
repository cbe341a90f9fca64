"""Files made without an image library are what image libraries read."""

from __future__ import annotations

import io

import numpy as np
import pytest
from PIL import Image

from pixfeed.testing import png, scene


@pytest.mark.parametrize("shape", [(1, 1), (3, 4), (31, 17)])
def test_a_png_shows_the_scene(shape: tuple[int, int]) -> None:
    height, width = shape
    with Image.open(io.BytesIO(png(width=width, height=height, seed=2))) as image:
        image.load()
        assert (image.format, image.mode) == ("PNG", "RGB")
        assert np.array_equal(np.asarray(image), scene(height, width, seed=2))
