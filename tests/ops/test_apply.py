"""apply: one image through a recipe, from bytes or from pixels."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import pixfeed as pf
from decode.reference import saved
from ops.reference import expected, picture

PIXELS = picture(30, 40)
OPS = [pf.RandomResizedCrop(16), pf.RandomHorizontalFlip()]


def test_pixels_and_a_file_of_them_are_the_same() -> None:
    for id in range(9):
        ours = pf.apply(OPS, PIXELS, seed=1, epoch=2, id=id)
        assert np.array_equal(ours, pf.apply(OPS, saved(PIXELS, "PNG"), seed=1, epoch=2, id=id))


@pytest.mark.parametrize("view", [PIXELS[::-1, ::2], PIXELS[..., ::-1], PIXELS.swapaxes(0, 1)])
def test_pixels_need_not_lie_in_a_row(view: Any) -> None:
    assert np.array_equal(pf.apply(pf.CenterCrop(9), view), expected([pf.CenterCrop(9)], view))


def test_gray_pixels_have_one_channel() -> None:
    gray = PIXELS[..., 0]
    assert np.array_equal(
        pf.apply(pf.CenterCrop(9), gray), pf.apply(pf.CenterCrop(9), gray[..., None])
    )
    assert pf.apply(pf.CenterCrop(9), gray).shape == (9, 9, 1)


def test_what_is_given_stays_as_it_is() -> None:
    before = PIXELS.copy()
    made = pf.apply(pf.RandomHorizontalFlip(1), PIXELS)
    made[:] = 0
    assert np.array_equal(PIXELS, before)


def test_every_name_changes_the_draws() -> None:
    made = [
        pf.apply(OPS, PIXELS, **names).tobytes()
        for names in ({}, {"seed": 1}, {"epoch": 1}, {"id": 1}, {"id": 2**64 - 1})
    ]
    assert len({*made}) == 5


def test_kinds_of_bytes() -> None:
    data = saved(PIXELS, "PNG")
    for given in (bytearray(data), memoryview(data)):
        assert np.array_equal(pf.apply([], given), PIXELS)  # type: ignore[arg-type]


def test_a_map_gets_one_image_and_its_generator() -> None:
    seen: list[Any] = []

    def fn(images: Any, labels: Any, rngs: Any) -> Any:
        seen.append((len(images), labels.tolist(), rngs[0].random()))
        return [255 - image for image in images]

    ops = [pf.CenterCrop(8), pf.Map(fn, version="1"), pf.RandomHorizontalFlip(1)]
    made = pf.apply(ops, PIXELS, seed=4, epoch=5, id=6)
    assert np.array_equal(made, 255 - expected([pf.CenterCrop(8)], PIXELS)[:, ::-1])
    assert seen == [(1, [0], pf_generator(4, 5, 1, 6).random())]


def pf_generator(seed: int, epoch: int, op: int, id: int) -> np.random.Generator:
    """NumPy's own generator of those names."""
    key, counter = np.array([seed, epoch], np.uint64), np.array([0, op, id, 0], np.uint64)
    return np.random.Generator(np.random.Philox(key=key, counter=counter))


@pytest.mark.parametrize(
    ("image", "found"),
    [
        ([1, 2], r"\[1, 2\]"),
        ("cat.jpg", "'cat.jpg'"),
        (None, "None"),
        (PIXELS.astype(np.float32), r"float32 \(30, 40, 3\)"),
        (PIXELS[..., :2], r"uint8 \(30, 40, 2\)"),
        (PIXELS[:0], r"uint8 \(0, 40, 3\)"),
        (PIXELS[0, 0], r"uint8 \(3,\)"),
    ],
)
def test_what_is_no_image(image: Any, found: str) -> None:
    with pytest.raises(pf.ConfigError, match=f"^image is {found}; give a file's bytes"):
        pf.apply(pf.CenterCrop(8), image)


@pytest.mark.parametrize("names", [{"seed": -1}, {"seed": "x"}, {"epoch": -1}, {"id": 0.5}])
def test_names_are_whole_numbers(names: dict[str, Any]) -> None:
    with pytest.raises(pf.ConfigError, match=r"^(seed|epoch|id) is .*; give a whole number"):
        pf.apply(pf.CenterCrop(8), PIXELS, **names)


def test_broken_bytes() -> None:
    with pytest.raises(pf.DecodeError, match=r"cut short"):
        pf.apply(pf.CenterCrop(8), saved(PIXELS, "PNG")[:-40])
