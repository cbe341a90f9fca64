"""The order written a second time, from its description alone, with NumPy's Philox."""

from __future__ import annotations

import numpy as np

WORD = 2**64


def words(key: tuple[int, int], counter: tuple[int, int, int], count: int) -> list[int]:
    """The first words NumPy's Philox gives for a key and a counter whose block is 0."""
    keyed = np.array(key, np.uint64)
    named = np.array((0, *counter), np.uint64)
    raw = np.random.Philox(key=keyed, counter=named).random_raw(count)
    return [int(word) for word in raw]


class Order:
    """Position to record in one epoch of one seed; ``rounds`` weakens it for tests of the tests."""

    def __init__(self, records: int, seed: int, epoch: int, rounds: int | None = None) -> None:
        bits = 0
        while 2**bits < records:
            bits += 1
        self.records = records
        self.low = bits // 2
        self.high = bits - self.low
        rounds = rounds or (24 if bits <= 6 else 8)
        self.keys = words((seed, epoch), (WORD - 1, records, 0), rounds)

    def __call__(self, position: int) -> int:
        """The record at a position, by walking its cycle."""
        x = self._pass(position)
        while x >= self.records:
            x = self._pass(x)
        return x

    def _pass(self, x: int) -> int:
        high, low = divmod(x, 1 << self.low)
        for number, key in enumerate(self.keys):
            if number % 2 == 0:
                high ^= _f(key, low, self.high)
            else:
                low ^= _f(key, high, self.low)
        return (high << self.low) + low


def _f(key: int, value: int, width: int) -> int:
    z = (value ^ key) * 0xBF58476D1CE4E5B9 % WORD
    z ^= z >> 32
    z = z * 0x94D049BB133111EB % WORD
    return z >> (64 - width)
