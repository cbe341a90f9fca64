"""RandomVerticalFlip: top and bottom change places, sometimes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from pixfeed.recipe.op import Op
from pixfeed.recipe.values import chance


@dataclass(frozen=True)
class RandomVerticalFlip(Op):
    """Swaps top and bottom with probability ``p``; 0 never does and 1 always.

    >>> RandomVerticalFlip()
    RandomVerticalFlip(p=0.5)
    """

    random: ClassVar[bool] = True

    p: float = 0.5

    def __post_init__(self) -> None:
        self._settle(p=chance)
