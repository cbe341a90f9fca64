"""The permutation: equal to a reference written from its description, and a bijection."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from order.reference import Order
from pixfeed import _native
from pixfeed.errors import ConfigError

WORDS = st.integers(0, 2**64 - 1)
SIZES = [1, 2, 3, 4, 5, 16, 47, 48, 63, 64, 65, 1000, 10007, 1_281_167, 2**39 + 1, 2**40]


def order(records: int, seed: int, epoch: int) -> list[int]:
    """A whole epoch by the native permutation."""
    drawn = _native.permute(records, seed, epoch, np.arange(records))
    return [int(record) for record in drawn]


@pytest.mark.parametrize("records", SIZES)
def test_it_is_the_reference(records: int) -> None:
    positions = np.unique(np.linspace(0, records - 1, 200).astype(np.int64))
    for seed, epoch in [(0, 0), (0, 1), (1, 0), (2**64 - 1, 2**64 - 1)]:
        reference = Order(records, seed, epoch)
        native = _native.permute(records, seed, epoch, positions)
        assert native.tolist() == [reference(int(position)) for position in positions]


@given(st.integers(1, 2**40), WORDS, WORDS, WORDS)
def test_it_is_the_reference_anywhere(records: int, seed: int, epoch: int, at: int) -> None:
    position = np.array([at % records])
    record = _native.permute(records, seed, epoch, position)
    assert record.tolist() == [Order(records, seed, epoch)(at % records)]
    assert _native.unpermute(records, seed, epoch, record).tolist() == position.tolist()


@given(st.integers(1, 3000), WORDS, WORDS)
def test_it_is_a_bijection(records: int, seed: int, epoch: int) -> None:
    drawn = np.array(order(records, seed, epoch))
    assert np.sort(drawn).tolist() == list(range(records))
    assert _native.unpermute(records, seed, epoch, drawn).tolist() == list(range(records))


def test_the_orders_people_rely_on() -> None:
    """Never change these: every saved run depends on them (or raise the stream version)."""
    assert order(10, 0, 0) == [1, 5, 8, 4, 0, 6, 2, 9, 7, 3]
    assert order(10, 0, 1) == [9, 7, 6, 0, 3, 4, 8, 1, 5, 2]
    assert order(10, 1, 0) == [5, 1, 9, 4, 2, 8, 7, 6, 0, 3]
    assert order(100, 42, 7)[:10] == [22, 64, 51, 10, 26, 13, 30, 21, 88, 41]
    assert _native.permute(1_281_167, 0, 3, np.arange(5)).tolist() == [
        1053660,
        281249,
        324051,
        1148213,
        1233883,
    ]
    assert _native.permute(2**40, 0, 0, np.arange(3)).tolist() == [
        829331829786,
        764799013299,
        845353144371,
    ]


def test_it_needs_no_memory_for_its_size() -> None:
    """A table of 2^40 records would not fit: the arithmetic is done a position at a time."""
    ends = np.array([0, 2**40 - 1])
    assert _native.unpermute(2**40, 0, 0, _native.permute(2**40, 0, 0, ends)).tolist() == [
        0,
        2**40 - 1,
    ]


@pytest.mark.parametrize("index", [-1, 10, 2**63 - 1])
def test_what_is_outside_is_refused(index: int) -> None:
    with pytest.raises(ConfigError, match=f"index {index} among 10 records"):
        _native.permute(10, 0, 0, np.array([0, index]))
    with pytest.raises(ConfigError, match=f"index {index} among 10 records"):
        _native.unpermute(10, 0, 0, np.array([index]))


@pytest.mark.parametrize("records", [0, 2**40 + 1])
def test_impossible_sizes_are_refused(records: int) -> None:
    with pytest.raises(ConfigError, match=f"{records} records; an order has from 1 to 2\\^40"):
        _native.permute(records, 0, 0, np.arange(1))
