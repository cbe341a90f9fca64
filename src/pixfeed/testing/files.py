"""Encoded files for tests and examples, made without any image library."""

from __future__ import annotations

import struct
import zlib

from pixfeed.testing.pictures import scene


def png(*, width: int, height: int, seed: int = 0) -> bytes:
    """The bytes of an RGB PNG that shows `scene(height, width, seed)`.

    >>> png(width=4, height=3)[:8]
    b'\\x89PNG\\r\\n\\x1a\\n'
    """
    rows = scene(height, width, seed).reshape(height, -1)
    raw = b"".join(b"\0" + row.tobytes() for row in rows)
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    parts = _chunk(b"IHDR", header), _chunk(b"IDAT", zlib.compress(raw)), _chunk(b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + b"".join(parts)


def _chunk(kind: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))
