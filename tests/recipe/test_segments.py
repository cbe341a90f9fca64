"""Segments: the native ops between the Maps, numbered as in the recipe."""

from __future__ import annotations

from itertools import chain

from hypothesis import given
from hypothesis import strategies as st

from pixfeed.recipe import CenterCrop, Decode, Map, Op, Pad, RandomVerticalFlip, ToArray, settle
from recipe.examples import swap

MIDDLE = st.sampled_from([Pad(1), CenterCrop(5), RandomVerticalFlip(), Map(swap)])
RECIPES = st.builds(
    lambda first, middle, last: [*first, *middle, *last],
    st.sampled_from([[], [Decode()]]),
    st.lists(MIDDLE, max_size=8),
    st.sampled_from([[], [ToArray()]]),
)


def test_a_recipe_is_cut_where_maps_stand() -> None:
    one, other = Map(swap, version="1"), Map(swap)
    made = settle([Decode(1), Pad(1), one, other, RandomVerticalFlip(), ToArray("uint8")])
    assert made.maps == ((2, one), (3, other))
    assert made.segments == (
        ((0, "Decode", Decode(1).options()), (1, "Pad", Pad(1).options())),
        (),
        ((4, "RandomVerticalFlip", {"p": 0.5}), (5, "ToArray", ToArray("uint8").options())),
    )


def test_without_a_map_there_is_one_segment() -> None:
    assert settle(()).segments == ((),)
    assert settle(CenterCrop(5)).segments == (((0, "CenterCrop", {"size": [5, 5]}),),)
    assert settle(Map(swap)).segments == ((), ())


@given(RECIPES)
def test_every_op_is_numbered_by_its_place_and_comes_once(ops: list[Op]) -> None:
    made = settle(ops)
    assert made.numbered == tuple(enumerate(ops))
    assert len(made.segments) == len(made.maps) + 1
    native = [(number, made.ops[number]) for number, _, _ in chain(*made.segments)]
    assert sorted([*native, *made.maps], key=lambda pair: pair[0]) == list(made.numbered)
    for number, name, options in chain(*made.segments):
        assert (name, options) == (ops[number].name, ops[number].options())


@given(RECIPES)
def test_segments_lie_between_their_maps(ops: list[Op]) -> None:
    made = settle(ops)
    for segment, (low, _), (high, _) in zip(
        made.segments, [(-1, None), *made.maps], [*made.maps, (len(ops), None)], strict=True
    ):
        assert [number for number, _, _ in segment] == list(range(low + 1, high))


def test_options_are_made_anew_so_nobody_changes_a_recipe() -> None:
    made = settle(CenterCrop(5))
    made.segments[0][0][2].clear()
    made.describe()[0].clear()
    assert made.segments[0][0][2] == {"size": [5, 5]}
