"""Class maps and labels: given or found, and refused with a reason."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from pixfeed.catalogue import Catalogue, Row, imagenet
from pixfeed.catalogue.classes import class_names, settle
from pixfeed.errors import ConfigError, SourceError


@pytest.mark.parametrize(
    ("classes", "says"),
    [
        ([], "no class names"),
        (["a", ""], "no class names"),
        (["a", 3], "no class names"),
        (["a", "b", "a"], "names 'a' more than once"),
        (["\u00e9", "e\u0301"], "more than once"),
        ({"a": 0, "b": 2}, "numbers 0 to 1 once"),
        ({"a": 0, "b": 0}, "numbers 0 to 1 once"),
        ({"a": "0"}, "numbers 0 to 0 once"),
        ({"a": False}, "numbers 0 to 0 once"),
        ("cifar", "no table of classes"),
    ],
)
def test_wrong_classes_say_what_to_do(classes: Any, says: str) -> None:
    with pytest.raises(ConfigError, match=says) as caught:
        class_names(classes)
    assert "\n" not in str(caught.value)


def test_given_classes_may_be_more_than_the_folders() -> None:
    assert settle(("b", "a", "c"), {"a": 1, "x": 0}, "here") == ("b", "a", "c")


def test_many_names_are_cut_short() -> None:
    with pytest.raises(SourceError, match="'x30' and 15 more"):
        settle(("a",), {f"x{i}": 1 for i in (4, 0, 1, 2, 3, *range(30, 45))}, "here")


def test_the_imagenet_table() -> None:
    synsets = imagenet.synsets()
    assert len(set(synsets)) == len(imagenet.words()) == 1000
    assert list(synsets) == sorted(synsets)
    assert (synsets[0], imagenet.words()[0]) == ("n01440764", "tench, Tinca tinca")
    assert (synsets[999], imagenet.words()[999]) == (
        "n15075141",
        "toilet tissue, toilet paper, bathroom tissue",
    )


def test_labels_may_be_names_numbers_or_numpy_s() -> None:
    named = Catalogue.from_rows([Row("a", "y"), Row("b", "x")], classes=["y", "x", "z"])
    assert (named.labels.tolist(), named.classes) == ([0, 1], ("y", "x", "z"))
    assert named.counts == {"all": {"y": 1, "x": 1, "z": 0}}
    numbered = Catalogue.from_rows([Row("a", int(np.int32(3))), Row("b", 2**63 - 1)])
    assert numbered.labels.tolist() == [3, 2**63 - 1]
    assert numbered.counts == {"all": {"3": 1, str(2**63 - 1): 1}}


def test_labels_are_composed_like_classes() -> None:
    table = Catalogue.from_rows([Row("a", "e\u0301"), Row("b", "\u00e9")])
    assert (table.classes, table.labels.tolist()) == (("\u00e9",), [0, 0])


@pytest.mark.parametrize(
    ("labels", "classes", "says"),
    [
        (["a", 0], None, "some labels are names like 'a' and some are not"),
        (["a", "b"], ["a"], "lacks 'b'"),
        ([2], ["a", "b"], "the label 2 is no class; give a number from 0 to 1"),
        ([-1], None, "the label -1 is no class"),
        ([True], None, "the label True is no class"),
        ([0.5], None, "the label 0.5 is no class"),
        ([None], None, "the label None is no class"),
        ([2**63], None, "is no class"),
    ],
)
def test_wrong_labels_say_what_to_do(labels: list[Any], classes: Any, says: str) -> None:
    with pytest.raises(ConfigError, match=says) as caught:
        Catalogue.from_rows([Row(str(i), x) for i, x in enumerate(labels)], classes=classes)
    assert "\n" not in str(caught.value)
