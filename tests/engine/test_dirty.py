"""One image in ten broken in every way there is: each policy keeps shapes, steps and ranks."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

import pixfeed as pf
from decode import dirty
from decode.reference import cut, saved
from engine.places import CROPS, SEED, Files, Told, epochs, ids_of, told
from ops.reference import expected

MISSING, FOLDER = "missing.jpg", "folder.jpg"
BATCH = 16


class Dirty(NamedTuple):
    """Records of which one in ten is broken."""

    source: Files
    label: dict[str, int]
    bad: frozenset[str]

    @property
    def root(self) -> Path:
        return Path(self.source.root)

    @property
    def steps(self) -> int:
        return -(-len(self.label) // BATCH)


@pytest.fixture(scope="session")
def spoilt(tmp_path_factory: pytest.TempPathFactory) -> Dirty:
    """The dirty files, a missing one and a folder, each among nine good ones of its class."""
    root = tmp_path_factory.mktemp("dirty")
    broken = {f"{case.name}.jpg": case.data for case in dirty.refused()}
    (root / FOLDER).mkdir()
    good = [saved(cut(20 + n, 30, 1 + n % 3), ("PNG", "JPEG")[n % 2]) for n in range(9)]
    label: dict[str, int] = {}
    for number, name in enumerate([*broken, MISSING, FOLDER]):
        for other, data in enumerate(good):
            key = f"{number:03d}-{other}.jpg"
            (root / key).write_bytes(data)
            label[key] = number % 7
        if name in broken:
            (root / name).write_bytes(broken[name])
        label[name] = number % 7
    source = Files(str(root), tuple(label.items()))
    return Dirty(source, label, frozenset([*broken, MISSING, FOLDER]))


def loader(spoilt: Dirty, on_bad: Any, **given: Any) -> pf.Loader:
    """A loader of small images, to the end of every epoch."""
    run = {"on_bad": on_bad, **given.pop("run", {})}
    usual: dict[str, Any] = {"batch_size": BATCH, "recipe": pf.Resize((8, 8)), "seed": SEED}
    order = given.pop("order", pf.Order(last="pad"))
    return pf.Loader(spoilt.source, **{**usual, **given}, order=order, run=pf.Run(**run))


def test_the_dirty_set_is_large(spoilt: Dirty) -> None:
    assert len(spoilt.bad) > 90
    assert len(spoilt.label) == 10 * len(spoilt.bad)


@pytest.mark.parametrize("on_bad", ["substitute", "blank"])
def test_the_same_for_any_threads_and_cache(spoilt: Dirty, on_bad: str) -> None:
    wanted = epochs(loader(spoilt, on_bad, recipe=CROPS, run={"threads": 1}), 2)
    assert len(wanted) == 2 * spoilt.steps
    for run in ({"threads": 3, "prefetch": 8}, {"threads": 2, "cache": "encoded"}):
        assert epochs(loader(spoilt, on_bad, recipe=CROPS, run=run), 2) == wanted


@pytest.mark.parametrize("on_bad", ["substitute", "blank"])
def test_the_same_for_any_world(spoilt: Dirty, on_bad: str) -> None:
    alone = list(loader(spoilt, on_bad, recipe=CROPS))
    ranks = [
        loader(spoilt, on_bad, recipe=CROPS, batch_size=4, order=pf.Order((rank, 4), last="pad"))
        for rank in range(4)
    ]
    assert [len(rank) for rank in ranks] == [spoilt.steps] * 4
    for whole, *parts in zip(alone, *ranks, strict=True):
        for name in ("images", "labels", "ids", "valid", "hashes"):
            together = np.concatenate([getattr(part, name) for part in parts])
            assert np.array_equal(together, getattr(whole, name)), name


@pytest.mark.parametrize("on_bad", ["substitute", "blank"])
def test_the_same_after_resuming(spoilt: Dirty, on_bad: str) -> None:
    wanted = epochs(loader(spoilt, on_bad, recipe=CROPS), 1)
    for step in range(0, spoilt.steps, 9):
        feed = loader(spoilt, on_bad, recipe=CROPS)
        feed.load_state_dict(feed.state_at(0, step))
        assert epochs(feed, 1) == wanted[step:]


def test_substitutes_are_siblings(spoilt: Dirty) -> None:
    feed = loader(spoilt, "substitute")
    ids, replaced = ids_of(feed), 0
    for batch in feed:
        places = feed.plan.slots(0, batch.step)[1]
        for place, key, id, label in zip(
            places, batch.keys, batch.ids.tolist(), batch.labels.tolist(), strict=True
        ):
            planned = feed.dataset.keys[int(place)]
            assert key not in spoilt.bad
            assert (id, label) == (ids[key], spoilt.label[planned])
            assert label == spoilt.label[key]
            assert (key != planned) == (planned in spoilt.bad)
            replaced += key != planned
        assert batch.images.shape == (BATCH, 8, 8, 3)
    assert batch.valid.sum() == len(spoilt.label) % BATCH or batch.valid.all()
    assert replaced >= len(spoilt.bad)


def test_substitutes_are_drawn_by_their_position(spoilt: Dirty) -> None:
    """Their draws are those of occurrence position + 1, so no use looks like another."""
    ops = [pf.RandomCrop(9, pad_if_needed=True), pf.RandomHorizontalFlip()]
    feed = loader(spoilt, "substitute", recipe=ops)
    compared = 0
    for batch in feed:
        positions, places, _ = feed.plan.slots(0, batch.step)
        for position, place, key, id, image in zip(
            positions.tolist(), places, batch.keys, batch.ids.tolist(), batch.images, strict=True
        ):
            if feed.dataset.keys[int(place)] == key:
                # A crop may also lie in the part of a broken file that is whole.
                continue
            pixels = pf.decode((spoilt.root / key).read_bytes())
            wanted = expected(ops, pixels, seed=SEED, id=id, use=position + 1)
            assert np.array_equal(image, wanted)
            compared += 1
    assert compared > len(spoilt.bad) / 2


def test_other_substitutes_in_other_epochs(spoilt: Dirty) -> None:
    feed = loader(spoilt, "substitute", shuffle=False)
    first, second = ([key for batch in feed for key in batch.keys] for _ in range(2))
    changed = sum(one != other for one, other in zip(first, second, strict=True))
    assert len(spoilt.bad) / 2 < changed <= len(spoilt.bad) * 1.2


def test_blanks_are_zeros_and_not_valid(spoilt: Dirty) -> None:
    feed, blank = loader(spoilt, "blank"), 0
    ids = ids_of(feed)
    for batch in feed:
        _, places, counted = feed.plan.slots(0, batch.step)
        keys = tuple(feed.dataset.keys[int(place)] for place in places)
        assert batch.keys == keys
        assert batch.ids.tolist() == [ids[key] for key in keys]
        assert batch.labels.tolist() == [spoilt.label[key] for key in keys]
        for key, image, valid, counts in zip(keys, batch.images, batch.valid, counted, strict=True):
            assert valid == (counts and key not in spoilt.bad)
            assert image.any() == (key not in spoilt.bad)
            blank += key in spoilt.bad
    assert blank >= len(spoilt.bad)


def test_blanks_are_zeros_of_every_type(spoilt: Dirty) -> None:
    """Zeros, not black: a black pixel would be -mean / std."""
    ops = [pf.Resize((8, 8)), pf.ToArray(mean=pf.IMAGENET_MEAN, std=pf.IMAGENET_STD)]
    for batch in loader(spoilt, "blank", recipe=ops, run={"cache": "decoded"}):
        bad = np.array([key in spoilt.bad for key in batch.keys])
        assert not batch.images[bad].any()
        assert batch.images[~bad].any(axis=(1, 2, 3)).all()


@pytest.mark.parametrize("on_bad", ["substitute", "blank"])
def test_the_report_names_all_of_them(spoilt: Dirty, on_bad: str) -> None:
    feed = loader(spoilt, on_bad)
    epochs(feed, 2)
    failures = {failure.key: failure for failure in feed.report().failures}
    assert len(feed.report().failures) == len(failures)
    assert failures.keys() == spoilt.bad
    for key, failure in failures.items():
        assert failure.place == str(spoilt.root / key)
        assert failure.stage == ("read" if key in {MISSING, FOLDER} else "decode")
        assert "\n" not in failure.cause
    assert failures[MISSING].cause.startswith("[Errno 2] No such file or directory")
    assert failures[FOLDER].cause.startswith("[Errno 21] Is a directory")
    for case in dirty.refused():
        with pytest.raises(pf.DecodeError) as refused:
            pf.decode(case.data, size=(8, 8))
        assert failures[f"{case.name}.jpg"].cause == str(refused.value)


def test_raise_stops_at_the_first_bad_slot(spoilt: Dirty) -> None:
    """Whichever thread is faster, the steps before it are complete and the record is the same."""
    seen = {_until(loader(spoilt, "raise", run={"threads": n}, batch_size=4)) for n in (1, 2, 3, 8)}
    assert len(seen) == 1


def _until(feed: pf.Loader) -> tuple[tuple[Told, ...], str]:
    """The batches before the one that cannot be made, and what that one says."""
    before: list[Told] = []
    try:
        before.extend(told(batch) for batch in feed)
    except (pf.DecodeError, OSError) as error:
        return tuple(before), str(error)
    raise AssertionError("nothing was raised")


def test_what_was_made_of_good_ones_is_what_it_was(spoilt: Dirty) -> None:
    """A file that cannot be read changes nothing but its own slot."""
    good = tuple((key, label) for key, label in spoilt.label.items() if key not in spoilt.bad)
    clean = pf.Loader(
        Files(spoilt.source.root, good), batch_size=len(good), recipe=CROPS, seed=SEED
    )
    wanted = dict(zip(*_images(clean), strict=True))
    keys, images = _images(loader(spoilt, "blank", recipe=CROPS))
    for key, image in zip(keys, images, strict=True):
        if key not in spoilt.bad:
            assert image == wanted[key]


def _images(feed: pf.Loader) -> tuple[list[str], list[bytes]]:
    batches = list(feed.epoch(0))
    images = [image.tobytes() for batch in batches for image in batch.images]
    return [key for batch in batches for key in batch.keys], images
