"""Map: the user's own Python gets images, labels and generators of its own."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import pixfeed as pf
from engine.places import SEED, epochs
from pixfeed.order import generator
from pixfeed.testing import check_resume

EIGHT = pf.Resize((8, 8))


def noisy(images: Any, _labels: Any, rngs: Any) -> Any:
    """An op that draws from what it is given."""
    pairs = zip(images, rngs, strict=True)
    return [image + rng.integers(0, 9, image.shape, np.uint8) for image, rng in pairs]


def halved(images: Any, labels: Any, _rngs: Any) -> Any:
    """Every second column, in a view; brighter by the label."""
    pairs = zip(images, labels.tolist(), strict=True)
    return [image[:, ::2] // 2 + np.uint8(label) for image, label in pairs]


def loader(root: Path, *ops: Any, **given: Any) -> pf.Loader:
    usual: dict[str, Any] = {"batch_size": 16, "seed": SEED}
    return pf.Loader(root, **{**usual, **given}, recipe=list(ops))


def test_what_it_gets(mixed: Path) -> None:
    seen: list[Any] = []

    def fn(images: Any, labels: Any, rngs: Any) -> Any:
        seen.append((list(images), labels.copy(), [rng.random(3).tolist() for rng in rngs]))
        return images

    feed = loader(mixed, pf.RandomHorizontalFlip(), pf.Map(fn, version="1"), EIGHT)
    batches = list(feed.epoch(2))
    assert len(seen) == len(batches) == 3
    for batch, (images, labels, drawn) in zip(batches, seen, strict=True):
        assert type(images) is list
        assert labels.dtype == np.int64
        assert labels.tolist() == batch.labels.tolist()
        for key, id, image, numbers in zip(batch.keys, batch.ids, images, drawn, strict=True):
            data = (mixed / key).read_bytes()
            wanted = pf.apply(pf.RandomHorizontalFlip(), data, seed=SEED, epoch=2, id=int(id))
            assert image.dtype == np.uint8
            assert np.array_equal(image, wanted)
            assert numbers == generator(SEED, 2, 1, int(id)).random(3).tolist()


def test_what_it_returns_goes_on(mixed: Path) -> None:
    ops = [pf.CenterCrop((20, 30)), pf.Map(halved, version="1"), pf.RandomCrop((9, 7))]
    for batch in loader(mixed, *ops, pf.ToArray("float16", "NHWC")):
        assert batch.images.shape == (16, 9, 7, 3)
        for key, id, label, image in zip(
            batch.keys, batch.ids, batch.labels, batch.images, strict=True
        ):
            middle = pf.apply(pf.CenterCrop((20, 30)), (mixed / key).read_bytes())
            half = middle[:, ::2] // 2 + np.uint8(label)
            rng = generator(SEED, 0, 2, int(id))
            y, x = (int(rng.bit_generator.random_raw()) * n >> 64 for n in (12, 9))
            wanted = half[y : y + 9, x : x + 7].astype(np.float32) * np.float32(1 / 255)
            assert np.array_equal(image, wanted.astype(np.float16))


def test_two_of_them_and_apply(mixed: Path) -> None:
    """Labels are 0 where apply has none, so the ops here ask for none."""
    ops = [
        pf.RandomResizedCrop(12),
        pf.Map(noisy, version="1"),
        pf.RandomVerticalFlip(),
        pf.Map(noisy, version="2"),
        pf.RandomCrop(9, padding=2),
        pf.ToArray(),
    ]
    batch = next(iter(loader(mixed, *ops)))
    for key, id, image in zip(batch.keys, batch.ids, batch.images, strict=True):
        data = (mixed / key).read_bytes()
        assert np.array_equal(pf.apply(ops, data, seed=SEED, id=int(id)), image)


def test_it_is_the_same_for_any_run(mixed: Path) -> None:
    ops = [EIGHT, pf.RandomHorizontalFlip(), pf.Map(noisy, version="1"), pf.ToArray()]
    wanted = epochs(loader(mixed, *ops, run=pf.Run(threads=1, prefetch=1)))
    for run in (
        pf.Run(threads=3, prefetch=8),
        pf.Run(threads=2, cache="decoded"),
        pf.Run(cache="encoded"),
    ):
        assert epochs(loader(mixed, *ops, run=run)) == wanted


def test_it_resumes(mixed: Path) -> None:
    ops = [pf.RandomResizedCrop(8), pf.Map(noisy, version="1")]
    assert check_resume(loader(mixed, *ops)) == 7


def test_versions_are_in_the_stream(mixed: Path) -> None:
    feeds = [loader(mixed, EIGHT, pf.Map(fn, version=v)) for fn, v in ((noisy, "1"), (noisy, "2"))]
    unverified = loader(mixed, EIGHT, pf.Map(noisy))
    assert len({feed.stream_id for feed in (*feeds, unverified)}) == 3
    assert loader(mixed, EIGHT, pf.Map(halved, version="1")).stream_id == feeds[0].stream_id
    assert [feed.state_dict()["unverified"] for feed in (feeds[0], unverified)] == [False, True]
    with pytest.raises(pf.StateError, match="another recipe"):
        feeds[1].load_state_dict(feeds[0].state_dict())


def test_it_may_give_an_array_or_a_tuple(mixed: Path) -> None:
    wanted = next(iter(loader(mixed, EIGHT))).images
    packs: list[Any] = [np.stack, tuple, list]
    for pack in packs:
        feed = loader(mixed, EIGHT, pf.Map(partial(packed, pack), version="1"))
        assert np.array_equal(next(iter(feed)).images, wanted)


def packed(pack: Any, images: Any, _labels: Any, _rngs: Any) -> Any:
    return pack(images)


def test_it_may_change_the_channels(mixed: Path) -> None:
    ops = EIGHT, pf.Map(lambda images, _l, _r: [image[..., 1:2] for image in images], version="1")
    wanted = next(iter(loader(mixed, EIGHT))).images
    assert np.array_equal(next(iter(loader(mixed, *ops))).images, wanted[..., 1:2])


def test_it_may_write_to_what_it_gets(mixed: Path) -> None:
    def black(images: Any, _labels: Any, _rngs: Any) -> Any:
        for image in images:
            image[:] = 0
        return images

    feed = loader(mixed, EIGHT, pf.Map(black, version="1"), run=pf.Run(cache="decoded"))
    for _ in range(2):
        assert not any(batch.images.any() for batch in feed)


def test_the_hash_is_of_what_it_returned(mixed: Path) -> None:
    plain = next(iter(loader(mixed, EIGHT)))
    same = next(iter(loader(mixed, EIGHT, pf.Map(lambda i, _l, _r: i, version="1"))))
    other = next(iter(loader(mixed, EIGHT, pf.Map(noisy, version="1"))))
    assert same.hash == plain.hash
    assert same.hashes.tolist() == plain.hashes.tolist()
    assert not {*other.hashes.tolist()} & {*plain.hashes.tolist()}
