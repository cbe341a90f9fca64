"""Small files that claim a lot: what must be refused before it costs anything."""

from __future__ import annotations

import io
import struct
import zlib
from collections.abc import Iterator

from PIL import Image

import jpegmake as jm
from decode.cases import Refused
from decode.dirty_jpeg import plain
from decode.pngmake import GRAY, RGB, chunk, header
from decode.reference import cut, saved
from jpegmake import segments

TOO_LARGE, LARGE = 65500, 12000
"""Over the limit of 178 million pixels when squared, and under it."""


def claims() -> Iterator[Refused]:
    """Every file of little data and a large header."""
    yield from _jpegs()
    yield from _others()


def _resized(data: bytes, side: int) -> bytes:
    """A JPEG file whose frame header says it is a square of another size."""
    marker = next(m for m in (b"\xff\xc0\0\x11\x08", b"\xff\xc2\0\x11\x08") if m in data)
    at = data.find(marker) + 5
    return data[:at] + struct.pack(">HH", side, side) + data[at + 4 :]


def _jpegs() -> Iterator[Refused]:
    for scans in ("interleaved", "usual"):
        data = jm.encode(plain(), jm.Layout(scans))
        yield Refused(f"jpeg-{scans}-too-large", _resized(data, TOO_LARGE), "too-many-pixels")
        yield Refused(f"jpeg-{scans}-large-claim", _resized(data, LARGE), "truncated")
    many = jm.encode(jm.from_rgb(cut(16, 16), "420", 90), jm.Layout("thousand"))
    yield Refused("jpeg-a-thousand-scans", many, "too-many-scans")
    pieces = jm.parts(plain(), jm.Layout())
    comments = jm.join([pieces[0], *[segments.comment(b"")] * 50_000, *pieces[1:-2]])
    yield Refused("jpeg-fifty-thousand-comments", comments, "truncated")


def _others() -> Iterator[Refused]:
    little = chunk(b"IDAT", zlib.compress(bytes(5000))) + chunk(b"IEND", b"")
    yield Refused("png-too-large", header(TOO_LARGE, TOO_LARGE, 8, RGB) + little, "too-many-pixels")
    yield Refused("png-large-claim", header(LARGE, LARGE, 8, RGB) + little, "truncated")
    interlaced = header(LARGE, LARGE, 1, GRAY, interlaced=True) + little
    yield Refused("png-large-claim-interlaced", interlaced, "truncated")
    wide = header(2**31 - 1, 1, 8, RGB) + little
    yield Refused("png-widest", wide, "too-many-pixels")
    profile = chunk(b"iCCP", b"x\0\0" + zlib.compress(bytes(200 << 20), 9))
    head = header(5, 5, 8, GRAY) + profile
    yield Refused("png-swollen-profile", head + chunk(b"IEND", b""), "bad-data")
    gif = saved(cut(20, 30), "GIF")
    for name, side, code in (
        ("too-large", TOO_LARGE, "too-many-pixels"),
        ("large", LARGE, "truncated"),
    ):
        size = struct.pack("<HH", side, side)
        at = gif.find(b"\x2c\0\0\0\0") + 5
        claimed = gif[:6] + size + gif[10:at] + size + gif[at + 4 :]
        yield Refused(f"gif-{name}-claim", claimed, code)
        bmp = saved(cut(20, 30), "BMP")
        claimed = bmp[:18] + struct.pack("<ii", side, side) + bmp[26:]
        yield Refused(f"bmp-{name}-claim", claimed, code)
        yield Refused(f"tiff-{name}-claim", _tiff(side), code)
    webp = saved(cut(20, 30), "WEBP", lossless=True)
    at = webp.find(b"VP8L") + 9
    bits = int.from_bytes(webp[at : at + 4], "little") & ~0xFFFFFFF
    for name, side, code in (
        ("too-large", 16384, "too-many-pixels"),
        ("large", LARGE, "bad-data"),
    ):
        size = (bits | (side - 1) << 14 | (side - 1)).to_bytes(4, "little")
        yield Refused(f"webp-{name}-claim", webp[:at] + size + webp[at + 4 :], code)


def _tiff(side: int) -> bytes:
    """A TIFF file of one short strip that says it holds everything."""
    out = io.BytesIO()
    Image.fromarray(cut(20, 30)).save(out, "TIFF", compression="raw")
    data = bytearray(out.getvalue())
    (at,) = struct.unpack("<I", data[4:8])
    for entry in range(struct.unpack("<H", data[at : at + 2])[0]):
        start = at + 2 + 12 * entry
        tag = struct.unpack("<H", data[start : start + 2])[0]
        if tag in {256, 257, 278}:
            data[start + 2 : start + 12] = struct.pack("<HII", 4, 1, side)
        if tag == 279:
            data[start + 2 : start + 12] = struct.pack(
                "<HII", 4, 1, min(side * side * 3, 2**32 - 1)
            )
    return bytes(data)
