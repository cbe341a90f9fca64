"""RandomResizedCrop: a part of random size and shape, resized."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass
from typing import ClassVar, get_args

from pixfeed.decode import Resample
from pixfeed.recipe.op import Op
from pixfeed.recipe.shapes import portion, size, span
from pixfeed.recipe.values import one_of


@dataclass(frozen=True)
class RandomResizedCrop(Op):
    """Cuts out a random part and resizes it to ``size``: the usual training crop of ImageNet.

    ``size`` is (height, width), or one number for both. ``scale`` bounds the part's share of the
    image's area, ``ratio`` its width by its height. ``interpolation`` is "nearest", "bilinear",
    "bicubic" or "lanczos". Only the part is decoded, where the format allows it.

    >>> RandomResizedCrop(224, scale=(0.25, 1)).options()["scale"]
    [0.25, 1.0]
    """

    random: ClassVar[bool] = True

    size: int | Sequence[int]
    _: KW_ONLY
    scale: Sequence[float] = (0.08, 1.0)
    ratio: Sequence[float] = (3 / 4, 4 / 3)
    interpolation: Resample = "bilinear"

    def __post_init__(self) -> None:
        self._settle(size=size, scale=portion, ratio=span)
        self._settle(interpolation=one_of(*get_args(Resample)))
