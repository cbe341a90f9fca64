"""Draws for the user's own Python: the same words the native side draws."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pixfeed.order.whole import whole

if TYPE_CHECKING:
    import numpy as np


def generator(seed: int, epoch: int, op: int, id: int, occurrence: int = 0) -> np.random.Generator:
    """A NumPy Generator over the stream of one op on one record; each call makes a new one.

    ``op`` is the op's place in the recipe, ``id`` the record's id, and ``occurrence`` is 0 unless
    the record is seen more than once.

    >>> int(generator(1, 2, 3, 4, 5).bit_generator.random_raw())
    4189792100658428757
    """
    import numpy as np

    key = [whole("seed", seed, 0), whole("epoch", epoch, 0)]
    names = {"op": op, "id": id, "occurrence": occurrence}
    counter = [0, *(whole(name, value, 0) for name, value in names.items())]
    words = np.array(key, np.uint64), np.array(counter, np.uint64)
    return np.random.Generator(np.random.Philox(key=words[0], counter=words[1]))
