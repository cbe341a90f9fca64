"""Tiny JPEGs, where everything but the pixels costs most."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from PIL import Image

from benchmarks import photos
from benchmarks.decode import compare, ways
from benchmarks.model import Benchmark, Case, Settings, Table, Target
from benchmarks.photos import Pixels
from benchmarks.timing import race

RIVAL = "simplejpeg"
COUNT = 5000


def measure(settings: Settings) -> Iterator[Table]:
    """Colour and gray thumbnails with the standard tables."""
    cut = list(photos.thumbnails(photos.load(settings.photos), COUNT))
    colour = [photos.jpeg(pixels, quality=75) for pixels in cut]
    yield race(_case("RGB, 4:2:0", colour, ways.pixfeed, ways.simplejpeg), settings.rounds)
    gray = [photos.jpeg(_gray(pixels), quality=75) for pixels in cut]
    yield race(_case("gray", gray, ways.pixfeed_gray, ways.simplejpeg_gray), settings.rounds)


def _gray(pixels: Pixels) -> Pixels:
    return photos.as_pixels(Image.fromarray(pixels).convert("L"))


def _case(
    kind: str,
    files: list[bytes],
    ours: Callable[[bytes], Pixels],
    theirs: Callable[[bytes], Pixels],
) -> Case:
    works = [(data,) for data in files]
    return Case(
        title=f"{len(files):,} JPEGs of 32x32, {kind}, shared tables",
        items=len(files),
        contenders=(ways.over("pixfeed", ours, works), ways.over(RIVAL, theirs, works)),
        check=lambda: compare.equal(((ours(data), theirs(data)) for data in files), RIVAL),
        targets=(Target((RIVAL,), 3.0),),
        unit="us an image",
    )


BENCHMARK = Benchmark("tiny", "Tiny JPEGs, one thread, in memory", measure)
