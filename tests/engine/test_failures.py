"""Failures one by one: what is raised, what stands in, when it is too much."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import pixfeed as pf
from decode.reference import saved
from engine.places import Files, told
from pixfeed.testing import png

EIGHT = pf.Resize((8, 8))


@pytest.fixture
def few(tmp_path: Path) -> Files:
    """Twenty images of four classes; whoever asks may spoil them."""
    label = {f"{number:02d}.png": number % 4 for number in range(20)}
    for number, key in enumerate(label):
        (tmp_path / key).write_bytes(png(width=9, height=9, seed=number))
    return Files(str(tmp_path), tuple(label.items()))


def loader(source: Any, on_bad: str, **given: Any) -> pf.Loader:
    run: dict[str, Any] = {"on_bad": on_bad, **given.pop("run", {})}
    return pf.Loader(source, **{"batch_size": 5, "recipe": EIGHT, **given}, run=pf.Run(**run))


def spoil(source: Files, *keys: str) -> None:
    for key in keys:
        Path(source.root, key).write_bytes(b"")


def test_a_damaged_image_is_named(few: Files) -> None:
    spoil(few, "07.png")
    feed = loader(few, "raise")
    with pytest.raises(pf.DecodeError, match=r"^07\.png: no bytes at all; the file is") as raised:
        list(feed)
    assert (raised.value.code, raised.value.record) == ("empty", "07.png")
    place = str(Path(few.root, "07.png"))
    assert raised.value.__notes__ == [f"record '07.png' at {place!r}, stage: decode"]
    assert [failure.key for failure in feed.report().failures] == ["07.png"]


def test_a_missing_image_is_an_os_error(few: Files) -> None:
    place = Path(few.root, "07.png")
    place.unlink()
    with pytest.raises(FileNotFoundError, match="No such file or directory") as raised:
        list(loader(few, "raise"))
    assert raised.value.filename == str(place)
    assert raised.value.__notes__ == [f"record '07.png' at {str(place)!r}, stage: read"]


def test_the_loader_goes_on_after_an_error(few: Files) -> None:
    """The next iter is the next epoch, and a mended file is read."""
    data = Path(few.root, "07.png").read_bytes()
    feed = loader(few, "raise")
    wanted = [told(batch) for batch in feed.epoch(1)]
    spoil(few, "07.png")
    batches = iter(feed)
    with pytest.raises(pf.DecodeError):
        list(batches)
    assert list(batches) == []
    Path(few.root, "07.png").write_bytes(data)
    assert [told(batch) for batch in feed] == wanted


def test_the_state_after_an_error_is_the_step_that_failed(few: Files) -> None:
    feed = loader(few, "raise", shuffle=False)
    spoil(few, "12.png")
    with pytest.raises(pf.DecodeError):
        list(feed)
    assert (feed.state_dict()["epoch"], feed.state_dict()["step"]) == (0, 2)


def test_only_one_of_its_class_is_left(few: Files) -> None:
    spoil(few, "01.png", "05.png", "09.png", "13.png")
    for batch in loader(few, "substitute"):
        assert batch.keys.count("17.png") == (batch.labels == 1).sum()
        assert batch.valid.all()


def test_the_only_good_one_of_many_is_found(tmp_path: Path) -> None:
    for number in range(70):
        good = number in range(59, 70)
        (tmp_path / f"{number:02d}").write_bytes(png(width=9, height=9) if good else b"")
    source = Files(str(tmp_path), tuple((f"{n:02d}", int(n >= 60)) for n in range(70)))
    for batch in loader(source, "substitute", batch_size=7):
        assert batch.keys.count("59") == (batch.labels == 0).sum()
        places = loader(source, "substitute", batch_size=7).plan.slots(0, batch.step)[1]
        assert batch.labels.tolist() == [int(place >= 60) for place in places]


def test_substitutes_are_of_the_same_split(tmp_path: Path) -> None:
    for number in range(40):
        (tmp_path / "a").mkdir(exist_ok=True)
        (tmp_path / "a" / f"{number:02d}.png").write_bytes(png(width=9, height=9, seed=number))
    data = pf.open(pf.Folder(tmp_path, splits=pf.Splits(0.5, 0.5, 0)))
    train = data.split("train")
    for key in list(train.keys)[::2]:
        (tmp_path / key).write_bytes(b"")
    for batch in loader(train, "substitute"):
        assert {*batch.keys} <= {*train.keys}
        assert batch.valid.all()


def test_a_class_with_nothing_to_read(few: Files) -> None:
    """Another class stands in, with its own label; shapes and steps stay."""
    spoil(few, "01.png", "05.png", "09.png", "13.png", "17.png")
    feed = loader(few, "substitute")
    batches = list(feed)
    assert [batch.images.shape for batch in batches] == [(5, 8, 8, 3)] * 4
    for batch in batches:
        assert batch.labels.tolist() == [int(key[:2]) % 4 for key in batch.keys]
        assert 1 not in batch.labels
    assert len(feed.report().failures) == 5
    again = loader(few, "substitute", run={"threads": 3})
    assert [told(batch) for batch in again] == [told(batch) for batch in batches]


def test_nothing_to_read_at_all(few: Files) -> None:
    spoil(few, *(key for key, _ in few.labels))
    feed = loader(few, "substitute")
    with pytest.raises(
        pf.SourceError, match=r"^\d\d\.png: empty: .*; and nothing that could stand in .*; mend"
    ):
        next(iter(feed))
    assert feed.report().failures
    for batch in loader(few, "blank"):
        assert not batch.images.any()
        assert not batch.valid.any()


@pytest.mark.parametrize("on_bad", ["substitute", "blank"])
@pytest.mark.parametrize(("max_bad", "most"), [(0, 0), (3, 3), (0.1, 2), (0.0, 0)])
def test_too_many(few: Files, on_bad: str, max_bad: float, most: int) -> None:
    spoil(few, "00.png", "03.png", "08.png", "10.png", "15.png")
    feed = loader(few, on_bad, batch_size=1, shuffle=False, run={"max_bad": max_bad})
    received: list[int] = []
    with pytest.raises(pf.SourceError) as stopped:
        received.extend(batch.step for batch in feed)
    bad = [0, 3, 8, 10, 15]
    assert received == list(range(bad[most]))
    images = "image" if most == 0 else "images"
    assert str(stopped.value).startswith(
        f"{most + 1} bad {images}, and max_bad allows {most}: 00.p"
    )
    assert str(stopped.value).endswith("(loader.report().failures names all)")
    assert "\n" not in str(stopped.value)
    assert [failure.key for failure in feed.report().failures][: most + 1] == [
        f"{number:02d}.png" for number in bad[: most + 1]
    ]


@pytest.mark.parametrize("max_bad", [5, 0.25, 1.0, None])
def test_just_not_too_many(few: Files, max_bad: float | None) -> None:
    """The same ones again in the next epochs are no new ones."""
    spoil(few, "00.png", "03.png", "08.png", "10.png", "15.png")
    feed = loader(few, "blank", run={"max_bad": max_bad})
    for _ in range(3):
        assert len(list(feed)) == 4
    assert len(feed.report().failures) == 5


def test_on_bad_is_part_of_the_stream(few: Files) -> None:
    ids = {loader(few, on_bad).stream_id for on_bad in ("raise", "substitute", "blank")}
    assert len(ids) == 3


def test_without_failures_all_policies_are_the_same(few: Files) -> None:
    seen = [[told(batch) for batch in loader(few, on)] for on in ("raise", "substitute", "blank")]
    assert seen[0] == seen[1] == seen[2]


def test_an_image_too_small_for_its_crop(few: Files) -> None:
    """It is that image which is bad, not the recipe: others can be cropped."""
    Path(few.root, "07.png").write_bytes(png(width=9, height=7))
    crop = pf.RandomCrop(8)
    with pytest.raises(pf.ConfigError, match=r"^07\.png: a crop of 8 x 8 from an image of 7 x 9"):
        list(loader(few, "raise", recipe=crop))
    for on_bad, valid in (("substitute", 20), ("blank", 19)):
        feed = loader(few, on_bad, recipe=crop)
        assert sum(int(batch.valid.sum()) for batch in feed) == valid
        assert [failure.key for failure in feed.report().failures] == ["07.png"]


def test_an_image_that_grows_beyond_the_limit(few: Files) -> None:
    """A line of one pixel by 65,500: its shorter side to 300 is more than an image may have."""
    line = saved(np.zeros((1, 65500, 3), np.uint8), "JPEG")
    Path(few.root, "07.png").write_bytes(line)
    for on_bad in ("substitute", "blank"):
        feed = loader(few, on_bad, recipe=[pf.Resize(300), pf.CenterCrop(8)])
        assert len(list(feed)) == 4
        assert {failure.key for failure in feed.report().failures} <= {"07.png"}


def test_a_pipe_is_no_image(few: Files) -> None:
    """Nobody writes to it, so whoever waited for its bytes would wait for ever."""
    Path(few.root, "07.png").unlink()
    os.mkfifo(Path(few.root, "07.png"))
    with pytest.raises(pf.DecodeError, match=r"^07\.png: a pipe or device, not a regular file"):
        list(loader(few, "raise"))
    assert sum(int(batch.valid.sum()) for batch in loader(few, "blank")) == 19


def test_a_file_where_a_folder_should_be_is_missing(few: Files) -> None:
    source = Files(few.root, (*few.labels, ("00.png/under.png", 0)))
    feed = loader(source, "blank", batch_size=21)
    (batch,) = feed.epoch(0)
    (bad,) = (key for key, valid in zip(batch.keys, batch.valid, strict=True) if not valid)
    assert bad == "00.png/under.png"
    assert [failure.stage for failure in feed.report().failures] == ["read"]


def test_a_file_beyond_all_limits_is_not_read(few: Files) -> None:
    """A sparse one: it takes no room on the disk."""
    os.truncate(Path(few.root, "07.png"), 2**30 + 1)
    feed = loader(few, "blank")
    list(feed.epoch(0))
    (failure,) = feed.report().failures
    assert (failure.key, failure.stage) == ("07.png", "read")
    assert failure.cause.startswith("a file of more than 1073741824 bytes")
    assert feed.report().bytes < 2**20
