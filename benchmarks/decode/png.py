"""PNG against Pillow."""

from __future__ import annotations

from collections.abc import Iterator

from benchmarks import photos
from benchmarks.decode import compare, ways
from benchmarks.model import Benchmark, Case, Settings, Table, Target
from benchmarks.timing import race

RIVAL = "Pillow"
COUNT = 100


def measure(settings: Settings) -> Iterator[Table]:
    """Photos as RGB and as 256 colours."""
    real = photos.load(settings.photos).first(COUNT)
    yield race(_case(real.changed(photos.png, "as RGB PNG")), settings.rounds)
    yield race(_case(real.changed(photos.palette_png, "as PNG of 256 colours")), settings.rounds)


def _case(of: photos.Photos) -> Case:
    works = [(data,) for data in of.files]
    pairs = ((ways.pixfeed(data), ways.pillow(data)) for data in of.files)
    return Case(
        title=f"PNG to RGB: {of.said}",
        items=len(works),
        contenders=(
            ways.over("pixfeed", ways.pixfeed, works),
            ways.over(RIVAL, ways.pillow, works),
        ),
        check=lambda: compare.equal(pairs, RIVAL),
        targets=(Target((RIVAL,), 1.0),),
    )


BENCHMARK = Benchmark("png", "PNG to RGB, one thread, in memory", measure)
