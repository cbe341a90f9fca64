"""What the headers say, without a pixel being decoded."""

from __future__ import annotations

import dataclasses
import io

import numpy as np
import pytest
from PIL import Image

import jpegmake as jm
import pixfeed as pf
from decode import dirty
from decode.cases import Readable
from decode.pngmake import GRAY, GRAY_ALPHA, PALETTE, RGBA, chunk, png
from decode.reference import cut, saved

PICTURE = cut(45, 61)
PLAIN = {
    "width": 61, "height": 45, "channels": 3, "bits": 8, "colorspace": "rgb", "alpha": False,
    "orientation": 1, "progressive": False, "animated": False, "icc": False, "subsampling": "",
}  # fmt: skip


def said(data: bytes) -> dict[str, object]:
    """What differs from a plain RGB picture without subsampling."""
    fields = dataclasses.asdict(pf.probe(data))
    return {name: value for name, value in fields.items() if PLAIN.get(name) != value}


@pytest.mark.parametrize(
    ("sampling", "name"),
    [
        ("444", "4:4:4"), ("422", "4:2:2"), ("420", "4:2:0"), ("440", "4:4:0"), ("411", "4:1:1"),
        ("441", "4:4:1"), ("410", "4:1:0"), ("444-as-2x1", "4:4:4"),
    ],
)  # fmt: skip
def test_jpeg_sampling(sampling: str, name: str) -> None:
    data = jm.encode(jm.from_rgb(PICTURE, sampling))
    expected = {"format": "JPEG", "colorspace": "ycbcr", "subsampling": name}
    assert said(data) == expected
    assert said(jm.encode(jm.from_rgb(PICTURE, sampling), jm.Layout("usual"))) == {
        **expected,
        "progressive": True,
    }


def test_jpeg_colours() -> None:
    four = jm.from_planes([PICTURE[..., 0]] * 4, ((1, 1),) * 4)
    assert pf.probe(jm.encode(four)).colorspace == "cmyk"
    assert pf.probe(jm.encode(four, extra=[jm.adobe(2)])).colorspace == "ycck"
    assert pf.probe(jm.encode(four)).channels == 4
    gray = pf.probe(jm.encode(jm.from_rgb(PICTURE, "gray")))
    assert (gray.colorspace, gray.channels) == ("gray", 1)
    three = jm.encode(jm.from_rgb(PICTURE), extra=[jm.adobe(0)])
    assert pf.probe(three).colorspace == "rgb"


def test_jpeg_extras() -> None:
    data = jm.encode(jm.from_rgb(PICTURE), extra=[jm.exif(6), jm.icc(b"profile")])
    probe = pf.probe(data)
    assert (probe.orientation, probe.icc) == (6, True)
    assert (probe.width, probe.height) == (61, 45), "as stored, before orientation"


def test_png() -> None:
    gray = np.zeros((45, 61, 1), dtype=np.uint8)
    both, four = np.repeat(gray, 2, axis=2), np.repeat(gray, 4, axis=2)
    table = [chunk(b"PLTE", bytes(6))]
    cases: list[tuple[bytes, dict[str, object]]] = [
        (saved(PICTURE, "PNG"), {}),
        (png(gray, 2, GRAY), {"channels": 1, "bits": 2, "colorspace": "gray"}),
        (png(both, 8, GRAY_ALPHA), {"channels": 2, "alpha": True, "colorspace": "gray"}),
        (png(four, 16, RGBA), {"channels": 4, "alpha": True, "bits": 16}),
        (png(gray, 1, PALETTE, extra=table), {"bits": 1, "colorspace": "palette"}),
        (png(four, 8, RGBA, interlaced=True), {"channels": 4, "alpha": True, "progressive": True}),
        (saved(PICTURE, "PNG", icc_profile=b"x" * 99), {"icc": True}),
    ]
    for data, differs in cases:
        assert said(data) == {"format": "PNG", **differs}


def test_animations_and_pages() -> None:
    frames = [Image.fromarray(PICTURE), Image.fromarray(255 - PICTURE)]
    for form in ("GIF", "WEBP", "PNG", "TIFF"):
        more, one = io.BytesIO(), saved(PICTURE, form)
        frames[0].save(more, form, save_all=True, append_images=frames[1:])
        assert pf.probe(more.getvalue()).animated, form
        assert not pf.probe(one).animated, form
        assert pf.probe(one).format == form


@pytest.mark.parametrize("case", list(dirty.readable()), ids=lambda case: case.name)
def test_headers_agree_with_pixels(case: Readable) -> None:
    probe = pf.probe(case.data)
    size = (probe.height, probe.width)
    assert case.pixels.shape[:2] == (size[::-1] if probe.orientation >= 5 else size)


def test_only_the_headers_are_needed() -> None:
    for form in ("JPEG", "PNG", "GIF", "BMP", "WEBP"):
        data = saved(cut(200, 200), form)
        probe = pf.probe(data[: len(data) * 2 // 3])
        assert (probe.width, probe.height) == (200, 200), form


def test_probe_cannot_be_changed() -> None:
    probe = pf.probe(saved(PICTURE, "PNG"))
    with pytest.raises(dataclasses.FrozenInstanceError):
        probe.width = 7  # type: ignore[misc]
