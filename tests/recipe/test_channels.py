"""Channels: three values are refused where one channel is decoded."""

from __future__ import annotations

import pytest

from pixfeed.recipe import Decode, Map, Op, Pad, RandomCrop, ToArray, settle
from recipe.examples import swap
from recipe.refusal import refusal


@pytest.mark.parametrize(
    ("op", "message"),
    [
        (
            Pad(1, fill=(1, 2, 3)),
            "fill of Pad is (1, 2, 3), but Decode(channels=1) leaves one channel; give one number",
        ),
        (
            RandomCrop(5, fill=(1, 1, 2)),
            "fill of RandomCrop is (1, 1, 2), but Decode(channels=1) leaves one channel; give one "
            "number",
        ),
        (
            ToArray(mean=(1, 2, 3)),
            "mean of ToArray is (1.0, 2.0, 3.0), but Decode(channels=1) leaves one channel; give "
            "one number",
        ),
        (
            ToArray(std=(1, 2, 3)),
            "std of ToArray is (1.0, 2.0, 3.0), but Decode(channels=1) leaves one channel; give "
            "one number",
        ),
    ],
)
def test_three_values_do_not_fit_one_channel(op: Op, message: str) -> None:
    assert refusal(lambda: settle([Decode(1), op])) == message
    for first in ([], [Decode(3)], [Decode(1), Map(swap)]):
        settle([*first, op])


def test_equal_values_fit() -> None:
    settle([Decode(1), Pad(1, fill=7), ToArray(mean=0.5)])
