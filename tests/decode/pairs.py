"""Combinations that hold every pair of two axes' values, without being their whole product."""

from __future__ import annotations

import itertools
import random
from collections.abc import Mapping, Sequence
from typing import Any

Row = dict[str, Any]
Pair = tuple[tuple[str, int], tuple[str, int]]
"""Two axes, each with the place of one of its values."""


def all_pairs(axes: Mapping[str, Sequence[object]], seed: int = 0) -> list[Row]:
    """Rows of one value an axis in which every pair of values of two axes occurs.

    >>> rows = all_pairs({"a": [1, 2, 3], "b": [1, 2, 3], "c": [1, 2, 3]})
    >>> len(rows) < 27, pairs_of(axes := {"a": [1, 2], "b": [3]}) <= held(all_pairs(axes), axes)
    (True, True)
    """
    rng = random.Random(seed)
    missing, rows = pairs_of(axes), []
    while missing:
        chosen = dict(rng.choice(sorted(missing)))
        others = [name for name in axes if name not in chosen]
        rng.shuffle(others)
        for name in others:
            places = rng.sample(range(len(axes[name])), len(axes[name]))
            chosen[name] = max(places, key=lambda at: _gain(chosen, name, at, missing))
        missing -= _within(chosen, axes)
        rows.append({name: axes[name][chosen[name]] for name in axes})
    return rows


def pairs_of(axes: Mapping[str, Sequence[object]]) -> set[Pair]:
    """Every pair there is."""
    return {
        ((a, i), (b, j))
        for a, b in itertools.combinations(axes, 2)
        for i, j in itertools.product(range(len(axes[a])), range(len(axes[b])))
    }


def held(rows: Sequence[Row], axes: Mapping[str, Sequence[object]]) -> set[Pair]:
    """Every pair that occurs in the rows."""
    places = [{name: list(axes[name]).index(row[name]) for name in axes} for row in rows]
    return set().union(*(_within(row, axes) for row in places))


def _within(chosen: Mapping[str, int], axes: Mapping[str, Sequence[object]]) -> set[Pair]:
    return {((a, chosen[a]), (b, chosen[b])) for a, b in itertools.combinations(axes, 2)}


def _gain(chosen: Mapping[str, int], name: str, at: int, missing: set[Pair]) -> int:
    mine = (name, at)
    return sum((mine, other) in missing or (other, mine) in missing for other in chosen.items())
