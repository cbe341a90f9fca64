"""Splits: exact by class and in total, decided by keys alone."""

from __future__ import annotations

import math
from collections import Counter
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from pixfeed.catalogue import Catalogue, Row, Splits
from pixfeed.errors import ConfigError


def _table(sizes: list[int]) -> Catalogue:
    rows = [Row(f"{label}/{i}.jpg", label) for label, n in enumerate(sizes) for i in range(n)]
    return Catalogue.from_rows(rows)


def _check(sizes: list[int], splits: Splits) -> dict[str, int]:
    """Every class gets the floor or ceiling of its share, every total is within one of exact."""
    divided = splits.divide(_table(sizes))
    shares = splits.shares(sum(sizes))
    totals = {}
    for name, rows in divided.splits.items():
        counts = np.bincount(divided.labels[rows.start : rows.stop], minlength=len(sizes))
        for size, count in zip(sizes, counts.tolist(), strict=True):
            exact = size * shares[name]
            assert count in (math.floor(exact), math.ceil(exact))
        totals[name] = len(rows)
        assert abs(len(rows) - sum(sizes) * shares[name]) < 1
    return totals


def test_a_thousand_random_histograms() -> None:
    random = np.random.default_rng(0)
    for seed in range(1000):
        sizes = random.integers(0, 30, random.integers(1, 25)).tolist()
        train, validation = random.multinomial(20, [0.6, 0.2, 0.2])[:2].tolist()
        fractions = (train / 20, validation / 20, (20 - train - validation) / 20)
        limit = [None, 1, sum(sizes) // 2 + 1][seed % 3]
        _check(sizes, Splits(*fractions, seed=seed, limit=limit))


def test_a_thousand_classes_of_five() -> None:
    totals = _check([5] * 1000, Splits())
    assert totals == {"train": 4000, "validation": 500, "test": 500}


def test_thirds_and_primes() -> None:
    assert Splits(1 / 3, 1 / 3, 1 / 3).fractions["test"] == Fraction(1, 3)
    _check([7, 11, 13, 1, 0, 2], Splits(1 / 3, 1 / 3, 1 / 3))


def test_every_record_is_used_once_and_the_rest_left_out() -> None:
    table = _table([17, 31])
    assert sorted(Splits().divide(table).keys) == sorted(table.keys)
    some = Splits(limit=20).divide(table)
    assert len(some) == 20
    assert set(some.keys) < set(table.keys)
    assert Splits(limit=1000).divide(table).fingerprint == Splits().divide(table).fingerprint


def test_where_a_record_goes_depends_on_keys_and_seed_only() -> None:
    rows = [Row(f"{i}.jpg", i % 7, place=f"/x/{i}") for i in range(500)]
    one = Splits(seed=5).divide(Catalogue.from_rows(rows))
    two = Splits(seed=5).divide(Catalogue.from_rows([r._replace(place=None) for r in rows[::-1]]))
    other = Splits(seed=6).divide(Catalogue.from_rows(rows))
    assert one.fingerprint == two.fingerprint != other.fingerprint
    assert one.rows.place(3) == f"/x/{one.keys[3][:-4]}"


def test_which_records_go_where_is_pinned() -> None:
    # People's test sets rest on this: it never changes.
    divided = Splits(seed=1).divide(_table([10, 10]))
    assert [list(divided.keys)[row] for row in divided.splits["test"]] == ["0/3.jpg", "1/0.jpg"]


def test_every_record_has_its_chance_to_be_tested() -> None:
    table = _table([20])
    hits: Counter[str] = Counter()
    for seed in range(2000):
        divided = Splits(0.5, 0.25, 0.25, seed=seed).divide(table)
        hits.update(divided.keys[divided.splits["test"].start :])
    chi_square = sum((hits[key] - 500) ** 2 / 375 for key in table.keys)
    assert chi_square < 50  # 19 degrees of freedom: one in ten thousand is above


def test_groups_stay_whole_and_the_notes_say_what_it_cost() -> None:
    rows = [Row(f"{i % 5}/p{i // 8}/{i}.jpg", i % 5) for i in range(1000)]
    splits = Splits(group=lambda key: key.split("/")[1])
    divided = splits.divide(Catalogue.from_rows(rows))
    where = {
        key: name
        for name, rows in divided.splits.items()
        for key in divided.keys[rows.start : rows.stop]
    }
    people = {(key.split("/")[1], name) for key, name in where.items()}
    assert len(people) == len({person for person, _ in people}) == 125
    sizes = [len(rows) for rows in divided.splits.values()]
    assert np.abs(np.subtract(sizes, (800, 100, 100))).max() <= 8
    assert "groups were kept whole" in divided.notes[-1]


def test_a_group_may_be_a_folder_or_the_source_s_own() -> None:
    names = [f"{i % 4}/{i // 4 % 10}/{i}.jpg" for i in range(400)]
    by_folder = Splits(group="folder").divide(Catalogue.from_rows([Row(n, 0) for n in names]))
    own = Catalogue.from_rows([Row(n, 0, group=n.rpartition("/")[0]) for n in names])
    assert by_folder.fingerprint == Splits().divide(own).fingerprint
    assert (
        by_folder.fingerprint
        != Splits().divide(Catalogue.from_rows([Row(n, 0) for n in names])).fingerprint
    )


def test_an_empty_split_is_noted() -> None:
    assert Splits(seed=0).divide(_table([2])).notes[0].startswith("the split '")


def test_a_divided_table_is_not_divided_again() -> None:
    with pytest.raises(ConfigError, match="has splits already"):
        Splits().divide(Splits().divide(_table([20])))


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        ({"train": 0.9}, "sum to 1.1"),
        ({"train": 0.7}, "sum to 0.9"),
        ({"train": -0.1}, "train=-0.1 is no fraction"),
        ({"test": "a"}, "test='a' is no fraction"),
        ({"train": True, "validation": 0, "test": 0}, "train=True is no fraction"),
        ({"train": math.nan}, "train=nan is no fraction"),
        ({"seed": -1}, "seed=-1; give a whole number from 0"),
        ({"seed": 1.0}, "seed=1.0"),
        ({"seed": 2**64}, "seed="),
        ({"limit": 0}, "limit=0; give a whole number from 1"),
        ({"group": "patient"}, "group='patient' groups nothing"),
        ({"keep": "old/"}, "packs cannot be read yet"),
        ({"dedupe": True}, "not built yet"),
    ],
)
def test_wrong_splits_say_what_to_do(wrong: dict[str, Any], says: str) -> None:
    with pytest.raises(ConfigError, match=says) as caught:
        Splits(**wrong)
    assert "\n" not in str(caught.value)


def test_a_group_function_must_name_groups() -> None:
    with pytest.raises(ConfigError, match=r"group= gave None for '0/0\.jpg'"):
        Splits(group=lambda _: None).divide(_table([5]))  # type: ignore[arg-type,return-value]
