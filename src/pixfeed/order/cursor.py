"""A cursor: the place of the next batch in a run that never ends."""

from __future__ import annotations

from dataclasses import dataclass

from pixfeed.order.whole import whole


@dataclass(frozen=True, order=True)
class Cursor:
    """The batch that comes next: its epoch and its step, both from 0.

    >>> Cursor(epoch=2, step=5)
    Cursor(epoch=2, step=5)
    """

    epoch: int = 0
    step: int = 0

    def __post_init__(self) -> None:
        object.__setattr__(self, "epoch", whole("epoch", self.epoch, 0))
        object.__setattr__(self, "step", whole("step", self.step, 0))

    def after(self, steps: int) -> Cursor:
        """The place once this batch has been received, in epochs of ``steps`` steps.

        >>> Cursor(0, 0).after(2), Cursor(0, 1).after(2)
        (Cursor(epoch=0, step=1), Cursor(epoch=1, step=0))
        """
        return self.next_epoch() if self.step + 1 >= steps else Cursor(self.epoch, self.step + 1)

    def next_epoch(self) -> Cursor:
        """The first batch of the next epoch.

        >>> Cursor(3, 7).next_epoch()
        Cursor(epoch=4, step=0)
        """
        return Cursor(self.epoch + 1, 0)
