"""Pictures for the demo to learn from: one drawn shape each, among clutter, in class folders."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pixfeed.jobs.samples import Pixels, encoders

Plane = NDArray[np.floating[Any]]

SIDES = range(48, 65)
"""How high and how wide pictures are."""

SHEET = 24
"""How many pictures are drawn at once; they have one class and one size."""


def _triangle(x: Plane, y: Plane) -> Plane:
    turns = np.pi * (0.5 + 2 / 3 * np.arange(3))
    inside: Plane = np.minimum.reduce([0.5 - x * np.cos(t) - y * np.sin(t) for t in turns])
    return inside


def _cross(x: Plane, y: Plane) -> Plane:
    near, far = np.minimum(np.abs(x), np.abs(y)), np.maximum(np.abs(x), np.abs(y))
    inside: Plane = np.minimum(0.3 - near, 1 - far)
    return inside


SHAPES: dict[str, Callable[[Plane, Plane], Plane]] = {
    "circle": lambda x, y: 0.9 - np.hypot(x, y),
    "cross": _cross,
    "ring": lambda x, y: 0.22 - np.abs(np.hypot(x, y) - 0.78),
    "square": lambda x, y: 0.8 - np.maximum(np.abs(x), np.abs(y)),
    "star": lambda x, y: 0.65 + 0.35 * np.cos(5 * np.arctan2(x, -y)) - np.hypot(x, y),
    "triangle": _triangle,
}
"""The classes: how far inside the shape of radius 1 a point lies, negative outside."""


def draw(name: str, count: int, seed: int) -> Pixels:
    """So many pictures of one shape and one size, (count, height, width, 3).

    Place, radius, turn and colours differ; lines and a mottled ground lie behind the shape. The
    same arguments draw the same pictures.

    >>> draw("ring", 5, seed=1).shape
    (5, 63, 63, 3)
    """
    rng = np.random.default_rng([seed, *name.encode()])
    height, width = rng.choice(SIDES, 2).tolist()
    y, x = np.mgrid[-1 : 1 : height * 1j, -1 : 1 : width * 1j].astype(np.float32)
    ground, ink = _colours(rng, count)
    picture = _mottled(rng, ground, x, y)
    for _ in range(3):
        _line(rng, picture, x, y)
    _paint(picture, ink, _shape(rng, name, count, x, y))
    picture += rng.normal(0, 0.03, picture.shape).astype(np.float32)
    return np.asarray(np.clip(picture * 255 + 0.5, 0, 255), np.uint8)


def write_shapes(folder: Path, each: int, seed: int) -> int:
    """Writes so many pictures of each class into class folders, every third as PNG.

    Returns their bytes together. The same arguments draw the same pictures. Needs Pillow and
    simplejpeg, and raises ConfigError at once where one of them is missing.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as place:
    ...     written = write_shapes(Path(place), each=2, seed=0)
    ...     files = sorted(path.name for path in Path(place).glob("ring/*"))
    >>> files
    ['0000.png', '0001.jpg']
    """
    known = encoders()
    encode = {"jpg": known["JPEG 4:2:0"], "png": known["PNG"]}
    total = 0
    for name, first, count in _sheets(each):
        (folder / name).mkdir(parents=True, exist_ok=True)
        for number, picture in enumerate(draw(name, count, seed=seed + first), first):
            kind = "png" if number % 3 == 0 else "jpg"
            total += (folder / name / f"{number:04d}.{kind}").write_bytes(encode[kind](picture))
    return total


def _sheets(each: int) -> list[tuple[str, int, int]]:
    """The pictures to make, as (class, number of the first, how many)."""
    starts = range(0, each, SHEET)
    return [(name, first, min(SHEET, each - first)) for name in SHAPES for first in starts]


def _colours(rng: np.random.Generator, count: int) -> tuple[Plane, Plane]:
    """A ground, and an ink that is lighter or darker in every channel."""
    lighter = rng.random((count, 1, 1, 1)) < 0.5
    low = rng.uniform(0.1, 0.35, (count, 1, 1, 3)).astype(np.float32)
    high = rng.uniform(0.6, 0.9, (count, 1, 1, 3)).astype(np.float32)
    return np.where(lighter, low, high), np.where(lighter, high, low)


def _mottled(rng: np.random.Generator, ground: Plane, x: Plane, y: Plane) -> Plane:
    """The ground with soft waves across it."""
    picture = np.repeat(np.repeat(ground, y.shape[0], axis=1), x.shape[1], axis=2)
    for _ in range(3):
        turn, pace = _random(rng, len(ground), 0, np.pi), _random(rng, len(ground), 2, 9)
        wave = np.sin((x * np.cos(turn) + y * np.sin(turn)) * pace + turn)
        picture += 0.05 * wave[..., None]
    return picture


def _line(rng: np.random.Generator, picture: Plane, x: Plane, y: Plane) -> None:
    count = len(picture)
    turn, far = _random(rng, count, 0, np.pi), _random(rng, count, -1, 1)
    away = np.abs(x * np.cos(turn) + y * np.sin(turn) - far)
    _paint(picture, rng.uniform(0, 1, (count, 1, 1, 3)), 0.025 - away)


def _shape(rng: np.random.Generator, name: str, count: int, x: Plane, y: Plane) -> Plane:
    """How far inside the shape each point lies, in half heights of the picture."""
    radius, turn = _random(rng, count, 0.55, 0.75), _random(rng, count, -0.25, 0.25)
    right = (x - _random(rng, count, -0.15, 0.15)) / radius
    down = (y - _random(rng, count, -0.15, 0.15)) / radius
    turned = right * np.cos(turn) + down * np.sin(turn), down * np.cos(turn) - right * np.sin(turn)
    return SHAPES[name](*turned) * radius


def _random(rng: np.random.Generator, count: int, low: float, high: float) -> Plane:
    return rng.uniform(low, high, (count, 1, 1)).astype(np.float32)


def _paint(picture: Plane, color: Plane, inside: Plane) -> None:
    """Lays a colour over the pictures, in place, with soft edges."""
    cover = np.clip(inside * picture.shape[1] / 2 + 0.5, 0, 1)[..., None]
    picture += (color - picture) * cover
