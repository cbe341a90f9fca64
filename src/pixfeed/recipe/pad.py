"""Pad: a border around the image."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass

from pixfeed.recipe.op import Op
from pixfeed.recipe.shapes import colour, sides


@dataclass(frozen=True)
class Pad(Op):
    """Lays a border of one colour around the image.

    ``padding`` is a number for all sides, (left and right, top and bottom) or (left, top, right,
    bottom); ``fill`` is the border's gray or (red, green, blue).

    >>> Pad((1, 2), fill=255)
    Pad(padding=(1, 2, 1, 2), fill=(255, 255, 255))
    """

    padding: int | Sequence[int]
    _: KW_ONLY
    fill: int | Sequence[int] = 0

    def __post_init__(self) -> None:
        self._settle(padding=sides, fill=colour)
