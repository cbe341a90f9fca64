"""The permutation mixes: chi-square over 10,000 seeds, each value with its own expectation.

The seeds are fixed, so a test that passes passes always.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import NDArray

from order.reference import Order
from pixfeed import _native

SEEDS = 10_000
SIZES = [2, 3, 5, 8, 16, 17, 47, 64, 65]
Orders = NDArray[np.int64]


def orders(records: int, epoch: int = 0) -> Orders:
    """The orders of one epoch, a row for each seed."""
    places = np.arange(records)
    return np.stack([_native.permute(records, seed, epoch, places) for seed in range(SEEDS)])


def surprise(counts: NDArray[np.int64], expected: float, freedom: int, scale: float = 1) -> float:
    """How many standard deviations a chi-square lies above its mean (Wilson and Hilferty)."""
    chi = scale * float(((counts - expected) ** 2 / expected).sum())
    spread = 2 / (9 * freedom)
    return float(((chi / freedom) ** (1 / 3) - (1 - spread)) / np.sqrt(spread))


def table(rows: Orders, columns: Orders, records: int) -> NDArray[np.int64]:
    """How often each pair (row, column) occurs."""
    return np.bincount(rows * records + columns, minlength=records**2).reshape(records, records)


def places(drawn: Orders) -> float:
    """Position x record: is every record as likely at every position?"""
    records = drawn.shape[1]
    at = np.broadcast_to(np.arange(records), drawn.shape)
    counts = table(at.ravel(), drawn.ravel(), records)
    # A row's counts and a column's are bound to their sums, which widens each cell by N / (N - 1).
    return surprise(counts, SEEDS / records, (records - 1) ** 2, (records - 1) / records)


def neighbours(drawn: Orders) -> float:
    """Record x record of the first two positions: is every pair as likely?"""
    records = drawn.shape[1]
    counts = table(drawn[:, 0], drawn[:, 1], records)[~np.eye(records, dtype=bool)]
    return surprise(counts, SEEDS / counts.size, counts.size - 1)


def epochs(drawn: Orders, after: Orders) -> float:
    """Record x record at one position in adjacent epochs: are they independent?"""
    records = drawn.shape[1]
    counts = table(drawn[:, 0], after[:, 0], records)
    return surprise(counts, SEEDS / records**2, records**2 - 1)


@pytest.mark.parametrize("records", SIZES)
def test_every_record_is_as_likely_at_every_position(records: int) -> None:
    assert abs(places(orders(records))) < 4


@pytest.mark.parametrize("records", [size for size in SIZES if size > 2])
def test_every_pair_is_as_likely_to_be_neighbours(records: int) -> None:
    assert abs(neighbours(orders(records))) < 4


@pytest.mark.parametrize("records", SIZES)
def test_adjacent_epochs_are_independent(records: int) -> None:
    assert abs(epochs(orders(records, 0), orders(records, 1))) < 4


def test_a_records_place_moves_between_epochs() -> None:
    """Over 1,000 epochs of one seed, one record is found at all places of 16 equally often."""
    found = [_native.unpermute(16, 0, epoch, np.array([3]))[0] for epoch in range(SEEDS)]
    assert abs(surprise(np.bincount(found, minlength=16), SEEDS / 16, 15)) < 4


@pytest.mark.parametrize("statistic", [places, neighbours])
def test_the_statistics_see_a_weak_order(statistic: Callable[[Orders], float]) -> None:
    weak = [[Order(5, seed, 0, rounds=4)(p) for p in range(5)] for seed in range(SEEDS)]
    assert statistic(np.array(weak)) > 20


def test_the_statistics_see_epochs_that_repeat() -> None:
    drawn = orders(16)
    assert epochs(drawn, drawn) > 20
