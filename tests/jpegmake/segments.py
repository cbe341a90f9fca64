"""Marker segments around the coefficients."""

from __future__ import annotations

import struct
from collections.abc import Sequence

from jpegmake.frame import Frame
from jpegmake.scans import Scan
from jpegmake.tables import ZIGZAG, HuffmanTable, Ints
from jpegmake.tokens import AC

SOI, EOI = b"\xff\xd8", b"\xff\xd9"


def segment(marker: int, payload: bytes) -> bytes:
    """A marker, its length and what it carries."""
    return struct.pack(">BBH", 0xFF, marker, len(payload) + 2) + payload


def jfif() -> bytes:
    """JFIF 1.1: the colours are YCbCr or gray."""
    return segment(0xE0, b"JFIF\0\x01\x01\x00\x00\x01\x00\x01\x00\x00")


def adobe(transform: int) -> bytes:
    """Adobe's segment: 0 as stored (RGB, CMYK), 1 YCbCr, 2 YCCK."""
    return segment(0xEE, struct.pack(">5sHHHB", b"Adobe", 100, 0, 0, transform))


def icc(profile: bytes, piece: int = 1, pieces: int = 1) -> bytes:
    """One piece of an ICC profile."""
    return segment(0xE2, b"ICC_PROFILE\0" + bytes([piece, pieces]) + profile)


def comment(text: bytes) -> bytes:
    """A comment."""
    return segment(0xFE, text)


def exif(orientation: int, order: str = "<") -> bytes:
    """An EXIF segment with an orientation, little (``<``) or big endian (``>``)."""
    head = b"II*\0" if order == "<" else b"MM\0*"
    entry = struct.pack(f"{order}HHIHH", 0x0112, 3, 1, orientation, 0)
    directory = struct.pack(f"{order}H", 1) + entry + struct.pack(f"{order}I", 0)
    return segment(0xE1, b"Exif\0\0" + head + struct.pack(f"{order}I", 8) + directory)


def dqt(index: int, table: Ints, *, wide: bool = False) -> bytes:
    """A quantisation table, of 16 bits where asked for or needed."""
    wide = wide or int(table.max()) > 255
    values = table[ZIGZAG].astype(">u2" if wide else "u1").tobytes()
    return segment(0xDB, bytes([wide << 4 | index]) + values)


def dht(index: int, table: HuffmanTable) -> bytes:
    """A Huffman table, numbered as :mod:`jpegmake.tokens` does."""
    place = (0x10 | (index - AC)) if index >= AC else index
    return segment(0xC4, bytes([place, *table.counts]) + table.symbols)


def sof(marker: int, frame: Frame, *, bits: int = 8, height: int | None = None) -> bytes:
    """A frame header."""
    rows = frame.height if height is None else height
    head = struct.pack(">BHHB", bits, rows, frame.width, len(frame.components))
    return segment(
        marker, head + b"".join(bytes([c.id, c.h << 4 | c.v, c.quant]) for c in frame.components)
    )


def dri(interval: int) -> bytes:
    """A restart interval in MCUs."""
    return segment(0xDD, struct.pack(">H", interval))


def dnl(height: int) -> bytes:
    """The height, said after the first scan."""
    return segment(0xDC, struct.pack(">H", height))


def sos(frame: Frame, scan: Scan, table_of: Sequence[int]) -> bytes:
    """A scan header."""
    chosen = [(frame.components[index].id, table_of[index]) for index in scan.components]
    selectors = b"".join(bytes([identity, table << 4 | table]) for identity, table in chosen)
    tail = bytes([scan.start, scan.end, scan.high << 4 | scan.low])
    return segment(0xDA, bytes([len(chosen)]) + selectors + tail)
