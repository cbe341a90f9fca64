"""Ops in a row are those ops one by one, however the engine fuses them."""

from __future__ import annotations

import numpy as np
import pytest

import pixfeed as pf
from ops.reference import off, picture
from pixfeed.recipe import Op

Rng = np.random.Generator


def _crop(rng: Rng) -> Op:
    side = int(rng.integers(4, 30))
    return pf.RandomCrop(side, padding=int(rng.integers(0, 6)), pad_if_needed=True, fill=90)


def _middle(rng: Rng) -> Op:
    return pf.CenterCrop((int(rng.integers(3, 40)), int(rng.integers(3, 40))))


def _pad(rng: Rng) -> Op:
    sides = tuple(map(int, rng.integers(0, 7, 4)))
    return pf.Pad(sides, fill=int(rng.choice([0, 90])))


def _flip(rng: Rng) -> Op:
    return (pf.RandomHorizontalFlip, pf.RandomVerticalFlip)[int(rng.integers(2))](0.7)


def _resize(rng: Rng) -> Op:
    side = int(rng.integers(5, 60))
    return (pf.Resize(side), pf.Resize((side, 21)), pf.RandomResizedCrop(side))[rng.integers(3)]


def chain(seed: int, resizes: int) -> list[Op]:
    """Ops at random, so many resizes among them."""
    rng = np.random.default_rng(seed)
    makers = (_crop, _middle, _pad, _flip)
    ops = [makers[int(rng.integers(4))](rng) for _ in range(int(rng.integers(2, 7)))]
    for _ in range(resizes):
        ops.insert(int(rng.integers(len(ops) + 1)), _resize(rng))
    return ops


@pytest.mark.parametrize("first", range(0, 200, 50))
def test_without_a_resize_to_the_pixel(first: int) -> None:
    for seed in range(first, first + 50):
        ops = chain(seed, 0)
        assert off(ops, picture(21, 34), seed=seed, id=seed) == 0, ops


@pytest.mark.parametrize("first", range(0, 200, 50))
def test_with_a_resize_as_pillow_does(first: int) -> None:
    for seed in range(first, first + 50):
        ops = chain(seed, 1)
        assert off(ops, picture(21, 34), seed=seed, id=seed) <= 1, ops


def test_with_several_resizes() -> None:
    """An error of one of 8 bits may grow by what the next filter weighs."""
    for seed in range(60):
        ops = chain(seed, 3)
        assert off(ops, picture(31, 44), seed=seed, id=seed) <= 3, ops


def test_the_chains_are_many() -> None:
    kinds = {op.name for seed in range(200) for op in chain(seed, 1)}
    assert kinds >= {"Pad", "CenterCrop", "RandomCrop", "RandomResizedCrop", "Resize"}
    assert len({repr(chain(seed, 1)) for seed in range(200)}) == 200
