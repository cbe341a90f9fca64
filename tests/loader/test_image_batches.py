"""image_batches: a folder as float32 batches in one call."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import pixfeed as pf
from engine.places import epochs


def test_it_is_a_loader_of_that_recipe(mixed: Path) -> None:
    ops = [pf.Resize((9, 12)), pf.ToArray("float32", "NCHW", scale=1 / 255)]
    wanted = pf.Loader(mixed, batch_size=20, recipe=ops, seed=4)
    ours = pf.image_batches(
        mixed,
        image_size=(9, 12),
        batch_size=20,
        layout="NCHW",
        scale=1 / 255,
        seed=4,
        run=pf.Run(threads=2, cache="decoded"),
    )
    assert ours.stream_id == wanted.stream_id
    assert epochs(ours) == epochs(wanted)
    assert ours.report().cache is not None


def test_values_are_those_of_the_pixels(mixed: Path) -> None:
    loader = pf.image_batches(mixed, image_size=8, batch_size=60, shuffle=False)
    images, labels = next(iter(loader))
    pixels = next(iter(pf.Loader(mixed, batch_size=60, recipe=pf.Resize((8, 8)), shuffle=False)))[0]
    assert images.dtype == np.float32
    assert np.array_equal(images, pixels)
    assert labels.tolist() == sorted(labels.tolist())


@pytest.mark.parametrize("size", [8, (8, 8), [8, 8], np.int64(8), (np.int32(8), 8)])
def test_one_number_is_both_sides(mixed: Path, size: Any) -> None:
    loader = pf.image_batches(mixed, image_size=size, batch_size=20)
    assert next(iter(loader)).images.shape == (20, 8, 8, 3)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"image_size": 0}, r"size of Resize is \(0, 0\); give a whole number"),
        ({"image_size": "8"}, r"size of Resize is '8'; give a whole number"),
        ({"image_size": (8, 8, 3)}, r"size of Resize is \(8, 8, 3\); give a whole number"),
        ({"scale": 0}, r"scale of ToArray is 0; give a number above 0"),
        ({"batch_size": 0}, r"batch_size is 0; give a whole number from 1"),
        ({"run": 3}, r"run is 3; give pixfeed.Run"),
    ],
)
def test_wrong_arguments(mixed: Path, given: dict[str, Any], message: str) -> None:
    with pytest.raises(pf.ConfigError, match=f"^{message}"):
        pf.image_batches(mixed, **{"image_size": 8, **given})
