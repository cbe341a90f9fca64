"""ToArray: uint8 images to the array that training wants."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass
from typing import Literal, get_args

from pixfeed.errors import ConfigError
from pixfeed.recipe.op import Op
from pixfeed.recipe.values import one_of, optional, real, reals, refused

Dtype = Literal["uint8", "float16", "bfloat16", "float32"]
Layout = Literal["NCHW", "NHWC"]

_LARGEST = {"float16": 65504.0, "bfloat16": 3.38e38, "float32": 3.40e38}


@dataclass(frozen=True)
class ToArray(Op):
    """Ends a recipe: pixels to numbers of ``dtype``, in the order of axes ``layout``.

    A float is ``f32(pixel) * s + b``, rounded twice, with ``s = scale / std`` and ``b = -mean /
    std`` computed in double precision. ``scale`` is 1/255 unless it is given, so ``mean`` and
    ``std`` are those of pixels from 0 to 1; each is a number, or one for every channel. The dtype
    "uint8" leaves the pixels as they are, and takes none of the three. A recipe without a ToArray
    ends with ``ToArray("uint8", "NHWC")``.

    >>> ToArray(mean=0.5, std=(0.2, 0.2, 0.25)).options()  # doctest: +NORMALIZE_WHITESPACE
    {'dtype': 'float32', 'layout': 'NCHW', 'mean': [0.5], 'std': [0.2, 0.2, 0.25],
     'scale': 0.00392156862745098}
    >>> ToArray("uint8", "NHWC")
    ToArray(dtype='uint8', layout='NHWC', mean=None, std=None, scale=None)
    """

    dtype: Dtype = "float32"
    layout: Layout = "NCHW"
    _: KW_ONLY
    mean: float | Sequence[float] | None = None
    std: float | Sequence[float] | None = None
    scale: float | None = None

    def __post_init__(self) -> None:
        self._settle(dtype=one_of(*get_args(Dtype)), layout=one_of(*get_args(Layout)))
        if self.dtype == "uint8":
            _check_plain(self)
        else:
            self._settle(mean=optional(_levels), std=optional(_spreads), scale=_scale)
            _check_range(self, _LARGEST[self.dtype])


def _check_plain(op: ToArray) -> None:
    given = {"mean": op.mean, "std": op.std, "scale": op.scale}
    for name, value in given.items():
        if value is not None:
            raise refused(
                f"{name} of ToArray",
                value,
                f"a float dtype such as 'float32' with it: 'uint8' takes no {name}",
            )


def _check_range(op: ToArray, largest: float) -> None:
    """Refuses what would fill batches with infinities, silently."""
    means, stds = reals(op.mean or 0.0), reals(op.std or 1.0)
    white = 255 * (op.scale or 0.0)
    for mean, std in zip((means * 3)[:3], (stds * 3)[:3], strict=True):
        # Multiplied, not divided: a tiny std would overflow.
        if max(abs(mean), abs(white - mean)) > largest * std:
            raise ConfigError(
                f"mean, std and scale of ToArray lead beyond {largest:g}, where {op.dtype} ends; "
                "give a larger std or a smaller scale"
            )


def _levels(name: str, value: object) -> tuple[float, ...]:
    numbers = reals(value)
    if len(numbers) not in (1, 3):
        raise refused(name, value, "a number, or three of them (red, green, blue)")
    return numbers


def _spreads(name: str, value: object) -> tuple[float, ...]:
    numbers = reals(value)
    if len(numbers) not in (1, 3) or min(numbers) <= 0:
        raise refused(name, value, "a number above 0, or three of them (red, green, blue)")
    return numbers


def _scale(name: str, value: object) -> float:
    number = 1 / 255 if value is None else real(value)
    if number is None or number <= 0:
        raise refused(name, value, "a number above 0; None means 1/255")
    return number
