"""RandomCrop: a part of a fixed size, anywhere in the image."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass
from typing import ClassVar

from pixfeed.recipe.op import Op
from pixfeed.recipe.shapes import colour, sides, size
from pixfeed.recipe.values import flag


@dataclass(frozen=True)
class RandomCrop(Op):
    """Cuts out a part of one size; every place in the image is as likely.

    ``size`` is (height, width), or one number for both.

    ``padding`` is laid around the image first: a number for all sides, (left and right, top and
    bottom) or (left, top, right, bottom). An image that is smaller still is an error, unless
    ``pad_if_needed=True`` pads it. ``fill`` is the padding's gray or (red, green, blue).

    >>> RandomCrop(32, padding=4).options()["padding"]
    [4, 4, 4, 4]
    """

    random: ClassVar[bool] = True

    size: int | Sequence[int]
    _: KW_ONLY
    padding: int | Sequence[int] | None = None
    pad_if_needed: bool = False
    fill: int | Sequence[int] = 0

    def __post_init__(self) -> None:
        self._settle(size=size, padding=_padding, pad_if_needed=flag, fill=colour)


def _padding(name: str, value: object) -> tuple[int, ...]:
    return sides(name, 0 if value is None else value)
