"""ToArray: f32(pixel) * s + b, rounded twice, to the bit, in every type and layout."""

from __future__ import annotations

import sys
from types import SimpleNamespace
from typing import Any, get_args

import numpy as np
import pytest

import pixfeed as pf
from decode.reference import Pixels, saved
from pixfeed.recipe.to_array import Layout

STATISTICS: list[dict[str, Any]] = [
    {},
    {"mean": pf.IMAGENET_MEAN, "std": pf.IMAGENET_STD},
    {"mean": 0.5, "std": 0.25},
    {"std": (0.1, 0.2, 0.3)},
    {"scale": 1.0},
    {"scale": 1 / 3, "mean": (100, -7, 0.1)},
]


def every_value(channels: int) -> Pixels:
    """A picture in which each channel has each value, in an order of its own."""
    rng = np.random.default_rng(4)
    planes = [rng.permutation(np.resize(np.arange(256), 273)) for _ in range(channels)]
    return np.stack(planes, axis=1).astype(np.uint8).reshape(13, 21, channels)


def numbers(pixels: Pixels, given: dict[str, Any]) -> Any:
    """float32 by NumPy: two roundings, factors computed in float64."""
    channels = pixels.shape[2]
    scale = given.get("scale", 1 / 255)
    mean = np.broadcast_to(np.float64(given.get("mean", 0.0)), 3)[:channels]
    std = np.broadcast_to(np.float64(given.get("std", 1.0)), 3)[:channels]
    s, b = (scale / std).astype(np.float32), (-mean / std).astype(np.float32)
    return pixels.astype(np.float32) * s + b


def made(pixels: Pixels, tail: pf.ToArray) -> Any:
    """Ours, as NHWC."""
    channels = pixels.shape[2]
    data = saved(pixels[..., 0] if channels == 1 else pixels, "PNG")
    array = pf.apply([pf.Decode(1 if channels == 1 else 3), tail], data)
    assert array.flags.c_contiguous
    return array if tail.layout == "NHWC" else array.transpose(1, 2, 0)


def bits(array: Any) -> Any:
    """The bits of numbers: zeros of either sign differ."""
    return np.ascontiguousarray(array).view(f"u{array.itemsize}")


@pytest.mark.parametrize("layout", get_args(Layout))
@pytest.mark.parametrize("given", STATISTICS)
@pytest.mark.parametrize("dtype", ["float32", "float16"])
def test_three_channels_to_the_bit(dtype: Any, given: dict[str, Any], layout: Layout) -> None:
    pixels = every_value(3)
    ours = made(pixels, pf.ToArray(dtype, layout, **given))
    assert np.array_equal(bits(ours), bits(numbers(pixels, given).astype(dtype)))


@pytest.mark.parametrize("layout", get_args(Layout))
@pytest.mark.parametrize("given", [{}, {"mean": 0.1307, "std": 0.3081}, {"scale": 2}])
@pytest.mark.parametrize("dtype", ["float32", "float16"])
def test_one_channel_to_the_bit(dtype: Any, given: dict[str, Any], layout: Layout) -> None:
    pixels = every_value(1)
    ours = made(pixels, pf.ToArray(dtype, layout, **given))
    assert np.array_equal(bits(ours), bits(numbers(pixels, given).astype(dtype)))


@pytest.mark.parametrize("channels", [1, 3])
@pytest.mark.parametrize("layout", get_args(Layout))
def test_bytes_stay_bytes(layout: Layout, channels: int) -> None:
    pixels = every_value(channels)
    ours = made(pixels, pf.ToArray("uint8", layout))
    assert ours.dtype == np.uint8
    assert np.array_equal(ours, pixels)


@pytest.mark.parametrize("width", range(1, 70))
def test_every_length_of_a_row(width: int) -> None:
    """The rests of vectors are written like their middles."""
    pixels = np.resize(every_value(3), (2, width, 3))
    for layout in get_args(Layout):
        ours = made(pixels, pf.ToArray("float32", layout, **STATISTICS[1]))
        assert np.array_equal(bits(ours), bits(numbers(pixels, STATISTICS[1])))


def test_bfloat16_is_the_upper_half(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rounded to nearest, to even; NumPy's bits are looked at in place of the lent type."""
    lent = SimpleNamespace(bfloat16=np.uint16)
    monkeypatch.setitem(sys.modules, "ml_dtypes", lent)
    pixels = every_value(3)
    whole = bits(numbers(pixels, STATISTICS[1])).astype(np.uint64)
    rounded = (whole + 0x7FFF + (whole >> 16 & 1)) >> 16
    ours = made(pixels, pf.ToArray("bfloat16", **STATISTICS[1]))
    assert np.array_equal(ours, rounded)


def test_bfloat16_needs_ml_dtypes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ml_dtypes", None)
    with pytest.raises(pf.ConfigError, match=r"^NumPy has no bfloat16 .*; pip install ml_dtypes"):
        made(every_value(3), pf.ToArray("bfloat16"))
