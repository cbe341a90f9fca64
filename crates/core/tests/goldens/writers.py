"""Small writers of the variants of PNG, TIFF, BMP and GIF that Pillow does not write."""

from __future__ import annotations

import struct
import zlib
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from pictures import Pixels, Samples

ADAM7 = (
    (0, 0, 8, 8),
    (4, 0, 8, 8),
    (0, 4, 4, 8),
    (2, 0, 4, 4),
    (0, 2, 2, 4),
    (1, 0, 2, 2),
    (0, 1, 1, 2),
)


def pack(values: Samples, bits: int) -> list[bytes]:
    """Rows of samples, big-endian, each padded to whole bytes."""
    rows = values.reshape(values.shape[0], -1)
    if bits == 16:
        return [row.astype(">u2").tobytes() for row in rows]
    if bits == 8:
        return [row.tobytes() for row in rows]
    parts = np.unpackbits(rows.astype(np.uint8)[..., None], axis=-1)[..., 8 - bits :]
    return [np.packbits(row.reshape(-1)).tobytes() for row in parts]


def chunk(kind: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))


def filtered(rows: list[bytes], step: int) -> bytes:
    """The five filters in turn."""
    out = bytearray()
    before = bytes(len(rows[0]))
    for number, row in enumerate(rows):
        kind = number % 5
        out.append(kind)
        for i, value in enumerate(row):
            left = row[i - step] if i >= step else 0
            up, corner = before[i], before[i - step] if i >= step else 0
            guess = left + up - corner
            near = min((left, up, corner), key=lambda v: abs(guess - v))
            out.append((value - (0, left, up, (left + up) // 2, near)[kind]) % 256)
        before = row
    return bytes(out)


def png(
    values: Samples,
    kind: int,
    bits: int,
    *,
    interlaced: bool = False,
    before: tuple[tuple[bytes, bytes], ...] = (),
    after: tuple[tuple[bytes, bytes], ...] = (),
    pieces: int = 1,
) -> bytes:
    height, width = values.shape[:2]
    step = max(1, values.shape[2] * bits // 8)
    raw = b""
    for x, y, across, down in ADAM7 if interlaced else ((0, 0, 1, 1),):
        part = values[y::down, x::across]
        if part.size:
            raw += filtered(pack(part, bits), step)
    packed = zlib.compress(raw, 9)
    cuts = [len(packed) * i // pieces for i in range(pieces + 1)]
    header = struct.pack(">IIBBBBB", width, height, bits, kind, 0, 0, int(interlaced))
    chunks = [(b"IHDR", header), *before]
    chunks += [(b"IDAT", packed[a:b]) for a, b in pairwise(cuts)]
    chunks += [*after, (b"IEND", b"")]
    return b"\x89PNG\r\n\x1a\n" + b"".join(chunk(*part) for part in chunks)


@dataclass(frozen=True)
class Layout:
    """How a TIFF file keeps its samples."""

    order: str = "<"
    big: bool = False
    planar: bool = False
    tile: tuple[int, int] | None = None
    rows_per_strip: int = 5
    compression: int = 1
    predictor: bool = False
    tags: tuple[tuple[int, str, tuple[int, ...]], ...] = ()

    def chunk(self, part: Samples, bits: int) -> bytes:
        """One strip or tile."""
        if self.tile:
            down, across = self.tile
            edges = ((0, down - part.shape[0]), (0, across - part.shape[1]), (0, 0))
            part = np.pad(part, edges, mode="edge")
        if self.predictor:
            part = np.concatenate([part[:, :1], np.diff(part, axis=1)], axis=1)
        raw = b"".join(pack(part, bits))
        if bits == 16 and self.order == "<":
            raw = np.frombuffer(raw, ">u2").astype("<u2").tobytes()
        return zlib.compress(raw) if self.compression == 8 else raw


def tiff(values: Samples, photometric: int, bits: int, **options: Any) -> bytes:
    layout = Layout(**options)
    tile = layout.tile
    height, width, count = values.shape
    planes = [values[..., k : k + 1] for k in range(count)] if layout.planar else [values]
    down, across = tile or (layout.rows_per_strip, width)
    parts = [
        layout.chunk(plane[y : y + down, x : x + across], bits)
        for plane in planes
        for y in range(0, height, down)
        for x in range(0, width, across)
    ]
    head = 16 if layout.big else 8
    offsets = [head + sum(map(len, parts[:i])) for i in range(len(parts))]
    sizes = [len(part) for part in parts]
    body = b"".join(parts)
    entries: list[tuple[int, str, tuple[int, ...]]] = [
        (256, "H", (width,)),
        (257, "I", (height,)),
        (258, "H", (bits,) * count),
        (259, "H", (layout.compression,)),
        (262, "H", (photometric,)),
        (277, "H", (count,)),
        (284, "H", (2 if layout.planar else 1,)),
        (317, "H", (2 if layout.predictor else 1,)),
        (324 if tile else 273, "I", tuple(offsets)),
        (325 if tile else 279, "I", tuple(sizes)),
        *layout.tags,
    ]
    entries += [(322, "H", (across,)), (323, "H", (down,))] if tile else [(278, "I", (down,))]
    return directory(body, sorted(entries), layout.order, layout.big)


def directory(
    body: bytes, entries: list[tuple[int, str, tuple[int, ...]]], order: str, big: bool
) -> bytes:
    word, inline = ("Q", 8) if big else ("I", 4)
    mark = b"II" if order == "<" else b"MM"
    head = mark + struct.pack(
        order + ("HHHQ" if big else "HI"), *((43, 8, 0, 0) if big else (42, 0))
    )
    body += b"\0" * (len(body) % 2)
    extra = b""
    lines = b""
    for tag, code, values in entries:
        raw = struct.pack(f"{order}{len(values)}{code}", *values)
        if len(raw) > inline:
            place = len(head) + len(body) + len(extra)
            extra += raw + b"\0" * (len(raw) % 2)
            raw = struct.pack(order + word, place)
        kind = {"B": 1, "H": 3, "I": 4}[code]
        lines += struct.pack(order + "HH" + word, tag, kind, len(values)) + raw.ljust(inline, b"\0")
    first = len(head) + len(body) + len(extra)
    head = head[:-inline] + struct.pack(order + word, first)
    count = struct.pack(order + ("Q" if big else "H"), len(entries))
    return head + body + extra + count + lines + b"\0" * inline


@dataclass(frozen=True)
class Bitmap:
    """What a BMP file says besides its size and depth."""

    compression: int = 0
    top_down: bool = False
    masks: tuple[int, ...] = ()
    palette: Pixels | None = None
    data: bytes = b""
    core: bool = False

    def body(self, rows: list[bytes]) -> bytes:
        padded = [row + b"\0" * (-len(row) % 4) for row in rows]
        return self.data or b"".join(padded if self.top_down else padded[::-1])

    def colours(self) -> bytes:
        end = b"" if self.core else b"\0"
        table = [] if self.palette is None else self.palette.tolist()
        return b"".join(bytes((b, g, r)) + end for r, g, b in table)

    def info(self, size: tuple[int, int], bits: int, length: int) -> bytes:
        width, height = size
        if self.core:
            return struct.pack("<IHHHH", 12, width, height, 1, bits)
        long = 108 if len(self.masks) == 4 else 40
        signed = -height if self.top_down else height
        used = 0 if self.palette is None else len(self.palette)
        head = (long, width, signed, 1, bits, self.compression, length, 0, 0, used, 0)
        info = struct.pack("<IiiHHIIiiII", *head)
        return (info + struct.pack(f"<{len(self.masks)}I", *self.masks)).ljust(long, b"\0")


def bmp(rows: list[bytes], size: tuple[int, int], bits: int, **options: Any) -> bytes:
    bitmap = Bitmap(**options)
    data, colours = bitmap.body(rows), bitmap.colours()
    info = bitmap.info(size, bits, len(data))
    start = 14 + len(info) + len(colours)
    return b"BM" + struct.pack("<IHHI", start + len(data), 0, 0, start) + info + colours + data


def rle8(indices: Pixels) -> bytes:
    """Runs where neighbours are equal, absolute stretches elsewhere."""
    out = bytearray()
    for row in indices[::-1].tolist():
        at = 0
        while at < len(row):
            end = at
            while end < len(row) and row[end] == row[at]:
                end += 1
            if end - at > 1 or len(row) - at < 3:
                out += bytes((end - at, row[at]))
                at = end
            else:
                out += bytes((0, 3, *row[at : at + 3], 0))
                at += 3
        out += b"\0\0"
    return bytes(out + b"\0\1")


def rle4(indices: Pixels) -> bytes:
    """Pairs of pixels as runs."""
    out = bytearray()
    for row in indices[::-1].tolist():
        for at in range(0, len(row), 2):
            two = [*row[at : at + 2], 0][:2]
            out += bytes((min(2, len(row) - at), two[0] << 4 | two[1]))
        out += b"\0\0"
    return bytes(out + b"\0\1")


def lzw(indices: bytes, depth: int) -> bytes:
    """Codes of one width only: a clear code comes before the table could grow."""
    clear, width = 1 << depth, depth + 1
    stretch = (1 << depth) - 2
    codes: list[int] = []
    for at in range(0, len(indices), stretch):
        codes += [clear, *indices[at : at + stretch]]
    codes.append(clear + 1)
    bits = "".join(format(code, f"0{width}b")[::-1] for code in codes)
    packed = bytes(int(bits[i : i + 8][::-1], 2) for i in range(0, len(bits), 8))
    parts = [packed[i : i + 255] for i in range(0, len(packed), 255)]
    return bytes([depth]) + b"".join(bytes([len(p)]) + p for p in parts) + b"\0"


def gif(
    indices: Pixels,
    table: Pixels,
    *,
    screen: tuple[int, int] | None = None,
    place: tuple[int, int] = (0, 0),
    interlaced: bool = False,
    transparent: int | None = None,
    local: bool = False,
    frames: int = 1,
) -> bytes:
    height, width = indices.shape
    depth = max(2, (len(table) - 1).bit_length())
    colours = np.pad(table, ((0, (1 << depth) - len(table)), (0, 0))).tobytes()
    flags = 0x80 | depth - 1
    across, down = screen or (width, height)
    out = b"GIF89a" + struct.pack("<HHBBB", across, down, 0 if local else flags, 0, 0)
    out += b"" if local else colours
    rows = list(range(height))
    if interlaced:
        rows = [*rows[0::8], *rows[4::8], *rows[2::4], *rows[1::2]]
    for _ in range(frames):
        if transparent is not None:
            out += b"!\xf9\x04\x01\0\0" + bytes([transparent]) + b"\0"
        kind = (flags if local else 0) | (0x40 if interlaced else 0)
        out += b"," + struct.pack("<HHHHB", *place, width, height, kind)
        out += colours if local else b""
        out += lzw(indices[rows].tobytes(), depth)
    return out + b";"
