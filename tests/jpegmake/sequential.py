"""The entropy stage of sequential scans, and of the DC scans progressive files share with them."""

from __future__ import annotations

import numpy as np

from jpegmake.scans import Scan
from jpegmake.tables import Ints
from jpegmake.tokens import AC, RAW, Tokens, magnitude

ZERO_RUN, END = 0xF0, 0x00

_KEYS = 256
"""Sorting keys a block: room for each coefficient and for what stands before and behind it."""


def whole_blocks(mcus: Ints, owners: list[int], table_of: list[int]) -> Tokens:
    """DC and AC of every block, as one restart segment."""
    direct = dc_first(mcus, owners, table_of, Scan((), 0, 0))
    blocks = mcus.reshape(-1, 64)
    tables = np.tile([AC + table_of[owner] for owner in owners], len(mcus))
    block, k = np.nonzero(blocks[:, 1:])
    k = k + 1
    # How many zeros stand before each coefficient: from the one before it, or from the DC.
    same = np.concatenate([[False], block[1:] == block[:-1]]) if len(block) else block == -1
    before = np.where(same, np.concatenate([[0], k[:-1]]) if len(k) else k, 0)
    run = k - before - 1
    extra, size = magnitude(blocks[block, k])
    zeros = np.repeat(np.arange(len(block)), run // 16)
    open_ended = np.flatnonzero(blocks[:, 63] == 0)
    keys = np.concatenate(
        [
            np.arange(len(blocks)) * _KEYS,
            block * _KEYS + 2 * k,
            block[zeros] * _KEYS + 2 * k[zeros] - 1,
            open_ended * _KEYS + _KEYS - 1,
        ]
    )
    nothing = np.zeros(len(zeros) + len(open_ended), dtype=np.int64)
    markers = np.concatenate([np.full(len(zeros), ZERO_RUN), np.full(len(open_ended), END)])
    order = np.argsort(keys, kind="stable")
    return Tokens(
        np.concatenate([direct.table, tables[block], tables[block[zeros]], tables[open_ended]])[
            order
        ],
        np.concatenate([direct.symbol, (run % 16) << 4 | size, markers])[order],
        np.concatenate([direct.extra, extra, nothing])[order],
        np.concatenate([direct.size, size, nothing])[order],
    )


def dc_first(mcus: Ints, owners: list[int], table_of: list[int], scan: Scan) -> Tokens:
    """Differences of the DC values (without their low bits), one restart segment."""
    level = mcus[:, :, 0] >> scan.low
    difference = np.empty_like(level)
    for owner in set(owners):
        slots = [slot for slot, other in enumerate(owners) if other == owner]
        row = level[:, slots].ravel()
        difference[:, slots] = np.diff(row, prepend=0).reshape(len(mcus), len(slots))
    extra, size = magnitude(difference.ravel())
    tables = np.tile([table_of[owner] for owner in owners], len(mcus))
    return Tokens(tables.astype(np.int64), size, extra, size)


def dc_refine(mcus: Ints, scan: Scan) -> Tokens:
    """The next bit of every DC value."""
    bit = ((mcus[:, :, 0] >> scan.low) & 1).ravel()
    return Tokens(np.full_like(bit, RAW), np.zeros_like(bit), bit, np.ones_like(bit))
