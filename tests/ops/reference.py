"""Every op written a second time, with NumPy, Pillow and NumPy's Philox alone."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

import pixfeed as pf
from decode.reference import Pixels, cut, resized, saved
from order.reference import words
from pixfeed.recipe import Op


class Draws:
    """The numbers one op draws for one record."""

    def __init__(self, seed: int, epoch: int, op: int, id: int, occurrence: int = 0) -> None:
        self._words = iter(words((seed, epoch), (op, id, occurrence), 64))

    def fraction(self) -> float:
        """A number from 0 up to 1."""
        return (next(self._words) >> 11) * 2.0**-53

    def below(self, n: int) -> int:
        """A whole number below n."""
        return next(self._words) * n >> 64

    def between(self, low: float, high: float) -> float:
        """A number of a range."""
        return low + (high - low) * self.fraction()


def expected(
    ops: Sequence[Op], pixels: Pixels, *, seed: int = 0, epoch: int = 0, id: int = 0, use: int = 0
) -> Pixels:
    """What the ops make of pixels, one after the other."""
    for number, op in enumerate(ops):
        if type(op) in OPS:
            pixels = OPS[type(op)](op, pixels, Draws(seed, epoch, number, id, use))
    return pixels


def off(ops: Sequence[Op], pixels: Pixels, **names: int) -> int:
    """How far the farthest value of ours is from the expected one, of a PNG of the pixels."""
    ours = pf.apply(list(ops), saved(pixels, "PNG"), **names)
    theirs = expected(ops, pixels, **names)
    assert ours.shape == theirs.shape
    assert ours.dtype == np.uint8
    return int(np.abs(ours.astype(np.int16) - theirs).max())


def picture(height: int, width: int) -> Pixels:
    """A picture in which no two places look the same."""
    return np.ascontiguousarray(cut(height, width))


def padded(pixels: Pixels, sides: Sequence[int], fill: Sequence[int]) -> Pixels:
    """The picture with so much of a colour to its left, top, right and bottom."""
    left, top, right, bottom = sides
    height, width, channels = pixels.shape
    out = np.empty((height + top + bottom, width + left + right, channels), np.uint8)
    out[:] = fill[:channels]
    out[top : top + height, left : left + width] = pixels
    return out


def _pad(op: Any, pixels: Pixels, _: Draws) -> Pixels:
    return padded(pixels, op.padding, op.fill)


def _center_crop(op: Any, pixels: Pixels, _: Draws) -> Pixels:
    (height, width), (tall, wide) = pixels.shape[:2], op.size
    x, y = max(0, wide - width), max(0, tall - height)
    pixels = padded(pixels, (x // 2, y // 2, (x + 1) // 2, (y + 1) // 2), (0, 0, 0))
    # Python rounds halves to even, as torchvision does.
    top, left = round((pixels.shape[0] - tall) / 2), round((pixels.shape[1] - wide) / 2)
    return pixels[top : top + tall, left : left + wide]


def _random_crop(op: Any, pixels: Pixels, draws: Draws) -> Pixels:
    tall, wide = op.size
    pixels = padded(pixels, op.padding, op.fill)
    if op.pad_if_needed:
        x, y = max(0, wide - pixels.shape[1]), max(0, tall - pixels.shape[0])
        pixels = padded(pixels, (x, y, x, y), op.fill)
    top = draws.below(pixels.shape[0] - tall + 1)
    left = draws.below(pixels.shape[1] - wide + 1)
    return pixels[top : top + tall, left : left + wide]


def part(op: Any, size: tuple[int, int], draws: Draws) -> tuple[int, int, int, int]:
    """Top, left, height and width of what RandomResizedCrop takes, by torchvision's rule."""
    height, width = size
    low, high = (math.log(ratio) for ratio in op.ratio)
    for _ in range(10):
        area = height * width * draws.between(*op.scale)
        ratio = math.exp(draws.between(low, high))
        wide, tall = round(math.sqrt(area * ratio)), round(math.sqrt(area / ratio))
        if 0 < wide <= width and 0 < tall <= height:
            top = draws.below(height - tall + 1)
            return top, draws.below(width - wide + 1), tall, wide
    wide, tall = width, height
    if width / height < op.ratio[0]:
        tall = round(width / op.ratio[0])
    elif width / height > op.ratio[1]:
        wide = round(height * op.ratio[1])
    return (height - tall) // 2, (width - wide) // 2, tall, wide


def _random_resized_crop(op: Any, pixels: Pixels, draws: Draws) -> Pixels:
    top, left, tall, wide = part(op, (pixels.shape[0], pixels.shape[1]), draws)
    return _resized(pixels[top : top + tall, left : left + wide], op.size, op.interpolation)


def _resized(pixels: Pixels, size: tuple[int, int], interpolation: Any) -> Pixels:
    single = pixels.shape[2] == 1
    made = resized(pixels[..., 0] if single else pixels, size, interpolation)
    return made[..., None] if single else made


def _resize(op: Any, pixels: Pixels, _: Draws) -> Pixels:
    height, width = pixels.shape[:2]
    if op.pad:
        return _fitted(op, pixels)
    if len(op.size) == 2:
        return _resized(pixels, op.size, op.interpolation)
    short, long = op.size[0], int(op.size[0] * max(height, width) / min(height, width))
    if op.max_size is not None and long > op.max_size:
        short, long = int(op.max_size * short / long), op.max_size
    size = (short, long) if height <= width else (long, short)
    return _resized(pixels, size, op.interpolation)


def _fitted(op: Any, pixels: Pixels) -> Pixels:
    tall, wide = op.size
    scale = min(tall / pixels.shape[0], wide / pixels.shape[1])
    size = tuple(max(1, math.floor(side * scale + 0.5)) for side in pixels.shape[:2])
    y, x = tall - size[0], wide - size[1]
    inner = _resized(pixels, (size[0], size[1]), op.interpolation)
    return padded(inner, (x // 2, y // 2, (x + 1) // 2, (y + 1) // 2), op.fill)


def _mirrored(op: Any, pixels: Pixels, draws: Draws) -> Pixels:
    return pixels[:, ::-1] if draws.fraction() < op.p else pixels


def _flipped(op: Any, pixels: Pixels, draws: Draws) -> Pixels:
    return pixels[::-1] if draws.fraction() < op.p else pixels


OPS: dict[type[Op], Callable[[Any, Pixels, Draws], Pixels]] = {
    pf.Pad: _pad,
    pf.CenterCrop: _center_crop,
    pf.RandomCrop: _random_crop,
    pf.RandomResizedCrop: _random_resized_crop,
    pf.Resize: _resize,
    pf.RandomHorizontalFlip: _mirrored,
    pf.RandomVerticalFlip: _flipped,
}
