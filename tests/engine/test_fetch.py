"""A source of one's own whose bytes come from Python."""

from __future__ import annotations

import gc
import threading
import time
import weakref
from collections import Counter
from typing import Any

import pytest

import pixfeed as pf
from engine.places import CROPS, epochs, numbered
from pixfeed.testing import png

EIGHT = pf.Resize((8, 8))
IMAGES = {f"{number:03d}": png(width=9, height=8, seed=number) for number in range(20)}


def missing(error: Exception) -> Any:
    """A fetch that finds no odd numbers."""

    def fetch(place: str) -> bytes:
        if int(place) % 2:
            raise error
        return IMAGES[place]

    return fetch


def loader(fetch: Any, on_bad: Any = "raise", **run: Any) -> pf.Loader:
    return pf.Loader(
        numbered(fetch, classes=5), batch_size=5, recipe=CROPS, run=pf.Run(on_bad=on_bad, **run)
    )


def test_every_byte_comes_from_there() -> None:
    fetched: Counter[str] = Counter()
    threads = set()

    def fetch(place: str) -> bytes:
        fetched[place] += 1
        threads.add(threading.get_ident())
        return IMAGES[place]

    feed = loader(fetch, threads=2)
    for batch in feed.epoch(0):
        for key, id, image in zip(batch.keys, batch.ids.tolist(), batch.images, strict=True):
            assert (pf.apply(CROPS, IMAGES[key], id=id) == image).all()
    assert fetched == Counter(IMAGES.keys())
    assert threading.get_ident() not in threads


def test_the_same_for_any_threads() -> None:
    wanted = epochs(loader(IMAGES.__getitem__, threads=1))
    for run in ({"threads": 3}, {"threads": 8, "prefetch": 8, "cache": "encoded"}):
        assert epochs(loader(IMAGES.__getitem__, **run)) == wanted


def test_what_is_cached_is_not_fetched_again() -> None:
    fetched: Counter[str] = Counter()

    def fetch(place: str) -> bytes:
        fetched[place] += 1
        return IMAGES[place]

    feed = loader(fetch, cache="encoded", threads=1, prefetch=1)
    epochs(feed, 5)
    assert sum(fetched.values()) == 20


@pytest.mark.parametrize("error", [FileNotFoundError(2, "gone"), KeyError("gone")])
def test_what_is_missing_lasts(error: Exception) -> None:
    feed = loader(missing(error), "substitute")
    batches = list(feed)
    assert len(batches) == 4
    assert all(int(key) % 2 == 0 for batch in batches for key in batch.keys)
    failures = feed.report().failures
    assert {failure.key for failure in failures} == {key for key in IMAGES if int(key) % 2}
    assert {(failure.stage, failure.cause) for failure in failures} == {("read", str(error))}
    assert all(failure.place == failure.key for failure in failures)


@pytest.mark.parametrize("on_bad", ["raise", "substitute", "blank"])
@pytest.mark.parametrize(
    "error", [ConnectionResetError(104, "reset"), RuntimeError("boom"), ValueError("x"), OSError(5)]
)
def test_what_may_pass_is_raised(error: Exception, on_bad: str) -> None:
    feed = loader(missing(error), on_bad)
    with pytest.raises(type(error)) as raised:
        list(feed)
    assert str(raised.value) == str(error)
    assert any("stage: read" in note for note in raised.value.__notes__)


@pytest.mark.parametrize("cache", [None, "encoded"])
def test_what_passes_is_tried_again(cache: Any) -> None:
    """As with files: a disk or network that fails once fails nobody."""
    tried: Counter[str] = Counter()

    def fetch(place: str) -> bytes:
        tried[place] += 1
        if place == "003" and tried[place] < 3:
            raise TimeoutError("slow")
        return IMAGES[place]

    feed = loader(fetch, cache=cache)
    wanted = [batch.hash for batch in loader(IMAGES.__getitem__).epoch(0)]
    assert [batch.hash for batch in feed.epoch(0)] == wanted
    assert (tried["003"], tried["004"], feed.report().failures) == (3, 1, ())


@pytest.mark.parametrize(("error", "tries"), [(OSError(5, "io"), 3), (PermissionError(13), 1)])
def test_what_does_not_pass_is_tried_no_longer(error: Exception, tries: int) -> None:
    tried: Counter[str] = Counter()

    def fetch(place: str) -> bytes:
        tried[place] += 1
        raise error

    with pytest.raises(type(error)):
        next(iter(loader(fetch, "substitute", threads=1, prefetch=1)))
    assert max(tried.values()) == tries


def test_only_what_lasts_is_passed_over_when_a_substitute_is_sought() -> None:
    def fetch(place: str) -> bytes:
        raise KeyError("gone") if place == "000" else RuntimeError("boom")

    feed = pf.Loader(
        numbered(fetch), batch_size=1, recipe=EIGHT, shuffle=False, run=pf.Run(on_bad="substitute")
    )
    with pytest.raises(RuntimeError, match="boom"):
        next(iter(feed))


def test_no_record_stands_in_for_itself() -> None:
    """Not even where it could be had the second time."""
    for seed in range(8):
        asked: Counter[str] = Counter()

        def fetch(place: str, asked: Counter[str] = asked) -> bytes:
            asked[place] += 1
            if (place, asked[place]) == ("000", 1):
                raise KeyError("gone")
            return IMAGES[place]

        source = numbered(fetch, images=4)
        run = pf.Run(threads=1, on_bad="substitute")
        (batch,) = pf.Loader(source, batch_size=4, recipe=EIGHT, seed=seed, run=run).epoch(0)
        assert sorted(batch.keys) == ["001", "002", "002", "003"]


@pytest.mark.parametrize("given", ["text", None, 3, [1]])
def test_what_is_no_bytes(given: Any) -> None:
    policies: list[Any] = ["raise", "substitute"]
    for on_bad in policies:
        feed = pf.Loader(
            numbered(lambda _: given),
            batch_size=5,
            recipe=EIGHT,
            shuffle=False,
            run=pf.Run(on_bad=on_bad),
        )
        kind = type(given).__name__
        with pytest.raises(TypeError) as raised:
            next(iter(feed))
        assert str(raised.value) == f"fetch gave {kind} for '000'; return bytes"
        assert raised.value.__notes__ == ["record '000' at '000', stage: read"]


@pytest.mark.parametrize("kind", [bytearray, memoryview])
def test_what_is_as_good_as_bytes(kind: Any) -> None:
    wanted = epochs(loader(IMAGES.__getitem__))
    assert epochs(loader(lambda place: kind(IMAGES[place]))) == wanted


def test_bytes_that_are_no_image() -> None:
    feed = loader(lambda place: IMAGES[place] if int(place) % 2 else b"<html>", "blank")
    assert sum(int(batch.valid.sum()) for batch in feed) == 10
    assert {failure.stage for failure in feed.report().failures} == {"decode"}


def test_the_bytes_read_are_counted() -> None:
    feed = loader(missing(KeyError("gone")), "blank", threads=1)
    list(feed.epoch(0))
    assert feed.report().bytes == sum(len(IMAGES[key]) for key in IMAGES if int(key) % 2 == 0)


def test_a_fetch_may_use_pixfeed() -> None:
    """It runs while batches are made, and must not be held up by them."""

    def fetch(place: str) -> bytes:
        assert pf.apply(EIGHT, IMAGES[place]).shape == (8, 8, 3)
        inner = pf.Loader(numbered(IMAGES.__getitem__), batch_size=20, recipe=EIGHT)
        assert len(next(iter(inner)).labels) == 20
        return IMAGES[place]

    assert len(epochs(loader(fetch, threads=2), 1)) == 4


class Store:
    """A fetch that can be watched."""

    def __call__(self, place: str) -> bytes:
        return IMAGES[place]


def test_a_dropped_loader_lets_go_of_it() -> None:
    """At once, not when Python next collects garbage: a cache is large, and so are connections."""
    gc.collect()
    gc.disable()
    try:
        store = Store()
        alive = weakref.ref(store)
        feed = loader(store, cache="encoded")
        for _ in range(2):
            assert len(list(feed)) == 4
        del store, feed
        patience = time.perf_counter() + 5
        while alive() is not None and time.perf_counter() < patience:
            time.sleep(0.01)
        assert alive() is None
    finally:
        gc.enable()


def test_ending_early_fetches_no_more() -> None:
    """After a break, at most what was asked for already is still fetched."""
    fetched: Counter[str] = Counter()

    def fetch(place: str) -> bytes:
        fetched[place] += 1
        return IMAGES[place]

    feed = loader(fetch, threads=2, prefetch=1)
    for _ in feed:
        break
    time.sleep(0.1)
    before = fetched.total()
    time.sleep(0.1)
    assert fetched.total() == before
