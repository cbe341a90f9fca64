"""Files of the other formats that are odd and legal, each with the pixels the policy gives it."""

from __future__ import annotations

import io
import struct
from collections.abc import Iterator

import numpy as np
from PIL import Image

from decode.cases import Readable
from decode.pngmake import GRAY, GRAY_ALPHA, PALETTE, RGB, RGBA, chunk, png
from decode.reference import Pixels, cut, luma_of, oriented, pillow, saved

HEIGHT, WIDTH = 21, 35


def readable() -> Iterator[Readable]:
    """Every file of another format that must be read."""
    yield from _png_depths()
    yield from _png_alpha()
    yield from _png_surroundings()
    yield from _gif()
    yield from _webp()
    yield from _bmp()
    yield from _tiff()


def _picture() -> Pixels:
    return cut(HEIGHT, WIDTH, 2)


def _gray3(plane: Pixels) -> Pixels:
    return np.repeat(plane.reshape(*plane.shape[:2], 1), 3, axis=2)


def _on_black(colour: Pixels, alpha: Pixels) -> Pixels:
    """Straight alpha over black, rounded to nearest."""
    shown = (colour.astype(int) * alpha.reshape(*alpha.shape[:2], 1) + 127) // 255
    return shown.astype(np.uint8)


def _eighth(values: Pixels | np.ndarray[tuple[int, ...], np.dtype[np.int64]]) -> Pixels:
    """16 bit to 8, rounded to nearest."""
    return ((values.astype(np.int64) * 255 + 32767) // 65535).astype(np.uint8)


def _random(shape: tuple[int, ...], top: int) -> np.ndarray[tuple[int, ...], np.dtype[np.int64]]:
    return np.random.default_rng(7).integers(0, top, shape)


def _png_depths() -> Iterator[Readable]:
    shape = (HEIGHT, WIDTH, 1)
    for bits in (1, 2, 4, 8):
        values = _random(shape, 1 << bits)
        scaled = (values * 255 // ((1 << bits) - 1)).astype(np.uint8)
        for interlaced in (False, True):
            kind = "interlaced" if interlaced else "plain"
            data = png(values, bits, GRAY, interlaced=interlaced)
            yield Readable(f"png-gray-{bits}-{kind}", data, _gray3(scaled))
            colours = _random((1 << bits, 3), 256).astype(np.uint8)
            table = [chunk(b"PLTE", colours.tobytes())]
            data = png(values, bits, PALETTE, interlaced=interlaced, extra=table)
            yield Readable(f"png-palette-{bits}-{kind}", data, colours[values[..., 0]])
    deep = _random(shape, 65536)
    yield Readable("png-gray-16", png(deep, 16, GRAY), _gray3(_eighth(deep)))
    deep = _random((HEIGHT, WIDTH, 3), 65536)
    yield Readable("png-rgb-16", png(deep, 16, RGB), _eighth(deep))
    yield Readable("png-rgb-16-interlaced", png(deep, 16, RGB, interlaced=True), _eighth(deep))


def _png_alpha() -> Iterator[Readable]:
    colour, alpha = _picture(), _random((HEIGHT, WIDTH, 1), 256).astype(np.uint8)
    gray = luma_of(colour)
    rgba = np.concatenate([colour, alpha], axis=2)
    yield Readable("png-rgba", png(rgba, 8, RGBA), _on_black(colour, alpha))
    la = np.concatenate([gray, alpha], axis=2)
    yield Readable("png-la", png(la, 8, GRAY_ALPHA), _on_black(_gray3(gray), alpha))
    deep = _random((HEIGHT, WIDTH, 4), 65536)
    shown = _on_black(_eighth(deep[..., :3]), _eighth(deep[..., 3]))
    yield Readable("png-rgba-16", png(deep, 16, RGBA), shown)
    clear = chunk(b"tRNS", struct.pack(">HHH", *map(int, colour[3, 4])))
    keyed = np.where((colour == colour[3, 4]).all(axis=2, keepdims=True), 0, colour)
    yield Readable("png-trns-rgb", png(colour, 8, RGB, extra=[clear]), keyed.astype(np.uint8))
    clear = chunk(b"tRNS", struct.pack(">H", int(gray[3, 4, 0])))
    keyed = np.where(gray == gray[3, 4], 0, gray).astype(np.uint8)
    yield Readable("png-trns-gray", png(gray, 8, GRAY, extra=[clear]), _gray3(keyed))
    colours, places = _random((16, 3), 256).astype(np.uint8), _random((HEIGHT, WIDTH, 1), 16)
    fades = np.array([0, 40, 128, 255], dtype=np.uint8)
    table = [chunk(b"PLTE", colours.tobytes()), chunk(b"tRNS", fades.tobytes())]
    every = np.concatenate([fades, np.full(12, 255, dtype=np.uint8)])
    shown = _on_black(colours[places[..., 0]], every[places[..., 0]])
    yield Readable("png-trns-palette", png(places, 4, PALETTE, extra=table), shown)


def _png_surroundings() -> Iterator[Readable]:
    picture = _picture()
    yield Readable("png-named-jpg", saved(picture, "PNG"), picture)
    exif = Image.Exif()
    exif[0x0112] = 6
    yield Readable("png-exif-6", saved(picture, "PNG", exif=exif), oriented(picture, 6))
    yield Readable("png-garbage-behind", saved(picture, "PNG") + b"junk" * 9, picture)
    yield Readable("png-icc", saved(picture, "PNG", icc_profile=b"\x07" * 300), picture)
    frames = [Image.fromarray(picture), Image.fromarray(255 - picture)]
    yield Readable("png-animated", _animated(frames, "PNG"), picture)


def _animated(frames: list[Image.Image], form: str, **options: object) -> bytes:
    out = io.BytesIO()
    frames[0].save(out, form, save_all=True, append_images=frames[1:], **options)
    return out.getvalue()


def _gif() -> Iterator[Readable]:
    shown = Image.fromarray(_picture()).quantize(64)
    other = Image.fromarray(255 - _picture()).quantize(64)
    first = np.asarray(shown.convert("RGB"))
    yield Readable("gif", saved(shown, "GIF"), first)
    yield Readable("gif-interlaced", saved(shown, "GIF", interlace=1), first)
    yield Readable("gif-animated", _animated([shown, other], "GIF", duration=50), first)
    data = saved(shown, "GIF", transparency=5)
    seen = np.asarray(Image.open(io.BytesIO(data)).convert("RGBA"))
    black = np.where(seen[..., 3:] == 0, 0, seen[..., :3]).astype(np.uint8)
    yield Readable("gif-transparent", data, black)


def _webp() -> Iterator[Readable]:
    picture, alpha = _picture(), _random((HEIGHT, WIDTH, 1), 256).astype(np.uint8)
    alpha[alpha == 0] = 1  # Encoders may change what cannot be seen.
    rgba = np.concatenate([picture, alpha], axis=2)
    clear = saved(rgba, "WEBP", lossless=True)
    yield Readable("webp-lossless", saved(picture, "WEBP", lossless=True), picture)
    yield Readable("webp-alpha", clear, _on_black(picture, alpha))
    lossy = saved(picture, "WEBP", quality=80)
    yield Readable("webp-lossy", lossy, pillow(lossy), off=2)
    frames = [Image.fromarray(picture), Image.fromarray(255 - picture)]
    yield Readable("webp-animated", _animated(frames, "WEBP", lossless=True), picture)
    exif = Image.Exif()
    exif[0x0112] = 8
    turned = saved(picture, "WEBP", lossless=True, exif=exif)
    yield Readable("webp-exif-8", turned, oriented(picture, 8))


def _bmp() -> Iterator[Readable]:
    picture = _picture()
    data = saved(picture, "BMP")
    yield Readable("bmp", data, picture)
    shown = Image.fromarray(picture).quantize(256)
    yield Readable("bmp-palette", saved(shown, "BMP"), np.asarray(shown.convert("RGB")))
    ink = Image.fromarray(picture).convert("1")
    yield Readable("bmp-1-bit", saved(ink, "BMP"), np.asarray(ink.convert("RGB")))
    start = struct.unpack("<I", data[10:14])[0]
    row = (WIDTH * 3 + 3) // 4 * 4
    rows = [data[start + y * row : start + (y + 1) * row] for y in range(HEIGHT)]
    upright = data[:22] + struct.pack("<i", -HEIGHT) + data[26:start] + b"".join(rows[::-1])
    yield Readable("bmp-top-down", upright, picture)


def _tiff() -> Iterator[Readable]:
    picture = _picture()
    for compression in ("raw", "tiff_lzw", "packbits", "tiff_adobe_deflate"):
        data = saved(picture, "TIFF", compression=compression)
        yield Readable(f"tiff-{compression}", data, picture)
    frames = [Image.fromarray(picture), Image.fromarray(255 - picture)]
    yield Readable("tiff-two-pages", _animated(frames, "TIFF"), picture)
    deep = _random((HEIGHT, WIDTH), 65536)
    sixteen = Image.fromarray(deep.astype(np.uint16))
    yield Readable("tiff-gray-16", saved(sixteen, "TIFF"), _gray3(_eighth(deep)))
    ink = Image.fromarray(picture).convert("1")
    yield Readable("tiff-1-bit", saved(ink, "TIFF"), np.asarray(ink.convert("RGB")))
    white = saved(luma_of(picture)[..., 0], "TIFF", tiffinfo={262: 0})
    yield Readable("tiff-white-is-zero", white, pillow(white))
    inks = Image.fromarray(picture).convert("CMYK")
    yield Readable("tiff-cmyk", saved(inks, "TIFF"), np.asarray(inks.convert("RGB")))
    turned = saved(picture, "TIFF", tiffinfo={274: 6})
    yield Readable("tiff-orientation-6", turned, oriented(picture, 6))
