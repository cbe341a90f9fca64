"""The rows the other tests combine really hold what they promise."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from decode.pairs import all_pairs, held, pairs_of


@given(st.lists(st.integers(1, 6), min_size=2, max_size=5), st.integers(0, 9))
def test_every_pair_is_there(counts: list[int], seed: int) -> None:
    axes = {f"axis{number}": list(range(count)) for number, count in enumerate(counts)}
    rows = all_pairs(axes, seed)
    assert held(rows, axes) == pairs_of(axes)
    assert all(set(row) == set(axes) for row in rows)


def test_rows_are_few_and_always_the_same() -> None:
    axes = {name: list(range(5)) for name in "abcdef"}
    assert len(all_pairs(axes)) < 60
    assert all_pairs(axes) == all_pairs(axes)
    assert held(all_pairs(axes)[1:], axes) < pairs_of(axes)


@pytest.mark.parametrize("missing", range(3))
def test_a_missing_row_is_seen(missing: int) -> None:
    axes: dict[str, list[object]] = {"a": [1, 2, 3], "b": ["x", "y", "z"]}
    rows = all_pairs(axes)
    assert held(rows[:missing] + rows[missing + 1 :], axes) < pairs_of(axes)
