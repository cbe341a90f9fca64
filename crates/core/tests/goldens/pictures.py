"""The pixels all goldens are made of, and the policy's arithmetic written down a second time."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

Samples = npt.NDArray[Any]  # 8 or 16 bits, as the depth asks
Pixels = npt.NDArray[np.uint8]

BACKGROUND = (10, 200, 30)
GRAY_BACKGROUND = (90, 90, 90)


def samples(height: int, width: int, channels: int, bits: int) -> Samples:
    """Smooth waves of a period of their own for each channel, over the whole range of `bits`."""
    rows, columns = np.mgrid[0:height, 0:width]
    most = (1 << bits) - 1
    waves = [
        0.5 + 0.5 * np.sin(rows / (3.1 + k) + columns / (2.3 + 1.7 * k) + k)
        for k in range(channels)
    ]
    values = np.rint(np.stack(waves, axis=-1) * most)
    values[0, 0] = 0
    values[0, 1] = most
    values[1, 0, -1] = 0
    kept: Samples = values.astype(np.uint16 if bits > 8 else np.uint8)
    return kept


def to8(values: Samples, bits: int) -> Pixels:
    """The nearest of 0..255."""
    most = (1 << bits) - 1
    return ((values.astype(np.int64) * 510 + most) // (2 * most)).astype(np.uint8)


def over(straight: Pixels, background: tuple[int, int, int]) -> Pixels:
    """Gray and alpha, or RGBA, over a background: gray only where both are."""
    colours, alpha = straight[..., :-1].astype(np.int64), straight[..., -1:].astype(np.int64)
    if colours.shape[-1] == 1 and len(set(background)) > 1:
        colours = np.repeat(colours, 3, axis=-1)
    behind = np.array(background[: colours.shape[-1]], dtype=np.int64)
    return ((colours * alpha + behind * (255 - alpha) + 127) // 255).astype(np.uint8)


def over_associated(premultiplied: Pixels, background: tuple[int, int, int]) -> Pixels:
    """The same for colours that were multiplied by their alpha."""
    colours, alpha = premultiplied[..., :-1].astype(np.int64), premultiplied[..., -1:]
    if colours.shape[-1] == 1 and len(set(background)) > 1:
        colours = np.repeat(colours, 3, axis=-1)
    behind = np.array(background[: colours.shape[-1]], dtype=np.int64)
    added = (behind * (255 - alpha.astype(np.int64)) + 127) // 255
    return np.minimum(colours + added, 255).astype(np.uint8)


def palette(count: int) -> Pixels:
    """Colours without order."""
    steps = np.arange(count)[:, None] * np.array([37, 91, 53]) + np.array([5, 17, 200])
    colours: Pixels = (steps % 256).astype(np.uint8)
    return colours
