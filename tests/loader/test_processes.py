"""Another process, another place of the same files, a pickled loader: the same batches."""

from __future__ import annotations

import copy
import multiprocessing
import pickle
import shutil
from pathlib import Path
from typing import Any

import pytest

import pixfeed as pf
from decode import child
from engine.places import CROPS, Drawer, epochs
from loader import other
from pixfeed.testing import png


@pytest.mark.parametrize("hash_seed", ["0", "1"])
def test_another_process_and_another_place(
    mixed: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, hash_seed: str
) -> None:
    monkeypatch.setenv("PYTHONHASHSEED", hash_seed)
    copied = shutil.copytree(mixed, tmp_path / "elsewhere")
    done = child.run("loader.other", str(copied))
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == [digest for _, _, digest in other.fed(other.made(mixed))]


def test_a_process_that_was_spawned(mixed: Path) -> None:
    feed = other.made(mixed)
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        assert pool.apply(other.fed, (feed,)) == other.fed(feed)


def test_pickled_it_is_its_configuration(mixed: Path) -> None:
    feed = pf.Loader(
        str(mixed),
        batch_size=4,
        recipe=[*CROPS, pf.Map(other.bright, version="3"), pf.ToArray("float16")],
        seed=5,
        shuffle=False,
        order=pf.Order((1, 2), last="drop"),
        run=pf.Run(threads=2, on_bad="blank"),
    )
    batches = iter(feed)
    next(batches)
    for again in (pickle.loads(pickle.dumps(feed)), copy.copy(feed), copy.deepcopy(feed)):
        assert again.stream_id == feed.stream_id
        assert (again.recipe, again.order, again.run) == (feed.recipe, feed.order, feed.run)
        assert (again.state_dict()["epoch"], again.state_dict()["step"]) == (0, 0)
        assert epochs(again, 1) == epochs(pickle.loads(pickle.dumps(feed)), 1)


def test_what_was_given_may_change_after(mixed: Path) -> None:
    recipe: list[Any] = [*CROPS]
    feed = pf.Loader(mixed, batch_size=9, recipe=recipe)
    recipe.append(pf.RandomVerticalFlip())
    assert pickle.loads(pickle.dumps(feed)).stream_id == feed.stream_id


@pytest.mark.parametrize("kind", ["folder", "items", "splits"])
def test_sources_are_pickled_with_it(mixed: Path, kind: str) -> None:
    data = pf.open(mixed)
    items = [(mixed / key, label) for key, label in zip(data.keys, data.labels, strict=True)]
    sources: dict[str, pf.Source] = {
        "folder": pf.Folder(mixed, classes=[f"class-{n}" for n in (4, 3, 2, 1, 0)]),
        "items": pf.Items(items),
        "splits": pf.Folder(mixed, splits=pf.Splits(0.5, 0.5, 0)),
    }
    feed = pf.Loader(
        sources[kind], batch_size=9, recipe=CROPS, split="train" if kind == "splits" else None
    )
    assert epochs(pickle.loads(pickle.dumps(feed)), 1) == epochs(feed, 1)


def test_an_opened_dataset_is_pickled_with_it(mixed: Path) -> None:
    feed = pf.Loader(pf.open(mixed), batch_size=9, recipe=CROPS)
    assert epochs(pickle.loads(pickle.dumps(feed)), 1) == epochs(feed, 1)


def test_a_source_that_cannot_be_pickled_can_be_copied() -> None:
    data = png(width=9, height=9)
    feed = pf.Loader(Drawer(lambda _: data, {"a": 0, "b": 1}), batch_size=2, recipe=CROPS)
    assert epochs(copy.copy(feed), 1) == epochs(feed, 1)


def test_a_batch_can_be_pickled(mixed: Path) -> None:
    batch = next(iter(pf.Loader(mixed, batch_size=9, recipe=[*CROPS, pf.ToArray()])))
    again = pickle.loads(pickle.dumps(batch))
    assert repr(again) == repr(batch)
    assert again.keys == batch.keys
    for name in ("images", "labels", "ids", "valid", "hashes"):
        assert getattr(again, name).tobytes() == getattr(batch, name).tobytes()
