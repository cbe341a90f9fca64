"""A recipe: what it is made of, which ops stand where, and how it is described."""

from __future__ import annotations

import json
import pickle

import pytest

from pixfeed.recipe import (
    CenterCrop,
    Decode,
    Map,
    Op,
    RandomHorizontalFlip,
    Recipe,
    Resize,
    ToArray,
    settle,
)
from recipe.examples import EXAMPLES, swap
from recipe.refusal import refusal

FLIP = RandomHorizontalFlip()


def test_a_recipe_is_made_of_ops_an_op_or_a_recipe() -> None:
    made = settle([FLIP, ToArray()])
    assert made == settle((FLIP, ToArray())) == Recipe((FLIP, ToArray()))
    assert settle(made) is made
    assert settle(FLIP).ops == (FLIP,)
    assert settle(()) == settle([]) == Recipe()
    assert made.ops == (FLIP, ToArray())


def test_it_is_a_value() -> None:
    made = settle([op for op, _ in EXAMPLES if op.name not in ("Decode", "ToArray")])
    again = pickle.loads(pickle.dumps(made))
    assert again == made
    assert hash(again) == hash(made)
    assert settle([FLIP, FLIP]) != settle([FLIP])
    with pytest.raises(AttributeError):
        made.ops = ()  # type: ignore[misc]


def test_a_list_may_change_afterwards() -> None:
    ops: list[Op] = [FLIP]
    made = settle(ops)
    ops.clear()
    assert made.ops == (FLIP,)
    assert hash(Recipe([FLIP])) == hash(made)  # type: ignore[arg-type]


def test_the_ends_have_defaults() -> None:
    assert settle([FLIP]).decode == Decode()
    assert settle([FLIP]).array == ToArray("uint8", "NHWC")
    given = settle([Decode(1), FLIP, ToArray("float16")])
    assert (given.decode, given.array) == (Decode(1), ToArray("float16"))
    alone = settle(ToArray())
    assert (alone.decode, alone.array) == (Decode(), ToArray())


@pytest.mark.parametrize(
    ("ops", "message"),
    [
        ([FLIP, Decode()], "recipe[1] is a Decode; give one only, as the first op"),
        ([Decode(), Decode()], "recipe[1] is a Decode; give one only, as the first op"),
        ([ToArray(), FLIP], "recipe[0] is a ToArray; give one only, as the last op"),
        ([FLIP, ToArray(), ToArray()], "recipe[1] is a ToArray; give one only, as the last op"),
        ([ToArray(), Decode()], "recipe[0] is a ToArray; give one only, as the last op"),
        ([Map(swap), Decode()], "recipe[1] is a Decode; give one only, as the first op"),
    ],
)
def test_decode_is_first_and_to_array_last(ops: list[Op], message: str) -> None:
    assert refusal(lambda: settle(ops)) == message


def test_only_a_map_without_a_version_is_unverified() -> None:
    assert not settle([FLIP]).unverified
    assert not settle([Map(swap, version="1")]).unverified
    assert settle([Map(swap, version="1"), Map(swap)]).unverified


def test_the_description_is_json_and_says_what_was_given() -> None:
    made = settle([Decode(1), Resize(8), FLIP, Map(swap, version="2"), ToArray()])
    described = made.describe()
    assert json.loads(json.dumps(described, allow_nan=False)) == described
    assert [entry["op"] for entry in described] == [op.name for op in made.ops]
    assert settle(()).describe() == []
    assert described != settle(made.ops[:-1]).describe()


def test_the_description_people_rely_on() -> None:
    """Never change this: streams are named after it (or raise the stream version)."""
    made = settle([Decode(), Resize((8, 9)), CenterCrop(7), FLIP, Map(swap), ToArray()])
    assert json.dumps(made.describe(), sort_keys=True, separators=(",", ":")) == (
        '[{"background":[0,0,0],"channels":3,"exif":true,"max_pixels":178000000,"op":"Decode"},'
        '{"fill":[0,0,0],"interpolation":"bilinear","max_size":null,"op":"Resize","pad":false,'
        '"size":[8,9]},{"op":"CenterCrop","size":[7,7]},{"op":"RandomHorizontalFlip","p":0.5},'
        '{"op":"Map","version":null},{"dtype":"float32","layout":"NCHW","mean":null,"op":"ToArray",'
        '"scale":0.00392156862745098,"std":null}]'
    )


def test_it_prints_an_op_a_line() -> None:
    made = settle([op for op, _ in EXAMPLES if op.name != "ToArray"])
    lines = str(made).splitlines()
    assert [line.split("(")[0] for line in lines] == [
        f"{number}  {op.name}" for number, op in made.numbered
    ]
    assert str(settle(())) == "no ops"
    assert repr(settle(FLIP)) == "Recipe(ops=(RandomHorizontalFlip(p=0.5),))"
