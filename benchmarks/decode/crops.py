"""Random-resized boxes to 224x224: what a training step asks for most."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from benchmarks import boxes, photos
from benchmarks.decode import compare, ways
from benchmarks.model import Benchmark, Case, Settings, Table, Target
from benchmarks.timing import race

WITH_RESIZE = "simplejpeg whole + Pillow resize"
ALONE = "simplejpeg whole decode alone"


def measure(settings: Settings) -> Iterator[Table]:
    """One race on the photos as they are, one on them re-encoded at 4:2:0."""
    real = photos.load(settings.photos)
    yield race(_case(real, (Target((WITH_RESIZE,), 3.0), Target((ALONE,), 2.3))), settings.rounds)
    web = real.changed(photos.re_encoded, "re-encoded at quality 90, 4:2:0")
    yield race(_case(web, ()), settings.rounds)


def _case(of: photos.Photos, targets: tuple[Target, ...]) -> Case:
    rng = np.random.default_rng(0)
    works = [(data, boxes.random_resized(*photos.size(data), rng)) for data in of.files]
    contenders = (
        ways.over("pixfeed box + size", ways.pixfeed_crop, works),
        ways.over(WITH_RESIZE, ways.simplejpeg_crop, works),
        ways.over(ALONE, ways.simplejpeg, [(data,) for data in of.files]),
    )
    pairs = ((ways.pixfeed_crop(*work), ways.pillow_crop(*work)) for work in works)
    return Case(
        title=f"Random-resized boxes to 224x224: {of.said}",
        items=len(works),
        contenders=contenders,
        check=lambda: compare.near(pairs, "Pillow's full decode, crop and resize"),
        targets=targets,
    )


BENCHMARK = Benchmark("crops", "Random-resized crops of JPEGs, one thread, in memory", measure)
