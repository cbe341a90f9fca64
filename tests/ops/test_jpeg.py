"""Ops on JPEG: exact where nothing is resized, near Pillow where something is."""

from __future__ import annotations

import io

import numpy as np
import pytest
from PIL import Image

import pixfeed as pf
from decode.reference import Pixels, canvas, oriented, pillow, saved
from ops.reference import expected
from pixfeed.recipe import Op

WINDOWS: list[list[Op]] = [
    [pf.CenterCrop(33)],
    [pf.RandomCrop((31, 57))],
    [pf.RandomHorizontalFlip(), pf.RandomCrop(40), pf.RandomVerticalFlip()],
    [pf.Pad(3, fill=9), pf.RandomCrop(101)],
    [pf.CenterCrop((90, 300))],
]
RESIZED: list[list[Op]] = [
    [pf.RandomResizedCrop(48), pf.RandomHorizontalFlip()],
    [pf.Resize(64), pf.CenterCrop(56)],
    [pf.Resize((40, 90)), pf.RandomVerticalFlip()],
]


def shot(orientation: int, subsampling: int) -> bytes:
    """A photo held in some way."""
    exif = Image.Exif()
    exif[0x0112] = orientation
    return saved(canvas(240, 320), "JPEG", quality=90, subsampling=subsampling, exif=exif)


@pytest.mark.parametrize("ops", WINDOWS, ids=repr)
@pytest.mark.parametrize("subsampling", [0, 1, 2])
def test_windows_to_the_pixel(ops: list[Op], subsampling: int) -> None:
    data = saved(canvas(240, 320), "JPEG", quality=80, subsampling=subsampling)
    for id in range(8):
        assert np.array_equal(pf.apply(ops, data, id=id), expected(ops, pillow(data), id=id))


@pytest.mark.parametrize("orientation", range(1, 9))
def test_ops_see_the_image_as_it_is_held(orientation: int) -> None:
    data = shot(orientation, 0)
    seen = oriented(pillow(data), orientation)
    for ops in WINDOWS:
        assert np.array_equal(pf.apply(ops, data, id=5), expected(ops, seen, id=5))


@pytest.mark.parametrize("ops", RESIZED, ids=repr)
@pytest.mark.parametrize("orientation", [1, 6])
@pytest.mark.parametrize("subsampling", [0, 2])
def test_resized_as_pillow_does(ops: list[Op], orientation: int, subsampling: int) -> None:
    data = shot(orientation, subsampling)
    seen = oriented(pillow(data), orientation)
    means = [mean_off(pf.apply(ops, data, id=id), expected(ops, seen, id=id)) for id in range(8)]
    assert max(means) <= 0.8
    assert np.mean(means) <= 0.4


def mean_off(ours: Pixels, theirs: Pixels) -> float:
    """How far values are from each other, on average."""
    assert ours.shape == theirs.shape
    return float(np.abs(ours.astype(int) - theirs).mean())


def test_decode_says_otherwise() -> None:
    data = shot(6, 0)
    stored = pf.apply([pf.Decode(exif=False), pf.CenterCrop(50)], data)
    assert np.array_equal(stored, expected([pf.CenterCrop(50)], pillow(data)))
    out = io.BytesIO()
    Image.new("RGBA", (8, 8), (255, 255, 255, 0)).save(out, "PNG")
    clear = pf.apply([pf.Decode(background=(1, 2, 3)), pf.CenterCrop(4)], out.getvalue())
    assert (clear == (1, 2, 3)).all()
    with pytest.raises(pf.DecodeError) as caught:
        pf.apply([pf.Decode(max_pixels=240 * 320 - 1)], data)
    assert caught.value.code == "too-many-pixels"
