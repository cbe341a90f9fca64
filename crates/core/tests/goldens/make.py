"""Makes the golden files beside it: pictures of every kind, their pixels and what a probe says.

    python make.py

needs Pillow and NumPy. Pixels come from the arrays the files were made from, by the arithmetic in
`pictures.py`; lossy WebP's come from Pillow. Every file that Pillow reads in the same mode is
compared to Pillow's reading before it is kept (16 bit ones are not: Pillow drops the low byte).
The background of files with alpha is `pictures.BACKGROUND`, of those named `-on-gray` it is
`pictures.GRAY_BACKGROUND`.
"""

from __future__ import annotations

import io
import struct
import zlib
from pathlib import Path
from typing import Any

import numpy as np
from pictures import (
    BACKGROUND,
    GRAY_BACKGROUND,
    Pixels,
    Samples,
    over,
    over_associated,
    palette,
    samples,
    to8,
)
from PIL import Image
from writers import bmp, gif, pack, png, rle4, rle8, tiff

HERE = Path(__file__).parent
HEIGHT, WIDTH = 13, 19
EXIF = b"MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\x06\0\0\0\0\0\0"
ICC = b"\0" * 40
FORMATS = {"png": "PNG", "tif": "TIFF", "bmp": "BMP", "gif": "GIF", "webp": "WEBP"}
probes: list[str] = []


def keep(
    name: str,
    data: bytes,
    pixels: Pixels,
    *,
    channels: int,
    bits: int,
    space: str,
    alpha: bool = False,
    **more: Any,
) -> None:
    """Writes a file, its pixels and its line of probes.txt."""
    height, width, depth = pixels.shape
    (HERE / name).write_bytes(data)
    kind = b"P5" if depth == 1 else b"P6"
    head = kind + f"\n{width} {height}\n255\n".encode()
    (HERE / f"{name}.pnm").write_bytes(head + pixels.tobytes())
    said = {
        "format": FORMATS[name.rsplit(".", 1)[1]],
        "width": width,
        "height": height,
        "channels": channels,
        "bits": bits,
        "colorspace": space,
        "alpha": int(alpha),
        "orientation": more.get("orientation", 1),
        "progressive": int(more.get("progressive", False)),
        "animated": int(more.get("animated", False)),
        "icc": int(more.get("icc", False)),
    }
    probes.append(" ".join([name, *map(str, said.values())]))
    if not alpha and more.get("compare", True):
        compare(name, data, pixels)


def compare(name: str, data: bytes, pixels: Pixels) -> None:
    """Pillow must see what the arithmetic says."""
    image = Image.open(io.BytesIO(data))
    mode = "L" if pixels.shape[2] == 1 else "RGB"
    seen = np.asarray(image.convert(mode)).reshape(pixels.shape)
    if not np.array_equal(seen, pixels):
        worst = np.abs(seen.astype(int) - pixels).max()
        raise SystemExit(f"{name}: Pillow reads other pixels (worst difference {worst})")


def saved(image: Image.Image, kind: str, **options: Any) -> bytes:
    out = io.BytesIO()
    image.save(out, kind, **options)
    return out.getvalue()


def make_png() -> None:
    for interlaced in (False, True):
        end = "-interlaced.png" if interlaced else ".png"
        for bits in (1, 2, 4, 8, 16):
            gray = samples(HEIGHT, WIDTH, 1, bits)
            keep(
                f"png-gray{bits}{end}",
                png(gray, 0, bits, interlaced=interlaced),
                to8(gray, bits),
                channels=1,
                bits=bits,
                space="gray",
                progressive=interlaced,
                compare=bits < 16,
            )
        for bits in (1, 2, 4, 8):
            table = palette(1 << bits)
            index = samples(HEIGHT, WIDTH, 1, bits)
            keep(
                f"png-palette{bits}{end}",
                png(index, 3, bits, interlaced=interlaced, before=((b"PLTE", table.tobytes()),)),
                table[index[..., 0]],
                channels=3,
                bits=bits,
                space="palette",
                progressive=interlaced,
            )
        for kind, count, name in ((2, 3, "rgb"), (4, 2, "la"), (6, 4, "rgba")):
            for bits in (8, 16):
                values = samples(HEIGHT, WIDTH, count, bits)
                straight = to8(values, bits)
                keep(
                    f"png-{name}{bits}{end}",
                    png(values, kind, bits, interlaced=interlaced),
                    straight if kind == 2 else over(straight, BACKGROUND),
                    channels=count,
                    bits=bits,
                    space="gray" if kind == 4 else "rgb",
                    alpha=kind != 2,
                    progressive=interlaced,
                    compare=bits < 16,
                )
    make_png_transparent()
    make_png_with_extras()


def make_png_transparent() -> None:
    gray = samples(HEIGHT, WIDTH, 2, 8)
    keep(
        "png-la8-on-gray.png",
        png(gray, 4, 8),
        over(gray, GRAY_BACKGROUND),
        channels=2,
        bits=8,
        space="gray",
        alpha=True,
    )
    for kind, count, name in ((0, 1, "gray"), (2, 3, "rgb")):
        for bits in (4, 8, 16) if kind == 0 else (8, 16):
            values = samples(HEIGHT, WIDTH, count, bits)
            key = values[5, 7]
            opaque = np.any(values != key, axis=-1, keepdims=True).astype(np.uint8) * 255
            straight = np.concatenate([to8(values, bits), opaque], axis=-1)
            keep(
                f"png-{name}{bits}-key.png",
                png(values, kind, bits, before=((b"tRNS", key.astype(">u2").tobytes()),)),
                over(straight, BACKGROUND),
                channels=count + 1,
                bits=bits,
                space="gray" if kind == 0 else "rgb",
                alpha=True,
            )
    table, index = palette(16), samples(HEIGHT, WIDTH, 1, 4)
    fractions = bytes([0, 60, 128, 200])
    alphas = np.frombuffer(fractions.ljust(16, b"\xff"), np.uint8)[:, None]
    before = ((b"PLTE", table.tobytes()), (b"tRNS", fractions))
    keep(
        "png-palette4-key.png",
        png(index, 3, 4, before=before),
        over(np.concatenate([table, alphas], axis=-1)[index[..., 0]], BACKGROUND),
        channels=4,
        bits=4,
        space="palette",
        alpha=True,
    )


def make_png_with_extras() -> None:
    rgb = samples(HEIGHT, WIDTH, 3, 8)
    said: dict[str, Any] = {"channels": 3, "bits": 8, "space": "rgb"}
    profile = b"p\0\0" + zlib.compress(ICC)
    keep("png-icc.png", png(rgb, 2, 8, before=((b"iCCP", profile),)), rgb, icc=True, **said)
    keep("png-exif.png", png(rgb, 2, 8, before=((b"eXIf", EXIF),)), rgb, orientation=6, **said)
    keep("png-exif-late.png", png(rgb, 2, 8, after=((b"eXIf", EXIF),)), rgb, orientation=6, **said)
    keep("png-pieces.png", png(rgb, 2, 8, pieces=7), rgb, **said)
    rest = [Image.fromarray(255 - rgb)]
    data = saved(Image.fromarray(rgb), "PNG", save_all=True, append_images=rest, duration=50)
    keep("png-animated.png", data, rgb, animated=True, **said)
    data = saved(
        Image.fromarray(rgb), "PNG", save_all=True, append_images=rest * 2, default_image=True
    )
    keep("png-animated-default.png", data, rgb, animated=True, **said)


def make_tiff() -> None:
    for bits in (1, 2, 4, 8, 16):
        for photometric in (0, 1):
            gray = samples(HEIGHT, WIDTH, 1, bits)
            pixels = to8(gray, bits)
            keep(
                f"tiff-gray{bits}{'-inverted' if photometric == 0 else ''}.tif",
                tiff(gray, photometric, bits),
                255 - pixels if photometric == 0 else pixels,
                channels=1,
                bits=bits,
                space="gray",
                compare=bits < 16,
            )
    for bits in (1, 2, 4, 8):
        table, index = palette(1 << bits), samples(HEIGHT, WIDTH, 1, bits)
        scale = 256 if bits == 8 else 257
        colours = tuple(int(v) * scale for v in table.T.reshape(-1))
        data = tiff(index, 3, bits, tags=((320, "H", colours),))
        said: dict[str, Any] = {"channels": 3, "bits": bits, "space": "palette"}
        keep(
            f"tiff-palette{bits}.tif", data, table[index[..., 0]], compare=bits in (1, 4, 8), **said
        )
    rgb = samples(HEIGHT, WIDTH, 3, 8)
    said = {"channels": 3, "bits": 8, "space": "rgb"}
    variants: dict[str, dict[str, Any]] = {
        "big-endian": {"order": ">"},
        "big": {"big": True},
        "big-big-endian": {"order": ">", "big": True},
        "planar": {"planar": True},
        "tiles": {"tile": (16, 16)},
        "planar-tiles": {"planar": True, "tile": (16, 16)},
        "one-strip": {"rows_per_strip": 1 << 31},
        "deflate-predictor": {"compression": 8, "predictor": True},
        "tiles-predictor": {"compression": 8, "predictor": True, "tile": (16, 16)},
    }
    for name, options in variants.items():
        whole = name == "one-strip"
        data = tiff(rgb, 2, 8, **{**options, **({"rows_per_strip": HEIGHT} if whole else {})})
        # Pillow reads neither tiles of planes nor wide offsets with the high byte first.
        readable = name not in ("planar-tiles", "big-big-endian")
        keep(f"tiff-{name}.tif", data, rgb, compare=readable, **said)
    for order, name in (("<", "little"), (">", "big")):
        deep = samples(HEIGHT, WIDTH, 3, 16)
        data = tiff(deep, 2, 16, order=order, compression=8, predictor=True)
        more = {**said, "bits": 16, "compare": False}
        keep(f"tiff-rgb16-{name}-endian.tif", data, to8(deep, 16), **more)
    nibbles = samples(HEIGHT, WIDTH, 3, 4)
    more = {**said, "bits": 4, "compare": False}
    keep("tiff-rgb4.tif", tiff(nibbles, 2, 4), to8(nibbles, 4), **more)
    make_tiff_by_pillow(rgb, said)
    make_tiff_inks()
    make_tiff_alpha()


def make_tiff_by_pillow(rgb: Pixels, said: dict[str, Any]) -> None:
    image = Image.fromarray(rgb)
    for compression in ("tiff_lzw", "tiff_adobe_deflate", "tiff_deflate", "packbits"):
        data = saved(image, "TIFF", compression=compression)
        name = compression.removeprefix("tiff_").replace("_", "-")
        keep(f"tiff-{name}.tif", data, rgb, **said)
    data = saved(image, "TIFF", compression="tiff_lzw", tiffinfo={317: 2})
    keep("tiff-lzw-predictor.tif", data, rgb, **said)
    pages = [Image.fromarray(255 - rgb)]
    data = saved(image, "TIFF", save_all=True, append_images=pages)
    keep("tiff-pages.tif", data, rgb, animated=True, **said)
    data = saved(image, "TIFF", tiffinfo={274: 8})
    # Pillow turns TIFF pictures itself; these pixels are as stored.
    keep("tiff-orientation.tif", data, rgb, orientation=8, compare=False, **said)
    data = saved(image, "TIFF", icc_profile=ICC)
    keep("tiff-icc.tif", data, rgb, icc=True, **said)


def make_tiff_inks() -> None:
    inks = samples(HEIGHT, WIDTH, 4, 8)
    pixels = np.asarray(Image.fromarray(inks, "CMYK").convert("RGB"))
    said: dict[str, Any] = {"channels": 4, "bits": 8, "space": "cmyk"}
    keep("tiff-cmyk.tif", saved(Image.fromarray(inks, "CMYK"), "TIFF"), pixels, **said)
    keep("tiff-cmyk-planar.tif", tiff(inks, 5, 8, planar=True), pixels, **said)
    deep = samples(HEIGHT, WIDTH, 4, 16)
    narrow = np.asarray(Image.fromarray(to8(deep, 16), "CMYK").convert("RGB"))
    keep("tiff-cmyk16.tif", tiff(deep, 5, 16), narrow, **{**said, "bits": 16, "compare": False})


def make_tiff_alpha() -> None:
    for count, photometric, name in ((2, 1, "la"), (4, 2, "rgba")):
        values: Samples = samples(HEIGHT, WIDTH, count, 8)
        colours, alpha = values[..., :-1], values[..., -1:]
        said: dict[str, Any] = {
            "channels": count,
            "bits": 8,
            "space": "gray" if count == 2 else "rgb",
        }
        straight = tiff(values, photometric, 8, tags=((338, "H", (2,)),))
        blended = over(values, BACKGROUND)
        keep(f"tiff-{name}.tif", straight, blended, alpha=True, **said)
        unsaid = tiff(values, photometric, 8)
        keep(f"tiff-{name}-unsaid.tif", unsaid, blended, alpha=True, **said)
        scaled = (colours.astype(int) * alpha + 127) // 255
        multiplied = np.concatenate([scaled.astype(np.uint8), alpha], axis=-1)
        data = tiff(multiplied, photometric, 8, tags=((338, "H", (1,)),))
        pixels = over_associated(multiplied, BACKGROUND)
        keep(f"tiff-{name}-associated.tif", data, pixels, alpha=True, **said)
        data = tiff(values, photometric, 8, tags=((338, "H", (0,)),))
        keep(f"tiff-{name}-other.tif", data, colours, compare=count == 4, **said)
    deep = samples(HEIGHT, WIDTH, 4, 16)
    data = tiff(deep, 2, 16, planar=True, tags=((338, "H", (2,)),))
    said = {"channels": 4, "bits": 16, "space": "rgb"}
    keep("tiff-rgba16-planar.tif", data, over(to8(deep, 16), BACKGROUND), alpha=True, **said)


def make_bmp() -> None:
    size = (WIDTH, HEIGHT)
    for bits in (1, 4, 8):
        table, index = palette(1 << bits), samples(HEIGHT, WIDTH, 1, bits)
        pixels = table[index[..., 0]]
        said: dict[str, Any] = {"channels": 3, "bits": bits, "space": "palette"}
        keep(
            f"bmp-palette{bits}.bmp",
            bmp(pack(index, bits), size, bits, palette=table),
            pixels,
            **said,
        )
        data = bmp(pack(index, bits), size, bits, palette=table, core=True)
        keep(f"bmp-palette{bits}-core.bmp", data, pixels, **said)
        if bits > 1:
            packed = (rle8 if bits == 8 else rle4)(index[..., 0])
            data = bmp(
                [], size, bits, palette=table, compression=1 if bits == 8 else 2, data=packed
            )
            keep(f"bmp-rle{bits}.bmp", data, pixels, **said)
    rgb = samples(HEIGHT, WIDTH, 3, 8)
    said = {"channels": 3, "bits": 8, "space": "rgb"}
    rows = pack(np.ascontiguousarray(rgb[..., ::-1]), 8)
    keep("bmp-rgb24.bmp", bmp(rows, size, 24), rgb, **said)
    keep("bmp-top-down.bmp", bmp(rows, size, 24, top_down=True), rgb, **said)
    fourth = samples(HEIGHT, WIDTH, 4, 8)
    bgra = np.concatenate([rgb[..., ::-1], fourth[..., 3:]], axis=-1)
    keep("bmp-rgb32.bmp", bmp(pack(bgra, 8), size, 32), rgb, **said)
    masks = (0xFF0000, 0xFF00, 0xFF, 0xFF000000)
    data = bmp(pack(bgra, 8), size, 32, compression=3, masks=masks)
    straight = np.concatenate([rgb, bgra[..., 3:]], axis=-1)
    keep("bmp-rgba32.bmp", data, over(straight, BACKGROUND), alpha=True, **{**said, "channels": 4})
    parts = samples(HEIGHT, WIDTH, 3, 5).astype(np.uint16)
    words = parts[..., 0] << 10 | parts[..., 1] << 5 | parts[..., 2]
    pixels = to8(parts, 5)
    keep(
        "bmp-rgb16.bmp",
        bmp([row.astype("<u2").tobytes() for row in words], size, 16),
        pixels,
        compare=False,
        **said,
    )


def make_gif() -> None:
    table, index = palette(16), samples(HEIGHT, WIDTH, 1, 4)[..., 0]
    whole: dict[str, Any] = {"channels": 3, "bits": 8, "space": "palette"}
    part: dict[str, Any] = {**whole, "channels": 4, "alpha": True}
    keep("gif-plain.gif", gif(index, table), table[index], **whole)
    keep("gif-local.gif", gif(index, table, local=True), table[index], **whole)
    data = gif(index, table, interlaced=True)
    keep("gif-interlaced.gif", data, table[index], progressive=True, **whole)
    opaque = np.where(index == 7, 0, 255).astype(np.uint8)[..., None]
    straight = np.concatenate([table[index], opaque], axis=-1)
    data = gif(index, table, transparent=7)
    keep("gif-transparent.gif", data, over(straight, BACKGROUND), **part)
    keep("gif-animated.gif", gif(index, table, frames=3), table[index], animated=True, **whole)
    canvas = np.empty((HEIGHT + 9, WIDTH + 6, 3), np.uint8)
    canvas[:] = BACKGROUND
    canvas[4 : 4 + HEIGHT, 5 : 5 + WIDTH] = table[index]
    data = gif(index, table, screen=(WIDTH + 6, HEIGHT + 9), place=(5, 4))
    keep("gif-part.gif", data, canvas, **part)
    canvas = np.empty((HEIGHT + 4, WIDTH + 5, 3), np.uint8)
    canvas[:] = BACKGROUND
    canvas[4:, 5:] = table[index]
    keep("gif-over-the-edge.gif", gif(index, table, screen=(6, 6), place=(5, 4)), canvas, **part)
    many = samples(HEIGHT, WIDTH, 1, 8)[..., 0]
    image = Image.fromarray(many, "P")
    image.putpalette(palette(256).tobytes())
    keep("gif-by-pillow.gif", saved(image, "GIF"), palette(256)[many], **whole)


def make_webp() -> None:
    rgb = samples(24, 33, 3, 8)
    rgba = samples(24, 33, 4, 8)
    said: dict[str, Any] = {"channels": 3, "bits": 8}
    with_alpha: dict[str, Any] = {**said, "channels": 4, "alpha": True}
    kinds: dict[str, dict[str, Any]] = {"lossless": {"lossless": True}, "lossy": {"quality": 80}}
    for name, options in kinds.items():
        space = "rgb" if name == "lossless" else "ycbcr"
        plain, clear = Image.fromarray(rgb), Image.fromarray(rgba)
        data = saved(plain, "WEBP", **options)
        keep(f"webp-{name}.webp", data, read(data), space=space, **said)
        data = saved(clear, "WEBP", exact=True, **options)
        keep(
            f"webp-{name}-alpha.webp", data, over(read(data), BACKGROUND), space=space, **with_alpha
        )
        extras = {"exif": b"Exif\0\0" + EXIF, "icc_profile": ICC, **options}
        data = saved(plain, "WEBP", **extras)
        keep(
            f"webp-{name}-extras.webp",
            data,
            read(data),
            space=space,
            orientation=6,
            icc=True,
            **said,
        )
        data = saved(plain, "WEBP", save_all=True, append_images=[clear], **options)
        still = read(data)
        blended = over(still, BACKGROUND) if still.shape[2] == 4 else still
        more = with_alpha if still.shape[2] == 4 else said
        keep(f"webp-{name}-animated.webp", data, blended, space=space, animated=True, **more)
    make_webp_part(rgb)


def make_webp_part(rgb: Pixels) -> None:
    """A frame that covers a part of its canvas, put together by hand."""
    body = saved(Image.fromarray(rgb), "WEBP", lossless=True)[12:]
    height, width = rgb.shape[:2]
    sizes = [struct.pack("<I", v)[:3] for v in (3, 5, width - 1, height - 1, 100)]
    frame = b"".join(sizes) + b"\0" + body
    canvas = np.empty((height + 20, width + 10, 3), np.uint8)
    canvas[:] = BACKGROUND
    canvas[10 : 10 + height, 6 : 6 + width] = rgb
    screen = [struct.pack("<I", v - 1)[:3] for v in (width + 10, height + 20)]
    parts = [(b"VP8X", b"\x02\0\0\0" + b"".join(screen)), (b"ANIM", bytes(6)), (b"ANMF", frame)]
    chunks = b"".join(k + struct.pack("<I", len(b)) + b + b"\0" * (len(b) % 2) for k, b in parts)
    data = b"RIFF" + struct.pack("<I", 4 + len(chunks)) + b"WEBP" + chunks
    said: dict[str, Any] = {"channels": 3, "bits": 8, "space": "rgb", "compare": False}
    keep("webp-part.webp", data, canvas, animated=True, **said)


def read(data: bytes) -> Pixels:
    return np.asarray(Image.open(io.BytesIO(data)))


if __name__ == "__main__":
    for old in [*HERE.glob("*.pnm"), *(p for kind in FORMATS for p in HERE.glob(f"*.{kind}"))]:
        old.unlink()
    for make in (make_png, make_tiff, make_bmp, make_gif, make_webp):
        make()
    (HERE / "probes.txt").write_text("\n".join(probes) + "\n")
