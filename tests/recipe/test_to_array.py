"""ToArray: dtype, layout, and the arithmetic of floats."""

from __future__ import annotations

from typing import Any, get_args

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pixfeed.recipe import IMAGENET_MEAN, IMAGENET_STD, ToArray
from pixfeed.recipe.to_array import Dtype
from recipe.refusal import refusal

FLOATS = sorted(set(get_args(Dtype)) - {"uint8"})
LEVELS = "a number, or three of them (red, green, blue)"
SPREADS = "a number above 0, or three of them (red, green, blue)"


@pytest.mark.parametrize("dtype", FLOATS)
def test_floats_go_from_0_to_1_by_default(dtype: Any) -> None:
    assert ToArray(dtype) == ToArray(dtype, scale=1 / 255)
    assert ToArray(dtype).options() == {
        "dtype": dtype,
        "layout": "NCHW",
        "mean": None,
        "std": None,
        "scale": 1 / 255,
    }


def test_uint8_is_left_as_it_is() -> None:
    plain = ToArray("uint8", "NHWC").options()
    assert (plain["dtype"], plain["layout"]) == ("uint8", "NHWC")
    assert [plain[name] for name in ("mean", "std", "scale")] == [None] * 3


def test_one_number_or_one_for_each_channel() -> None:
    one = ToArray(mean=0, std=np.float64(0.5)).options()
    assert (one["mean"], one["std"]) == ([0.0], [0.5])
    mean: Any = np.array(IMAGENET_MEAN)
    each = ToArray(mean=mean, std=list(IMAGENET_STD))
    assert each == ToArray(mean=IMAGENET_MEAN, std=IMAGENET_STD)


@given(st.floats(-1e3, 1e3), st.floats(1e-3, 1e3), st.floats(1e-3, 1e3))
def test_what_is_given_is_kept_to_the_last_bit(mean: float, std: float, scale: float) -> None:
    options = ToArray(mean=mean, std=std, scale=scale).options()
    assert [options[name] for name in ("mean", "std", "scale")] == [[mean], [std], scale]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            {"dtype": "float64"},
            "dtype of ToArray is 'float64'; give one of uint8, float16, bfloat16, float32",
        ),
        (
            {"dtype": np.float32},
            "dtype of ToArray is <class 'numpy.float32'>; give one of uint8, float16, bfloat16, "
            "float32",
        ),
        ({"layout": "CHW"}, "layout of ToArray is 'CHW'; give one of NCHW, NHWC"),
        ({"layout": None}, "layout of ToArray is None; give one of NCHW, NHWC"),
        ({"mean": "imagenet"}, f"mean of ToArray is 'imagenet'; give {LEVELS}"),
        ({"mean": (0.5, 0.5)}, f"mean of ToArray is (0.5, 0.5); give {LEVELS}"),
        ({"mean": ()}, f"mean of ToArray is (); give {LEVELS}"),
        ({"mean": float("nan")}, f"mean of ToArray is nan; give {LEVELS}"),
        ({"std": 0}, f"std of ToArray is 0; give {SPREADS}"),
        ({"std": (1, 1, -1)}, f"std of ToArray is (1, 1, -1); give {SPREADS}"),
        ({"std": []}, f"std of ToArray is []; give {SPREADS}"),
        ({"std": (1, 1, float("inf"))}, f"std of ToArray is (1, 1, inf); give {SPREADS}"),
        ({"scale": 0}, "scale of ToArray is 0; give a number above 0; None means 1/255"),
        ({"scale": "1"}, "scale of ToArray is '1'; give a number above 0; None means 1/255"),
        ({"scale": [1]}, "scale of ToArray is [1]; give a number above 0; None means 1/255"),
    ],
)
def test_wrong_arguments_get_one_line(arguments: dict[str, Any], message: str) -> None:
    assert refusal(lambda: ToArray(**arguments)) == message


@pytest.mark.parametrize("name", ["mean", "std", "scale"])
def test_uint8_takes_no_arithmetic(name: str) -> None:
    assert refusal(lambda: ToArray("uint8", **{name: 1})) == (  # type: ignore[arg-type]
        f"{name} of ToArray is 1; give a float dtype such as 'float32' with it: 'uint8' takes no "
        f"{name}"
    )


@pytest.mark.parametrize(
    ("dtype", "arguments"),
    [
        ("float16", {"scale": 300}),
        ("float16", {"std": 1e-5}),
        ("float16", {"mean": 70_000, "scale": 100}),
        ("float16", {"mean": (0, 0, 70_000)}),
        ("float32", {"mean": 1e39}),
        ("float32", {"std": (1, 1e-300, 1)}),
        ("bfloat16", {"scale": 1e308}),
    ],
)
def test_what_would_be_infinite_is_refused(dtype: Any, arguments: dict[str, Any]) -> None:
    message = refusal(lambda: ToArray(dtype, **arguments))
    assert message.startswith("mean, std and scale of ToArray lead beyond ")
    assert message.endswith(f", where {dtype} ends; give a larger std or a smaller scale")


@given(
    st.floats(-1e6, 1e6), st.floats(1e-6, 1e6), st.floats(1e-6, 1e6), st.sampled_from(FLOATS[1:])
)
def test_what_is_taken_stays_finite(mean: float, std: float, scale: float, dtype: Any) -> None:
    ends = np.array([0, 255]) * np.float32(scale / std) + np.float32(-mean / std)
    numbers = np.float16 if dtype == "float16" else np.float32
    if abs(ends).max() < 0.999 * float(np.finfo(numbers).max):
        ToArray(dtype, mean=mean, std=std, scale=scale)
    elif abs(ends).max() > 1.001 * float(np.finfo(numbers).max):
        refusal(lambda: ToArray(dtype, mean=mean, std=std, scale=scale))
