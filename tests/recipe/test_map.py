"""Map: a function of the user's, and the version that stands for it."""

from __future__ import annotations

import pickle
from functools import partial
from typing import Any

import pytest

from pixfeed.recipe import Map, Resize
from recipe.examples import swap
from recipe.refusal import refusal


def test_only_the_version_is_described() -> None:
    assert Map(swap, version="a").options() == {"version": "a"}
    assert Map(swap).options() == {"version": None}


def test_maps_are_equal_by_function_and_version() -> None:
    assert Map(swap, version="1") == Map(swap, version="1")
    assert Map(swap, version="1") != Map(swap, version="2")
    assert Map(swap) != Map(lambda images, labels, rngs: images)  # noqa: ARG005
    assert pickle.loads(pickle.dumps(Map(swap))) == Map(swap)


def test_anything_that_can_be_called_is_taken() -> None:
    class Turn:
        def __call__(self, images: Any, _labels: Any, _rngs: Any) -> Any:
            return images

    for fn in (Turn(), partial(swap), Turn().__call__):
        assert Map(fn).fn is fn


def test_the_function_is_not_called() -> None:
    def broken(*_: object) -> Any:
        raise AssertionError

    Map(broken).options()


@pytest.mark.parametrize("fn", [None, "swap", 3])
def test_what_cannot_be_called_is_refused(fn: Any) -> None:
    assert refusal(lambda: Map(fn)) == (
        f"fn of Map is {fn!r}; give a function fn(images, labels, rngs) that returns images"
    )


def test_an_op_needs_no_map() -> None:
    op: Any = Resize(8)
    assert refusal(lambda: Map(op)) == (
        "fn of Map is the op Resize; put the op into the recipe, without a Map"
    )


@pytest.mark.parametrize("version", [1, "", b"1", 1.0])
def test_a_version_is_text(version: Any) -> None:
    assert refusal(lambda: Map(swap, version=version)) == (
        f"version of Map is {version!r}; give a text such as '1', or None"
    )
