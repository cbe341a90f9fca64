"""The entropy stage of a progressive file's AC scans (Annex G of the standard)."""

from __future__ import annotations

from collections.abc import Sequence

from jpegmake.scans import Scan
from jpegmake.sequential import ZERO_RUN
from jpegmake.tables import Ints
from jpegmake.tokens import AC, RAW, Tokens

LONGEST_RUN = 0x7FFF


class _Writer:
    """Tokens of one AC scan, with the run of ended blocks that is still open."""

    def __init__(self, table: int) -> None:
        self.rows: list[tuple[int, int, int, int]] = []
        self._table = AC + table
        self._ended = 0
        self._held: list[int] = []

    def symbol(self, symbol: int, extra: int, size: int) -> None:
        """A symbol of a coefficient; closes the open run first."""
        self.close()
        self.rows.append((self._table, symbol, extra, size))

    def bits(self, bits: Sequence[int]) -> None:
        """Correction bits behind the last symbol."""
        self.rows += [(RAW, 0, bit, 1) for bit in bits]

    def end_block(self, corrections: Sequence[int]) -> None:
        """One more block has nothing left but these corrections."""
        self._ended += 1
        self._held += corrections
        if self._ended == LONGEST_RUN:
            self.close()

    def close(self) -> None:
        """The open run as a symbol, and the corrections it held back."""
        if self._ended == 0:
            return
        size = self._ended.bit_length() - 1
        self.rows.append((self._table, size << 4, self._ended - (1 << size), size))
        held, self._ended, self._held = self._held, 0, []
        self.bits(held)


def ac_first(blocks: Ints, table: int, scan: Scan) -> Tokens:
    """The upper bits of a band."""
    writer = _Writer(table)
    for block in blocks[:, scan.start : scan.end + 1].tolist():
        run = 0
        for value in block:
            level = abs(value) >> scan.low
            if level == 0:
                run += 1
                continue
            while run > 15:
                writer.symbol(ZERO_RUN, 0, 0)
                run -= 16
            size = level.bit_length()
            extra = level if value > 0 else (1 << size) - 1 - level
            writer.symbol(run << 4 | size, extra, size)
            run = 0
        if run:
            writer.end_block([])
    writer.close()
    return Tokens.listed(writer.rows)


def ac_refine(blocks: Ints, table: int, scan: Scan) -> Tokens:
    """The next bit of a band: of coefficients known already, and ones that begin with it."""
    writer = _Writer(table)
    for block in blocks[:, scan.start : scan.end + 1].tolist():
        _refine_block(writer, block, scan.low)
    writer.close()
    return Tokens.listed(writer.rows)


def _refine_block(writer: _Writer, block: list[int], low: int) -> None:
    levels = [abs(value) >> low for value in block]
    # Up to the last coefficient that begins here, long runs of zeros need a symbol of their own.
    last = max((k for k, level in enumerate(levels) if level == 1), default=-1)
    run = 0
    corrections: list[int] = []
    for k, (value, level) in enumerate(zip(block, levels, strict=True)):
        if level == 0:
            run += 1
            continue
        while run > 15 and k <= last:
            writer.symbol(ZERO_RUN, 0, 0)
            writer.bits(corrections)
            run, corrections = run - 16, []
        if level > 1:
            corrections.append(level & 1)
            continue
        writer.symbol(run << 4 | 1, int(value > 0), 1)
        writer.bits(corrections)
        run, corrections = 0, []
    if run or corrections:
        writer.end_block(corrections)
