"""Files that are broken, or of a kind that is not read."""

from __future__ import annotations

import io
import struct
from collections.abc import Iterator

import numpy as np
from PIL import Image

import jpegmake as jm
from decode.cases import Refused
from decode.dirty_jpeg import plain
from decode.pngmake import GRAY, PALETTE, RGB, SIGNATURE, chunk, header, png
from decode.reference import cut, saved
from jpegmake import segments


def jpeg() -> Iterator[Refused]:
    """Every broken JPEG."""
    yield from _kinds()
    yield from _cuts()
    yield from _tables()
    yield from _headers()
    yield from _restarts()


def others() -> Iterator[Refused]:
    """Every broken file of the other formats, and what is no image at all."""
    yield from _no_images()
    yield from _broken_png()
    yield from _cut_others()
    yield from _kinds_of_others()


def _kinds() -> Iterator[Refused]:
    kinds = {
        0xC3: "lossless", 0xC5: "hierarchical", 0xC9: "arithmetic", 0xCA: "arithmetic",
        0xCB: "lossless", 0xCD: "hierarchical", 0xF7: "JPEG-LS",
    }  # fmt: skip
    for marker, word in kinds.items():
        data = jm.encode(plain(), jm.Layout(sof=marker))
        yield Refused(f"jpeg-sof-{marker:x}", data, "unsupported", word)
    deep = jm.join(_with_frame(segments.sof(0xC1, plain(), bits=12)))
    yield Refused("jpeg-12-bit", deep, "unsupported", "12 bit")
    late = jm.encode(plain(), jm.Layout(late_height=True))
    yield Refused("jpeg-dnl", late, "unsupported", "DNL")


def _with_frame(frame: bytes, layout: jm.Layout | None = None) -> list[bytes]:
    """The parts of a plain file with another frame header."""
    pieces = jm.parts(plain(), layout or jm.Layout())
    return [frame if piece[1] in (0xC0, 0xC2) else piece for piece in pieces]


def _cuts() -> Iterator[Refused]:
    whole = {"baseline": jm.encode(plain()), "progressive": jm.encode(plain(), jm.Layout("usual"))}
    for name, data in whole.items():
        for percent in (90, 50, 5):
            cut_short = data[: len(data) * percent // 100]
            yield Refused(f"jpeg-{name}-cut-at-{percent}", cut_short, "truncated")
            if percent > 5:
                ended = cut_short + segments.EOI
                yield Refused(f"jpeg-{name}-ended-at-{percent}", ended, "truncated")
    pieces = jm.parts(plain(), jm.Layout("apart"))
    yield Refused("jpeg-scan-missing", jm.join([*pieces[:-2], pieces[-1]]), "truncated")
    pieces = jm.parts(plain(), jm.Layout("usual"))
    yield Refused("jpeg-last-refinement-missing", jm.join([*pieces[:-3], pieces[-1]]), "truncated")
    yield Refused("jpeg-soi-alone", segments.SOI, "truncated")
    yield Refused("jpeg-soi-eoi", segments.SOI + segments.EOI, "truncated")
    yield Refused("jpeg-frame-without-scan", jm.join([*pieces[:4], segments.EOI]), "truncated")


def _tables() -> Iterator[Refused]:
    pieces = jm.parts(plain(), jm.Layout())
    rest = [piece for piece in pieces if piece[1] != 0xDB]
    yield Refused("jpeg-no-quant-table", jm.join(rest), "bad-table")
    overfull = jm.HuffmanTable((3, *[0] * 15), bytes(3))
    cut_table = segments.segment(0xC4, bytes([0, *[1] * 16]) + b"\0" * 3)
    long_quant = segments.segment(0xDB, b"\0" + b"\1" * 40)
    broken = {
        "overfull-huffman": segments.dht(0, overfull),
        "cut-huffman": cut_table,
        "huffman-slot-9": segments.segment(0xC4, bytes([9, 1, *[0] * 15, 0])),
        "cut-quant": long_quant,
        "quant-slot-9": segments.segment(0xDB, b"\x09" + b"\1" * 64),
    }
    for name, piece in broken.items():
        spoilt = [*pieces[:-2], piece, *pieces[-2:]]
        yield Refused(f"jpeg-{name}", jm.join(spoilt), "bad-table")


def _headers() -> Iterator[Refused]:
    frame = plain()
    good = segments.sof(0xC0, frame)
    spoilt = {
        "zero-width": good[:7] + b"\0\0" + good[9:],
        "two-components": segments.segment(0xC0, good[4:9] + b"\2" + good[10:16]),
        "no-components": segments.segment(0xC0, good[4:9] + b"\0"),
        "sampling-0": good[:11] + b"\x02" + good[12:],
        "sampling-5": good[:11] + b"\x51" + good[12:],
        "sampling-too-many-blocks": good[:11] + b"\x44" + good[12:],
        "component-twice": good[:13] + b"\1" + good[14:],
    }
    for name, piece in spoilt.items():
        yield Refused(f"jpeg-{name}", jm.join(_with_frame(piece)), "bad-header")
    short = segments.segment(0xC0, good[4:-2])
    yield Refused("jpeg-short-frame", jm.join(_with_frame(short)), "bad-segment")
    yield Refused("jpeg-two-frames", jm.join(_with_frame(good + good)), "bad-header")
    pieces = jm.parts(frame, jm.Layout())
    headless = [piece for piece in pieces if piece[1] != 0xC0]
    yield Refused("jpeg-scan-before-frame", jm.join(headless), "bad-header")
    zero = pieces[0] + b"\xff\xfe\0\1" + jm.join(pieces[1:])
    yield Refused("jpeg-segment-length-1", zero, "bad-segment")
    odd = jm.Layout((jm.Scan((0, 1, 2), 0, 0), jm.Scan((0,), 1, 63)))
    progressive = jm.encode(frame, odd)
    header_end = progressive.rfind(b"\xff\xda") + 7
    beyond = progressive[:header_end] + b"\x05\x40" + progressive[header_end + 2 :]
    yield Refused("jpeg-band-beyond-63", beyond, "bad-segment")
    upside = progressive[:header_end] + b"\x09\x05" + progressive[header_end + 2 :]
    yield Refused("jpeg-band-upside-down", upside, "bad-segment")


def _restarts() -> Iterator[Refused]:
    data = jm.encode(plain(), jm.Layout(restart=2))
    swapped = data.replace(b"\xff\xd1", b"\xff\xd3", 1)
    yield Refused("jpeg-restart-out-of-turn", swapped, "bad-segment")
    missing = data.replace(b"\xff\xd1", b"", 1)
    yield Refused("jpeg-restart-missing", missing, "bad-segment")


def _no_images() -> Iterator[Refused]:
    yield Refused("empty", b"", "empty")
    texts = {
        "html": (b"<!DOCTYPE html><html><body>404</body></html>", "HTML"),
        "text": (b"this is not an image\n", ""),
        "path": (b"/data/train/cat/0001.jpg", ""),
        "zeros": (bytes(100), ""),
        "one-byte": (b"\xff", ""),
        "zip": (b"PK\x03\x04" + bytes(60), ""),
        "svg": (b'<svg xmlns="http://www.w3.org/2000/svg"/>', "SVG"),
        "pdf": (b"%PDF-1.7\n" + bytes(60), "PDF"),
        "heic": (b"\0\0\0\x18ftypheic\0\0\0\0mif1heic" + bytes(60), "HEI"),
        "avif": (b"\0\0\0\x18ftypavif\0\0\0\0avifmif1" + bytes(60), "AVIF"),
    }
    for name, (data, word) in texts.items():
        yield Refused(name, data, "unknown-format", word)


def _broken_png() -> Iterator[Refused]:
    whole = saved(cut(21, 35), "PNG")
    at = whole.find(b"IEND") - 5  # The last byte of the data's checksum.
    yield Refused(
        "png-bad-checksum", whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1 :], "bad-segment"
    )
    gray = np.zeros((5, 5, 1), dtype=np.uint8)
    yield Refused("png-zero-width", header(0, 5, 8, RGB) + png(gray, 8, GRAY)[33:], "bad-header")
    yield Refused("png-bits-3", header(5, 5, 3, GRAY) + png(gray, 8, GRAY)[33:], "bad-header")
    yield Refused("png-colour-5", header(5, 5, 8, 5) + png(gray, 8, GRAY)[33:], "bad-header")
    yield Refused("png-no-palette", png(gray, 8, PALETTE), "bad-table")
    yield Refused("png-no-data", header(5, 5, 8, GRAY) + chunk(b"IEND", b""), "bad-data")
    yield Refused("png-signature-alone", SIGNATURE, "truncated")


def _cut_others() -> Iterator[Refused]:
    picture = cut(60, 80)
    for form in ("PNG", "GIF", "BMP", "TIFF", "WEBP"):
        data = saved(picture, form)
        for percent in (90, 50, 5):
            short = data[: len(data) * percent // 100]
            yield Refused(f"{form.lower()}-cut-at-{percent}", short, "truncated")


def _kinds_of_others() -> Iterator[Refused]:
    floats = io.BytesIO()
    Image.fromarray(np.linspace(0, 1, 400, dtype=np.float32).reshape(20, 20)).save(floats, "TIFF")
    yield Refused("tiff-float", floats.getvalue(), "unsupported", "float")
    inside = saved(cut(32, 32), "TIFF", compression="jpeg")
    yield Refused("tiff-jpeg-inside", inside, "unsupported", "JPEG")
    yield Refused("tiff-no-directory", b"II*\0" + struct.pack("<I", 0xFFFFFF00), "truncated")
