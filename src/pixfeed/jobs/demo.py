"""The demo: what was read from samples made on the spot, and how fast."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from statistics import median

import numpy as np
from numpy.typing import NDArray

from pixfeed.decode import decode, probe
from pixfeed.jobs.samples import Sample, samples

HEIGHT, WIDTH = 360, 480
SIDE = 224
"""The side of the square a crop is resized to."""

BUDGET = 0.03
"""Seconds spent on timing one call."""


@dataclass(frozen=True)
class Reading:
    """What was found in one sample, and how long decoding it took.

    Times are medians in seconds, on one thread, from bytes in memory.

    >>> Reading("PNG", "PNG", "", 2, 3, 99, 0.002, 0.001).whole_seconds
    0.002
    """

    name: str
    format: str
    subsampling: str
    height: int
    width: int
    bytes: int
    whole_seconds: float
    crop_seconds: float
    crop: NDArray[np.uint8] = field(
        default_factory=lambda: np.zeros((SIDE, SIDE, 3), np.uint8), repr=False, compare=False
    )


def demo(height: int = HEIGHT, width: int = WIDTH) -> Iterator[Reading]:
    """Makes the samples and reads each: its header, all of it, and a resized crop.

    Not deterministic in its times only. Raises ConfigError where Pillow or simplejpeg is missing.

    >>> next(demo(64, 80)).format
    'JPEG'
    """
    return (read(sample) for sample in samples(height, width))


def read(sample: Sample) -> Reading:
    """One sample's header, crop and times.

    The crop is the square in the middle, three quarters as high as the picture.

    >>> reading = read(next(samples(64, 80)))
    >>> reading.height, reading.width, reading.crop.shape
    (64, 80, (224, 224, 3))
    """
    header = probe(sample.data)
    width, height = header.width, header.height
    side = max(1, min(width, height) * 3 // 4)
    box = ((width - side) // 2, (height - side) // 2, side, side)
    return Reading(
        name=sample.name,
        format=header.format,
        subsampling=header.subsampling or "",
        height=height,
        width=width,
        bytes=len(sample.data),
        whole_seconds=_seconds(lambda: decode(sample.data)),
        crop_seconds=_seconds(lambda: decode(sample.data, box=box, size=(SIDE, SIDE))),
        crop=decode(sample.data, box=box, size=(SIDE, SIDE)),
    )


def _seconds(call: Callable[[], object]) -> float:
    """The median time of as many calls as fit the budget, three at least."""
    call()
    times: list[float] = []
    while len(times) < 3 or sum(times) < BUDGET:
        start = time.perf_counter()
        call()
        times.append(time.perf_counter() - start)
    return median(times)
