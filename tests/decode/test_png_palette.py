"""A palette of an impossible length is refused before anybody indexes into it."""

from __future__ import annotations

import struct
import zlib

import pytest

import pixfeed as pf


def _chunk(kind: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))


@pytest.mark.parametrize("length", [0, 1, 2, 16, 769, 771])
def test_a_palette_of_an_odd_length(length: int) -> None:
    header = _chunk(b"IHDR", struct.pack(">IIBBBBB", 4, 1, 8, 3, 0, 0, 0))
    pixels = _chunk(b"IDAT", zlib.compress(b"\0\0\1\2\3"))
    parts = [header, _chunk(b"PLTE", bytes(length)), pixels, _chunk(b"IEND", b"")]
    with pytest.raises(pf.DecodeError) as caught:
        pf.decode(b"\x89PNG\r\n\x1a\n" + b"".join(parts))
    assert caught.value.code == "bad-table"
