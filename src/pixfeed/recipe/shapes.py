"""Sizes, padding and colours: several numbers, of which users may give fewer."""

from __future__ import annotations

from pixfeed.recipe.values import WIDEST, reals, refused, wholes


def size(name: str, value: object) -> tuple[int, int]:
    """Height and width; one number stands for both.

    >>> size("size of CenterCrop", 224), size("size of CenterCrop", [192, 256])
    ((224, 224), (192, 256))
    """
    found = short_or_size(name, value)
    return found[0], found[-1]


def short_or_size(name: str, value: object) -> tuple[int, ...]:
    """The shorter side alone, or height and width.

    >>> short_or_size("size of Resize", 256), short_or_size("size of Resize", (192, 256))
    ((256,), (192, 256))
    """
    found = wholes(value, 1, WIDEST)
    if len(found) not in (1, 2):
        raise refused(name, value, "a whole number from 1 to 2**30 - 1, or (height, width)")
    return found


def sides(name: str, value: object) -> tuple[int, ...]:
    """Left, top, right and bottom; one number stands for all, two for both of each direction.

    >>> sides("padding of Pad", 2), sides("padding of Pad", (1, 2))
    ((2, 2, 2, 2), (1, 2, 1, 2))
    """
    found = wholes(value, 0, WIDEST)
    if len(found) not in (1, 2, 4):
        raise refused(
            name,
            value,
            "a whole number from 0 to 2**30 - 1, (left and right, top and bottom), or "
            "(left, top, right, bottom)",
        )
    return found * (4 // len(found))


def colour(name: str, value: object) -> tuple[int, ...]:
    """Red, green and blue; one number stands for all.

    >>> colour("fill of Pad", 128), colour("fill of Pad", (255, 0, 0))
    ((128, 128, 128), (255, 0, 0))
    """
    found = wholes(value, 0, 255)
    if len(found) not in (1, 3):
        raise refused(name, value, "a whole number from 0 to 255, or (red, green, blue)")
    return found * (3 // len(found))


def portion(name: str, value: object) -> tuple[float, float]:
    """The least and the largest part of something, above 0 and at most 1.

    >>> portion("scale of RandomResizedCrop", (0.5, 1))
    (0.5, 1.0)
    """
    found = reals(value)
    if len(found) != 2 or not 0 < found[0] <= found[1] <= 1:
        raise refused(name, value, "(low, high) with 0 < low <= high <= 1")
    return found[0], found[1]


def span(name: str, value: object) -> tuple[float, float]:
    """The least and the largest of something that is above 0.

    >>> span("ratio of RandomResizedCrop", (0.5, 2))
    (0.5, 2.0)
    """
    found = reals(value)
    if len(found) != 2 or not 0 < found[0] <= found[1]:
        raise refused(name, value, "(low, high) with 0 < low <= high")
    return found[0], found[1]
