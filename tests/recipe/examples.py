"""Ops of every kind, for the tests that hold for all; a new op adds a line."""

from __future__ import annotations

from typing import Any

from pixfeed.recipe import (
    IMAGENET_MEAN,
    IMAGENET_STD,
    CenterCrop,
    Decode,
    Map,
    Op,
    Pad,
    RandomCrop,
    RandomHorizontalFlip,
    RandomResizedCrop,
    RandomVerticalFlip,
    Resize,
    ToArray,
)


def swap(images: Any, _labels: object, _rngs: object) -> Any:
    return images[::-1]


# Each is made twice, as users may write it and as it prints.
EXAMPLES: list[tuple[Op, str]] = [
    (
        Decode(1, exif=False, background=[1, 2, 3], max_pixels=10**12),
        "Decode(channels=1, exif=False, background=(1, 2, 3), max_pixels=1000000000000)",
    ),
    (
        Resize([256], interpolation="bicubic", max_size=300),
        "Resize(size=(256,), interpolation='bicubic', max_size=300, pad=False, fill=(0, 0, 0))",
    ),
    (CenterCrop(224), "CenterCrop(size=(224, 224))"),
    (
        RandomCrop((24, 32), padding=(1, 2), pad_if_needed=True, fill=9),
        "RandomCrop(size=(24, 32), padding=(1, 2, 1, 2), pad_if_needed=True, fill=(9, 9, 9))",
    ),
    (
        RandomResizedCrop(192, scale=[0.5, 1], ratio=[1, 2]),
        "RandomResizedCrop(size=(192, 192), scale=(0.5, 1.0), ratio=(1.0, 2.0), "
        "interpolation='bilinear')",
    ),
    (RandomHorizontalFlip(1), "RandomHorizontalFlip(p=1.0)"),
    (RandomVerticalFlip(), "RandomVerticalFlip(p=0.5)"),
    (Pad(3), "Pad(padding=(3, 3, 3, 3), fill=(0, 0, 0))"),
    (
        ToArray("float16", "NHWC", mean=IMAGENET_MEAN, std=IMAGENET_STD, scale=0.5),
        "ToArray(dtype='float16', layout='NHWC', mean=(0.485, 0.456, 0.406), "
        "std=(0.229, 0.224, 0.225), scale=0.5)",
    ),
    (Map(swap, version="7"), "Map(fn=swap, version='7')"),
]
