"""What a scan says before it is bits: symbols of Huffman tables and plain bits behind them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from jpegmake.tables import HuffmanTable, Ints

RAW = -1
"""The table of a token that has no symbol."""

AC = 4
"""Tables are numbered 0..3 for DC and 4..7 for AC."""


@dataclass(frozen=True)
class Tokens:
    """Arrays of one length: table, symbol, and ``size`` bits of ``extra`` behind the symbol."""

    table: Ints
    symbol: Ints
    extra: Ints
    size: Ints

    @staticmethod
    def listed(rows: Sequence[tuple[int, int, int, int]]) -> Tokens:
        """Tokens from (table, symbol, extra, size) rows."""
        columns = np.array(rows, dtype=np.int64).reshape(-1, 4).T
        return Tokens(*columns)

    def counts(self) -> dict[int, Ints]:
        """How often each symbol of each table occurs."""
        return {
            int(table): np.bincount(self.symbol[self.table == table], minlength=256)
            for table in np.unique(self.table)
            if table != RAW
        }


def magnitude(values: Ints) -> tuple[Ints, Ints]:
    """Bit length of each value and the bits JPEG stores for it."""
    size = np.ceil(np.log2(np.abs(values) + 1)).astype(np.int64)
    return np.where(values < 0, values + (1 << size) - 1, values), size


def packed(tokens: Tokens, tables: dict[int, HuffmanTable]) -> bytes:
    """The tokens' bits, filled up with ones, with a zero byte stuffed behind every FF."""
    code, length = np.zeros_like(tokens.table), np.zeros_like(tokens.table)
    for index, table in tables.items():
        mine = tokens.table == index
        codes, lengths = table.codes()
        code[mine], length[mine] = codes[tokens.symbol[mine]], lengths[tokens.symbol[mine]]
    value, total = (code << tokens.size) | tokens.extra, length + tokens.size
    ends = np.cumsum(total)
    behind = np.repeat(ends, total) - 1 - np.arange(int(total.sum()))
    bits = (np.repeat(value, total) >> behind) & 1
    filled = np.concatenate([bits, np.ones(-len(bits) % 8, dtype=np.int64)])
    return np.packbits(filled.astype(np.uint8)).tobytes().replace(b"\xff", b"\xff\x00")
