"""Drawn pictures with what photos have: smooth shading, hard edges, texture and noise."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

Plane = NDArray[np.floating[Any]]


class Palette(NamedTuple):
    """The colours of one scene, as sRGB in hexadecimal, from the sky's top to the nearest hill.

    >>> PALETTES[0].high
    '294c9e'
    """

    high: str
    low: str
    sun: str
    far: str
    near: str

    def fractions(self) -> Plane:
        """The five colours as rows of fractions.

        >>> PALETTES[0].fractions().shape
        (5, 3)
        """
        rows = [tuple(bytes.fromhex(color)) for color in self]
        return np.asarray(rows, np.float32) / np.float32(255)


PALETTES = (
    Palette("294c9e", "f5b27a", "ffedb2", "7875a1", "1a2b38"),
    Palette("458cd4", "dbedf5", "fffadb", "8cadb8", "244f29"),
    Palette("21174a", "ed666b", "ffcc7a", "7a3d6e", "1a0d24"),
    Palette("5c969e", "f7e8c2", "fff5cc", "bda680", "5c3b21"),
    Palette("080f26", "29596e", "ebf5ff", "1c3d54", "05121a"),
    Palette("a3b8c9", "f0f0e8", "fffff2", "9eabb0", "47594c"),
)


def scene(height: int, width: int, seed: int) -> NDArray[np.uint8]:
    """A drawn landscape as uint8 RGB of shape (height, width, 3).

    The same arguments give the same picture wherever NumPy is the same; any size from 1 x 1 up
    is drawn. Takes about a second per million pixels.

    >>> scene(48, 64, seed=1).shape
    (48, 64, 3)
    >>> bool((scene(9, 9, seed=1) == scene(9, 9, seed=1)).all())
    True
    """
    rng = np.random.Generator(np.random.PCG64(seed))
    high, low, sun, far, near = PALETTES[int(rng.integers(len(PALETTES)))].fractions()
    y, x = _grid(height, width)
    picture = _sky(rng, (high, low, sun), y, x)
    _ridges(rng, (far, near), picture, y, x)
    for _ in range(int(rng.integers(3, 7))):
        _balloon(rng, picture, y, x)
    return _developed(rng, picture)


def _grid(height: int, width: int) -> tuple[Plane, Plane]:
    """Pixel centres: y from 0 to 1 downwards as a column, x in the same unit as a row."""
    y = (np.arange(height, dtype=np.float32) + 0.5) / height
    x = (np.arange(width, dtype=np.float32) + 0.5) / height
    return y[:, None], x[None, :]


def _sky(rng: np.random.Generator, colors: tuple[Plane, Plane, Plane], y: Plane, x: Plane) -> Plane:
    """A vertical gradient with a glowing sun and streaks of cloud."""
    high, low, sun = colors
    aspect = float(x.max())
    shade = np.clip(y / 0.75, 0, 1)[..., None]
    sky: Plane = np.repeat(high * (1 - shade) + low * shade, x.shape[1], axis=1)
    sun_y, sun_x = rng.uniform(0.12, 0.45), rng.uniform(0.15, 0.85) * aspect
    distance = np.hypot(y - sun_y, x - sun_x)
    _blend(sky, sun, np.exp(-distance * 7) * 0.75)
    _blend(sky, sun, _inside(0.055 - distance, y))
    streaks = _noise(rng, y * 9, x * 2.2)
    _blend(sky, np.ones(3, np.float32), np.clip(streaks * 2.2 - 1.1, 0, 0.55) * (1 - shade[..., 0]))
    return sky


def _ridges(
    rng: np.random.Generator, colors: tuple[Plane, Plane], picture: Plane, y: Plane, x: Plane
) -> None:
    """Hills one behind the other, each nearer one darker and rougher."""
    far, close = colors
    count = int(rng.integers(3, 6))
    for i in range(count):
        near = (i + 1) / count
        crest = 0.42 + 0.42 * near - 0.20 * _noise(rng, np.full_like(x, i), x * (1.6 + 3 * near))
        crest = crest - 0.012 * near * _noise(rng, np.full_like(x, i), x * 60)
        grain = _noise(rng, y * 90, x * 90) * 0.5 + _noise(rng, y * 14, x * 14) * 0.5
        light = 1 + (grain - 0.5) * 0.9 * near
        color = (far * (1 - near) + close * near)[None, None] * light[..., None]
        _blend(picture, color, _inside(y - crest, y))


def _balloon(rng: np.random.Generator, picture: Plane, y: Plane, x: Plane) -> None:
    """A shaded, striped balloon: a saturated shape with hard edges."""
    radius = rng.uniform(0.035, 0.13)
    center_y, center_x = rng.uniform(0.12, 0.62), rng.uniform(0.05, 0.95) * float(x.max())
    v, u = (y - center_y) / radius, (x - center_x) / radius
    hue, other = rng.uniform(0, 1), rng.uniform(0.3, 0.7)
    bulge = np.sqrt(np.clip(1 - v * v, 0.02, 1))
    stripe = np.sin(np.clip(u / bulge, -1, 1) * rng.uniform(6, 12)) > 0
    color = np.where(stripe[..., None], _hue(hue), _hue(hue + other))
    light = np.clip(0.95 - 0.35 * u - 0.3 * v - 0.25 * (u * u + v * v), 0.25, 1.15)
    _blend(picture, color * light[..., None], _inside((1 - np.hypot(u, v)) * radius, y))
    basket = np.minimum(0.16 - np.abs(u), 0.14 - np.abs(v - 1.42)) * radius
    _blend(picture, np.asarray([0.30, 0.20, 0.12], np.float32), _inside(basket, y))


def _hue(hue: float) -> Plane:
    """A saturated, slightly muted colour of the given hue in turns."""
    phases = np.asarray([0.0, 1 / 3, 2 / 3])
    color: Plane = (0.56 + 0.40 * np.cos(2 * np.pi * (hue - phases))).astype(np.float32)
    return color


def _inside(distance: Plane, y: Plane) -> Plane:
    """How much of each pixel is inside, from the signed distance to the edge."""
    cover: Plane = np.clip(distance * y.shape[0] + 0.5, 0, 1).astype(np.float32)
    return cover


def _blend(picture: Plane, color: Plane, cover: Plane) -> None:
    """Paints `color` over `picture`, in place, as far as `cover` says."""
    picture += (color - picture) * cover.astype(np.float32)[..., None]


def _noise(rng: np.random.Generator, y: Plane, x: Plane) -> Plane:
    """Smooth noise in 0..1: three octaves of a random lattice, read at (y, x)."""
    lattice = rng.random((64, 64), dtype=np.float32)
    octaves: list[Plane] = [
        _lattice_at(lattice, y * 2**k, x * 2**k) * np.float32(0.5**k) for k in range(3)
    ]
    noise: Plane = (octaves[0] + octaves[1] + octaves[2]) / np.float32(1.75)
    return noise


def _lattice_at(lattice: Plane, y: Plane, x: Plane) -> Plane:
    """The lattice, wrapped around, smoothly interpolated at (y, x)."""
    row, column = np.floor(y).astype(np.int64), np.floor(x).astype(np.int64)
    fall, run = _eased(y - row), _eased(x - column)
    rows, columns = (row % 64, (row + 1) % 64), (column % 64, (column + 1) % 64)
    upper = lattice[rows[0], columns[0]] * (1 - run) + lattice[rows[0], columns[1]] * run
    lower = lattice[rows[1], columns[0]] * (1 - run) + lattice[rows[1], columns[1]] * run
    result: Plane = upper * (1 - fall) + lower * fall
    return result


def _eased(t: Plane) -> Plane:
    result: Plane = (t * t * (3 - 2 * t)).astype(np.float32)
    return result


def _developed(rng: np.random.Generator, picture: Plane) -> NDArray[np.uint8]:
    """Sensor noise, then uint8."""
    grain = rng.normal(0, 0.012, picture.shape[:2]).astype(np.float32)[..., None]
    developed: NDArray[np.uint8] = np.clip((picture + grain) * 255 + 0.5, 0, 255).astype(np.uint8)
    return developed
