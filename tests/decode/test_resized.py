"""A box and a size against Pillow's full decode, crop and antialiased resize."""

from __future__ import annotations

import functools
from collections import defaultdict
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest

import jpegmake as jm
import pixfeed as pf
from decode.reference import (
    FILTERS,
    Box,
    Pixels,
    Resample,
    across_then_down,
    canvas,
    cropped,
    cut,
    pillow,
    pillow_luma,
    resized,
    saved,
)

WORST_MEAN, AVERAGE_MEAN, WORST_TAIL = 0.8, 0.4, 5

SMALLEST = 24
"""Side of the smallest target the bounds are for: a mean over fewer pixels says little."""


class Source(NamedTuple):
    """A file, and what a full decode of it gives."""

    name: str
    data: bytes
    pixels: Pixels


class Job(NamedTuple):
    """One box of one source to one size."""

    source: Source
    box: Box
    size: tuple[int, int]
    resample: Resample

    @property
    def ratio(self) -> float:
        """How many pixels of the box one pixel of the target stands for, at least."""
        return min(self.box[2] / self.size[1], self.box[3] / self.size[0])

    @property
    def scale(self) -> str:
        """The DCT scale the design names for this: the scaled box keeps twice the target."""
        return next(f"1/{n}" for n in (8, 4, 2, 1) if self.ratio >= 2 * n or n == 1)

    def differences(self) -> Pixels:
        """How far each value is from Pillow's."""
        ours = pf.decode(self.source.data, box=self.box, size=self.size, resample=self.resample)
        theirs = resized(cropped(self.source.pixels, self.box), self.size, self.resample)
        assert ours.shape == theirs.shape
        off: Pixels = np.abs(ours.astype(np.int16) - theirs).astype(np.uint8)
        return off


@functools.cache
def sources() -> list[Source]:
    """Small and large pictures in the layouts of the wild."""
    layouts: list[tuple[tuple[int, int, int], dict[str, object]]] = [
        ((375, 500, 1), {"quality": 95, "subsampling": 0}),
        ((375, 500, 2), {"quality": 90, "subsampling": 2}),
        ((500, 333, 3), {"quality": 85, "subsampling": 1}),
        ((480, 640, 4), {"quality": 92, "subsampling": 2, "progressive": True}),
        ((1200, 1600, 5), {"quality": 90, "subsampling": 2}),
        ((1200, 1600, 6), {"quality": 95, "subsampling": 0}),
        ((1067, 1601, 7), {"quality": 80, "subsampling": 2, "restart_marker_rows": 1}),
    ]
    files = [saved(canvas(*shape), "JPEG", **options) for shape, options in layouts]
    named = [f"{shape[1]}x{shape[0]} {options}" for shape, options in layouts]
    for sampling in ("440", "411", "chroma-finer"):
        files.append(jm.encode(jm.from_rgb(canvas(400, 480), sampling, 90)))
        named.append(sampling)
    return [Source(name, data, pillow(data)) for name, data in zip(named, files, strict=True)]


def jobs(count: int, files: list[Source], seed: int, smallest: int = SMALLEST) -> list[Job]:
    """Random boxes and sizes whose ratio of box to target is spread evenly over the octaves."""
    rng = np.random.default_rng(seed)
    made = []
    for number in range(count):
        source = files[number % len(files)]
        high, wide = source.pixels.shape[:2]
        width, height = (int(side * rng.uniform(0.15, 1)) for side in (wide, high))
        x, y = int(rng.integers(wide - width + 1)), int(rng.integers(high - height + 1))
        ratio = 2 ** rng.uniform(-1, 5)
        stretched = [round(side / ratio * rng.uniform(0.8, 1)) for side in (height, width)]
        size = [max(smallest, min(300, side)) for side in stretched]
        resample = list(FILTERS)[int(rng.integers(4))]
        made.append(Job(source, (x, y, width, height), (size[0], size[1]), resample))
    return made


def judged(work: list[Job]) -> dict[str, list[tuple[float, float]]]:
    """Mean and 99th percentile of each job, by scale; each job within its bounds."""
    figures: dict[str, list[tuple[float, float]]] = defaultdict(list)
    for job in work:
        off = job.differences()
        mean, tail = float(off.mean()), float(np.percentile(off, 99))
        where = f"{job.source.name} {job.box} to {job.size} {job.resample} (DCT {job.scale})"
        assert mean <= WORST_MEAN, f"mean {mean:.2f} for {where}"
        assert tail <= WORST_TAIL, f"99th percentile {tail} for {where}"
        figures[f"DCT {job.scale}"].append((mean, tail))
        figures[job.resample].append((mean, tail))
        figures["all"].append((mean, tail))
    return figures


def printed(figures: dict[str, list[tuple[float, float]]]) -> None:
    print(f"\n{'':10}{'boxes':>6}{'mean':>8}{'worst':>8}{'p99':>6}")
    for name in sorted(figures):
        means, tails = np.array(figures[name]).T
        row = f"{len(means):6}{means.mean():8.3f}{means.max():8.3f}{tails.max():6.1f}"
        print(f"{name:10}{row}")


def test_a_thousand_boxes(capsys: pytest.CaptureFixture[str]) -> None:
    figures = judged(jobs(1000, sources(), seed=0))
    with capsys.disabled():
        printed(figures)
    for scale in ("1/1", "1/2", "1/4", "1/8"):
        assert len(figures[f"DCT {scale}"]) >= 40, f"too few boxes reach {scale}"
    means = np.array(figures["all"])[:, 0]
    assert means.mean() <= AVERAGE_MEAN


@pytest.mark.parametrize("scans", ["interleaved", "apart", "spectral", "usual", "bits", "odd"])
@pytest.mark.parametrize("sampling", ["gray", "444", "420", "410", "chroma-finer"])
def test_every_script_at_every_scale(scans: str, sampling: str) -> None:
    """Scales need the first coefficients alone; the scans they come in must still be followed."""
    frame = jm.from_rgb(canvas(400, 480)[:384, :384], sampling, 92)
    data = jm.encode(frame, jm.Layout(scans, restart=7))
    source = Source(sampling, data, pillow(data))
    for side in (192, 96, 64, 48, 32, 24):
        off = Job(source, (0, 0, 384, 384), (side, side), "bilinear").differences()
        assert off.mean() <= WORST_MEAN, side


def test_tiny_targets() -> None:
    """Below the sizes the bounds are for: looser for each, the same on average."""
    work = jobs(400, sources(), seed=5, smallest=1)
    means = [float(job.differences().mean()) for job in work if min(job.size) < SMALLEST]
    assert len(means) > 60
    assert np.mean(means) <= AVERAGE_MEAN
    assert max(means) <= 2.5


def test_photos(photos: list[Path], capsys: pytest.CaptureFixture[str]) -> None:
    files = []
    for photo in photos[:100]:
        data = photo.read_bytes()
        files.append(Source(photo.name, data, pillow(data)))
    figures = judged(jobs(300, files, seed=1))
    with capsys.disabled():
        printed(figures)
    assert np.array(figures["all"])[:, 0].mean() <= AVERAGE_MEAN


def test_pixels_outside_the_box_never_matter() -> None:
    """Two files that agree in the box's blocks alone give the same crop."""
    inside = np.zeros((128, 128, 3), dtype=np.uint8)
    inside[32:96, 32:96] = cut(64, 64)
    outside = inside.copy()
    outside[:24] = outside[104:] = 255
    outside[:, :24] = outside[:, 104:] = 255
    for form, options in (("PNG", {}), ("JPEG", {"subsampling": 0, "quality": 95})):
        crops = [
            pf.decode(saved(pixels, form, **options), box=(32, 32, 64, 64), size=(23, 31))
            for pixels in (inside, outside)
        ]
        assert np.array_equal(crops[0], crops[1]), form


@pytest.mark.parametrize("resample", FILTERS)
@pytest.mark.parametrize("size", [(1, 1), (1, 40), (40, 1), (7, 300), (67, 93), (134, 186)])
def test_extreme_sizes(resample: Resample, size: tuple[int, int]) -> None:
    data = saved(cut(67, 93), "JPEG", quality=95, subsampling=0)
    off = Job(Source("small", data, pillow(data)), (0, 0, 93, 67), size, resample).differences()
    assert off.mean() <= WORST_MEAN


@pytest.mark.parametrize("resample", FILTERS)
@pytest.mark.parametrize("form", ["PNG", "WEBP", "GIF", "BMP", "TIFF"])
def test_other_formats(form: str, resample: Resample) -> None:
    options = {"lossless": True} if form == "WEBP" else {}
    data = saved(canvas(375, 500, 1), form, **options)
    limit = 0 if resample == "nearest" else 1
    for job in jobs(40, [Source(form, data, pillow(data))], seed=2):
        ours = pf.decode(data, box=job.box, size=job.size, resample=resample)
        theirs = across_then_down(cropped(job.source.pixels, job.box), job.size, resample)
        off = np.abs(ours.astype(int) - theirs)
        assert off.max() <= limit, (job.box, job.size)


@pytest.mark.parametrize("resample", FILTERS)
def test_one_channel(resample: Resample) -> None:
    data = sources()[1].data
    luma = pillow_luma(data)[..., 0]
    for job in jobs(30, sources()[1:2], seed=3):
        ours = pf.decode(data, box=job.box, size=job.size, channels=1, resample=resample)
        off = np.abs(ours[..., 0].astype(int) - resized(cropped(luma, job.box), job.size, resample))
        assert off.mean() <= WORST_MEAN, (job.box, job.size)


@pytest.mark.parametrize("orientation", range(1, 9))
def test_orientation_comes_before_box_and_size(orientation: int) -> None:
    frame = jm.from_rgb(cut(67, 93), "420", 90)
    turned = jm.encode(frame, extra=[jm.exif(orientation)])
    whole = pf.decode(turned)
    theirs = resized(cropped(whole, (5, 3, 50, 41)), (20, 30), "bilinear")
    off = np.abs(pf.decode(turned, box=(5, 3, 50, 41), size=(20, 30)).astype(int) - theirs)
    assert off.mean() <= WORST_MEAN


def test_the_same_call_gives_the_same_bytes() -> None:
    for job in jobs(20, sources(), seed=4):
        calls = [pf.decode(job.source.data, box=job.box, size=job.size) for _ in range(2)]
        assert np.array_equal(calls[0], calls[1])
