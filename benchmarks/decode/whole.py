"""Whole JPEGs to RGB against libjpeg-turbo."""

from __future__ import annotations

from collections.abc import Iterator

from benchmarks import photos
from benchmarks.decode import compare, ways
from benchmarks.model import Benchmark, Case, Settings, Table, Target
from benchmarks.timing import race

RIVAL = "simplejpeg"
TARGET = (Target((RIVAL,), 1.6),)


def measure(settings: Settings) -> Iterator[Table]:
    """4:4:4 and 4:2:0 with a target, the photos as they are for the picture."""
    real = photos.load(settings.photos)
    full = real.kept(photos.is_444, "those with 4:4:4")
    web = real.changed(photos.re_encoded, "re-encoded at quality 90, 4:2:0")
    yield race(_case(full, TARGET), settings.rounds)
    yield race(_case(web, TARGET), settings.rounds)
    yield race(_case(real, ()), settings.rounds)


def _case(of: photos.Photos, targets: tuple[Target, ...]) -> Case:
    works = [(data,) for data in of.files]
    pairs = ((ways.pixfeed(data), ways.simplejpeg(data)) for data in of.files)
    return Case(
        title=f"Whole decode to RGB: {of.said}",
        items=len(works),
        contenders=(
            ways.over("pixfeed", ways.pixfeed, works),
            ways.over(RIVAL, ways.simplejpeg, works),
        ),
        check=lambda: compare.equal(pairs, RIVAL),
        targets=targets,
    )


BENCHMARK = Benchmark("whole", "Whole JPEGs to RGB, one thread, in memory", measure)
