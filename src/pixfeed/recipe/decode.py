"""Decode: how bytes become the pixels that the recipe starts from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass
from typing import Literal

from pixfeed.decode import MAX_PIXELS
from pixfeed.recipe.op import Op
from pixfeed.recipe.shapes import colour
from pixfeed.recipe.values import LONGEST, flag, index, refused, whole


@dataclass(frozen=True)
class Decode(Op):
    """Decodes the image; a recipe that does not begin with one has the one of these defaults.

    ``channels`` is 3 (RGB) or 1 (gray). ``exif=False`` leaves the pixels as stored, not as seen.
    ``background`` is what transparent pixels are laid on. An image of more than ``max_pixels`` is
    an error before it is decoded. Only the first op of a recipe can be a Decode.

    >>> Decode(channels=1).options()
    {'channels': 1, 'exif': True, 'background': [0, 0, 0], 'max_pixels': 178000000}
    """

    channels: Literal[1, 3] = 3
    _: KW_ONLY
    exif: bool = True
    background: int | Sequence[int] = (0, 0, 0)
    max_pixels: int = MAX_PIXELS

    def __post_init__(self) -> None:
        self._settle(channels=_channels, exif=flag, background=colour, max_pixels=_pixels)


def _channels(name: str, value: object) -> int:
    channels = index(value)
    if channels not in (1, 3):
        raise refused(name, value, "1 (gray) or 3 (RGB)")
    return channels


def _pixels(name: str, value: object) -> int:
    return whole(name, value, 1, LONGEST)
