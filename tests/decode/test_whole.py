"""A whole decode equals libjpeg-turbo's, to the byte."""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

import jpegmake as jm
import pixfeed as pf
from decode.pairs import all_pairs, held, pairs_of
from decode.reference import Pixels, canvas, cut, luma_of, pillow, pillow_luma, saved, turbo

SIZES = [
    (1, 1), (2, 2), (3, 5), (7, 9), (8, 8), (9, 7), (15, 17), (16, 16), (17, 33), (33, 31),
    (64, 64), (65, 65), (1, 65), (65, 1), (257, 331),
]  # fmt: skip
QUALITIES = [1, 10, 30, 50, 75, 90, 95, 100]

AXES: dict[str, list[object]] = {
    "sampling": list(jm.SAMPLINGS),
    "scans": ["interleaved", "apart", "spectral", "usual", "bits", "odd"],
    "restart": [0, 1, 3, 8],
    "tables": ["standard", "optimal", "flat", "deep"],
    "quality": list(QUALITIES),
    "size": list(SIZES),
}
ROWS = all_pairs(AXES)

PHOTO_AXES: dict[str, list[object]] = {
    "sampling": ["gray", "444", "422", "420", "440", "411", "410", "441"],
    "progressive": [False, True],
    "restart": [0, 1, 7],
    "optimize": [False, True],
    "quality": list(QUALITIES),
}
NAMELESS = {"410", "chroma-finer", "crossed", "mixed", "3x1"}
"""Samplings that simplejpeg refuses; Pillow reads them all."""

PILLOW_SAMPLINGS = {"444": 0, "422": 1, "420": 2}


def same(data: bytes, sampling: object, what: object) -> None:
    """Decodes with all three and compares, naming the first difference."""
    ours, theirs = pf.decode(data), turbo(data)
    differ(ours, pillow(data), f"{what}: Pillow")
    if sampling not in NAMELESS:
        assert theirs is not None, what
        differ(ours, theirs, f"{what}: simplejpeg")
    differ(pf.decode(data, channels=1), pillow_luma(data), f"{what}: Pillow's luma")


def differ(ours: Pixels, theirs: Pixels, what: str) -> None:
    assert ours.shape == theirs.shape, what
    wrong = np.argwhere(ours != theirs)
    if len(wrong):
        first = tuple(wrong[0])
        pytest.fail(
            f"{what}: {len(wrong)} of {ours.size} values differ, first at (y, x, channel) "
            f"{tuple(map(int, first))}: {ours[first]} where {theirs[first]} is right"
        )


def test_rows_hold_every_pair() -> None:
    assert held(ROWS, AXES) == pairs_of(AXES)
    assert len(ROWS) < 500, "pairs, not products"


@pytest.mark.parametrize("row", ROWS, ids=lambda row: "-".join(str(v) for v in row.values()))
def test_every_pair_of_layouts(row: dict[str, object]) -> None:
    sampling, quality = str(row["sampling"]), int(str(row["quality"]))
    height, width = next(size for size in SIZES if size == row["size"])
    layout = jm.Layout(str(row["scans"]), int(str(row["restart"])), str(row["tables"]))
    frame = jm.from_rgb(cut(height, width), sampling, quality)
    same(jm.encode(frame, layout, [jm.jfif()]), sampling, row)


@pytest.mark.parametrize("sampling", ["444", "422", "420", "440"])
def test_every_small_size(sampling: str) -> None:
    for width in range(1, 66):
        for height in {width, 66 - width}:
            layout = jm.Layout("usual" if (width + height) % 3 == 0 else "interleaved")
            data = jm.encode(jm.from_rgb(cut(height, width), sampling, 85), layout)
            same(data, sampling, f"{sampling} of {width} x {height}")


@pytest.mark.parametrize("sampling", ["444", "420"])
def test_saturated_colours(sampling: str) -> None:
    """Noise of pure black and white: every clamp and the farthest coefficients are reached."""
    noise = np.random.default_rng(5).integers(0, 2, (70, 90, 3), dtype=np.uint8) * np.uint8(255)
    for quality in (5, 60, 100):
        data = jm.encode(jm.from_rgb(noise, sampling, quality))
        same(data, sampling, f"{sampling} at {quality}")


@pytest.mark.parametrize(
    ("name", "extra", "ids"),
    [
        ("adobe says RGB", [jm.adobe(0)], (1, 2, 3)),
        ("ids say RGB", [], tuple(b"RGB")),
        ("JFIF outvotes ids", [jm.jfif()], tuple(b"RGB")),
        ("JFIF outvotes Adobe", [jm.jfif(), jm.adobe(0)], (1, 2, 3)),
        ("adobe says YCbCr", [jm.adobe(1)], tuple(b"RGB")),
        ("ids from 0", [], (0, 1, 2)),
        ("nothing said", [], (7, 9, 200)),
    ],
)
def test_three_components(name: str, extra: list[bytes], ids: tuple[int, ...]) -> None:
    planes = [cut(45, 61)[..., channel] for channel in range(3)]
    for sampling in ("444", "420"):
        frame = jm.from_planes(planes, jm.SAMPLINGS[sampling], 90, ids)
        data = jm.encode(frame, extra=extra)
        differ(pf.decode(data), pillow(data), name)


def test_one_channel_of_rgb_is_pillows_l() -> None:
    planes = [cut(45, 61)[..., channel] for channel in range(3)]
    data = jm.encode(jm.from_planes(planes, jm.SAMPLINGS["444"], 90), extra=[jm.adobe(0)])
    differ(pf.decode(data, channels=1), luma_of(pillow(data)), "RGB to L")


@pytest.mark.parametrize("sampling", [((1, 1),) * 4, ((2, 2), (1, 1), (1, 1), (2, 2))])
@pytest.mark.parametrize("transform", [0, 2, None])
@pytest.mark.parametrize("scans", ["interleaved", "usual"])
def test_four_inks(sampling: jm.Sampling, transform: int | None, scans: str) -> None:
    """Adobe's files are stored inverted; without its segment inks are plain."""
    rgb = cut(45, 61)
    planes = [*(rgb[..., channel] for channel in range(3)), rgb.min(axis=2) // 2 + 100]
    extra = [] if transform is None else [jm.adobe(transform)]
    data = jm.encode(jm.from_planes(planes, sampling, 90), jm.Layout(scans), extra)
    image: Image.Image = Image.open(io.BytesIO(data))
    if transform is None:
        image = Image.fromarray(255 - np.asarray(image), "CMYK")
    theirs = np.asarray(image.convert("RGB"))
    differ(pf.decode(data), theirs, f"inks, Adobe {transform}")
    differ(pf.decode(data, channels=1), luma_of(theirs), "inks to L")


def test_pillows_own_files() -> None:
    rows = all_pairs(
        {
            "subsampling": ["4:4:4", "4:2:2", "4:2:0"],
            "progressive": [False, True],
            "optimize": [False, True],
            "restart_marker_blocks": [0, 1, 5],
            "quality": QUALITIES,
            "size": [(1, 1), (16, 9), (123, 77), (400, 480)],
        }
    )
    for row in rows:
        height, width = row["size"]
        options = {name: value for name, value in row.items() if name != "size"}
        same(saved(cut(height, width), "JPEG", **options), row["subsampling"], row)


def test_photos_as_they_are(photos: list[Path]) -> None:
    for photo in photos:
        data = photo.read_bytes()
        image = Image.open(io.BytesIO(data))
        if image.mode in {"L", "RGB"}:
            differ(pf.decode(data, exif=False), pillow(data), photo.name)


def test_photos_in_every_layout(photos: list[Path]) -> None:
    rows = all_pairs(PHOTO_AXES)
    for number, photo in enumerate(photos[: max(300, len(rows))]):
        row = rows[number % len(rows)]
        data = reencoded(pillow(photo.read_bytes()), row)
        same(data, row["sampling"], f"{photo.name} {row}")


def reencoded(rgb: Pixels, row: dict[str, object]) -> bytes:
    """The photo in another layout; what Pillow cannot write, a piece of it by our own writer."""
    sampling, quality = str(row["sampling"]), int(str(row["quality"]))
    restart = int(str(row["restart"]))
    if sampling in PILLOW_SAMPLINGS or sampling == "gray":
        pixels = luma_of(rgb)[..., 0] if sampling == "gray" else rgb
        return saved(
            pixels, "JPEG", quality=quality, subsampling=PILLOW_SAMPLINGS.get(sampling, 0),
            progressive=row["progressive"], optimize=row["optimize"], restart_marker_blocks=restart,
        )  # fmt: skip
    tables = "optimal" if row["optimize"] else "standard"
    layout = jm.Layout("usual" if row["progressive"] else "interleaved", restart, tables)
    return jm.encode(jm.from_rgb(rgb[:57, :75], sampling, quality), layout)


def test_a_large_odd_picture() -> None:
    rgb = canvas(1001, 1503, 3)
    for options in ({"subsampling": 2}, {"subsampling": 0, "progressive": True}):
        data = saved(rgb, "JPEG", quality=88, **options)
        differ(pf.decode(data), pillow(data), str(options))
