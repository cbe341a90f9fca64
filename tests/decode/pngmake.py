"""A PNG writer for what Pillow does not write: interlacing, odd depths, tRNS, broken chunks."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

Samples = npt.NDArray[np.uint16]

GRAY, RGB, PALETTE, GRAY_ALPHA, RGBA = 0, 2, 3, 4, 6
SIGNATURE = b"\x89PNG\r\n\x1a\n"

_PASSES = (
    (0, 0, 8, 8), (0, 4, 8, 8), (4, 0, 8, 4), (0, 2, 4, 4), (2, 0, 4, 2), (0, 1, 2, 2),
    (1, 0, 2, 1),
)  # fmt: skip
"""First row, first column, row step and column step of each interlaced pass."""


def chunk(kind: bytes, payload: bytes) -> bytes:
    """A chunk with its length and checksum."""
    check = zlib.crc32(kind + payload)
    return struct.pack(">I", len(payload)) + kind + payload + struct.pack(">I", check)


def header(width: int, height: int, bits: int, colour: int, *, interlaced: bool = False) -> bytes:
    """The signature and the IHDR chunk."""
    fields = struct.pack(">IIBBBBB", width, height, bits, colour, 0, 0, interlaced)
    return SIGNATURE + chunk(b"IHDR", fields)


def png(
    samples: npt.NDArray[np.generic],
    bits: int,
    colour: int,
    *,
    interlaced: bool = False,
    extra: Sequence[bytes] = (),
) -> bytes:
    """The file of (height, width, channels) samples; ``extra`` chunks stand before the data."""
    values = samples.astype(np.uint16)
    passes = _PASSES if interlaced else ((0, 0, 1, 1),)
    rows = b"".join(
        _rows(values[top::down, left::across], bits) for top, left, down, across in passes
    )
    head = header(values.shape[1], values.shape[0], bits, colour, interlaced=interlaced)
    return head + b"".join(extra) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


def _rows(values: Samples, bits: int) -> bytes:
    """Rows of one pass, each behind a filter byte that says it is not filtered."""
    if 0 in values.shape:
        return b""
    flat = values.reshape(values.shape[0], -1)
    places = np.arange(bits - 1, -1, -1)
    spread = ((flat[..., None] >> places) & 1).astype(np.uint8).reshape(len(flat), -1)
    return b"".join(b"\0" + np.packbits(row).tobytes() for row in spread)
