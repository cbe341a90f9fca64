"""The ways to decode that are raced here, as plain functions of bytes."""

from __future__ import annotations

import importlib
import io
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from PIL import Image

from benchmarks.boxes import Box
from benchmarks.model import Contender
from benchmarks.photos import Pixels
from benchmarks.timing import timed

_simplejpeg: Any = importlib.import_module("simplejpeg")
_decode: Any = importlib.import_module("pixfeed").decode
BILINEAR = Image.Resampling.BILINEAR


def pixfeed(data: bytes) -> Pixels:
    """The whole picture."""
    pixels: Pixels = _decode(data)
    return pixels


def pixfeed_gray(data: bytes) -> Pixels:
    """The whole picture in one channel."""
    pixels: Pixels = _decode(data, channels=1)
    return pixels


def pixfeed_crop(data: bytes, box: Box | None, side: int = 224) -> Pixels:
    """A box (or all) of the picture at side x side."""
    pixels: Pixels = _decode(data, box=box, size=(side, side))
    return pixels


def simplejpeg(data: bytes) -> Pixels:
    """libjpeg-turbo's accurate decode."""
    pixels: Pixels = _simplejpeg.decode_jpeg(data, "RGB")
    return pixels


def simplejpeg_gray(data: bytes) -> Pixels:
    """libjpeg-turbo's accurate decode of one channel."""
    pixels: Pixels = _simplejpeg.decode_jpeg(data, "GRAY")
    return pixels


def simplejpeg_crop(data: bytes, box: Box) -> Pixels:
    """libjpeg-turbo's whole decode, then Pillow's resize of the box."""
    image = Image.fromarray(simplejpeg(data))
    left, top, width, height = box
    edges = (left, top, left + width, top + height)
    return np.asarray(image.resize((224, 224), BILINEAR, box=edges))


def pillow(data: bytes) -> Pixels:
    """Pillow's decode to RGB."""
    with Image.open(io.BytesIO(data)) as image:
        return np.asarray(image if image.mode == "RGB" else image.convert("RGB"))


def pillow_crop(data: bytes, box: Box | None, side: int = 224) -> Pixels:
    """The reference: a full decode, the box cut out, an antialiased resize."""
    with Image.open(io.BytesIO(data)) as opened:
        image = opened.convert("RGB")
        if box is not None:
            image = image.crop((box[0], box[1], box[0] + box[2], box[1] + box[3]))
        return np.asarray(image.resize((side, side), BILINEAR))


def pillow_draft(data: bytes, side: int = 224) -> Pixels:
    """Pillow's fast road for large photos: a scaled decode, then a resize."""
    with Image.open(io.BytesIO(data)) as image:
        image.draft("RGB", (side, side))
        return np.asarray(image.resize((side, side), BILINEAR))


def over(name: str, way: Callable[..., object], works: Sequence[tuple[Any, ...]]) -> Contender:
    """A contender that does `way` on each of `works`."""

    def all_of_them() -> None:
        for work in works:
            way(*work)

    return Contender(name, timed(all_of_them))
