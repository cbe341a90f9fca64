"""Map: what goes wrong in the user's own Python is raised, and says on which records."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import pixfeed as pf
from engine.places import Files
from pixfeed.testing import png

EIGHT = pf.Resize((8, 8))
GRAY = np.zeros((8, 8, 3), np.uint8)


def loader(root: Any, fn: Any, *behind: Any, **given: Any) -> pf.Loader:
    ops = [EIGHT, pf.Map(fn, version="1"), *behind]
    return pf.Loader(root, **{"batch_size": 4, "recipe": ops, "shuffle": False, **given})


@pytest.mark.parametrize("on_bad", ["raise", "substitute", "blank"])
def test_exceptions_are_raised_with_their_records(folder: Path, on_bad: Any) -> None:
    def broken(_images: Any, labels: Any, _rngs: Any) -> Any:
        raise ZeroDivisionError(f"on {len(labels)}")

    feed = loader(folder, broken, run=pf.Run(on_bad=on_bad))
    with pytest.raises(ZeroDivisionError, match=r"^on 4") as raised:
        next(iter(feed))
    (note,) = raised.value.__notes__
    assert note.startswith("raised by recipe[1], a Map, on the records 'class-0/0000.png', 'class-")
    assert any(entry.name == "broken" for entry in raised.traceback)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (None, r"the function of recipe\[1\] gave NoneType for 4; return a list"),
        ([GRAY] * 3, r"the function of recipe\[1\] gave 3 images for 4; return a list"),
        (np.zeros((5, 8, 8, 3), np.uint8), r"the function of recipe\[1\] gave .* for 4; return"),
        (iter([GRAY] * 4), r"the function of recipe\[1\] gave list_iterator for 4"),
        ([GRAY, GRAY, None, GRAY], r"gave <class 'NoneType'> for 'class-0/0010.png'; return uint8"),
        (
            [GRAY.astype(float)] * 4,
            r"gave float64 \(8, 8, 3\) for 'class-0/0000.png'; return uint8",
        ),
        ([GRAY[..., 0]] * 4, r"gave uint8 \(8, 8\) for 'class-0/0000.png'; return uint8 arrays"),
        ([GRAY[..., :2]] * 4, r"gave uint8 \(8, 8, 2\) for"),
        ([GRAY[:0]] * 4, r"gave uint8 \(0, 8, 3\) for"),
        ([GRAY, GRAY, GRAY[1:], GRAY], r"'class-0/0010.png' is \(7, 8, 3\) and .*same size"),
    ],
)
def test_wrong_returns(folder: Path, given: Any, message: str) -> None:
    with pytest.raises(pf.ConfigError, match=message) as refused:
        next(iter(loader(folder, lambda _i, _l, _r: given)))
    assert "\n" not in str(refused.value)


def test_images_may_differ_in_size_before_a_resize(folder: Path) -> None:
    def cut(images: Any, _labels: Any, _rngs: Any) -> Any:
        return [image[number:] for number, image in enumerate(images)]

    assert next(iter(loader(folder, cut, pf.Resize((5, 5))))).images.shape == (4, 5, 5, 3)


def test_the_next_epoch_works_again(folder: Path) -> None:
    calls: list[int] = []

    def once(images: Any, labels: Any, _rngs: Any) -> Any:
        calls.append(len(labels))
        if len(calls) == 2:
            raise RuntimeError
        return images

    feed = loader(folder, once)
    batches = iter(feed)
    next(batches)
    with pytest.raises(RuntimeError):
        next(batches)
    assert list(batches) == []
    assert [batch.epoch for batch in feed] == [1] * 25


@pytest.fixture
def spoilt(tmp_path: Path) -> Files:
    """Twelve images; the first four, and every third, are empty."""
    keys = [f"{number:02d}.png" for number in range(12)]
    for number, key in enumerate(keys):
        data = b"" if number < 4 or number % 3 == 0 else png(width=9, height=9, seed=number)
        (tmp_path / key).write_bytes(data)
    return Files(str(tmp_path), tuple((key, 0) for key in keys))


def test_blank_images_do_not_reach_it(spoilt: Files) -> None:
    seen: list[int] = []

    def bright(images: Any, labels: Any, rngs: Any) -> Any:
        assert len(images) == len(labels) == len(rngs)
        assert all(image.any() for image in images)
        seen.append(len(images))
        return [image | 1 for image in images]

    feed = loader(spoilt, bright, pf.ToArray("uint8", "NHWC"), run=pf.Run(on_bad="blank"))
    batches = list(feed)
    assert [batch.valid.tolist() for batch in batches] == [
        [False] * 4,
        [True, True, False, True],
        [True, False, True, True],
    ]
    for batch in batches:
        assert batch.images.any(axis=(1, 2, 3)).tolist() == batch.valid.tolist()
        assert (batch.hashes != 0).tolist() == batch.valid.tolist()
    assert [calls for calls in seen if calls] == [3, 3]


def test_a_batch_of_blanks_has_its_shape_and_no_call(spoilt: Files) -> None:
    seen: list[int] = []

    def stacked(images: Any, _labels: Any, _rngs: Any) -> Any:
        seen.append(len(images))
        return images

    feed = loader(spoilt, stacked, run=pf.Run(on_bad="blank"))
    assert [batch.images.shape for batch in feed] == [(4, 8, 8, 3)] * 3
    assert seen == [3, 3]


def test_substitutes_reach_it_with_draws_of_their_own(spoilt: Files) -> None:
    drawn: list[float] = []

    def fn(images: Any, _labels: Any, rngs: Any) -> Any:
        drawn.extend(rng.random() for rng in rngs)
        return images

    batches = list(loader(spoilt, fn, run=pf.Run(on_bad="substitute")))
    keys = [key for batch in batches for key in batch.keys]
    assert len({*keys}) < 12
    assert len({*drawn}) == 12
