"""Random-resized boxes, drawn as torchvision's RandomResizedCrop draws them."""

from __future__ import annotations

import math

import numpy as np

Box = tuple[int, int, int, int]


def random_resized(height: int, width: int, rng: np.random.Generator) -> Box:
    """A box (x, y, width, height) of 8% to 100% of the area, 3:4 to 4:3."""
    for _ in range(10):
        area = height * width * rng.uniform(0.08, 1.0)
        aspect = math.exp(rng.uniform(math.log(3 / 4), math.log(4 / 3)))
        across, down = round(math.sqrt(area * aspect)), round(math.sqrt(area / aspect))
        if 0 < across <= width and 0 < down <= height:
            left = int(rng.integers(0, width - across + 1))
            top = int(rng.integers(0, height - down + 1))
            return left, top, across, down
    side = min(height, width)
    return (width - side) // 2, (height - side) // 2, side, side
