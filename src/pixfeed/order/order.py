"""Order: which ranks share an epoch, and how an epoch ends."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

from pixfeed.errors import ConfigError
from pixfeed.order.whole import MOST_RECORDS, whole

Last = Literal["drop", "keep", "pad"]


@dataclass(frozen=True)
class Order:
    """How the records of an epoch are shared by ranks, and what becomes of a last short batch.

    ``shard`` is ``(rank, world)``, or None for one rank alone. ``last`` is "drop" (leave the rest
    out), "keep" (a short batch; one rank only) or "pad" (fill up with the epoch's first records,
    ``valid`` False there); None means "drop" when shuffling, otherwise "keep" for one rank and
    "pad" for several. Every rank has the same number of steps, always.

    >>> Order(shard=(1, 4), last="pad")
    Order(shard=(1, 4), last='pad')
    >>> Order(shard=(4, 4))
    Traceback (most recent call last):
    pixfeed.errors.ConfigError: shard is (4, 4), but 4 ranks are numbered 0 to 3; give (rank, world)
    """

    shard: tuple[int, int] | None = None
    last: Last | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "shard", _shard(self.shard))
        if self.last is not None and self.last not in get_args(Last):
            raise ConfigError(f"last is {self.last!r}; give 'drop', 'keep', 'pad' or None")
        if self.last == "keep" and self.world > 1:
            raise ConfigError(
                f"last='keep' with {self.world} ranks would give them batches of different sizes; "
                "give last='pad' to see every record, or last='drop'"
            )

    @property
    def rank(self) -> int:
        """This process's number among the ranks.

        >>> Order(shard=(1, 4)).rank, Order().rank
        (1, 0)
        """
        return self.shard[0] if self.shard else 0

    @property
    def world(self) -> int:
        """How many ranks share the epoch.

        >>> Order(shard=(1, 4)).world, Order().world
        (4, 1)
        """
        return self.shard[1] if self.shard else 1

    def ends(self, *, shuffle: bool) -> Last:
        """How an epoch ends where ``last`` was left to the default.

        >>> Order().ends(shuffle=True), Order().ends(shuffle=False)
        ('drop', 'keep')
        >>> Order(shard=(0, 2)).ends(shuffle=False)
        'pad'
        """
        if self.last is not None:
            return self.last
        if shuffle:
            return "drop"
        return "keep" if self.world == 1 else "pad"


def _shard(shard: object) -> tuple[int, int] | None:
    if shard is None:
        return None
    if not isinstance(shard, tuple | list) or len(shard) != 2:
        raise ConfigError(
            f"shard is {shard!r}; give (rank, world), as in shard=(0, 4), or None for one rank"
        )
    rank = whole("the rank of shard", shard[0], 0)
    world = whole("the world of shard", shard[1], 1, MOST_RECORDS)
    if rank >= world:
        known = f"{world} ranks are numbered 0 to {world - 1}" if world > 1 else "one rank is 0"
        raise ConfigError(f"shard is ({rank}, {world}), but {known}; give (rank, world)")
    return rank, world
