"""The files the demo reads: one drawn scene for every format and JPEG sampling."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pixfeed.errors import ConfigError
from pixfeed.testing.pictures import scene

Pixels = NDArray[np.uint8]

COUNT = 12
"""How many samples there are."""

FIRST_SCENE = 11
"""The seed of the first scene; the others follow."""


class Sample(NamedTuple):
    """One file in memory, and what it shows that the others do not.

    >>> Sample("PNG", b"...").name
    'PNG'
    """

    name: str
    data: bytes


def samples(height: int, width: int) -> Iterator[Sample]:
    """Draws and encodes the samples, one at a time; the same bytes for the same encoders.

    Needs Pillow and simplejpeg, and raises ConfigError at once where one of them is missing.

    >>> [sample.name for sample in samples(32, 48)][:3]
    ['JPEG 4:4:4', 'JPEG 4:2:2', 'JPEG 4:2:0']
    """
    known = encoders()
    return (
        Sample(name, encode(scene(height, width, seed=seed)))
        for seed, (name, encode) in enumerate(known.items(), start=FIRST_SCENE)
    )


def encoders() -> dict[str, Callable[[Pixels], bytes]]:
    """What makes a file's bytes of pixels, by the name of what it makes.

    Needs Pillow and simplejpeg, and raises ConfigError where one of them is missing.

    >>> encoders()["PNG"](np.zeros((3, 4, 3), np.uint8))[:4]
    b'\\x89PNG'
    """
    try:
        import simplejpeg
        from PIL import Image
    except ImportError as missing:
        raise ConfigError(
            f'{missing.name} is not installed and writes the pictures: pip install "pixfeed[demo]"'
        ) from missing

    def jpeg(sampling: str) -> Callable[[Pixels], bytes]:
        return lambda rgb: bytes(simplejpeg.encode_jpeg(rgb, 90, colorsubsampling=sampling))

    def saved(format: str, mode: str = "RGB", **options: Any) -> Callable[[Pixels], bytes]:
        def encode(rgb: Pixels) -> bytes:
            file = io.BytesIO()
            Image.fromarray(rgb).convert(mode).save(file, format, **options)
            return file.getvalue()

        return encode

    return {
        "JPEG 4:4:4": jpeg("444"),
        "JPEG 4:2:2": jpeg("422"),
        "JPEG 4:2:0": jpeg("420"),
        "JPEG 4:4:0": jpeg("440"),
        "JPEG 4:1:1": jpeg("411"),
        "JPEG progressive": saved("JPEG", quality=90, progressive=True),
        "JPEG gray": saved("JPEG", "L", quality=90),
        "PNG": saved("PNG", compress_level=3),
        "PNG palette": saved("PNG", "P", compress_level=3),
        "WebP": saved("WEBP", quality=85, method=2),
        "GIF": saved("GIF"),
        "TIFF": saved("TIFF", compression="tiff_lzw"),
    }
