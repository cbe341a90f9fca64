"""Recipes by name: what papers and examples train with."""

from __future__ import annotations

import re
from collections.abc import Callable

from pixfeed.errors import ConfigError
from pixfeed.recipe.center_crop import CenterCrop
from pixfeed.recipe.decode import Decode
from pixfeed.recipe.imagenet import IMAGENET_MEAN, IMAGENET_STD
from pixfeed.recipe.op import Op
from pixfeed.recipe.random_crop import RandomCrop
from pixfeed.recipe.random_horizontal_flip import RandomHorizontalFlip
from pixfeed.recipe.random_resized_crop import RandomResizedCrop
from pixfeed.recipe.resize import Resize
from pixfeed.recipe.to_array import ToArray
from pixfeed.recipe.values import whole

Ops = tuple[Op, ...]


def imagenet_train(size: int = 224) -> Ops:
    """The usual training recipe of ImageNet: random crop, flip, float32 NCHW, normalised.

    The ops come as a tuple: put more among them, or leave some out.

    >>> [op.name for op in imagenet_train(192)]
    ['RandomResizedCrop', 'RandomHorizontalFlip', 'ToArray']
    """
    side = whole("size of imagenet_train", size)
    return RandomResizedCrop(side), RandomHorizontalFlip(), _imagenet_array()


def imagenet_eval(size: int = 224) -> Ops:
    """The usual evaluation recipe of ImageNet: the shorter side to 8/7 of size, then the middle.

    >>> imagenet_eval(224)[:2]  # doctest: +NORMALIZE_WHITESPACE
    (Resize(size=(256,), interpolation='bilinear', max_size=None, pad=False, fill=(0, 0, 0)),
     CenterCrop(size=(224, 224)))
    """
    side = whole("size of imagenet_eval", size)
    return Resize(side * 256 // 224), CenterCrop(side), _imagenet_array()


def mnist_train() -> Ops:
    """Gray digits of 28 by 28, moved by up to two pixels, float32 NCHW, normalised.

    >>> [op.name for op in mnist_train()]
    ['Decode', 'RandomCrop', 'ToArray']
    """
    return Decode(channels=1), RandomCrop(28, padding=2), ToArray(mean=0.1307, std=0.3081)


_PRESETS: dict[str, Callable[..., Ops]] = {
    "imagenet-train": imagenet_train,
    "imagenet-eval": imagenet_eval,
    "mnist-train": mnist_train,
}
_FIXED = {"mnist-train"}


def named(name: str) -> Ops:
    """The ops of a preset as the command line spells it, "imagenet-train" or "imagenet-train:192".

    >>> named("imagenet-train:192") == imagenet_train(192)
    True
    >>> named("cifar")
    Traceback (most recent call last):
    pixfeed.errors.ConfigError: no recipe is called 'cifar'; give one of imagenet-train, ...
    """
    preset, colon, size = str(name).partition(":")
    if preset not in _PRESETS:
        raise ConfigError(f"no recipe is called {name!r}; give one of {', '.join(_PRESETS)}")
    if not colon:
        return _PRESETS[preset]()
    if preset in _FIXED:
        raise ConfigError(f"{preset} has a size of its own, but {size!r} is given; give {preset!r}")
    if not re.fullmatch(r"[0-9]{1,10}", size):
        raise ConfigError(f"{size!r} is no size; give a whole number, as '{preset}:192'")
    return _PRESETS[preset](int(size))


def _imagenet_array() -> ToArray:
    return ToArray(mean=IMAGENET_MEAN, std=IMAGENET_STD)
