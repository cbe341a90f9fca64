"""A recipe: ops one after another, checked as a whole and laid out for the engine."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TypeAlias

from pixfeed.errors import ConfigError
from pixfeed.recipe.channels import check_channels
from pixfeed.recipe.decode import Decode
from pixfeed.recipe.map import Map
from pixfeed.recipe.op import Json, Op
from pixfeed.recipe.stranger import stranger
from pixfeed.recipe.to_array import ToArray

Segment: TypeAlias = "tuple[tuple[int, str, dict[str, Json]], ...]"


@dataclass(frozen=True)
class Recipe:
    """What happens to every image, as data; ``settle`` makes one of what users give.

    Two recipes are equal where all their ops are. Printed, it has a line for each op.

    >>> from pixfeed.recipe import CenterCrop, Resize, settle
    >>> print(settle([CenterCrop(224), ToArray("uint8")]))
    0  CenterCrop(size=(224, 224))
    1  ToArray(dtype='uint8', layout='NCHW', mean=None, std=None, scale=None)
    """

    ops: tuple[Op, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "ops", tuple(self.ops))
        for number, op in self.numbered:
            if not isinstance(op, Op):
                raise stranger(f"recipe[{number}]", op)
        _check_ends(self.ops)
        check_channels(self.ops)

    def __str__(self) -> str:
        return "\n".join(f"{number}  {op}" for number, op in self.numbered) or "no ops"

    @property
    def numbered(self) -> tuple[tuple[int, Op], ...]:
        """The ops and their numbers, which name their draws: all count, Decode and ToArray too.

        >>> from pixfeed.recipe import CenterCrop
        >>> Recipe((Decode(), CenterCrop(224))).numbered[1]
        (1, CenterCrop(size=(224, 224)))
        """
        return tuple(enumerate(self.ops))

    @property
    def decode(self) -> Decode:
        """How images are decoded: the first op, or the default.

        >>> Recipe().decode == Decode()
        True
        """
        first = self.ops[0] if self.ops else None
        return first if isinstance(first, Decode) else Decode()

    @property
    def array(self) -> ToArray:
        """What batches are made of: the last op, or uint8 NHWC.

        >>> Recipe().array.dtype, Recipe().array.layout
        ('uint8', 'NHWC')
        """
        last = self.ops[-1] if self.ops else None
        return last if isinstance(last, ToArray) else ToArray("uint8", "NHWC")

    @property
    def segments(self) -> tuple[Segment, ...]:
        """The native ops as (number, name, options), cut where a Map stands.

        There is one segment more than there are Maps. Decode and ToArray are in it where they
        were given.

        >>> from pixfeed.recipe import CenterCrop
        >>> Recipe((CenterCrop(8), Map(print), ToArray("uint8"))).segments[0]
        ((0, 'CenterCrop', {'size': [8, 8]}),)
        """
        cuts = [-1, *(number for number, _ in self.maps), len(self.ops)]
        return tuple(
            tuple((number, op.name, op.options()) for number, op in self.numbered[low + 1 : high])
            for low, high in pairwise(cuts)
        )

    @property
    def maps(self) -> tuple[tuple[int, Map], ...]:
        """The user's own Python, with its numbers.

        >>> [number for number, _ in Recipe((Decode(), Map(print))).maps]
        [1]
        """
        return tuple((number, op) for number, op in self.numbered if isinstance(op, Map))

    @property
    def unverified(self) -> bool:
        """Whether a Map has no version, so that equal recipes do not prove equal pixels.

        >>> Recipe((Map(print),)).unverified, Recipe((Map(print, version="1"),)).unverified
        (True, False)
        """
        return any(op.version is None for _, op in self.maps)

    def describe(self) -> list[dict[str, Json]]:
        """The recipe as JSON has it, for the stream's digest: what was given and nothing implied.

        >>> from pixfeed.recipe import CenterCrop
        >>> Recipe((CenterCrop(224),)).describe()
        [{'op': 'CenterCrop', 'size': [224, 224]}]
        """
        return [{"op": op.name, **op.options()} for op in self.ops]


def settle(recipe: Recipe | Op | Sequence[Op]) -> Recipe:
    """The recipe of a list or tuple of ops, of one op, or of a recipe.

    >>> from pixfeed.recipe import Resize
    >>> settle(Resize((8, 8))) == settle([Resize((8, 8))])
    True
    >>> settle([Resize])
    Traceback (most recent call last):
    pixfeed.errors.ConfigError: recipe[0] is the class Resize; give an op of it, as pf.Resize(...)
    """
    if isinstance(recipe, Recipe):
        return recipe
    if isinstance(recipe, Op):
        return Recipe((recipe,))
    if not isinstance(recipe, tuple | list):
        raise stranger("recipe", recipe)
    return Recipe(tuple(recipe))


def _check_ends(ops: tuple[Op, ...]) -> None:
    for number, op in enumerate(ops):
        if isinstance(op, Decode) and number > 0:
            raise ConfigError(f"recipe[{number}] is a Decode; give one only, as the first op")
        if isinstance(op, ToArray) and number < len(ops) - 1:
            raise ConfigError(f"recipe[{number}] is a ToArray; give one only, as the last op")
