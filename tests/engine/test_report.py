"""The report: counts that add up, hashes of every step, one sentence on the bottleneck."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

import pixfeed as pf
from engine.places import CROPS, epochs, numbered
from pixfeed import _native
from pixfeed.testing import png


def test_nothing_was_fed(folder: Path) -> None:
    report = pf.Loader(folder, batch_size=10, recipe=CROPS).report()
    assert (report.images, report.batches, report.seconds, report.rate) == (0, 0, 0, 0)
    assert report.bottleneck == "Nothing was fed yet."
    assert report.fingerprint == ""
    assert report.steps == {}


def test_counts_add_up(folder: Path) -> None:
    feed = pf.Loader(folder, batch_size=10, recipe=[*CROPS, pf.ToArray()], run=pf.Run(threads=2))
    begun = time.perf_counter()
    for epoch in range(3):
        list(feed.epoch(epoch))
    took = time.perf_counter() - begun
    report = feed.report()
    assert (report.images, report.batches) == (300, 30)
    assert report.bytes == 3 * sum(path.stat().st_size for path in folder.rglob("*.png"))
    assert 0 < report.wait <= report.seconds <= took
    assert report.batch_bytes == 10 * 8 * 8 * 3 * 4
    assert report.memory == 3 * report.batch_bytes
    assert 0 <= report.ready <= report.prefetch
    assert {*report.stages} >= {"read", "decode", "ops", "hand_over", "idle"}
    assert all(seconds >= 0 for seconds in report.stages.values())
    assert sum(report.stages.values()) <= 2 * took
    assert report.stages["decode"] > 0
    assert report.stages["read"] > 0
    assert report.stream_id == feed.stream_id
    assert report.catalogue == feed.dataset.catalogue.fingerprint


def test_what_is_made_ahead_for_a_map_are_pictures(folder: Path) -> None:
    """They count, not what comes out behind it."""
    mapped = pf.Map(lambda images, *_: images, version="1")
    recipe = [pf.Resize((100, 100)), mapped, pf.Resize((2, 2)), pf.ToArray()]
    feed = pf.Loader(folder, batch_size=10, recipe=recipe, run=pf.Run(memory=700_000))
    assert feed.report().batch_bytes == 10 * 100 * 100 * 3
    assert feed.report().prefetch == 2
    with pytest.raises(pf.ConfigError, match="one batch takes 300,000 bytes"):
        pf.Loader(folder, batch_size=10, recipe=recipe, run=pf.Run(memory=200_000))


def test_every_step_has_its_hash(folder: Path) -> None:
    feed = pf.Loader(folder, batch_size=10, recipe=CROPS)
    batches = [batch for _ in range(2) for batch in feed]
    report = feed.report()
    assert report.steps == {(batch.epoch, batch.step): batch.hash for batch in batches}
    words = [word for batch in batches[10:] for word in (batch.step, batch.hash)]
    assert report.fingerprint == f"{hashed(words):016x}"


def hashed(words: list[int]) -> int:
    import numpy as np

    return _native.hash_words(np.array(words, np.uint64))


def test_a_hash_is_of_ids_labels_and_pixels(folder: Path) -> None:
    """The image's hash is that of its bytes, the batch's that of (id, label, hash) of each."""
    batch = next(iter(pf.Loader(folder, batch_size=10, recipe=CROPS)))
    images = [hashed(image.ravel().view("<u8").tolist()) for image in batch.images]
    assert batch.hashes.tolist() == images
    columns = zip(batch.ids.tolist(), batch.labels.tolist(), images, strict=True)
    assert batch.hash == hashed([word for row in columns for word in row])


def test_a_fingerprint_is_of_an_epoch_however_it_was_cut(folder: Path) -> None:
    whole = pf.Loader(folder, batch_size=10, recipe=CROPS)
    epochs(whole, 1)
    parts = pf.Loader(folder, batch_size=10, recipe=CROPS)
    for number in (0, 1):
        batches = parts.epoch(0)
        for _ in range(6 - number):
            next(batches)
    parts.load_state_dict(parts.state_at(0, 4))
    epochs(parts, 1)
    assert parts.report().fingerprint == whole.report().fingerprint


def test_notes_and_failures_are_printed(tmp_path: Path) -> None:
    for number in range(8):
        path = tmp_path / "a" / f"{number}.png"
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(b"" if number < 7 else png(width=4, height=4))
    (tmp_path / "a" / "readme.txt").touch()
    feed = pf.Loader(tmp_path, batch_size=8, recipe=CROPS, run=pf.Run(on_bad="blank"))
    epochs(feed, 1)
    lines = str(feed.report()).splitlines()
    assert sum(line.startswith("bad: a/") for line in lines) == 5
    assert "bad: 2 more" in lines
    assert any("1 files that are no images by their names" in line for line in lines)
    assert lines[-1] == feed.report().bottleneck


@pytest.mark.parametrize("slow", ["consumer", "read"])
def test_the_bottleneck_is_named(slow: str) -> None:
    data = png(width=9, height=9)

    def fetch(_place: str) -> bytes:
        time.sleep(0.01 if slow == "read" else 0)
        return data

    feed = pf.Loader(numbered(fetch), batch_size=5, recipe=CROPS, run=pf.Run(threads=1))
    for _ in feed.epoch(0):
        time.sleep(0.2 if slow == "consumer" else 0)
    said = feed.report().bottleneck
    if slow == "consumer":
        assert feed.report().wait < feed.report().seconds / 2
    else:
        assert said.startswith("Reading files is the bottleneck: ")
        assert feed.report().stages["read"] > 0.15
    assert said.count(".") >= 1
    assert "\n" not in said
