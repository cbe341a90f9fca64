"""Whether the colours that a recipe names fit the channels it decodes."""

from __future__ import annotations

from pixfeed.errors import ConfigError
from pixfeed.recipe.decode import Decode
from pixfeed.recipe.map import Map
from pixfeed.recipe.op import Op

_PER_CHANNEL = ("fill", "mean", "std")


def check_channels(ops: tuple[Op, ...]) -> None:
    """Refuses three different values where there is one channel; a Map may change how many.

    >>> from pixfeed.recipe import Pad
    >>> check_channels((Decode(1), Pad(2, fill=(255, 0, 0))))
    Traceback (most recent call last):
    pixfeed.errors.ConfigError: fill of Pad is (255, 0, 0), but Decode(channels=1) ...
    """
    if not ops or not isinstance(ops[0], Decode) or ops[0].channels == 3:
        return
    for op in ops:
        if isinstance(op, Map):
            return
        _check_op(op)


def _check_op(op: Op) -> None:
    for name in _PER_CHANNEL:
        values = getattr(op, name, None) or ()
        if len(set(values)) > 1:
            raise ConfigError(
                f"{name} of {op.name} is {values}, but Decode(channels=1) leaves one channel; give "
                "one number"
            )
