"""Colours that YCbCr can say and RGB cannot: ours clips them after the resize, Pillow before.

Beyond rounding, this is all that lies between the two answers; on pictures full of such colours it
is more than the bound for a photo.
"""

from __future__ import annotations

import io

import numpy as np
import numpy.typing as npt
import pytest
from PIL import Image

import pixfeed as pf
from decode.reference import Box, Pixels, cropped, pillow, resized, saved

Floats = npt.NDArray[np.float64]
SIZE = (224, 224)
KERNEL_MEAN = 0.35


def garish(height: int, width: int) -> Pixels:
    """Small patches of the cube's corners: 4:2:0 smears each one's chroma over its neighbours."""
    corners = np.random.default_rng(3).integers(0, 2, (height // 3 + 1, width // 3 + 1, 3)) * 255
    return corners.repeat(3, 0).repeat(3, 1)[:height, :width].astype(np.uint8)


def unclipped(data: bytes) -> Floats:
    """RGB by the definition, out of libjpeg's upsampled planes."""
    image = Image.open(io.BytesIO(data))
    image.draft("YCbCr", image.size)
    y, cb, cr = np.moveaxis(np.asarray(image, dtype=np.float64), -1, 0) - [[[0]], [[128]], [[128]]]
    return np.stack([y + 1.402 * cr, y - 0.344136 * cb - 0.714136 * cr, y + 1.772 * cb], axis=-1)


def stretched(pixels: Floats) -> Floats:
    """Pillow's resize of floats, which rounds and clips nothing."""
    planes = [Image.fromarray(plane.astype(np.float32)) for plane in np.moveaxis(pixels, -1, 0)]
    resized = [np.asarray(plane.resize(SIZE[::-1], Image.Resampling.BILINEAR)) for plane in planes]
    return np.stack(resized, axis=-1).astype(np.float64)


@pytest.mark.parametrize("box", [(0, 0, 300, 260), (35, 21, 120, 150), (7, 11, 222, 191)])
@pytest.mark.parametrize("subsampling", [0, 2])
def test_clipped_after_the_resize(box: Box, subsampling: int) -> None:
    data = saved(garish(260, 300), "JPEG", quality=90, subsampling=subsampling)
    x, y, width, height = box
    part = unclipped(data)[y : y + height, x : x + width]
    after, before = np.clip(stretched(part), 0, 255), stretched(np.clip(part, 0, 255))
    ours = pf.decode(data, box=box, size=SIZE).astype(np.float64)
    theirs = resized(cropped(pillow(data), box), SIZE, "bilinear")
    assert np.abs(ours - after).mean() <= KERNEL_MEAN
    assert np.abs(theirs - before).mean() <= KERNEL_MEAN
    assert np.abs(after - before).mean() > 0.8, "the picture lacks the colours this is about"
