"""Map: the user's own Python, a batch at a time."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import KW_ONLY, dataclass
from typing import TYPE_CHECKING, ClassVar, TypeAlias

from pixfeed.errors import ConfigError
from pixfeed.recipe.op import Json, Op
from pixfeed.recipe.values import optional, refused

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Function: TypeAlias = (
    "Callable[[list[NDArray[np.uint8]], NDArray[np.int64], list[np.random.Generator]], "
    "Sequence[NDArray[np.uint8]]]"
)


@dataclass(frozen=True)
class Map(Op):
    """Gives the images of a batch to a function of yours, and goes on with what it returns.

    ``fn(images, labels, rngs)`` gets a list of uint8 arrays (height, width, channels), their int64
    labels, and for each image a ``numpy.random.Generator`` of its own: whoever draws from nothing
    else gets the same pixels after resuming, and on any number of ranks. It returns as many images,
    uint8 arrays of three dimensions again. It is called once for every batch, in the thread that
    consumes the batches; what it raises is raised there, with the record's key.

    ``version`` enters the stream: change it when the function changes. Without one, saved states
    say "unverified", for nobody can tell whether the code is still the same.

    >>> import numpy as np
    >>> def darken(images, labels, rngs):
    ...     factors = [rng.uniform(0.5, 1) for rng in rngs]
    ...     return [np.uint8(image * factor) for image, factor in zip(images, factors)]
    >>> Map(darken, version="1").options()
    {'version': '1'}
    >>> gray, rng = np.full((2, 2, 3), 200, np.uint8), np.random.default_rng(0)
    >>> int(darken([gray], np.array([7]), [rng])[0].max())
    163
    """

    # Nobody can tell whether a function draws, so nothing from it on is cached.
    random: ClassVar[bool] = True

    fn: Function
    _: KW_ONLY
    version: str | None = None

    def __post_init__(self) -> None:
        self._settle(fn=_function, version=optional(_version))

    def options(self) -> dict[str, Json]:
        """The version alone: a function is no JSON.

        >>> Map(lambda images, labels, rngs: images).options()
        {'version': None}
        """
        return {"version": self.version}


def _function(name: str, value: object) -> object:
    if isinstance(value, Op):
        raise ConfigError(
            f"{name} is the op {value.name}; put the op into the recipe, without a Map"
        )
    if not callable(value):
        raise refused(name, value, "a function fn(images, labels, rngs) that returns images")
    return value


def _version(name: str, value: object) -> str:
    if not isinstance(value, str) or not value:
        raise refused(name, value, "a text such as '1', or None")
    return str(value)
