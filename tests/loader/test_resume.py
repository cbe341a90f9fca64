"""A state continues where it was saved, at every step, and only where it belongs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import pixfeed as pf
from engine.places import CROPS, SEED, epochs, told
from pixfeed.testing import check_resume


@pytest.mark.parametrize("batch_size", [7, 16])
@pytest.mark.parametrize(
    ("shuffle", "last"), [(True, "drop"), (True, "keep"), (False, "keep"), (True, "pad")]
)
def test_at_every_step_of_two_epochs(
    folder: Path, batch_size: int, shuffle: bool, last: Any
) -> None:
    loader = pf.Loader(
        folder,
        batch_size=batch_size,
        recipe=CROPS,
        seed=SEED,
        shuffle=shuffle,
        order=pf.Order(last=last),
    )
    steps = 100 // batch_size if last == "drop" else -(-100 // batch_size)
    assert check_resume(loader) == 2 * steps + 1
    assert loader.state_dict()["step"] == 0


def test_with_other_threads_and_caches(folder: Path) -> None:
    run = pf.Run(threads=3, prefetch=8, cache="decoded")
    assert check_resume(pf.Loader(folder, batch_size=16, recipe=CROPS, run=run), epochs=3) == 19


def test_the_check_sees_what_does_not_resume(folder: Path) -> None:
    calls = 0

    def forgetful(images: Any, _labels: Any, _rngs: Any) -> Any:
        nonlocal calls
        calls += 1
        return [image + calls for image in images]

    ops = [pf.Resize((4, 4)), pf.Map(forgetful, version="1")]
    with pytest.raises(pf.StateError, match=r"^resumed at .*code of a Map"):
        check_resume(pf.Loader(folder, batch_size=50, recipe=ops))


def loader(folder: Path, **changed: Any) -> pf.Loader:
    """A loader of a recipe that draws."""
    return pf.Loader(folder, **{"batch_size": 20, "recipe": CROPS, "seed": SEED, **changed})


def test_the_state_names_the_batch_after_the_last_received(folder: Path) -> None:
    feed = loader(folder, run=pf.Run(prefetch=4))
    assert place(feed) == (0, 0)
    batches = iter(feed)
    assert place(feed) == (0, 0)
    for step in range(1, 5):
        next(batches)
        assert place(feed) == (0, step)
    next(batches)
    assert place(feed) == (1, 0)
    assert len(json.dumps(feed.state_dict())) < 1024
    next(iter(feed))
    assert place(feed) == (1, 1)


def place(feed: pf.Loader) -> tuple[Any, Any]:
    """Where a loader stands."""
    state = feed.state_dict()
    return state["epoch"], state["step"]


def test_only_the_latest_iterator_moves_the_state(folder: Path) -> None:
    feed = loader(folder)
    older, newer = iter(feed), iter(feed)
    next(older)
    assert place(feed) == (1, 0)
    next(newer)
    next(older)
    assert place(feed) == (1, 1)


def test_a_loaded_state_is_the_state(folder: Path) -> None:
    feed = loader(folder)
    running = iter(feed)
    next(running)
    feed.load_state_dict(loader(folder).state_at(5, 3))
    next(running)
    assert place(feed) == (5, 3)
    assert [(batch.epoch, batch.step) for batch in feed] == [(5, 3), (5, 4)]
    assert [batch.epoch for batch in feed] == [6] * 5


def test_what_was_made_ahead_is_dropped_for_a_loaded_state(folder: Path) -> None:
    """After a whole epoch, threads work on the next one already."""
    feed = loader(folder)
    wanted = [told(batch) for batch in feed.epoch(5)]
    for step in (3, 0):
        epochs_of = [batch.epoch for batch in feed]
        assert len(epochs_of) == 5
        feed.load_state_dict(feed.state_at(5, step))
        assert [told(batch) for batch in feed] == wanted[step:]


def test_a_state_at_a_place_is_the_state_there(folder: Path) -> None:
    feed, other = loader(folder), loader(folder)
    wanted = epochs(feed, 3)
    for at, (epoch, step, _) in enumerate(wanted):
        other.load_state_dict(json.loads(json.dumps(other.state_at(epoch, step))))
        assert told(next(iter(other))) == wanted[at]


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"seed": 1}, r"another seed: saved 11, here 1"),
        ({"batch_size": 10}, r"another global batch: saved 20, here 10 \(pass batch_size=20\)"),
        ({"recipe": pf.Resize((8, 8))}, r"another recipe \(digest\): saved"),
        (
            {"shuffle": False},
            "another sampling: saved 'permutation', here 'sequence', another last",
        ),
        ({"order": pf.Order(last="pad")}, r"another last: saved 'drop', here 'pad' \(pass Order"),
        ({"run": pf.Run(on_bad="blank")}, "another on_bad: saved 'raise', here 'blank'"),
        ({"order": pf.Order((0, 2))}, r"saved 20, here 40 \(pass batch_size=10 with 2 ranks\)"),
    ],
)
def test_another_loaders_state_is_refused(
    folder: Path, changed: dict[str, Any], message: str
) -> None:
    saved = loader(folder).state_dict()
    feed = loader(folder, **changed)
    before = feed.state_dict()
    with pytest.raises(pf.StateError, match=message) as refused:
        feed.load_state_dict(saved)
    assert "\n" not in str(refused.value)
    assert feed.state_dict() == before


def test_another_datasets_state_is_refused(folder: Path, mixed: Path) -> None:
    with pytest.raises(pf.StateError, match=r"another dataset \(catalogue fingerprint\): saved"):
        loader(mixed).load_state_dict(loader(folder).state_dict())


def test_a_run_may_change_between(folder: Path) -> None:
    saved = loader(folder, run=pf.Run(threads=1)).state_dict()
    run = pf.Run(threads=3, prefetch=1, cache="encoded", memory="1 GiB", max_bad=3)
    loader(folder, run=run).load_state_dict(saved)
