"""The writer itself: what it writes, libjpeg-turbo reads, whatever the layout."""

from __future__ import annotations

import io

import numpy as np
import numpy.typing as npt
import pytest
from PIL import Image
from PIL.JpegImagePlugin import JpegImageFile

import jpegmake as jm
from jpegmake import standard
from jpegmake.tables import ZIGZAG, optimal

Pixels = npt.NDArray[np.uint8]


def picture(height: int = 45, width: int = 61) -> Pixels:
    """Smooth colours: what subsampling and quantisation leave nearly as it was."""
    y, x = np.mgrid[0:height, 0:width]
    planes = [60 + x, 200 - 2 * y, 128 + 40 * np.sin((x + y) / 9)]
    return np.stack(planes, axis=2).clip(0, 255).astype(np.uint8)


def opened(data: bytes) -> Pixels:
    return np.asarray(Image.open(io.BytesIO(data)).convert("RGB"))


@pytest.mark.parametrize("sampling", jm.SAMPLINGS)
def test_pixels_come_back(sampling: str) -> None:
    seen = opened(jm.encode(jm.from_rgb(picture(), sampling, 95)))
    gray = np.asarray(Image.fromarray(picture()).convert("L").convert("RGB"))
    expected = gray if sampling.startswith("gray") else picture()
    assert np.abs(seen.astype(int) - expected).mean() < 2


@pytest.mark.parametrize("scans", ["apart", "spectral", "usual", "bits", "odd"])
@pytest.mark.parametrize("sampling", ["420", "gray", "crossed"])
def test_every_script_says_the_same(scans: str, sampling: str) -> None:
    frame = jm.from_rgb(picture(), sampling, 90)
    expected = opened(jm.encode(frame))
    for tables in ("standard", "optimal", "flat", "deep"):
        for restart in (0, 3):
            data = jm.encode(frame, jm.Layout(scans, restart, tables))
            assert np.array_equal(opened(data), expected), (tables, restart)


def test_a_thousand_scans_say_the_same() -> None:
    frame = jm.from_rgb(picture(16, 16), "420", 90)
    data = jm.encode(frame, jm.Layout("thousand", tables="optimal"))
    assert data.count(b"\xff\xda\0") > 1000
    assert np.array_equal(opened(data), opened(jm.encode(frame)))


def test_every_script_ends_complete() -> None:
    """Pillow would show a file whose last bits are missing: count them instead."""
    for name in ("spectral", "usual", "bits", "odd", "thousand"):
        for components in (1, 3, 4):
            last: dict[tuple[int, int], int] = {}
            for scan in jm.script(name, components):
                for component in scan.components:
                    for k in range(scan.start, scan.end + 1):
                        assert last.get((component, k), 0) == scan.high, (name, component, k)
                        last[component, k] = scan.low
            assert len(last) == 64 * components
            assert set(last.values()) == {0}


def test_tables_are_the_standards() -> None:
    """Pillow writes the standard's tables where it is not asked to optimise."""
    out = io.BytesIO()
    Image.fromarray(picture()).save(out, "JPEG", quality=75)
    for index, table in enumerate((*standard.DC, *standard.AC)):
        assert bytes([*table.counts]) + table.symbols in out.getvalue(), index
    opened = Image.open(out)
    assert isinstance(opened, JpegImageFile)
    quants = opened.quantization
    for index, chroma in enumerate((False, True)):
        assert np.array_equal(quants[index], jm.quant_table(75, chroma=chroma))


def test_zigzag_goes_everywhere_by_steps() -> None:
    assert sorted(ZIGZAG) == list(range(64))
    rows, columns = np.divmod(ZIGZAG, 8)
    assert max(np.abs(np.diff(rows)).max(), np.abs(np.diff(columns)).max()) == 1
    assert ZIGZAG[:6].tolist() == [0, 1, 8, 16, 9, 2]


def test_optimal_codes_are_short_legal_and_never_all_ones() -> None:
    """Fibonacci counts make the deepest tree there is: deeper than 16 bits until it is limited."""
    counts = np.zeros(256, dtype=np.int64)
    counts[:30] = [round(1.618**n) for n in range(30)]
    table = optimal(counts)
    codes, lengths = table.codes()
    used = lengths > 0
    assert used.sum() == 30
    assert lengths.max() <= 16
    assert sum(2.0**-length for length in lengths[used]) < 1
    assert all(
        code != (1 << length) - 1 for code, length in zip(codes[used], lengths[used], strict=True)
    )


def test_surroundings_change_nothing() -> None:
    frame = jm.from_rgb(picture(), "420", 80)
    expected = opened(jm.encode(frame))
    extra = [jm.jfif(), jm.exif(3), jm.icc(b"x"), jm.comment(b"hello"), jm.adobe(1)]
    assert np.array_equal(opened(jm.encode(frame, jm.Layout(wide=True), extra)), expected)
    assert np.array_equal(opened(jm.join(jm.parts(frame, jm.Layout()), fill=4)), expected)
    image = Image.open(io.BytesIO(jm.encode(frame, extra=extra)))
    assert image.getexif()[0x0112] == 3


def test_ready_coefficients_are_written_as_they_are() -> None:
    """One cosine of known height: row 0 of a block is +-A, whatever wrote it."""
    blocks = np.zeros((1, 1, 64), dtype=np.int64)
    blocks[0, 0, 0] = -16
    frame = jm.from_blocks(8, 8, blocks)
    assert (opened(jm.encode(frame)) == 128 - 16).all()
