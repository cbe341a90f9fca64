"""What other readers make of the same bytes: Pillow, simplejpeg, and plain NumPy."""

from __future__ import annotations

import functools
import io
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
import simplejpeg
from PIL import Image, ImageFile

from pixfeed.testing import scene

Pixels = npt.NDArray[np.uint8]
Box = tuple[int, int, int, int]
Resample = Literal["nearest", "bilinear", "bicubic", "lanczos"]

# Pillow's JPEG writer gives up on noisy progressive files with the buffer it chooses itself.
ImageFile.MAXBLOCK = 1 << 24

FILTERS: dict[Resample, Image.Resampling] = {
    "nearest": Image.Resampling.NEAREST,
    "bilinear": Image.Resampling.BILINEAR,
    "bicubic": Image.Resampling.BICUBIC,
    "lanczos": Image.Resampling.LANCZOS,
}


@functools.cache
def canvas(height: int, width: int, seed: int = 1) -> Pixels:
    """A drawn picture, drawn once."""
    picture = scene(height, width, seed=seed)
    picture.setflags(write=False)
    return picture


def cut(height: int, width: int, seed: int = 1) -> Pixels:
    """A small picture out of the busy middle of a larger one."""
    whole = canvas(400, 480, seed)
    top, left = (400 - height) // 2, (480 - width) // 2
    return whole[top : top + height, left : left + width]


def saved(picture: Pixels | Image.Image, form: str, **options: Any) -> bytes:
    """The picture as Pillow writes it."""
    image = picture if isinstance(picture, Image.Image) else Image.fromarray(picture)
    out = io.BytesIO()
    image.save(out, form, **options)
    return out.getvalue()


def pillow(data: bytes) -> Pixels:
    """RGB as stored, by Pillow."""
    return np.asarray(Image.open(io.BytesIO(data)).convert("RGB"))


def pillow_luma(data: bytes) -> Pixels:
    """The luma plane alone, by Pillow (libjpeg's grayscale output)."""
    image = Image.open(io.BytesIO(data))
    image.draft("L", image.size)
    return np.asarray(image)[..., None]


def turbo(data: bytes) -> Pixels | None:
    """RGB as stored, by simplejpeg; None where its interface has no name for the sampling."""
    try:
        pixels: Pixels = simplejpeg.decode_jpeg(data, colorspace="RGB")
    except ValueError as error:
        if "subsampling level" not in str(error):
            raise
        return None
    return pixels


def luma_of(rgb: Pixels) -> Pixels:
    """One channel out of RGB, in Pillow's fixed point."""
    r, g, b = (rgb[..., channel].astype(np.int64) for channel in range(3))
    luma = (19595 * r + 38470 * g + 7471 * b + 0x8000) >> 16
    return luma.astype(np.uint8)[..., None]


def oriented(pixels: Pixels, orientation: int) -> Pixels:
    """The stored picture as EXIF says it is to be looked at."""
    turned = pixels.swapaxes(0, 1) if orientation >= 5 else pixels
    down, across = {
        1: (1, 1), 2: (1, -1), 3: (-1, -1), 4: (-1, 1),
        5: (1, 1), 6: (1, -1), 7: (-1, -1), 8: (-1, 1),
    }[orientation]  # fmt: skip
    return turned[::down, ::across]


def cropped(pixels: Pixels, box: Box) -> Pixels:
    """The box alone."""
    x, y, width, height = box
    return pixels[y : y + height, x : x + width]


def resized(pixels: Pixels, size: tuple[int, int], resample: Resample) -> Pixels:
    """The picture at another (height, width), by Pillow."""
    height, width = size
    image = Image.fromarray(np.ascontiguousarray(pixels)).resize((width, height), FILTERS[resample])
    return np.asarray(image)


def across_then_down(pixels: Pixels, size: tuple[int, int], resample: Resample) -> Pixels:
    """The same in two steps: which pass comes first, and rounds first, differs between Pillows."""
    height, width = size
    return resized(resized(pixels, (pixels.shape[0], width), resample), (height, width), resample)
