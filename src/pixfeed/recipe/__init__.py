"""Recipes: what happens to every image, described as frozen data."""

from __future__ import annotations

from pixfeed.recipe.center_crop import CenterCrop
from pixfeed.recipe.decode import Decode
from pixfeed.recipe.imagenet import IMAGENET_MEAN, IMAGENET_STD
from pixfeed.recipe.map import Map
from pixfeed.recipe.op import Json, Op
from pixfeed.recipe.pad import Pad
from pixfeed.recipe.presets import imagenet_eval, imagenet_train, mnist_train, named
from pixfeed.recipe.random_crop import RandomCrop
from pixfeed.recipe.random_horizontal_flip import RandomHorizontalFlip
from pixfeed.recipe.random_resized_crop import RandomResizedCrop
from pixfeed.recipe.random_vertical_flip import RandomVerticalFlip
from pixfeed.recipe.recipe import Recipe, settle
from pixfeed.recipe.resize import Resize
from pixfeed.recipe.to_array import ToArray

__all__ = [
    "IMAGENET_MEAN",
    "IMAGENET_STD",
    "CenterCrop",
    "Decode",
    "Json",
    "Map",
    "Op",
    "Pad",
    "RandomCrop",
    "RandomHorizontalFlip",
    "RandomResizedCrop",
    "RandomVerticalFlip",
    "Recipe",
    "Resize",
    "ToArray",
    "imagenet_eval",
    "imagenet_train",
    "mnist_train",
    "named",
    "settle",
]
