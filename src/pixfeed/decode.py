"""Bytes of an image to pixels: the whole, or only the part a crop needs."""

from __future__ import annotations

import operator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from pixfeed import _native
from pixfeed.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Iterable

    import numpy as np
    from numpy.typing import NDArray
    from typing_extensions import Buffer

Resample = Literal["nearest", "bilinear", "bicubic", "lanczos"]

#: Most pixels an image may have, unless a call says otherwise.
MAX_PIXELS = 178_000_000

_RESAMPLE = {"nearest": 0, "bilinear": 1, "bicubic": 2, "lanczos": 3}


@dataclass(frozen=True, slots=True)
class Probe:
    """What an image's headers say. Width and height are as stored, before orientation is applied.

    >>> from pixfeed.testing import png
    >>> probe(png(width=4, height=3)).width
    4
    """

    format: str
    width: int
    height: int
    channels: int
    bits: int
    colorspace: str
    alpha: bool
    orientation: int
    progressive: bool
    animated: bool
    icc: bool
    subsampling: str

    @property
    def size(self) -> tuple[int, int]:
        """Height and width as seen, after orientation.

        >>> from pixfeed.testing import png
        >>> probe(png(width=4, height=3)).size
        (3, 4)
        """
        turned = self.orientation >= 5
        return (self.width, self.height) if turned else (self.height, self.width)


def probe(data: Buffer | NDArray[Any], *, max_pixels: int = MAX_PIXELS) -> Probe:
    """Reads an image's headers and nothing else. Thread-safe; the bytes are not kept.

    Raises DecodeError where the headers are damaged, or the bytes are no image.

    >>> from pixfeed.testing import png
    >>> probe(png(width=4, height=3)).format
    'PNG'
    """
    return Probe(**_native.probe(_bytes(data), _count("max_pixels", max_pixels)))


def decode(
    data: Buffer | NDArray[Any],
    *,
    box: tuple[int, int, int, int] | None = None,
    size: tuple[int, int] | None = None,
    channels: Literal[1, 3] = 3,
    resample: Resample = "bilinear",
    exif: bool = True,
    background: tuple[int, int, int] = (0, 0, 0),
    max_pixels: int = MAX_PIXELS,
) -> NDArray[np.uint8]:
    """Decodes an image, or a box of it, to a new uint8 array (height, width, channels).

    ``box`` is (x, y, width, height) in pixels as seen; what lies outside it never contributes.
    ``size`` is (height, width); the box is resized to it with PIL's antialiased filters. Only what
    box and size need is decoded. ``exif=False`` leaves the pixels as stored. ``background`` is what
    transparent pixels are laid on. Images and sizes of more than ``max_pixels`` are refused before
    anything is allocated. Deterministic, thread-safe; the lock is released while decoding,
    and the array is the caller's.

    Raises DecodeError where the bytes are damaged, ConfigError where the arguments cannot be meant.

    >>> from pixfeed.testing import png
    >>> decode(png(width=4, height=3)).shape
    (3, 4, 3)
    >>> decode(png(width=4, height=3), box=(1, 0, 3, 2), size=(8, 8), channels=1).shape
    (8, 8, 1)
    """
    if type(channels) is not int or channels not in (1, 3):
        raise ConfigError(f"channels is {channels!r}; give 1 (gray) or 3 (RGB)")
    filter_number = _RESAMPLE.get(resample)
    if filter_number is None:
        raise ConfigError(f"resample is {resample!r}; give one of {', '.join(_RESAMPLE)}")
    most = max_pixels if max_pixels is MAX_PIXELS else _count("max_pixels", max_pixels)
    return _native.decode(
        data if type(data) is bytes else _bytes(data),
        None if box is None else _box(box),
        None if size is None else _size(size, most),
        channels,
        filter_number,
        exif,
        background if background == (0, 0, 0) else _background(background),
        most,
    )


def _bytes(data: Buffer | NDArray[Any]) -> bytes:
    """The bytes of any buffer; what can change while it is read is copied first."""
    if type(data) is bytes:
        return data
    if isinstance(data, str) or hasattr(data, "__fspath__"):
        raise ConfigError(
            f"data is the path {str(data)[:80]!r}, not an image's bytes; "
            "give open(path, 'rb').read()"
        )
    try:
        view = memoryview(data)  # type: ignore[arg-type] # arrays are buffers, whatever stubs say
    except TypeError:
        raise ConfigError(
            f"data is a {type(data).__name__}; give an image file's bytes, "
            "as open(path, 'rb').read()"
        ) from None
    if view.itemsize != 1 or view.ndim != 1:
        raise ConfigError(
            f"data is an array of shape {view.shape} and item size {view.itemsize}; "
            "give an image file's bytes, not its pixels"
        )
    return bytes(view)


def _box(box: Iterable[int]) -> tuple[int, int, int, int]:
    x, y, width, height = _integers("box", box, "(x, y, width, height)", 4)
    if x < 0 or y < 0:
        raise ConfigError(f"box is {tuple(box)}; its corner must not be negative")
    if width < 1 or height < 1:
        raise ConfigError(f"box is {tuple(box)}; its width and height must be 1 or more")
    return x, y, width, height


def _size(size: Iterable[int], most: int) -> tuple[int, int]:
    height, width = _integers("size", size, "(height, width)", 2)
    if height < 1 or width < 1:
        raise ConfigError(f"size is {tuple(size)}; its height and width must be 1 or more")
    if height * width > most:
        raise ConfigError(f"size is {tuple(size)}, more pixels than max_pixels={most} allows")
    return height, width


def _background(background: Iterable[int]) -> tuple[int, int, int]:
    red, green, blue = _integers("background", background, "(red, green, blue)", 3)
    if not all(0 <= value <= 255 for value in (red, green, blue)):
        raise ConfigError(f"background is {tuple(background)}; give three numbers from 0 to 255")
    return red, green, blue


def _integers(name: str, values: Iterable[int], form: str, count: int) -> tuple[int, ...]:
    wrong = ConfigError(f"{name} is {values!r}; give {count} whole numbers {form}")
    try:
        numbers = tuple(_integer(value) for value in values)
    except TypeError:
        raise wrong from None
    if len(numbers) != count:
        raise wrong
    if any(number >= 1 << 32 for number in numbers):
        raise ConfigError(f"{name} is {values!r}; no image is as large as that")
    return numbers


def _integer(value: object) -> int:
    if isinstance(value, bool):
        raise TypeError
    return operator.index(value)  # type: ignore[arg-type]


def _count(name: str, value: int) -> int:
    try:
        number = _integer(value)
    except TypeError:
        raise ConfigError(f"{name} is {value!r}; give a whole number") from None
    if not 1 <= number < 1 << 63:
        raise ConfigError(f"{name} is {value!r}; give a number from 1 up")
    return number
