"""Order: what it takes, what it refuses, and what it means when nothing is said."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

from pixfeed.errors import ConfigError
from pixfeed.order import Last, Order


@pytest.mark.parametrize(
    ("order", "shuffle", "last"),
    [
        (Order(), True, "drop"),
        (Order(), False, "keep"),
        (Order(shard=(1, 2)), True, "drop"),
        (Order(shard=(1, 2)), False, "pad"),
        (Order(last="pad"), True, "pad"),
        (Order(last="drop"), False, "drop"),
        (Order(shard=(0, 1), last="keep"), True, "keep"),
    ],
)
def test_the_ends_have_defaults(order: Order, shuffle: bool, last: Last) -> None:
    assert order.ends(shuffle=shuffle) == last


def test_ranks() -> None:
    assert (Order().rank, Order().world) == (0, 1)
    assert (Order(shard=(3, 8)).rank, Order(shard=(3, 8)).world) == (3, 8)


def test_a_shard_becomes_plain_integers() -> None:
    order = Order(shard=[np.int64(1), np.int32(2)])  # type: ignore[arg-type]
    assert repr(order) == "Order(shard=(1, 2), last=None)"
    assert order == Order(shard=(1, 2))
    assert pickle.loads(pickle.dumps(order)) == order


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"shard": "auto"}, r"shard is 'auto'; give \(rank, world\)"),
        ({"shard": 3}, r"shard is 3; give \(rank, world\)"),
        ({"shard": (1, 2, 3)}, r"shard is \(1, 2, 3\); give"),
        ({"shard": (2, 2)}, r"shard is \(2, 2\), but 2 ranks are numbered 0 to 1"),
        ({"shard": (1, 1)}, r"shard is \(1, 1\), but one rank is 0; give"),
        ({"shard": (-1, 2)}, "the rank of shard is -1; give"),
        ({"shard": (0, 0)}, "the world of shard is 0; give a whole number from 1"),
        ({"shard": (0.0, 2)}, r"the rank of shard is 0\.0 \(float\)"),
        ({"shard": (False, True)}, r"the rank of shard is False \(bool\)"),
        ({"last": "fill"}, "last is 'fill'; give 'drop', 'keep', 'pad' or None"),
        ({"last": ["pad"]}, "last is "),
        ({"shard": (0, 2), "last": "keep"}, "last='keep' with 2 ranks would .* last='pad'"),
    ],
)
def test_wrong_arguments_get_one_line(arguments: dict[str, object], message: str) -> None:
    with pytest.raises(ConfigError, match=f"^{message}") as refused:
        Order(**arguments)  # type: ignore[arg-type]
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize("option", ["weights", "where", "repeat"])
def test_what_is_not_built_is_not_taken(option: str) -> None:
    with pytest.raises(TypeError, match=option):
        Order(**{option: 2})  # type: ignore[arg-type]


def test_it_is_frozen() -> None:
    with pytest.raises(AttributeError):
        Order().last = "pad"  # type: ignore[misc]
