"""Presets: what their names promise, by function and by the command line's word."""

from __future__ import annotations

from typing import Any

import pytest

from pixfeed.recipe import (
    IMAGENET_MEAN,
    IMAGENET_STD,
    CenterCrop,
    Decode,
    RandomCrop,
    RandomHorizontalFlip,
    RandomResizedCrop,
    Resize,
    ToArray,
    imagenet_eval,
    imagenet_train,
    mnist_train,
    named,
    settle,
)
from recipe.refusal import refusal

ARRAY = ToArray("float32", "NCHW", mean=(0.485, 0.456, 0.406), std=(0.229, 0.224, 0.225))


def test_the_statistics_of_imagenet() -> None:
    assert (IMAGENET_MEAN, IMAGENET_STD) == ((0.485, 0.456, 0.406), (0.229, 0.224, 0.225))


def test_training_on_imagenet() -> None:
    assert imagenet_train() == (RandomResizedCrop(224), RandomHorizontalFlip(), ARRAY)
    assert imagenet_train(192)[0] == RandomResizedCrop(192)


@pytest.mark.parametrize(("size", "short"), [(224, 256), (192, 219), (299, 341), (1, 1)])
def test_evaluating_on_imagenet(size: int, short: int) -> None:
    assert imagenet_eval(size) == (Resize(short), CenterCrop(size), ARRAY)


def test_training_on_mnist() -> None:
    digits = (Decode(1), RandomCrop(28, padding=2), ToArray(mean=0.1307, std=0.3081))
    assert mnist_train() == digits


@pytest.mark.parametrize(
    ("name", "ops"),
    [
        ("imagenet-train", imagenet_train(224)),
        ("imagenet-train:192", imagenet_train(192)),
        ("imagenet-eval", imagenet_eval(224)),
        ("imagenet-eval:0288", imagenet_eval(288)),
        ("mnist-train", mnist_train()),
    ],
)
def test_presets_have_names_and_are_recipes(name: str, ops: Any) -> None:
    assert named(name) == ops
    assert settle(named(name)).ops == ops


@pytest.mark.parametrize("name", ["cifar", "", "imagenet_train", "Imagenet-train", ":224", None])
def test_unknown_names_get_the_list(name: Any) -> None:
    assert refusal(lambda: named(name)) == (
        f"no recipe is called {name!r}; give one of imagenet-train, imagenet-eval, mnist-train"
    )


@pytest.mark.parametrize("size", ["", "big", "-1", "1.5", " 8", "1_0", "9" * 11, "²"])
def test_a_size_is_digits(size: str) -> None:
    assert refusal(lambda: named(f"imagenet-eval:{size}")) == (
        f"{size!r} is no size; give a whole number, as 'imagenet-eval:192'"
    )


def test_some_sizes_are_settled() -> None:
    assert refusal(lambda: named("mnist-train:32")) == (
        "mnist-train has a size of its own, but '32' is given; give 'mnist-train'"
    )


@pytest.mark.parametrize("preset", [imagenet_train, imagenet_eval])
@pytest.mark.parametrize("size", [0, 2.5, "224", (224, 224), None, True])
def test_wrong_sizes_get_one_line(preset: Any, size: Any) -> None:
    assert refusal(lambda: preset(size)) == (
        f"size of {preset.__name__} is {size!r}; give a whole number from 1 to 2**30 - 1"
    )
