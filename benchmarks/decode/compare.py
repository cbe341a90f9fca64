"""How far two decodes of the same file may lie apart."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from benchmarks.model import CheckError
from benchmarks.photos import Pixels

BOUND = 0.8
OVERALL_MEAN = 0.4
# Photos full of colours that RGB cannot show: ours clips them after the resize, Pillow before, and
# the two ways themselves lie that far apart (tests/decode/test_gamut.py). One in a hundred may.
BEYOND = 0.01
WORST_MEAN = 1.2


def equal(pairs: Iterable[tuple[Pixels, Pixels]], rival: str) -> str:
    """Every pair is the same to the byte."""
    count = 0
    for count, (ours, theirs) in enumerate(pairs, start=1):
        if ours.shape != theirs.shape or not np.array_equal(ours, theirs):
            said = _apart(ours, theirs)
            raise CheckError(f"image {count - 1}: pixels differ from {rival} ({said})")
    if count == 0:
        raise CheckError("no images to compare")
    return f"{count} images equal {rival} to the byte."


def near(pairs: Iterable[tuple[Pixels, Pixels]], rival: str) -> str:
    """Every pair's mean difference is within the stated parity."""
    means: list[float] = []
    for ours, theirs in pairs:
        if ours.shape != theirs.shape:
            raise CheckError(f"image {len(means)}: {_apart(ours, theirs)}")
        means.append(float(np.abs(ours.astype(np.int16) - theirs).mean()))
    if not means:
        raise CheckError("no images to compare")
    worst, overall = max(means), float(np.mean(means))
    beyond = sum(mean > BOUND for mean in means)
    said = f"mean difference {overall:.2f} of 255, worst image {worst:.2f}, against {rival}"
    if worst > WORST_MEAN or overall > OVERALL_MEAN or beyond > BEYOND * len(means):
        raise CheckError(f"{said}, {beyond} beyond {BOUND}: allowed are {OVERALL_MEAN} and {BOUND}")
    return f"{len(means)} images, {said}" + (f", {beyond} beyond {BOUND}." if beyond else ".")


def _apart(ours: Pixels, theirs: Pixels) -> str:
    if ours.shape != theirs.shape:
        return f"shape {ours.shape} against {theirs.shape}"
    apart = np.abs(ours.astype(np.int16) - theirs)
    return f"by up to {apart.max()}, {np.count_nonzero(apart)} of {apart.size} values"
