"""The number of ranks may change in the middle: all ranks together see the same images."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import pixfeed as pf
from engine.places import CROPS, SEED

GLOBAL = 12
WORLDS = (1, 2, 3, 4, 6, 12)
Slot = tuple[int, int, bytes, bool]


def ranks(folder: Path, world: int, **given: Any) -> list[pf.Loader]:
    """The loaders of all ranks; together they always make batches of twelve."""
    last = given.pop("last", "drop")
    return [
        pf.Loader(
            folder,
            batch_size=GLOBAL // world,
            recipe=CROPS,
            seed=SEED,
            order=pf.Order((rank, world), last=last),
            run=pf.Run(threads=1, prefetch=1),
            **given,
        )
        for rank in range(world)
    ]


def slots(batches: list[pf.Batch]) -> list[Slot]:
    """Everything in the batches of all ranks, in the order of ranks."""
    return [
        (id, label, image.tobytes(), valid)
        for batch in batches
        for id, label, image, valid in zip(
            batch.ids.tolist(),
            batch.labels.tolist(),
            batch.images,
            batch.valid.tolist(),
            strict=True,
        )
    ]


def alone(folder: Path, epochs: int, **given: Any) -> list[list[Slot]]:
    """What one rank sees, a step an item."""
    (loader,) = ranks(folder, 1, **given)
    return [slots([batch]) for _ in range(epochs) for batch in loader]


@pytest.mark.parametrize(("last", "steps"), [("drop", 8), ("pad", 9)])
@pytest.mark.parametrize("world", WORLDS[1:])
def test_ranks_share_one_sequence(folder: Path, world: int, last: str, steps: int) -> None:
    loaders = ranks(folder, world, last=last)
    assert [len(loader) for loader in loaders] == [steps] * world
    assert len({loader.stream_id for loader in loaders}) == 1
    together = [slots(list(batches)) for batches in zip(*loaders, strict=True)]
    assert together == alone(folder, 1, last=last)


@pytest.mark.parametrize("last", ["drop", "pad"])
def test_twenty_switches_in_the_middle(folder: Path, last: str) -> None:
    """At each, the state of rank 0 is all that the next ranks know."""
    rng = np.random.default_rng(20)
    wanted = alone(folder, 6, last=last)
    loaders, done = ranks(folder, 1, last=last), 0
    for _ in range(20):
        walk = int(rng.integers(1, 4))
        streams = [loader.forever() for loader in loaders]
        for _ in range(walk if done + walk <= len(wanted) else 0):
            assert slots([next(stream) for stream in streams]) == wanted[done]
            done += 1
        states = [loader.state_dict() for loader in loaders]
        assert states == states[:1] * len(states)
        loaders = ranks(folder, int(rng.choice(WORLDS)), last=last)
        for loader in loaders:
            loader.load_state_dict(states[0])
    assert done > 30


def test_the_padded_end(folder: Path) -> None:
    """100 records in steps of 12: eight slots of the last are the epoch's first, not valid."""
    for shuffle in (True, False):
        wanted = alone(folder, 1, last="pad", shuffle=shuffle)
        flat = [slot for step in wanted for slot in step]
        assert [valid for *_, valid in flat] == [True] * 100 + [False] * 8
        assert [id for id, *_ in flat[100:]] == [id for id, *_ in flat[:8]]
        assert [image for _, _, image, _ in flat[100:]] == [image for _, _, image, _ in flat[:8]]
        assert len({id for id, *_ in flat}) == 100


def test_more_ranks_than_records_left(folder: Path) -> None:
    """A rank whose slots are all fillers still has its step."""
    loaders = ranks(folder, 12, last="pad")
    last = [list(loader.epoch(2))[-1] for loader in loaders]
    assert [batch.valid.tolist() for batch in last] == [[True]] * 4 + [[False]] * 8


def test_validation_on_ranks_pads_by_itself(folder: Path) -> None:
    loader = pf.Loader(
        folder, batch_size=30, recipe=CROPS, shuffle=False, order=pf.Order(shard=(1, 2))
    )
    assert len(loader) == 2
    assert [int(batch.valid.sum()) for batch in loader] == [30, 10]
