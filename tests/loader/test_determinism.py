"""Threads, prefetch and caches change how fast batches come, never a byte of them."""

from __future__ import annotations

from pathlib import Path
from typing import Any, get_args

import pytest

import pixfeed as pf
from engine.places import CROPS, SEED, epochs
from pixfeed.engine.run import Cache
from pixfeed.recipe import Op

RECIPES: dict[str, tuple[Op, ...]] = {
    "random-first": CROPS,
    "resize-first": (pf.Resize((20, 20)), pf.RandomCrop(17), pf.RandomVerticalFlip()),
    "crop-first": (pf.CenterCrop(29), pf.RandomCrop(17), pf.ToArray()),
    "fixed": (pf.Resize(20), pf.CenterCrop(16), pf.ToArray("float16", "NHWC")),
}


def fed(root: Path, recipe: tuple[Op, ...], **run: Any) -> tuple[object, pf.Report]:
    """Two epochs of a run, and what is told of it."""
    loader = pf.Loader(root, batch_size=16, recipe=recipe, seed=SEED, run=pf.Run(**run))
    return epochs(loader), loader.report()


@pytest.mark.parametrize("cache", [None, *get_args(Cache)])
@pytest.mark.parametrize("name", RECIPES)
def test_no_run_changes_a_byte(mixed: Path, name: str, cache: Cache | None) -> None:
    wanted, plain = fed(mixed, RECIPES[name], threads=1, prefetch=1)
    for threads in (1, 2, 3, 8):
        for prefetch in (1, 8):
            ours, report = fed(
                mixed, RECIPES[name], threads=threads, prefetch=prefetch, cache=cache
            )
            assert ours == wanted, (threads, prefetch)
            assert report.steps == plain.steps
            assert report.fingerprint == plain.fingerprint
            assert (report.threads, report.prefetch) == (threads, prefetch)


def test_the_two_epochs_are_not_the_same(mixed: Path) -> None:
    """What the tests above compare does tell epochs, seeds and recipes apart."""
    ours, report = fed(mixed, CROPS, threads=2)
    assert len({*report.steps.values()}) == len(report.steps) == 6
    other = pf.Loader(mixed, batch_size=16, recipe=CROPS, seed=SEED + 1)
    assert not {*epochs(other)} & {*ours}  # type: ignore[misc]


def test_fingerprints_are_of_pixels_not_of_numbers(mixed: Path) -> None:
    """The same uint8 pixels in another type have the same hash, in another picture another one."""
    plain = pf.Loader(mixed, batch_size=60, recipe=CROPS, seed=SEED)
    floats = pf.Loader(mixed, batch_size=60, recipe=[*CROPS, pf.ToArray()], seed=SEED)
    one, other = next(iter(plain)), next(iter(floats))
    assert one.hash == other.hash
    assert one.hashes.tolist() == other.hashes.tolist()
    assert len({*one.hashes.tolist()}) == 60
    assert plain.stream_id != floats.stream_id
