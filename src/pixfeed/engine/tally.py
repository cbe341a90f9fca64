"""What came out so far: images, time, and the hash of every step."""

from __future__ import annotations

import time
from collections import deque

import numpy as np

from pixfeed import _native

MOST = 1 << 20
"""Steps whose hashes are kept; the oldest are forgotten."""


class Tally:
    """Counts batches as they are received; used by one consumer at a time.

    >>> tally = Tally()
    >>> tally.add(0, 0, 0xFEED, 32)
    >>> tally.images, tally.steps
    (32, {(0, 0): 65261})
    """

    def __init__(self) -> None:
        self.images = self.batches = 0
        self.seconds = self.wait = self.mapping = 0.0
        self._steps: deque[tuple[int, int, int]] = deque(maxlen=MOST)

    def add(self, epoch: int, step: int, hash: int, images: int) -> None:
        """Takes up a batch.

        >>> tally = Tally()
        >>> tally.add(0, 0, 1, 2)
        >>> tally.fingerprint()
        '0cfbaea74a8cc0e5'
        """
        self.images += images
        self.batches += 1
        self._steps.append((epoch, step, hash))

    def clock(self, since: float) -> float:
        """Adds the time since then to ``seconds``; returns the time now.

        >>> tally = Tally()
        >>> tally.clock(time.perf_counter()) > 0
        True
        """
        now = time.perf_counter()
        self.seconds += now - since
        return now

    @property
    def steps(self) -> dict[tuple[int, int], int]:
        """The hash of every (epoch, step), in the order they were received.

        >>> Tally().steps
        {}
        """
        return {(epoch, step): hash for epoch, step, hash in self._steps}

    def fingerprint(self, epoch: int | None = None) -> str:
        """One hash of the steps received of an epoch, the latest if none is named.

        >>> Tally().fingerprint()
        ''
        """
        if not self._steps:
            return ""
        asked = self._steps[-1][0] if epoch is None else epoch
        steps = sorted({(step, hash) for of, step, hash in self._steps if of == asked})
        words = np.array(steps, np.uint64)
        return f"{_native.hash_words(words.ravel()):016x}"
