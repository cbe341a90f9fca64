"""The photos a benchmark decodes: real ones from a folder, or drawn ones when there is none."""

from __future__ import annotations

import hashlib
import io
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image

Pixels = NDArray[np.uint8]
Floats = NDArray[np.float32]
SUFFIXES = {".jpg", ".jpeg"}
ORIENTATION = 0x0112
DRAWN = 60


@dataclass(frozen=True)
class Photos:
    """Encoded photos in memory, and one sentence that says which."""

    files: tuple[bytes, ...]
    said: str

    def changed(self, change: Callable[[bytes], bytes], said: str) -> Photos:
        """Each photo through `change`."""
        return Photos(tuple(map(change, self.files)), f"{self.said}, {said}")

    def kept(self, keep: Callable[[bytes], bool], said: str) -> Photos:
        """The photos for which `keep` is true."""
        return Photos(tuple(filter(keep, self.files)), f"{said} of {self.said}")

    @property
    def mark(self) -> str:
        """A short hash of the bytes: data made from other photos lies elsewhere."""
        digest = hashlib.blake2b(digest_size=5)
        for data in self.files:
            digest.update(len(data).to_bytes(8, "little") + data)
        return digest.hexdigest()

    def first(self, count: int) -> Photos:
        """At most `count` of them."""
        return Photos(self.files[:count], f"{min(count, len(self.files))} of {self.said}")


def load(folder: Path) -> Photos:
    """Upright colour JPEGs under `folder`, or drawn pictures when it is not there."""
    paths = sorted(path for path in folder.rglob("*") if path.suffix.lower() in SUFFIXES)
    files = tuple(data for data in (path.read_bytes() for path in paths) if _ordinary(data))
    if files:
        return Photos(files, f"{len(files)} photos of {folder.name}")
    return Photos(tuple(_drawn(DRAWN)), f"{DRAWN} DRAWN pictures (no photos in --photos)")


def as_pixels(image: Image.Image) -> Pixels:
    """The image's bytes as an array."""
    array: Pixels = np.asarray(image)
    return array


def pixels(data: bytes) -> Pixels:
    """Pillow's RGB pixels."""
    with Image.open(io.BytesIO(data)) as image:
        return as_pixels(image.convert("RGB"))


def size(data: bytes) -> tuple[int, int]:
    """Height and width, from the header."""
    with Image.open(io.BytesIO(data)) as image:
        return image.height, image.width


def is_444(data: bytes) -> bool:
    """Whether the photo's chroma has full resolution."""
    with Image.open(io.BytesIO(data)) as image:
        layer: list[tuple[int, int, int, int]] = getattr(image, "layer", [])
        return len(layer) == 3 and all(part[1:3] == layer[0][1:3] for part in layer)


def jpeg(image: Pixels, *, quality: int = 90, subsampling: str = "4:2:0") -> bytes:
    """The pixels as a JPEG with standard tables."""
    return _saved(Image.fromarray(image), "JPEG", quality=quality, subsampling=subsampling)


def re_encoded(data: bytes) -> bytes:
    """The photo as the web has it: quality 90, 4:2:0."""
    return jpeg(pixels(data))


def png(data: bytes) -> bytes:
    """The photo as an RGB PNG."""
    return _saved(Image.fromarray(pixels(data)), "PNG")


def palette_png(data: bytes) -> bytes:
    """The photo as a PNG with 256 colours."""
    return _saved(Image.fromarray(pixels(data)).quantize(256), "PNG")


def enlarged(data: bytes) -> bytes:
    """The photo blown up to twelve megapixels."""
    return jpeg(_twelve_megapixels(data))


def grainy(data: bytes) -> bytes:
    """The photo blown up, with a sensor's grain: as many coefficients as a camera's file has."""
    image = _twelve_megapixels(data)
    grain = np.random.default_rng(0).normal(0.0, 3.0, (*image.shape[:2], 1)).astype(np.float32)
    return jpeg(np.clip(image + grain, 0, 255).astype(np.uint8))


def thumbnails(photos: Photos, count: int, side: int = 32, seed: int = 0) -> Iterator[Pixels]:
    """Random square pieces of the photos, scaled to `side`."""
    rng = np.random.default_rng(seed)
    sources = [Image.fromarray(pixels(data)) for data in photos.files]
    for index in range(count):
        image = sources[index % len(sources)]
        edge = int(rng.integers(side, min(image.size) + 1)) if min(image.size) > side else side
        left = int(rng.integers(0, max(image.width - edge, 0) + 1))
        top = int(rng.integers(0, max(image.height - edge, 0) + 1))
        box = (left, top, left + edge, top + edge)
        yield np.asarray(image.resize((side, side), Image.Resampling.BILINEAR, box=box))


def _twelve_megapixels(data: bytes) -> Pixels:
    image = Image.fromarray(pixels(data))
    return as_pixels(image.resize((4000, 3000), Image.Resampling.BICUBIC))


def _ordinary(data: bytes) -> bool:
    with Image.open(io.BytesIO(data)) as image:
        return image.mode == "RGB" and image.getexif().get(ORIENTATION, 1) == 1


def _drawn(count: int) -> Iterator[bytes]:
    from pixfeed.testing.pictures import scene  # only a machine without photos needs it

    for seed in range(count):
        picture = scene(375 + seed, 500, seed)
        yield jpeg(picture, subsampling="4:4:4" if seed % 4 else "4:2:0")


def _saved(image: Image.Image, kind: str, **options: int | str) -> bytes:
    out = io.BytesIO()
    image.save(out, kind, **options)
    return out.getvalue()
