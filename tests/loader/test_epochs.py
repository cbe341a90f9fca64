"""Epochs: each iter is the next one, epoch(k) is that one, and loaders leave each other alone."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import pixfeed as pf
from engine.places import CROPS, SEED, Told, epochs, told


def loader(folder: Path, batch_size: int = 16, **given: object) -> pf.Loader:
    return pf.Loader(folder, batch_size=batch_size, recipe=CROPS, seed=SEED, **given)  # type: ignore[arg-type]


@pytest.fixture
def wanted(folder: Path) -> list[list[Told]]:
    """Four epochs, one after the other."""
    feed = loader(folder)
    return [epochs(feed, 1) for _ in range(4)]


def test_epochs_out_of_turn(folder: Path, wanted: list[list[Told]]) -> None:
    feed = loader(folder)
    for number in (3, 0, 2, 2, 1):
        assert [told(batch) for batch in feed.epoch(number)] == wanted[number]
    assert feed.state_dict()["epoch"] == 0
    assert epochs(feed, 1) == wanted[0]


def test_an_epoch_out_of_turn_in_the_middle_of_another(
    folder: Path, wanted: list[list[Told]]
) -> None:
    feed = loader(folder)
    batches = iter(feed)
    first = [told(next(batches)) for _ in range(2)]
    assert [told(batch) for batch in feed.epoch(3)] == wanted[3]
    assert feed.state_dict()["step"] == 2
    assert first + [told(batch) for batch in batches] == wanted[0]


def test_after_a_break_comes_the_next_epoch(folder: Path, wanted: list[list[Told]]) -> None:
    feed = loader(folder)
    for batch in feed:
        if batch.step == 2:
            break
    assert feed.state_dict()["epoch"] == 0
    assert epochs(feed, 1) == wanted[1]
    assert epochs(feed, 1) == wanted[2]


def test_two_iterators_of_one_loader(folder: Path, wanted: list[list[Told]]) -> None:
    feed = loader(folder)
    pairs = [(told(one), told(other)) for one, other in zip(feed, feed, strict=True)]
    assert [one for one, _ in pairs] == wanted[0]
    assert [other for _, other in pairs] == wanted[1]


def test_training_and_validation_interleaved(folder: Path, mixed: Path) -> None:
    alone = epochs(loader(folder), 2), epochs(loader(mixed, 10, shuffle=False), 1)
    train, validation = loader(folder), loader(mixed, 10, shuffle=False)
    seen: list[Told] = []
    for _ in range(2):
        for batch in train:
            seen.append(told(batch))
            if batch.step % 3 == 0:
                assert [told(checked)[2] for checked in validation.epoch(0)] == [
                    digest for _, _, digest in alone[1]
                ]
    assert seen == alone[0]


def test_for_ever(folder: Path, wanted: list[list[Told]]) -> None:
    batches = loader(folder).forever()
    assert [told(next(batches)) for _ in range(20)] == [
        batch for epoch in wanted for batch in epoch
    ][:20]


def test_an_iterator_that_ended_stays_ended(folder: Path) -> None:
    batches = iter(loader(folder))
    assert len(list(batches)) == 6
    assert list(batches) == []
    closed = iter(loader(folder))
    next(closed)
    closed.close()
    closed.close()
    assert list(closed) == []


def test_a_closed_loader_goes_on(folder: Path, wanted: list[list[Told]]) -> None:
    feed = loader(folder)
    for number in range(3):
        assert [told(batch) for batch in feed] == wanted[number]
        feed.close()
        feed.close()


def test_in_another_thread(folder: Path, wanted: list[list[Told]]) -> None:
    """Loaders are used by one thread at a time, and that may be any."""
    feeds = [loader(folder) for _ in range(4)]
    with ThreadPoolExecutor(4) as pool:
        seen = list(pool.map(epochs, feeds))
        assert seen == [wanted[0] + wanted[1]] * 4
        assert pool.submit(epochs, feeds[0]).result() == wanted[2] + wanted[3]


def test_the_last_epoch_of_all(folder: Path) -> None:
    feed = loader(folder)
    assert [batch.epoch for batch in feed.epoch(2**64 - 1)] == [2**64 - 1] * 6


def test_what_it_says_of_itself(folder: Path) -> None:
    feed = loader(folder)
    assert len(feed) == 6
    assert feed.classes == tuple(f"class-{number}" for number in range(5))
    assert repr(feed) == (
        "<Loader 100 records, 6 batches of 16: RandomResizedCrop, RandomHorizontalFlip>"
    )
    assert feed.stream_id == loader(folder, run=pf.Run(threads=3)).stream_id
