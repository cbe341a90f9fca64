"""The plan: ranks share one sequence, and every record comes once an epoch."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from numpy.typing import NDArray

from pixfeed import _native
from pixfeed.errors import ConfigError
from pixfeed.order import Last, Order, plan

SIZES = (1, 47, 48, 1000, 10007)
WORLDS = range(1, 49)
BATCHES = (2, 5, 16)
SEEDS = (0, 1234)
Batch = tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.bool_]]


def sequence(records: int, batch: int, world: int, last: Last, seed: int | None) -> Batch:
    """What all ranks together see in epoch 3: positions, records and validity."""
    plans = [_native.Plan(records, batch, (rank, world), last, seed) for rank in range(world)]
    assert len({plan.steps for plan in plans}) == 1, "ranks differ in their number of steps"
    batches = [plan.slots(3, step) for step in range(plans[0].steps) for plan in plans]
    columns = zip(*batches, strict=True)
    positions, places, valid = (np.concatenate(column) for column in columns)
    return positions, places, valid


@pytest.mark.parametrize("batch", BATCHES)
@pytest.mark.parametrize("records", SIZES)
def test_the_sequence_is_the_same_for_every_world(records: int, batch: int) -> None:
    for world, seed in product(WORLDS, SEEDS):
        order = _native.permute(records, seed, 3, np.arange(records))
        size = batch * world
        wanted = np.arange(-(-records // size) * size)
        positions, places, valid = sequence(records, batch, world, "pad", seed)
        assert np.array_equal(positions, wanted), (world, seed)
        assert np.array_equal(places, order[wanted % records]), (world, seed)
        assert np.array_equal(valid, wanted < records), (world, seed)
        whole = records // size * size
        if whole and seed == 0:
            dropped = sequence(records, batch, world, "drop", seed)
            assert np.array_equal(dropped[1], places[:whole]), world
            assert dropped[2].all()


def test_the_configurations_are_many() -> None:
    assert len(list(product(SIZES, BATCHES, WORLDS, SEEDS))) >= 400


@pytest.mark.parametrize("records", SIZES)
@pytest.mark.parametrize("last", ["drop", "keep", "pad"])
def test_each_record_comes_once(records: int, last: Last) -> None:
    size = min(records, 48)
    _, places, valid = sequence(records, size, 1, last, 5)
    counts = np.bincount(places[valid], minlength=records)
    left_out = records % size if last == "drop" else 0
    assert counts.max() == 1
    assert np.count_nonzero(counts == 0) == left_out


def test_keep_makes_a_short_batch() -> None:
    kept = plan(10, batch_size=4, order=Order(), shuffle=False, seed=0)
    assert [kept.slots(0, step)[1].tolist() for step in range(kept.steps)] == [
        [0, 1, 2, 3],
        [4, 5, 6, 7],
        [8, 9],
    ]


def test_pad_fills_up_with_the_epochs_first_records() -> None:
    padded = plan(3, batch_size=8, order=Order(last="pad"), shuffle=True, seed=1)
    positions, places, valid = padded.slots(0, 0)
    first = _native.permute(3, 1, 0, np.arange(3)).tolist()
    assert positions.tolist() == list(range(8))
    assert places.tolist() == [*first, *first, *first[:2]]
    assert valid.tolist() == [True] * 3 + [False] * 5


def test_unshuffled_records_come_in_their_order_in_every_epoch() -> None:
    straight = plan(12, batch_size=3, order=Order(shard=(1, 2)), shuffle=False, seed=9)
    assert (straight.steps, straight.global_batch, straight.records) == (2, 6, 12)
    for epoch in (0, 1, 2**64 - 1):
        assert straight.slots(epoch, 1)[1].tolist() == [9, 10, 11]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"batch_size": 0}, r"batch_size is 0; give a whole number from 1 to 2\*\*40"),
        ({"batch_size": -3}, "batch_size is -3; give"),
        ({"batch_size": 2.0}, r"batch_size is 2\.0 \(float\); give"),
        ({"batch_size": True}, r"batch_size is True \(bool\); give"),
        ({"batch_size": 11}, "10 records make no whole batch of 11, so every epoch .*='pad'"),
        (
            {"order": Order(shard=(0, 6))},
            r"10 records make no whole batch of 12 \(batch_size 2 on 6 ranks\)",
        ),
        ({"batch_size": 2**40, "order": Order((0, 2))}, r"a global batch of 2199023255552 .*"),
        ({"seed": "0"}, r"seed is '0' \(str\); give a whole number from 0 to 2\*\*64 - 1"),
        ({"seed": -1}, "seed is -1; give"),
        ({"seed": 2**64}, "seed is 18446744073709551616; give"),
        ({"seed": None}, r"seed is None \(NoneType\); give"),
        ({"shuffle": 1}, "shuffle is 1; give True or False"),
        ({"records": 0}, "the number of records is 0; give"),
    ],
)
def test_wrong_arguments_get_one_line(arguments: dict[str, object], message: str) -> None:
    right = {"records": 10, "batch_size": 2, "order": Order(), "shuffle": True, "seed": 0}
    with pytest.raises(ConfigError, match=f"^{message}") as refused:
        plan(**{**right, **arguments})  # type: ignore[arg-type]
    assert "\n" not in str(refused.value)


def test_numpy_integers_are_integers() -> None:
    made = plan(10, batch_size=np.int64(2), order=Order(), shuffle=True, seed=np.uint64(7))  # type: ignore[arg-type]
    assert made.slots(0, 0)[1].tolist() == _native.permute(10, 7, 0, np.arange(2)).tolist()


def test_a_step_outside_is_refused() -> None:
    with pytest.raises(ConfigError, match="step 5 of an epoch of 5 steps"):
        plan(10, batch_size=2, order=Order(), shuffle=True, seed=0).slots(0, 5)


@pytest.mark.parametrize(
    ("shard", "last", "message"),
    [
        ((2, 2), "drop", "rank 2 of 2"),
        ((0, 2), "keep", "a short last batch among 2 ranks"),
        ((0, 0), "drop", "0 ranks"),
        ((0, 1), "fill", "drop, keep or pad"),
    ],
)
def test_native_refuses_what_python_lets_through(
    shard: tuple[int, int], last: str, message: str
) -> None:
    with pytest.raises(ConfigError, match=message):
        _native.Plan(10, 2, shard, last, None)
