"""A plan: the arithmetic from (epoch, step) to records, checked in the user's words."""

from __future__ import annotations

from pixfeed import _native
from pixfeed.errors import ConfigError
from pixfeed.order.order import Last, Order
from pixfeed.order.whole import MOST_RECORDS, whole


def plan(records: int, *, batch_size: int, order: Order, shuffle: bool, seed: int) -> _native.Plan:
    """The native plan of one rank; pure arithmetic, safe to share between threads.

    ``batch_size`` is per rank. The plan has ``steps`` and ``global_batch``, and ``slots(epoch,
    step)`` gives this rank's positions, records and validity.

    >>> plan(10, batch_size=4, order=Order(last="pad"), shuffle=False, seed=0).slots(0, 2)
    (array([ 8,  9, 10, 11]), array([8, 9, 0, 1]), array([ True,  True, False, False]))
    """
    if not isinstance(shuffle, bool):
        raise ConfigError(f"shuffle is {shuffle!r}; give True or False")
    records = whole("the number of records", records, 1, MOST_RECORDS)
    batch = whole("batch_size", batch_size, 1, MOST_RECORDS)
    seed = whole("seed", seed, 0)
    last = order.ends(shuffle=shuffle)
    _check_batch(records, batch, order, last)
    shard = (order.rank, order.world)
    return _native.Plan(records, batch, shard, last, seed if shuffle else None)


def _check_batch(records: int, batch: int, order: Order, last: Last) -> None:
    size = batch * order.world
    ranks = f" (batch_size {batch} on {order.world} ranks)" if order.world > 1 else ""
    if size > MOST_RECORDS:
        raise ConfigError(f"a global batch of {size}{ranks} is more than 2**40; give a smaller one")
    if last == "drop" and records < size:
        raise ConfigError(
            f"{records} records make no whole batch of {size}{ranks}, so every epoch would be "
            "empty; give a smaller batch_size, or Order(last='pad')"
        )
