"""Broken by chance: ``python -m decode.mutations FIRST COUNT LEDGER`` decodes mutations in a row.

Mutation number n is a pure function of n. The ledger is a file that always holds the number under
way, so that after a crash ``python -m decode.mutations n 1 LEDGER`` does the same again.
"""

from __future__ import annotations

import functools
import mmap
import random
import resource
import struct
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
from PIL import Image

import jpegmake as jm
import pixfeed as pf
from decode.pngmake import PALETTE, RGB, chunk, png
from decode.reference import cut, saved

MOST_PIXELS = 200_000
"""Most calls say so, since a header broken into a large one would cost milliseconds."""

ADDRESS_SPACE = 4 << 30


@functools.cache
def seeds() -> list[bytes]:
    """Small files in every format and layout."""
    picture = cut(17, 19)
    return [*_jpegs(), *_pngs(), *_indexed(), *_others(picture)]


def _jpegs() -> list[bytes]:
    layouts = [
        ("420", jm.Layout(restart=1)),
        ("444", jm.Layout(tables="optimal")),
        ("420", jm.Layout("usual")),
        ("410", jm.Layout("odd", restart=1)),
        ("gray", jm.Layout(tables="deep")),
        ("gray-2x2", jm.Layout("bits")),
        ("crossed", jm.Layout("apart")),
    ]
    extra = [jm.jfif(), jm.exif(6)]
    files = [
        jm.encode(jm.from_rgb(cut(17, 19), name, 80), layout, extra) for name, layout in layouts
    ]
    inks = [cut(17, 19)[..., channel] for channel in (0, 1, 2, 0)]
    four = jm.from_planes(inks, ((2, 2), (1, 1), (1, 1), (2, 2)), 80)
    return [*files, jm.encode(four, extra=[jm.adobe(2)])]


def _pngs() -> list[bytes]:
    places = np.random.default_rng(1).integers(0, 16, (17, 19, 1))
    table = [chunk(b"PLTE", bytes(range(48))), chunk(b"tRNS", bytes([0, 90]))]
    deep = np.random.default_rng(1).integers(0, 65536, (7, 9, 3))
    return [
        saved(cut(17, 19), "PNG"),
        png(places, 4, PALETTE, interlaced=True, extra=table),
        png(deep, 16, RGB),
    ]


def _indexed() -> list[bytes]:
    image = Image.fromarray(cut(17, 19)).quantize(16)
    frames = {"save_all": True, "append_images": [image.rotate(90)]}
    return [saved(image, "GIF", transparency=3, **frames), saved(image, "GIF"), saved(image, "BMP")]


def _others(picture: np.ndarray[tuple[int, ...], np.dtype[np.uint8]]) -> list[bytes]:
    alpha = np.concatenate([picture, picture[..., :1]], axis=2)
    return [
        saved(picture, "WEBP", quality=60),
        saved(picture, "WEBP", lossless=True),
        saved(alpha, "WEBP", quality=60),
        saved(picture, "BMP"),
        *(saved(picture, "TIFF", compression=c) for c in ("raw", "tiff_lzw", "packbits")),
    ]


def mutation(number: int) -> bytes:
    """The number-th broken file."""
    rng = random.Random(number)
    data = bytearray(rng.choice(seeds()))
    for _ in range(rng.choice((1, 1, 1, 2, 3, 8))):
        if data:
            rng.choice(_BREAKS)(rng, data)
    return bytes(data)


def _flip(rng: random.Random, data: bytearray) -> None:
    data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)


def _poke(rng: random.Random, data: bytearray) -> None:
    data[rng.randrange(len(data))] = rng.choice((0, 1, 0x7F, 0x80, 0xFF, rng.randrange(256)))


def _poke_early(rng: random.Random, data: bytearray) -> None:
    data[rng.randrange(min(len(data), 64))] = rng.randrange(256)


def _word(rng: random.Random, data: bytearray) -> None:
    at = rng.randrange(len(data))
    value = rng.choice((0, 1, 0xFFFF, 0x7FFFFFFF, 0xFFFFFFFF, len(data), rng.getrandbits(32)))
    word = struct.pack(rng.choice("<>") + "I", value)
    data[at : at + 4] = word[: rng.choice((2, 4))]


def _remove(rng: random.Random, data: bytearray) -> None:
    at = rng.randrange(len(data))
    del data[at : at + rng.randrange(1, 40)]


def _repeat(rng: random.Random, data: bytearray) -> None:
    at = rng.randrange(len(data))
    data[at:at] = data[at : at + rng.randrange(1, 200)] * rng.randrange(1, 4)


def _cut(rng: random.Random, data: bytearray) -> None:
    del data[rng.randrange(len(data)) :]


def _splice(rng: random.Random, data: bytearray) -> None:
    other = rng.choice(seeds())
    data[rng.randrange(len(data)) :] = other[rng.randrange(len(other)) :]


_BREAKS: list[Callable[[random.Random, bytearray], None]] = [
    _flip, _flip, _poke, _poke, _poke_early, _word, _remove, _repeat, _cut, _splice,
]  # fmt: skip


def outcome(number: int) -> str:
    """What becomes of a mutation: "pixels", or the code of its error."""
    data = mutation(number)
    most = 178_000_000 if number % 500 == 0 else MOST_PIXELS
    size = (5, 7) if number % 4 == 0 else None
    try:
        pixels = pf.decode(data, size=size, max_pixels=most, channels=1 if number % 3 else 3)
    except pf.DecodeError as error:
        return error.code
    if size is not None and pixels.shape[:2] != size:
        return f"pixels of shape {pixels.shape}"
    return "pixels"


def main(first: int, count: int, ledger: Path) -> None:
    resource.setrlimit(resource.RLIMIT_AS, (ADDRESS_SPACE, ADDRESS_SPACE))
    ledger.write_bytes(bytes(8))
    tally: dict[str, int] = {}
    with ledger.open("r+b") as file, mmap.mmap(file.fileno(), 8) as page:
        for number in range(first, first + count):
            page[:8] = number.to_bytes(8, "little")
            what = outcome(number)
            tally[what] = tally.get(what, 0) + 1
    for what in sorted(tally):
        print(what.replace(" ", "-"), tally[what])


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]), Path(sys.argv[3]))
