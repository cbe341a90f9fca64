"""CenterCrop: the middle of the image."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pixfeed.recipe.op import Op
from pixfeed.recipe.shapes import size


@dataclass(frozen=True)
class CenterCrop(Op):
    """Cuts out the middle; an image that is smaller is padded with black.

    ``size`` is (height, width), or one number for both.

    >>> CenterCrop(224)
    CenterCrop(size=(224, 224))
    """

    size: int | Sequence[int]

    def __post_init__(self) -> None:
        self._settle(size=size)
