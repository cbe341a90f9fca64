"""Wrong arguments: one line that says what was given and what to do."""

from __future__ import annotations

import math
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import pixfeed as pf
from decode.reference import cut, saved

PICTURE = cut(45, 61)
FILES = {form: saved(PICTURE, form) for form in ("JPEG", "PNG")}


@pytest.fixture(params=FILES)
def data(request: pytest.FixtureRequest) -> bytes:
    """The same picture in a format with its own way to decode parts and in one without."""
    return FILES[request.param]


def refusal(data: Any, **options: Any) -> str:
    """The one line of the ConfigError that these arguments give."""
    with pytest.raises(pf.ConfigError) as caught:
        pf.decode(data, **options)
    line = str(caught.value)
    assert "\n" not in line
    assert 15 < len(line) < 300, line
    return line


@pytest.mark.parametrize(
    "box",
    [
        (0, 0, 62, 45), (0, 0, 61, 46), (61, 0, 1, 1), (0, 45, 1, 1), (30, 30, 32, 1),
        (-1, 0, 5, 5), (0, -1, 5, 5), (2**31, 0, 1, 1), (2**40, 0, 1, 1),
        (2**31 - 1, 0, 2**31 - 1, 1),
    ],
)  # fmt: skip
def test_box_outside(data: bytes, box: tuple[int, int, int, int]) -> None:
    line = refusal(data, box=box)
    assert "box" in line
    assert str(box[0]) in line


def test_box_outside_names_the_picture(data: bytes) -> None:
    line = refusal(data, box=(0, 0, 62, 45))
    assert re.search(r"61\D+45|45\D+61", line), line


def test_box_of_a_turned_picture_is_checked_after_turning() -> None:
    import jpegmake as jm

    turned = jm.encode(jm.from_rgb(PICTURE), extra=[jm.exif(6)])
    assert pf.decode(turned, box=(0, 0, 45, 61)).shape == (61, 45, 3)
    refusal(turned, box=(0, 0, 61, 45))
    assert pf.decode(turned, box=(0, 0, 61, 45), exif=False).shape == (45, 61, 3)


@pytest.mark.parametrize("box", [(0, 0, 0, 5), (0, 0, 5, 0), (3, 3, 0, 0), (0, 0, -1, 5)])
def test_empty_box(data: bytes, box: tuple[int, int, int, int]) -> None:
    assert "box" in refusal(data, box=box)


@pytest.mark.parametrize(
    "box",
    [(1, 2, 3), (1, 2, 3, 4, 5), (), 7, "1234", (0.5, 0, 4, 4), (0, 0, None, 4), (0, 0, True, 4)],
)
def test_malformed_box(data: bytes, box: Any) -> None:
    assert "box" in refusal(data, box=box)


@pytest.mark.parametrize("size", [(0, 5), (5, 0), (-1, 5), (5, -7), (2**31, 1), (2**40, 1)])
def test_impossible_size(data: bytes, size: tuple[int, int]) -> None:
    assert "size" in refusal(data, size=size)


@pytest.mark.parametrize(
    "size", [(5,), (5, 5, 5), (), "ab", (5.0, 5), (math.nan, 5), (None, 5), (True, 5), (5, False)]
)
def test_malformed_size(data: bytes, size: Any) -> None:
    assert "size" in refusal(data, size=size)


def test_a_size_too_large_to_hold(data: bytes) -> None:
    with pytest.raises(pf.PixfeedError) as caught:
        pf.decode(data, size=(2**30, 2**30))
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("channels", [0, 2, 4, -1, "RGB", None, 3.0, True])
def test_channels(data: bytes, channels: Any) -> None:
    line = refusal(data, channels=channels)
    assert "channels" in line
    assert "1" in line
    assert "3" in line


@pytest.mark.parametrize("resample", ["area", "", "BILINEAR ", None, 2])
def test_resample(data: bytes, resample: Any) -> None:
    line = refusal(data, size=(9, 9), resample=resample)
    for name in ("nearest", "bilinear", "bicubic", "lanczos"):
        assert name in line


@pytest.mark.parametrize("background", [(0, 0), (0, 0, 256), (-1, 0, 0), "black", 0, (0.5, 0, 0)])
def test_background(data: bytes, background: Any) -> None:
    assert "background" in refusal(data, background=background)


@pytest.mark.parametrize("limit", [0, -1, "many", 1.5, None])
def test_max_pixels(data: bytes, limit: Any) -> None:
    assert "max_pixels" in refusal(data, max_pixels=limit)


@pytest.mark.parametrize("place", ["cat.jpg", Path("cat.jpg")])
def test_a_path_instead_of_bytes(place: Any) -> None:
    assert "cat.jpg" in refusal(place)
    assert "open" in refusal(place) or "read_bytes" in refusal(place)
    with pytest.raises(pf.ConfigError, match=r"open|read_bytes"):
        pf.probe(place)


@pytest.mark.parametrize("thing", [None, 7, [1, 2], 3.5, object()])
def test_what_holds_no_bytes(thing: Any) -> None:
    assert "bytes" in refusal(thing)
    with pytest.raises(pf.ConfigError, match="bytes"):
        pf.probe(thing)


def test_an_open_file_instead_of_bytes(tmp_path: Path) -> None:
    path = tmp_path / "cat.jpg"
    path.write_bytes(FILES["JPEG"])
    with path.open("rb") as file:
        assert "read()" in refusal(file)


def test_buffers_are_as_good_as_bytes(data: bytes) -> None:
    expected = pf.decode(data)
    padded = memoryview(b"xx" + data + b"yy")[2:-2]
    array = np.frombuffer(data, dtype=np.uint8)
    spread = np.repeat(array, 2)[::2]
    for same in (bytearray(data), memoryview(data), padded, array, spread):
        assert np.array_equal(pf.decode(same), expected)
        assert pf.probe(same) == pf.probe(data)


def test_buffers_of_something_else(data: bytes) -> None:
    wide = np.frombuffer(data[: len(data) // 4 * 4], dtype=np.uint32)
    flat = np.frombuffer(data, dtype=np.uint8)
    for other in (wide, flat.astype(np.float32), PICTURE):
        assert "uint8" in refusal(other) or "bytes" in refusal(other)


@pytest.mark.parametrize("data", [b"", bytearray(), memoryview(b""), np.empty(0, dtype=np.uint8)])
def test_nothing_at_all(data: Any) -> None:
    for call in (pf.decode, pf.probe):
        with pytest.raises(pf.DecodeError) as caught:
            call(data)
        assert caught.value.code == "empty"
        assert "\n" not in str(caught.value)


def test_not_an_image() -> None:
    for call in (pf.decode, pf.probe):
        with pytest.raises(pf.DecodeError, match="HTML") as caught:
            call(b"<html><body>Not found</body></html>")
        assert caught.value.code == "unknown-format"


def test_options_are_named_not_placed(data: bytes) -> None:
    with pytest.raises(TypeError):
        pf.decode(data, (0, 0, 5, 5))  # type: ignore[call-arg]


def test_numpy_integers_and_lists_are_numbers_too(data: bytes) -> None:
    box, size = np.array([3, 4, 20, 10]), np.array([5, 6])
    expected = pf.decode(data, box=(3, 4, 20, 10), size=(5, 6))
    assert np.array_equal(pf.decode(data, box=tuple(box), size=tuple(size)), expected)
    assert np.array_equal(pf.decode(data, box=[3, 4, 20, 10], size=[5, 6]), expected)  # type: ignore[arg-type]


def test_the_result_is_the_callers_own(data: bytes) -> None:
    first, second = pf.decode(data), pf.decode(data)
    assert first.flags.writeable
    assert first.flags.c_contiguous
    first[:] = 0
    assert second.any()
