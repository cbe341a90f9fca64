"""What was handed over belongs to the user: nobody writes to it, and it lives as long as a view."""

from __future__ import annotations

import gc
import hashlib
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import pixfeed as pf
from engine.places import CROPS

FLOATS = [*CROPS, pf.ToArray()]


def digest(array: Any) -> bytes:
    return hashlib.sha256(array.tobytes()).digest()


def digests(batch: pf.Batch) -> list[bytes]:
    return [digest(array) for array in (*batch, batch.ids, batch.valid, batch.hashes)]


@pytest.mark.parametrize("recipe", [CROPS, FLOATS, [*CROPS, pf.ToArray("float16", "NHWC")]])
def test_two_hundred_batches_stay_as_they_were(folder: Path, recipe: Any) -> None:
    feed = pf.Loader(folder, batch_size=10, recipe=recipe, run=pf.Run(threads=3, prefetch=2))
    held = [(batch, digests(batch)) for _ in range(20) for batch in feed]
    assert len(held) == 200
    assert [digests(batch) for batch, _ in held] == [before for _, before in held]
    assert len({batch.images.ctypes.data for batch, _ in held}) == 200


def test_a_view_alone_keeps_its_memory(folder: Path) -> None:
    feed = pf.Loader(folder, batch_size=10, recipe=FLOATS, run=pf.Run(threads=2))
    views = []
    for batch in feed:
        image = batch.images[3]
        views.append((image, digest(image)))
        del batch, image
    gc.collect()
    for batch in feed:
        batch.images[:] = 7
    assert [digest(image) for image, _ in views] == [before for _, before in views]
    del feed
    gc.collect()
    assert [digest(image) for image, _ in views] == [before for _, before in views]


def test_what_the_user_writes_stays(folder: Path) -> None:
    feed = pf.Loader(folder, batch_size=10, recipe=FLOATS, run=pf.Run(prefetch=1))
    batches = []
    for batch in feed:
        batch.images[:] = batch.step
        batch.labels[:] = -1
        batches.append(batch)
    for _ in feed:
        pass
    assert [float(batch.images.min()) for batch in batches] == list(range(10))
    assert [float(batch.images.max()) for batch in batches] == list(range(10))


def test_writing_to_batches_changes_no_other(folder: Path) -> None:
    """Memory that comes back to the pool brings nothing along, nor does the cache."""
    caches: list[Any] = [None, "decoded"]
    for cache in caches:
        ops = [pf.Resize((9, 9)), pf.RandomCrop(8)]
        run = pf.Run(cache=cache, threads=2)
        clean = pf.Loader(folder, batch_size=10, recipe=ops)
        wanted = [digest(batch.images) for _ in range(3) for batch in clean]
        found = []
        feed = pf.Loader(folder, batch_size=10, recipe=ops, run=run)
        for _ in range(3):
            for batch in feed:
                found.append(digest(batch.images))
                batch.images[:] = 255
                batch.labels[:] = 9
        assert found == wanted


@pytest.mark.parametrize("recipe", [CROPS, FLOATS, [*CROPS, pf.ToArray("float16")]])
def test_arrays_are_aligned_and_writable(folder: Path, recipe: Any) -> None:
    for batch_size in (1, 3, 7):
        batch = next(iter(pf.Loader(folder, batch_size=batch_size, recipe=recipe)))
        flags = batch.images.flags
        assert batch.images.ctypes.data % 64 == 0
        assert (flags.writeable, flags.c_contiguous, flags.aligned) == (True, True, True)
        assert batch.images.__array_interface__["data"][1] is False
        for array in (batch.labels, batch.ids, batch.valid, batch.hashes):
            assert array.flags.writeable
            assert array.shape == (batch_size,)


def test_memory_returns_when_the_last_view_is_gone(folder: Path) -> None:
    """Without views, a few places are used again and again."""
    feed = pf.Loader(folder, batch_size=10, recipe=FLOATS, run=pf.Run(threads=1, prefetch=2))
    places = set()
    for _ in range(10):
        for batch in feed:
            places.add(batch.images.ctypes.data)
            del batch
    assert len(places) <= 12


def test_a_batch_outlives_its_loader(folder: Path) -> None:
    batch = next(iter(pf.Loader(folder, batch_size=10, recipe=CROPS)))
    gc.collect()
    again = next(iter(pf.Loader(folder, batch_size=10, recipe=CROPS)))
    assert np.array_equal(batch.images, again.images)
    assert batch.keys == again.keys


def test_it_unpacks_as_a_pair(folder: Path) -> None:
    batch = next(iter(pf.Loader(folder, batch_size=10, recipe=CROPS)))
    images, labels = batch
    assert images is batch.images
    assert labels is batch.labels
    assert len(batch) == 2
