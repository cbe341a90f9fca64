"""Twelve-megapixel photos to 224x224, where a scaled decode pays."""

from __future__ import annotations

from collections.abc import Iterator

from benchmarks import photos
from benchmarks.decode import compare, ways
from benchmarks.model import Benchmark, Case, Settings, Table, Target
from benchmarks.timing import race

RIVAL = "Pillow with draft"
COUNT = 12


def measure(settings: Settings) -> Iterator[Table]:
    """Real photos, enlarged, without and with a sensor's grain."""
    real = photos.load(settings.photos).first(COUNT)
    said = "enlarged to 4000x3000, quality 90, 4:2:0"
    yield race(_case(real.changed(photos.enlarged, said)), settings.rounds)
    yield race(_case(real.changed(photos.grainy, f"{said}, with grain")), settings.rounds)


def _case(of: photos.Photos) -> Case:
    works = [(data, None) for data in of.files]
    pairs = ((ways.pixfeed_crop(*work), ways.pillow_crop(*work)) for work in works)
    return Case(
        title=f"12 megapixels to 224x224: {of.said}",
        items=len(works),
        contenders=(
            ways.over("pixfeed size", ways.pixfeed_crop, works),
            ways.over(RIVAL, ways.pillow_draft, [(data,) for data in of.files]),
        ),
        check=lambda: compare.near(pairs, "Pillow's full decode and resize"),
        targets=(Target((RIVAL,), 1.5),),
    )


BENCHMARK = Benchmark("large", "Large photos to small pictures, one thread, in memory", measure)
