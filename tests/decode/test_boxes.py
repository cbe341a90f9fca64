"""A box without a resize is the crop of the whole decode, to the byte."""

from __future__ import annotations

import functools
from pathlib import Path
from typing import Literal

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import jpegmake as jm
import pixfeed as pf
from decode.reference import Box, Pixels, canvas, cropped, cut, oriented, saved

CORNERS = st.sampled_from(["anywhere", "top left", "bottom right", "one pixel", "all"])


@functools.lru_cache(maxsize=512)
def written(sampling: str, scans: str, restart: int, orientation: int, odd: bool) -> bytes:
    height, width = (67, 93) if odd else (64, 96)
    frame = jm.from_rgb(cut(height, width), sampling, 85)
    return jm.encode(frame, jm.Layout(scans, restart), [jm.jfif(), jm.exif(orientation)])


@st.composite
def boxes(draw: st.DrawFn, height: int, width: int) -> Box:
    """A box inside, with the corners and the extremes drawn often."""
    kind = draw(CORNERS)
    if kind == "all":
        return 0, 0, width, height
    wide = 1 if kind == "one pixel" else draw(st.integers(1, width))
    high = 1 if kind == "one pixel" else draw(st.integers(1, height))
    if kind == "top left":
        return 0, 0, wide, high
    if kind == "bottom right":
        return width - wide, height - high, wide, high
    left = draw(st.sampled_from([0, width - wide]) | st.integers(0, width - wide))
    top = draw(st.sampled_from([0, height - high]) | st.integers(0, height - high))
    return left, top, wide, high


@settings(max_examples=600)
@given(
    data=st.data(),
    sampling=st.sampled_from(sorted(jm.SAMPLINGS)),
    scans=st.sampled_from(["interleaved", "apart", "usual", "odd"]),
    restart=st.sampled_from([0, 1, 2, 5]),
    orientation=st.integers(1, 8),
    odd=st.booleans(),
    channels=st.sampled_from([1, 3]),
)
def test_box_is_crop(
    data: st.DataObject,
    sampling: str,
    scans: str,
    restart: int,
    orientation: int,
    odd: bool,
    channels: Literal[1, 3],
) -> None:
    file = written(sampling, scans, restart, orientation, odd)
    whole = pf.decode(file, channels=channels)
    box = data.draw(boxes(*whole.shape[:2]))
    assert np.array_equal(pf.decode(file, box=box, channels=channels), cropped(whole, box))


@pytest.mark.parametrize("orientation", range(1, 9))
def test_boxes_are_in_oriented_pixels(orientation: int) -> None:
    file = written("420", "interleaved", 0, orientation, True)
    stored = pf.decode(file, exif=False)
    turned = oriented(stored, orientation)
    assert np.array_equal(pf.decode(file), turned)
    assert np.array_equal(pf.decode(file, box=(3, 5, 20, 31)), cropped(turned, (3, 5, 20, 31)))


@pytest.mark.parametrize("sampling", ["444", "422", "420", "440", "411", "410", "chroma-finer"])
def test_every_row_and_column(sampling: str) -> None:
    """Strips of one pixel at every place: each phase of block, MCU and chroma sample."""
    file = written(sampling, "interleaved", 3, 1, True)
    whole = pf.decode(file)
    for x in range(whole.shape[1]):
        assert np.array_equal(pf.decode(file, box=(x, 0, 1, 67)), whole[:, x : x + 1]), x
    for y in range(whole.shape[0]):
        assert np.array_equal(pf.decode(file, box=(0, y, 93, 1)), whole[y : y + 1]), y


@pytest.mark.parametrize("sampling", [((3, 1), (2, 1), (1, 1)), ((2, 3), (1, 1), (2, 2))])
def test_fractions_of_samples(sampling: jm.Sampling) -> None:
    """Legal, and read by nobody else: near the picture as a whole, and alike in every part."""
    rgb = cut(67, 93)
    near = jm.encode(jm.from_rgb(rgb, "444", 95))
    file = jm.encode(jm.from_rgb(rgb, sampling, 95), jm.Layout("apart"))
    whole = pf.decode(file)
    assert np.abs(whole.astype(int) - pf.decode(near)).mean() < 4
    check_random_boxes(file, whole, 100, seed=7)


@pytest.mark.parametrize("options", [{}, {"progressive": True}, {"restart_marker_blocks": 4}])
@pytest.mark.parametrize("subsampling", [0, 1, 2])
def test_boxes_of_a_larger_picture(options: dict[str, object], subsampling: int) -> None:
    file = saved(canvas(500, 701, 2), "JPEG", quality=90, subsampling=subsampling, **options)
    check_random_boxes(file, pf.decode(file), 60, seed=subsampling)


@pytest.mark.parametrize("form", ["PNG", "WEBP", "GIF", "BMP", "TIFF"])
def test_boxes_of_other_formats(form: str) -> None:
    file = saved(cut(67, 93), form)
    check_random_boxes(file, pf.decode(file), 30, seed=1)


def test_boxes_of_photos(photos: list[Path]) -> None:
    for number, photo in enumerate(photos[:60]):
        file = photo.read_bytes()
        check_random_boxes(file, pf.decode(file), 5, seed=number)


def check_random_boxes(file: bytes, whole: Pixels, count: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    height, width = whole.shape[:2]
    for _ in range(count):
        x, y = int(rng.integers(width)), int(rng.integers(height))
        box = (x, y, int(rng.integers(1, width - x + 1)), int(rng.integers(1, height - y + 1)))
        assert np.array_equal(pf.decode(file, box=box), cropped(whole, box)), box
