"""One image through a recipe: the pixels a loader gives, when serving."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from pixfeed import _native
from pixfeed.engine.feeder import array_dtype, array_shape
from pixfeed.engine.mapping import Chain, Names
from pixfeed.errors import ConfigError
from pixfeed.order import whole
from pixfeed.recipe import Op, Recipe, settle

if TYPE_CHECKING:
    from numpy.typing import NDArray


def apply(
    recipe: Recipe | Op | Sequence[Op],
    image: bytes | NDArray[np.uint8],
    *,
    seed: int = 0,
    epoch: int = 0,
    id: int = 0,
) -> NDArray[Any]:
    """What a recipe makes of one image: the bytes of a file, or uint8 pixels (height, width, 3).

    The array has no batch axis. With a record's ``id`` and the loader's ``seed`` and ``epoch`` it
    is the image the loader gives, from the same bytes. (Pixels that are decoded already differ
    from bytes within the bounds of ``decode``'s resize.) Deterministic, thread-safe.

    >>> from pixfeed.recipe import CenterCrop, ToArray
    >>> from pixfeed.testing import png
    >>> apply([CenterCrop(2), ToArray()], png(width=4, height=3)).shape
    (3, 2, 2)
    """
    settled = settle(recipe)
    names = Names(whole("seed", seed, 0), whole("epoch", epoch, 0), [whole("id", id, 0)], [0])
    first = _native.Recipe(list(settled.segments[0]))
    given = [_given(image)]
    if not settled.maps:
        data, _, shape = first.numbers(given, names.native)[0]
        return _array(first, data, shape)
    chain = Chain(settled.maps, settled.segments[1:])
    pictures = first.pictures(given, names.native)
    data, _, shape = chain.numbers(pictures, np.zeros(1, np.int64), names, ["image"])[0]
    return _array(chain.last, data, shape)


def _array(recipe: _native.Recipe, data: bytes, shape: tuple[int, int, int]) -> NDArray[Any]:
    flat = np.frombuffer(bytearray(data), array_dtype(recipe.dtype))
    return flat.reshape(array_shape(recipe.layout, shape))


def _given(image: object) -> bytes | NDArray[np.uint8]:
    if isinstance(image, bytes):
        return image
    if isinstance(image, bytearray | memoryview):
        return bytes(image)
    if isinstance(image, np.ndarray) and image.dtype == np.uint8 and image.size:
        pixels = image[..., None] if image.ndim == 2 else image
        if pixels.ndim == 3 and pixels.shape[2] in (1, 3):
            return pixels
    shape = f"{image.dtype} {image.shape}" if isinstance(image, np.ndarray) else repr(image)[:60]
    raise ConfigError(
        f"image is {shape}; give a file's bytes (open(path, 'rb').read()), or uint8 pixels "
        "(height, width, 3) or (height, width, 1)"
    )
