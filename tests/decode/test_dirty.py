"""Each dirty file gives its stated pixels or its stated error, in bounded memory and work."""

from __future__ import annotations

import numpy as np
import pytest

import pixfeed as pf
from decode import child, dirty
from decode.cases import Readable, Refused
from decode.reference import luma_of

READABLE, REFUSED = list(dirty.readable()), list(dirty.refused())
BY_NAME = {case.name: case for case in REFUSED}

HEADER_CODES = {"empty", "unknown-format", "unsupported", "too-many-pixels"}
GROWTH = 64 << 20
SCAN_LIMIT = 100


@pytest.mark.parametrize("case", READABLE, ids=lambda case: case.name)
def test_readable(case: Readable) -> None:
    pixels = pf.decode(case.data)
    assert pixels.shape == case.pixels.shape
    assert pixels.dtype == np.uint8
    off = np.abs(pixels.astype(int) - case.pixels)
    assert off.max() <= case.off, f"{(off > case.off).sum()} of {off.size} values, by {off.max()}"


@pytest.mark.parametrize("case", READABLE, ids=lambda case: case.name)
def test_readable_in_one_channel(case: Readable) -> None:
    """Gray comes out as it is; colours lose theirs by Pillow's formula, YCbCr by leaving it out."""
    pixels = pf.decode(case.data, channels=1)
    assert pixels.shape == (*case.pixels.shape[:2], 1)
    if case.name.startswith("jpeg"):
        return  # Luma as stored is no function of RGB as shown; test_whole compares it.
    gray = (case.pixels == case.pixels[..., :1]).all()
    expected = case.pixels[..., :1] if gray else luma_of(case.pixels)
    assert np.abs(pixels.astype(int) - expected).max() <= case.off


@pytest.mark.parametrize("case", REFUSED, ids=lambda case: case.name)
def test_refused(case: Refused) -> None:
    with pytest.raises(pf.DecodeError) as caught:
        pf.decode(case.data)
    error = caught.value
    assert error.code == case.code, str(error)
    assert case.says.lower() in error.found.lower()
    assert "\n" not in str(error)
    assert error.offset is None or 0 <= error.offset <= len(case.data)


@pytest.mark.parametrize(
    "case",
    [case for case in REFUSED if case.code in HEADER_CODES],
    ids=lambda case: case.name,
)
def test_a_box_is_no_way_around_the_header(case: Refused) -> None:
    with pytest.raises(pf.DecodeError) as caught:
        pf.decode(case.data, box=(0, 0, 1, 1), size=(8, 8))
    assert caught.value.code == case.code


def test_there_are_enough() -> None:
    assert len(READABLE) >= 40
    assert len(REFUSED) >= 40
    names = {case.name for case in READABLE} | set(BY_NAME)
    assert len(names) == len(READABLE) + len(REFUSED)


def test_refusing_takes_little_memory() -> None:
    done = child.run("decode.peaks")
    assert done.returncode == 0, done.stderr
    growth = dict(line.split() for line in done.stdout.splitlines())
    assert set(growth) == set(BY_NAME)
    large = {name: int(size) for name, size in growth.items() if int(size) >= GROWTH}
    assert not large


@pytest.mark.parametrize("scans", ["interleaved", "usual"])
def test_a_picture_too_large_is_refused_by_its_header(scans: str) -> None:
    """No byte of a scan is needed, so none costs anything."""
    data = BY_NAME[f"jpeg-{scans}-too-large"].data
    scan = data.index(b"\xff\xda\0")
    assert code_of(data[: scan + 2 + data[scan + 3]]) == "too-many-pixels"


def test_png_too_large_is_refused_by_its_header() -> None:
    assert code_of(BY_NAME["png-too-large"].data[:33]) == "too-many-pixels"


def test_scans_are_counted_as_they_come() -> None:
    """The first scan over the limit is the last thing looked at."""
    data = BY_NAME["jpeg-a-thousand-scans"].data
    at = -1
    for _ in range(SCAN_LIMIT + 1):
        at = data.index(b"\xff\xda\0", at + 1)
    assert code_of(data[: at + 20]) == "too-many-scans"


def test_a_limit_of_pixels_can_be_said() -> None:
    case = next(case for case in READABLE if case.name == "jpeg-411")
    height, width = case.pixels.shape[:2]
    assert np.array_equal(pf.decode(case.data, max_pixels=height * width), case.pixels)
    with pytest.raises(pf.DecodeError) as caught:
        pf.decode(case.data, max_pixels=height * width - 1)
    assert caught.value.code == "too-many-pixels"


def code_of(data: bytes) -> str:
    """The code of the error these bytes give."""
    with pytest.raises(pf.DecodeError) as caught:
        pf.decode(data)
    return caught.value.code
