"""JPEG files that are odd and legal."""

from __future__ import annotations

import io
import struct
from collections.abc import Iterator

import numpy as np
from PIL import Image

import jpegmake as jm
from decode.cases import Readable
from decode.reference import cut, oriented, pillow, saved
from jpegmake import segments

HEIGHT, WIDTH = 45, 61


def plain(sampling: str = "420") -> jm.Frame:
    """The frame most cases are layouts of."""
    return jm.from_rgb(cut(HEIGHT, WIDTH), sampling, 85)


def readable() -> Iterator[Readable]:
    """Every JPEG that must be read."""
    yield from _colours()
    yield from _shapes()
    yield from _scripts()
    yield from _orientations()
    yield from _surroundings()


def _by_pillow(name: str, data: bytes) -> Readable:
    return Readable(name, data, pillow(data))


def _colours() -> Iterator[Readable]:
    for sampling in ("gray", "gray-2x2", "411", "440", "410", "441", "422-as-2x2", "crossed"):
        yield _by_pillow(f"jpeg-{sampling}", jm.encode(plain(sampling)))
    rgb = cut(HEIGHT, WIDTH)
    planes = [*(rgb[..., channel] for channel in range(3)), rgb.min(axis=2)]
    inks = jm.from_planes(planes, ((1, 1),) * 4, 90)
    yield _by_pillow("jpeg-cmyk-adobe-inverted", jm.encode(inks, extra=[jm.adobe(0)]))
    yield _by_pillow("jpeg-ycck", jm.encode(inks, extra=[jm.adobe(2)]))
    bare = jm.encode(inks)
    stored = 255 - np.asarray(Image.open(io.BytesIO(bare)))
    plain_inks = np.asarray(Image.fromarray(stored, "CMYK").convert("RGB"))
    yield Readable("jpeg-cmyk-plain", bare, plain_inks)
    colours = jm.from_planes(planes[:3], jm.SAMPLINGS["444"], 90)
    yield _by_pillow("jpeg-rgb-adobe", jm.encode(colours, extra=[jm.adobe(0)]))
    named = jm.from_planes(planes[:3], jm.SAMPLINGS["444"], 90, tuple(b"RGB"))
    yield _by_pillow("jpeg-rgb-by-ids", jm.encode(named))


def _shapes() -> Iterator[Readable]:
    yield _by_pillow("jpeg-1x1", jm.encode(jm.from_rgb(cut(1, 1), "420")))
    rows = np.resize(cut(300, 1), (65500, 1, 3))
    yield _by_pillow("jpeg-1x65500", saved(rows, "JPEG", subsampling=2))
    yield _by_pillow("jpeg-65500x1", saved(rows.swapaxes(0, 1), "JPEG", subsampling=2))


def _scripts() -> Iterator[Readable]:
    for scans in ("apart", "spectral", "bits", "odd"):
        yield _by_pillow(f"jpeg-scans-{scans}", jm.encode(plain(), jm.Layout(scans)))
    yield _by_pillow("jpeg-restart-every-mcu", jm.encode(plain(), jm.Layout(restart=1)))
    yield _by_pillow("jpeg-deep-codes", jm.encode(plain(), jm.Layout(tables="deep")))
    yield _by_pillow("jpeg-extended", jm.encode(plain(), jm.Layout(sof=0xC1)))
    yield _by_pillow("jpeg-wide-quant", jm.encode(plain(), jm.Layout(wide=True)))
    rough = jm.from_rgb(cut(HEIGHT, WIDTH), "444", 1)
    yield _by_pillow("jpeg-quality-1", jm.encode(rough))


def _orientations() -> Iterator[Readable]:
    for orientation in range(1, 9):
        data = jm.encode(plain(), extra=[jm.exif(orientation, "<>"[orientation % 2])])
        yield Readable(f"jpeg-exif-{orientation}", data, oriented(pillow(data), orientation))
    stored = pillow(jm.encode(plain()))
    for name, segment in _broken_exif():
        yield Readable(f"jpeg-exif-{name}", jm.encode(plain(), extra=[segment]), stored)


def _broken_exif() -> Iterator[tuple[str, bytes]]:
    whole = jm.exif(6)[4:]
    yield "value-9", jm.exif(9)
    yield "value-0", jm.exif(0)
    yield "cut", segments.segment(0xE1, whole[:20])
    yield "bad-order", segments.segment(0xE1, whole.replace(b"II*", b"XX*"))
    yield "far-directory", segments.segment(0xE1, b"Exif\0\0II*\0\xf0\xff\xff\xff" + whole[14:])
    looped = b"Exif\0\0II*\0" + struct.pack("<IH", 8, 0xFFFF) + b"\0" * 40
    yield "endless-directory", segments.segment(0xE1, looped)
    yield "is-xmp", segments.segment(0xE1, b"http://ns.adobe.com/xap/1.0/\0<x/>")
    yield "empty", segments.segment(0xE1, b"")


def _surroundings() -> Iterator[Readable]:
    pieces = jm.parts(plain(), jm.Layout(), [jm.jfif()])
    stored = pillow(jm.join(pieces))
    thumbnail = jm.encode(jm.from_rgb(cut(9, 9), "444"))
    variants = {
        "no-eoi": jm.join(pieces[:-1]),
        "garbage-behind": jm.join(pieces) + bytes(range(256)),
        "zeros-behind": jm.join(pieces) + b"\0" * 999,
        "second-image-behind": jm.join(pieces) + thumbnail,
        "fill-bytes": jm.join(pieces, fill=5),
        "garbage-between": jm.join(pieces[:2])
        + jm.join([b"", *pieces[2:]], garbage=b"\0\x01junk\0"),
        "comments": jm.encode(plain(), extra=[jm.jfif(), jm.comment(b"\xff\xd9\xff\xda" * 99)]),
        "icc": jm.encode(plain(), extra=[jm.icc(b"\x07" * 500)]),
        "icc-piece-missing": jm.encode(plain(), extra=[jm.icc(b"\x07" * 500, 2, 3)]),
        "thumbnail-inside": jm.encode(
            plain(), extra=[segments.segment(0xE1, jm.exif(1)[4:] + thumbnail)]
        ),
        "unknown-segments": jm.encode(
            plain(), extra=[segments.segment(m, b"\xff\xc4" * 9) for m in range(0xE3, 0xED)]
        ),
        "no-huffman-tables": jm.join([piece for piece in pieces if piece[1] != 0xC4]),
        "empty-comment": jm.encode(plain(), extra=[jm.comment(b"")]),
    }
    for name, data in variants.items():
        yield Readable(f"jpeg-{name}", data, stored)
