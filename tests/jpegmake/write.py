"""Frames to files."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from jpegmake import segments, standard
from jpegmake.frame import Frame
from jpegmake.progressive import ac_first, ac_refine
from jpegmake.scans import Scan, mcu_blocks, script
from jpegmake.sequential import dc_first, dc_refine, whole_blocks
from jpegmake.tables import HuffmanTable, Ints, deep, flat, optimal
from jpegmake.tokens import AC, Tokens, packed

BASELINE, EXTENDED, PROGRESSIVE = 0xC0, 0xC1, 0xC2

_SEQUENTIAL = ("interleaved", "apart")


@dataclass(frozen=True)
class Layout:
    """How a frame is written.

    ``scans`` is a script's name or a script; ``restart`` is in MCUs; ``tables`` are "standard"
    (progressive scans that need more symbols get flat ones), "optimal" for each scan, "flat" or
    "deep"; ``wide`` writes 16-bit quantisation tables.
    """

    scans: str | tuple[Scan, ...] = "interleaved"
    restart: int = 0
    tables: str = "standard"
    wide: bool = False
    sof: int | None = None
    late_height: bool = False

    def script(self, frame: Frame) -> tuple[Scan, ...]:
        """The scans themselves."""
        if isinstance(self.scans, str):
            return script(self.scans, len(frame.components))
        return self.scans

    @property
    def marker(self) -> int:
        """The frame header's marker."""
        if self.sof is not None:
            return self.sof
        return BASELINE if self.scans in _SEQUENTIAL else PROGRESSIVE


def encode(frame: Frame, layout: Layout | None = None, extra: Iterable[bytes] = ()) -> bytes:
    """The file: SOI, ``extra`` segments, tables, frame, scans, EOI."""
    return join(parts(frame, layout or Layout(), extra))


def join(pieces: Sequence[bytes], *, fill: int = 0, garbage: bytes = b"") -> bytes:
    """The parts in a row, with fill bytes before and garbage between the segments."""
    return pieces[0] + b"".join(garbage + b"\xff" * fill + piece for piece in pieces[1:])


def parts(frame: Frame, layout: Layout, extra: Iterable[bytes] = ()) -> list[bytes]:
    """The file's segments, each scan with its data, from SOI to EOI."""
    rows = 0 if layout.late_height else frame.height
    pieces = [segments.SOI, *extra]
    pieces += [segments.dqt(i, q, wide=layout.wide) for i, q in enumerate(frame.quants)]
    pieces.append(segments.sof(layout.marker, frame, height=rows))
    if layout.restart:
        pieces.append(segments.dri(layout.restart))
    for number, scan in enumerate(layout.script(frame)):
        pieces += _scan(frame, layout, scan)
        if number == 0 and layout.late_height:
            pieces.append(segments.dnl(frame.height))
    return [*pieces, segments.EOI]


def _scan(frame: Frame, layout: Layout, scan: Scan) -> list[bytes]:
    """The Huffman tables of a scan, and its header with the data behind it."""
    table_of = [min(component.quant, 1) for component in frame.components]
    mcus, owners = mcu_blocks(frame, scan)
    step = layout.restart or len(mcus)
    runs = [
        _tokens(mcus[at : at + step], owners, table_of, scan, layout.marker)
        for at in range(0, len(mcus), step)
    ]
    tables = _tables(runs, layout.tables)
    data = b"".join(
        (b"\xff" + bytes([0xD0 + (number - 1) % 8]) if number else b"") + packed(run, tables)
        for number, run in enumerate(runs)
    )
    headers = [segments.dht(index, tables[index]) for index in sorted(tables)]
    return [*headers, segments.sos(frame, scan, table_of) + data]


def _tokens(mcus: Ints, owners: list[int], table_of: list[int], scan: Scan, marker: int) -> Tokens:
    if marker != PROGRESSIVE:
        return whole_blocks(mcus, owners, table_of)
    if scan.start == 0:
        return dc_refine(mcus, scan) if scan.high else dc_first(mcus, owners, table_of, scan)
    step = ac_refine if scan.high else ac_first
    return step(mcus.reshape(-1, 64), table_of[owners[0]], scan)


def _tables(runs: list[Tokens], kind: str) -> dict[int, HuffmanTable]:
    """A table for each that the scan's tokens use."""
    counts: dict[int, Ints] = {}
    for run in runs:
        for table, count in run.counts().items():
            counts[table] = counts.get(table, np.zeros(256, dtype=np.int64)) + count
    return {table: _table(table, count, kind) for table, count in counts.items()}


def _table(index: int, counts: Ints, kind: str) -> HuffmanTable:
    used = [int(symbol) for symbol in np.flatnonzero(counts)]
    if kind == "optimal":
        return optimal(counts)
    if kind == "deep":
        return deep(used)
    known = (standard.AC if index >= AC else standard.DC)[index % AC]
    every = range(256) if index >= AC else range(12)
    return known if kind == "standard" and set(used) <= set(known.symbols) else flat(every)
