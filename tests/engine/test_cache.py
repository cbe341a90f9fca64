"""The cache: what is kept, how much of it, and that it is hit."""

from __future__ import annotations

from pathlib import Path
from typing import Any, get_args

import pytest

import pixfeed as pf
from decode.reference import cut, saved
from engine.places import CROPS, Told, epochs, told
from pixfeed.engine import Cached
from pixfeed.engine.run import Cache
from pixfeed.recipe import Op
from pixfeed.testing import class_folder

CUT = pf.RandomCrop(8)


def cached(root: Path, recipe: Any, cache: Cache, **run: Any) -> tuple[pf.Loader, Cached]:
    """A loader after two epochs, made one batch at a time by one thread."""
    run = {"threads": 1, "prefetch": 1, **run}
    feed = pf.Loader(root, batch_size=20, recipe=recipe, run=pf.Run(cache=cache, **run))
    for epoch in (0, 1):
        list(feed.epoch(epoch))
    kept = feed.report().cache
    assert kept is not None
    return feed, kept


@pytest.mark.parametrize("cache", get_args(Cache))
def test_the_second_epoch_is_all_hits(folder: Path, cache: Cache) -> None:
    feed, kept = cached(folder, [pf.Resize((9, 9)), CUT], cache)
    assert (kept.records, kept.hits, kept.misses) == (100, 100, 100)
    assert feed.report().bytes == sum(path.stat().st_size for path in folder.rglob("*.png"))


def test_without_one_the_report_has_none(folder: Path) -> None:
    feed = pf.Loader(folder, batch_size=20, recipe=CROPS)
    epochs(feed)
    assert feed.report().cache is None


@pytest.mark.parametrize(
    ("recipe", "keeps"),
    [
        ([pf.Resize((9, 9)), CUT], "pixels after 1 op"),
        ([pf.Decode(1), pf.Resize((9, 9)), CUT], "pixels after 1 op"),
        ([pf.Resize(9), pf.CenterCrop(9), CUT, pf.ToArray()], "pixels after 2 ops"),
        ([pf.Resize((9, 9)), pf.ToArray()], "pixels after 1 op"),
        ([pf.Pad(1), pf.Resize((9, 9)), pf.RandomHorizontalFlip()], "pixels after 2 ops"),
        (list(CROPS), "bytes"),
        ([pf.RandomHorizontalFlip(), pf.Resize((9, 9))], "bytes"),
        ([pf.CenterCrop(9), pf.RandomResizedCrop(8)], "bytes"),
        ([pf.Resize(9), CUT, pf.Resize((4, 4))], "bytes"),
    ],
)
def test_the_report_says_what_is_kept(folder: Path, recipe: list[Op], keeps: str) -> None:
    feed, kept = cached(folder, recipe, "decoded")
    assert kept.keeps == keeps
    assert kept.hits == 100
    assert f"cache ({keeps}): 100 records" in str(feed.report())
    assert cached(folder, recipe, "encoded")[1].keeps == "bytes"


def test_decoded_pixels_are_kept_without_the_files() -> None:
    """Once all is kept, the files may go."""
    for cache in get_args(Cache):
        with class_folder(20, classes=2) as root:
            feed = pf.Loader(
                root, batch_size=20, recipe=[pf.Resize((9, 9)), CUT], run=pf.Run(cache=cache)
            )
            wanted = [told(batch) for number in (0, 4) for batch in feed.epoch(number)]
            for path in root.rglob("*.png"):
                path.unlink()
            assert [told(batch) for number in (0, 4) for batch in feed.epoch(number)] == wanted


@pytest.mark.parametrize("fits", [0, 1, 10_000, 25_000])
@pytest.mark.parametrize("cache", get_args(Cache))
def test_it_keeps_within_the_memory_allowed(mixed: Path, cache: Cache, fits: int) -> None:
    """What fits first stays, and no byte is other than without."""
    recipe = [pf.Resize((20, 20)), pf.RandomCrop(18)]
    batches = 3 * 20 * 18 * 18 * 3
    run = pf.Run(cache=cache, memory=batches + fits, threads=2)
    feed = pf.Loader(mixed, batch_size=20, recipe=recipe, run=run)
    assert epochs(feed, 3) == epochs(pf.Loader(mixed, batch_size=20, recipe=recipe), 3)
    kept = feed.report().cache
    assert kept is not None
    assert (kept.limit, feed.report().prefetch) == (fits, 3)
    assert kept.records < 60
    assert kept.misses > 60
    assert (kept.records > 2, kept.hits > 0) == (fits >= 10_000, fits >= 10_000)
    assert kept.used <= fits or not kept.records


def test_memory_bounds_what_is_made_ahead(folder: Path) -> None:
    batch = 20 * 8 * 8 * 3
    for memory, prefetch in ((batch, 1), (2 * batch + 1, 2), (99 * batch, 5)):
        run = pf.Run(memory=memory, prefetch=5)
        feed = pf.Loader(folder, batch_size=20, recipe=CROPS, run=run)
        epochs(feed, 1)
        assert feed.report().prefetch == prefetch
        assert feed.report().memory <= memory


def test_iterators_share_it(folder: Path) -> None:
    feed, _ = cached(folder, CROPS, "encoded")
    list(zip(feed.epoch(5), feed.epoch(6), strict=True))
    kept = feed.report().cache
    assert kept is not None
    assert (kept.hits, kept.misses) == (300, 100)


@pytest.mark.parametrize("cache", get_args(Cache))
@pytest.mark.parametrize(
    "recipe", [[pf.Resize((40, 40)), pf.RandomCrop(16)], [pf.CenterCrop(90), pf.RandomCrop(20)]]
)
def test_damaged_files_are_as_without(tmp_path: Path, recipe: list[Op], cache: Cache) -> None:
    """A crop may lie in the part of a file that is whole, whatever the cache would like to keep."""
    (tmp_path / "a").mkdir()
    for number in range(20):
        data = saved(cut(120, 100, 1 + number % 3), "JPEG", quality=90)
        (tmp_path / "a" / f"{number:02d}.jpg").write_bytes(
            data[: len(data) * (60 + 2 * number) // 100]
        )

    def fed(**run: Any) -> list[Told]:
        run = {"on_bad": "blank", **run}
        return epochs(pf.Loader(tmp_path, batch_size=20, recipe=recipe, run=pf.Run(**run)), 3)

    wanted = fed()
    assert fed(cache=cache) == wanted
    assert fed(cache=cache, memory="60 KB", threads=3) == wanted
