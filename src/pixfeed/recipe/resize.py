"""Resize: the whole image to another size."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass
from typing import get_args

from pixfeed.decode import Resample
from pixfeed.errors import ConfigError
from pixfeed.recipe.op import Op
from pixfeed.recipe.shapes import colour, short_or_size, size
from pixfeed.recipe.values import flag, one_of, optional, whole


@dataclass(frozen=True)
class Resize(Op):
    """Resizes the image, antialiased.

    ``size`` is (height, width), or one number for the shorter side: then the aspect ratio stays,
    and ``max_size`` may bound the longer side. With ``pad=True`` the ratio stays too: the image is
    fitted inside (height, width), one number standing for both, and the rest is filled evenly on
    both sides with ``fill``, a gray or (red, green, blue).

    ``interpolation`` is "nearest", "bilinear", "bicubic" or "lanczos".

    >>> Resize(256).options()["size"], Resize((192, 256)).options()["size"]
    ([256], [192, 256])
    >>> Resize(256, pad=True, fill=128)  # doctest: +NORMALIZE_WHITESPACE
    Resize(size=(256, 256), interpolation='bilinear', max_size=None, pad=True,
           fill=(128, 128, 128))
    """

    size: int | Sequence[int]
    _: KW_ONLY
    interpolation: Resample = "bilinear"
    max_size: int | None = None
    pad: bool = False
    fill: int | Sequence[int] = 0

    def __post_init__(self) -> None:
        self._settle(pad=flag)
        self._settle(
            size=size if self.pad else short_or_size,
            interpolation=one_of(*get_args(Resample)),
            max_size=optional(whole),
            fill=colour,
        )
        if self.max_size is not None:
            _check_max_size(self, self.max_size)


def _check_max_size(op: Resize, longest: int) -> None:
    given = f"max_size of Resize is {longest}"
    sides = short_or_size("size of Resize", op.size)
    if op.pad:
        raise ConfigError(f"{given}, but pad=True bounds both sides by size; give one of the two")
    if len(sides) > 1:
        raise ConfigError(
            f"{given}, but size is {sides} and bounds both sides; give one number as size, or "
            "leave max_size out"
        )
    if longest <= sides[0]:
        raise ConfigError(
            f"{given}, but the shorter side becomes {sides[0]}; give a larger max_size, or leave "
            "it out"
        )
