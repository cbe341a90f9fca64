"""From pixels to quantised coefficients: colour, subsampling, FDCT."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from jpegmake.tables import ZIGZAG, Ints, quant_table

Floats = npt.NDArray[np.float64]
Pixels = npt.NDArray[np.uint8]
Sampling = tuple[tuple[int, int], ...]

SAMPLINGS: dict[str, Sampling] = {
    "444": ((1, 1), (1, 1), (1, 1)),
    "422": ((2, 1), (1, 1), (1, 1)),
    "420": ((2, 2), (1, 1), (1, 1)),
    "440": ((1, 2), (1, 1), (1, 1)),
    "411": ((4, 1), (1, 1), (1, 1)),
    "441": ((1, 4), (1, 1), (1, 1)),
    "410": ((4, 2), (1, 1), (1, 1)),
    "444-as-2x1": ((2, 1), (2, 1), (2, 1)),
    "444-as-1x2": ((1, 2), (1, 2), (1, 2)),
    "422-as-2x2": ((2, 2), (1, 2), (1, 2)),
    "440-as-2x2": ((2, 2), (2, 1), (2, 1)),
    "chroma-finer": ((1, 1), (2, 1), (2, 1)),
    "crossed": ((2, 1), (1, 2), (1, 1)),
    "mixed": ((2, 2), (2, 1), (1, 1)),
    "3x1": ((3, 1), (1, 1), (1, 1)),
    "gray": ((1, 1),),
    "gray-2x2": ((2, 2),),
    "gray-4x1": ((4, 1),),
}


@dataclass(frozen=True)
class Component:
    """One plane: its id, sampling factors, quantisation table and blocks.

    ``blocks`` is (rows, columns, 64) in zigzag order, padded to whole MCUs of the interleaved scan.
    """

    id: int
    h: int
    v: int
    quant: int
    blocks: Ints


@dataclass(frozen=True)
class Frame:
    """A picture as JPEG stores it. ``quants`` are in natural order."""

    width: int
    height: int
    components: tuple[Component, ...]
    quants: tuple[Ints, ...]

    @property
    def finest(self) -> tuple[int, int]:
        """The largest sampling factors, horizontal and vertical."""
        return max(c.h for c in self.components), max(c.v for c in self.components)

    @property
    def mcus(self) -> tuple[int, int]:
        """Columns and rows of MCUs of an interleaved scan."""
        h, v = self.finest
        return -(-self.width // (8 * h)), -(-self.height // (8 * v))

    def own_blocks(self, component: Component) -> tuple[int, int]:
        """Columns and rows of blocks a component has in a scan of its own."""
        h, v = self.finest
        wide, high = -(-self.width * component.h // h), -(-self.height * component.v // v)
        return -(-wide // 8), -(-high // 8)


def ycbcr(rgb: Pixels) -> list[Floats]:
    """The three planes of JFIF's colour transform."""
    r, g, b = (rgb[..., channel].astype(np.float64) for channel in range(3))
    luma = 0.299 * r + 0.587 * g + 0.114 * b
    return [luma, (b - luma) / 1.772 + 128, (r - luma) / 1.402 + 128]


def from_rgb(
    rgb: Pixels, sampling: str | Sampling = "444", quality: int = 75, ids: Sequence[int] = (1, 2, 3)
) -> Frame:
    """The frame of an RGB picture as YCbCr (of its luma alone where the sampling has one plane)."""
    factors = SAMPLINGS[sampling] if isinstance(sampling, str) else sampling
    return from_planes(ycbcr(rgb)[: len(factors)], factors, quality, ids[: len(factors)])


def from_planes(
    planes: Sequence[npt.NDArray[np.generic]],
    sampling: Sampling,
    quality: int = 75,
    ids: Sequence[int] = (1, 2, 3, 4),
    *,
    luma: Sequence[int] = (0, 3),
) -> Frame:
    """The frame of full-size planes stored as they are; chroma's table for all not in ``luma``."""
    height, width = planes[0].shape
    quants = (quant_table(quality), quant_table(quality, chroma=True))
    finest = max(h for h, _ in sampling), max(v for _, v in sampling)
    mcus = -(-width // (8 * finest[0])), -(-height // (8 * finest[1]))
    components = []
    for index, (plane, (h, v)) in enumerate(zip(planes, sampling, strict=True)):
        quant = 0 if index in luma else 1
        small = _shrunk(plane.astype(np.float64), h / finest[0], v / finest[1])
        padded = _padded(small, mcus[1] * v * 8, mcus[0] * h * 8)
        components.append(Component(ids[index], h, v, quant, _blocks(padded, quants[quant])))
    used = quants[: 1 + max(c.quant for c in components)]
    return Frame(width, height, tuple(components), used)


def from_blocks(width: int, height: int, blocks: Ints, quant: int = 8) -> Frame:
    """A gray frame of ready coefficients (rows, columns, 64; zigzag) under one flat table."""
    return Frame(
        width, height, (Component(1, 1, 1, 0, blocks),), (np.full(64, quant, dtype=np.int64),)
    )


def _shrunk(plane: Floats, across: float, down: float) -> Floats:
    """The plane averaged over the area of each of its coarser samples."""
    vertical = _area(plane.shape[0], down)
    horizontal = _area(plane.shape[1], across)
    shrunk: Floats = vertical @ plane @ horizontal.T
    return shrunk


@functools.lru_cache(maxsize=256)
def _area(size: int, share: float) -> Floats:
    """How much of each of ``size`` samples falls to each of ``ceil(size * share)`` coarser ones."""
    if share == 1:
        return np.eye(size)
    count = int(np.ceil(size * share - 1e-9))
    edges = np.minimum(np.arange(count + 1) / share, size)
    starts = np.arange(size)
    overlap = np.minimum(edges[1:, None], starts + 1) - np.maximum(edges[:-1, None], starts)
    weights = np.clip(overlap, 0, None)
    normalised: Floats = weights / weights.sum(axis=1, keepdims=True)
    return normalised


def _padded(plane: Floats, height: int, width: int) -> Floats:
    """The plane with its last row and column repeated up to a size."""
    extra = (0, height - plane.shape[0]), (0, width - plane.shape[1])
    return np.pad(plane, extra, mode="edge")


def _cosines() -> Floats:
    k, x = np.mgrid[0:8, 0:8]
    basis: Floats = np.cos((2 * x + 1) * k * np.pi / 16) / 2
    basis[0] /= np.sqrt(2)
    return basis


_COSINES = _cosines()


def _blocks(plane: Floats, quant: Ints) -> Ints:
    """Quantised coefficients of each 8x8 block, in zigzag order and within baseline's range."""
    rows, columns = plane.shape[0] // 8, plane.shape[1] // 8
    cells = (plane - 128).reshape(rows, 8, columns, 8).transpose(0, 2, 1, 3)
    spectrum = (_COSINES @ cells @ _COSINES.T).reshape(rows, columns, 64)
    levels = np.clip(np.rint(spectrum / quant), -1023, 1023).astype(np.int64)
    in_zigzag: Ints = levels[..., ZIGZAG]
    return in_zigzag
