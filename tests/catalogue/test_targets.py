"""Targets: aligned with rows, part of the fingerprint, and seen by who looks at a dataset."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from pixfeed.catalogue import Catalogue, Dataset, Row, Splits
from pixfeed.errors import ConfigError

_PLAIN = Catalogue.from_rows([Row(f"{i:02}", 0) for i in range(40)])
_VALUES = np.arange(80, dtype=np.float32).reshape(40, 2)


def _with(**said: Any) -> Catalogue:
    return Catalogue(_PLAIN.rows, **said)


def test_splits_take_targets_and_columns_along() -> None:
    names = np.array([f"{i:02}" for i in range(40)], object)
    divided = Splits(limit=30).divide(_with(targets=_VALUES, columns={"name": names}))
    assert len(divided) == 30
    assert divided.columns["name"].tolist() == list(divided.keys)
    assert divided.targets is not None
    assert divided.targets[:, 0].tolist() == [2 * int(key) for key in divided.keys]
    train = Dataset(divided).split("test")
    assert train.targets is not None
    assert train.targets[:, 1].tolist() == [2 * int(key) + 1 for key in train.keys]


def test_the_fingerprint_depends_on_targets() -> None:
    one = _with(targets=_VALUES)
    other = _VALUES.copy()
    other[7, 1] += 1
    prints = {
        _PLAIN.fingerprint,
        one.fingerprint,
        _with(targets=other).fingerprint,
        _with(targets=_VALUES[:, :1].copy()).fingerprint,
        _with(targets=_VALUES[:, 0].copy()).fingerprint,
        Splits().divide(one).fingerprint,
    }
    assert len(prints) == 6
    assert _with(targets=_VALUES.copy(), columns={"a": other}).fingerprint == one.fingerprint
    assert _with(targets=_VALUES * -1 * -1).fingerprint == one.fingerprint


def test_the_fingerprint_of_targets_is_pinned() -> None:
    # Saved states and packs rest on this: it never changes.
    catalogue = Catalogue(
        Catalogue.from_rows([Row("a", 0), Row("b", 0)]).rows,
        targets=np.array([[0.5, 1], [-0.0, 2]], np.float32),
    )
    assert catalogue.fingerprint[:16] == "0bbead243fef8eb0"


def test_what_targets_look_like() -> None:
    hot = np.array([[i % 2, 1, 0] for i in range(40)], np.float32)
    several = Dataset(_with(targets=hot, classes=("odd", "all", "none")))
    assert several.counts == {"all": {"odd": 20, "all": 40, "none": 0}}
    assert several.schema["label"] == "float32 (3,), multi-hot"
    assert repr(several.catalogue) == "<40 records of 3 classes in 1 split: all 40>"
    numbers = Dataset(_with(targets=_VALUES))
    assert (numbers.counts, numbers.schema["label"]) == ({"all": {}}, "float32 (2,)")
    assert "with 2 numbers each" in repr(numbers)
    assert repr(_with(labelled=False)) == "<40 records without labels in 1 split: all 40>"


def test_targets_are_not_written_to() -> None:
    catalogue = _with(targets=_VALUES)
    assert catalogue.targets is not None
    with pytest.raises(ValueError, match="read-only"):
        catalogue.targets[0] = 0
    with pytest.raises(TypeError):
        catalogue.columns["a"] = _VALUES  # type: ignore[index] # the point of the test


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        ({"targets": _VALUES[:3]}, "targets must be an array with 40 rows"),
        ({"targets": _VALUES.astype(float)}, r"targets are float64 \(40, 2\); give float32"),
        ({"targets": _VALUES, "classes": ("a",)}, r"give float32 of the shape \(40, 1\)"),
        ({"targets": _VALUES[:, 0], "classes": ("a",)}, r"of the shape \(40, 1\)"),
        ({"targets": _VALUES.reshape(40, 1, 2)}, r"of the shape \(40, n\)"),
        ({"columns": {"a": [1]}}, "a must be an array with 40 rows"),
    ],
)
def test_targets_that_do_not_fit(wrong: dict[str, Any], says: str) -> None:
    with pytest.raises(ConfigError, match=says):
        _with(**wrong)
