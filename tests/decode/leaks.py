"""``python -m decode.leaks COUNT`` prints by how many bytes COUNT malformed files made us grow."""

from __future__ import annotations

import gc
import sys

import pixfeed as pf
from decode.child import resident
from decode.mutations import MOST_PIXELS, mutation

FIRST = 1_000_000


def refuse(first: int, count: int) -> None:
    """Decodes mutations until ``count`` of them were refused."""
    refused = 0
    while refused < count:
        try:
            pf.decode(mutation(first), max_pixels=MOST_PIXELS)
        except pf.DecodeError:
            refused += 1
        first += 1


def main(count: int) -> None:
    # The first round brings caches and buffers to their size; the second finds them there.
    refuse(FIRST, count)
    gc.collect()
    before = resident("VmRSS")
    refuse(FIRST, count)
    gc.collect()
    print(resident("VmRSS") - before)


if __name__ == "__main__":
    main(int(sys.argv[1]))
