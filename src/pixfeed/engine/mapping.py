"""A recipe with the user's own Python in it: native ops, a function, native ops."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from pixfeed import _native
from pixfeed.errors import ConfigError, PixfeedError, placed
from pixfeed.order import generator

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from pixfeed.recipe import Map

Picture: TypeAlias = "NDArray[np.uint8]"
Segment: TypeAlias = Sequence[tuple[int, str, dict[str, Any]]]

_SHOWN = 5


class Names:
    """What names the draws of some records: seed, epoch, ids and occurrences.

    >>> Names(0, 2, [7], [0]).native
    (0, 2, [(7, 0)])
    """

    def __init__(
        self, seed: int, epoch: int, ids: Sequence[int], occurrences: Sequence[int]
    ) -> None:
        self.seed, self.epoch = seed, epoch
        self.uses = list(zip(ids, occurrences, strict=True))

    @property
    def native(self) -> tuple[int, int, list[tuple[int, int]]]:
        """As the native side takes them.

        >>> Names(1, 0, [], []).native
        (1, 0, [])
        """
        return self.seed, self.epoch, self.uses

    def generators(self, op: int) -> list[np.random.Generator]:
        """A generator for each record, over the draws of one op.

        >>> len(Names(1, 0, [5, 6], [0, 0]).generators(3))
        2
        """
        return [
            generator(self.seed, self.epoch, op, id, occurrence) for id, occurrence in self.uses
        ]


class Chain:
    """The Maps of a recipe and the native ops between and behind them; safe to share.

    >>> from pixfeed.recipe import Map, settle
    >>> recipe = settle([Map(lambda images, labels, rngs: [255 - image for image in images])])
    >>> chain = Chain(recipe.maps, recipe.segments[1:])
    >>> black = np.zeros((1, 2, 3), np.uint8)
    >>> chain.numbers([black], np.array([0]), Names(0, 0, [1], [0]), ["a"])[0][0]
    b'\xff\xff\xff\xff\xff\xff'
    """

    def __init__(self, maps: Sequence[tuple[int, Map]], segments: Sequence[Segment]) -> None:
        self._maps = tuple(maps)
        self._recipes = [_native.Recipe(list(segment)) for segment in segments]

    @property
    def last(self) -> _native.Recipe:
        """The native ops behind the last Map.

        >>> Chain([], [()]).last.dtype
        'uint8'
        """
        return self._recipes[-1]

    def numbers(
        self,
        pictures: Sequence[Picture],
        labels: NDArray[np.int64],
        names: Names,
        keys: Sequence[str],
    ) -> list[tuple[bytes, int, tuple[int, int, int]]]:
        """Of each picture: its numbers as bytes, the hash of its pixels, and its shape."""
        for (number, op), recipe in zip(self._maps, self._recipes, strict=True):
            pictures = _called(op, number, list(pictures), labels, names, keys)
            if recipe is not self.last:
                with _naming(keys):
                    pictures = recipe.pictures(pictures, names.native)
        with _naming(keys):
            return self.last.numbers(pictures, names.native)


@contextmanager
def _naming(keys: Sequence[str]) -> Iterator[None]:
    """Says which record it was that a native op could not be done to."""
    try:
        yield
    except PixfeedError as error:
        at = getattr(error, "at", None)
        if at is None:
            raise
        raise placed(error, keys[at], keys[at], "decode") from None


def _called(
    op: Map,
    number: int,
    pictures: list[Picture],
    labels: NDArray[np.int64],
    names: Names,
    keys: Sequence[str],
) -> list[Picture]:
    try:
        given = op.fn(pictures, labels, names.generators(number))
        return _checked(number, given, keys)
    except Exception as error:
        shown = ", ".join(map(repr, keys[:_SHOWN])) + (", ..." if len(keys) > _SHOWN else "")
        error.add_note(f"raised by recipe[{number}], a Map, on the records {shown}")
        raise


def _checked(number: int, given: object, keys: Sequence[str]) -> list[Picture]:
    if not isinstance(given, Sequence | np.ndarray) or len(given) != len(keys):
        what = f"{len(given)} images" if isinstance(given, Sequence) else type(given).__name__
        raise ConfigError(
            f"the function of recipe[{number}] gave {what} for {len(keys)}; return a list of as "
            "many images as it gets"
        )
    return [_picture(number, image, key) for image, key in zip(given, keys, strict=True)]


def _picture(number: int, image: object, key: str) -> Picture:
    if (
        isinstance(image, np.ndarray)
        and image.dtype == np.uint8
        and image.ndim == 3
        and image.shape[2] in (1, 3)
        and image.size
    ):
        return image
    shape = f"{image.dtype} {image.shape}" if isinstance(image, np.ndarray) else type(image)
    raise ConfigError(
        f"the function of recipe[{number}] gave {shape} for {key!r}; return uint8 arrays "
        "(height, width, channels) with 1 or 3 channels"
    )
