"""Resize: to the sizes torchvision names, with Pillow's antialiased pixels."""

from __future__ import annotations

from typing import Any

import pytest

import pixfeed as pf
from decode.reference import Resample, saved
from ops.reference import off, picture

SIZES = [(40, 60), (60, 40), (33, 100), (100, 33), (50, 50)]


@pytest.mark.parametrize("filter", ["nearest", "bilinear", "bicubic", "lanczos"])
@pytest.mark.parametrize("size", [(20, 30), (80, 30), (33, 150), (7, 7), (200, 201), (1, 90)])
def test_both_sides_as_pillow_does(size: tuple[int, int], filter: Resample) -> None:
    op = pf.Resize(size, interpolation=filter)
    assert off([op], picture(61, 83)) <= (filter != "nearest")


@pytest.mark.parametrize("short", [1, 16, 33, 50, 77])
@pytest.mark.parametrize("size", SIZES)
def test_the_short_side(size: tuple[int, int], short: int) -> None:
    assert off([pf.Resize(short)], picture(*size)) <= 1


@pytest.mark.parametrize("limit", [41, 60, 61, 120])
@pytest.mark.parametrize("size", SIZES)
def test_the_long_side_is_bounded(size: tuple[int, int], limit: int) -> None:
    assert off([pf.Resize(40, max_size=limit)], picture(*size)) <= 1


@pytest.mark.parametrize("target", [(40, 40), (20, 90), (91, 20), (33, 64)])
@pytest.mark.parametrize("size", [*SIZES, (1, 300), (300, 1)])
def test_as_much_as_fits(size: tuple[int, int], target: tuple[int, int]) -> None:
    assert off([pf.Resize(target, pad=True, fill=(9, 200, 30))], picture(*size)) <= 1


def test_the_same_size_changes_nothing() -> None:
    for op in (pf.Resize((40, 60)), pf.Resize(40), pf.Resize((40, 60), pad=True)):
        assert off([op], picture(40, 60)) == 0


@pytest.mark.parametrize("size", [(20, 31), (90, 61)])
def test_one_channel(size: tuple[int, int]) -> None:
    gray = picture(40, 60)[..., :1]
    made = pf.apply([pf.Decode(1), pf.Resize(size)], saved(gray[..., 0], "PNG"))
    coloured = pf.apply(pf.Resize(size), saved(gray.repeat(3, axis=2), "PNG"))
    assert (made == coloured[..., :1]).all()


@pytest.mark.parametrize("ops", [[pf.Resize(30), pf.Resize((50, 20))], [pf.Resize((9, 9))] * 3])
def test_one_after_the_other(ops: Any) -> None:
    """Each rounds to 8 bits, as Pillow does, so each may be off by one."""
    assert off(ops, picture(61, 83)) <= len(ops)
