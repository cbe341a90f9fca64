"""Every op: exported, explained, frozen, equal by value, and JSON once described."""

from __future__ import annotations

import inspect
import json
import pickle
import pkgutil
from dataclasses import FrozenInstanceError, fields, replace
from importlib import import_module

import pytest

import pixfeed.recipe
from pixfeed.recipe import Op, RandomHorizontalFlip, RandomVerticalFlip
from recipe.examples import EXAMPLES, swap

OPS = [op for op, _ in EXAMPLES]
RANDOM = {"Map", "RandomCrop", "RandomHorizontalFlip", "RandomResizedCrop", "RandomVerticalFlip"}


def kinds() -> set[type[Op]]:
    """The ops that the modules of the room define; toys of other tests do not count."""
    names = [module.name for module in pkgutil.iter_modules(pixfeed.recipe.__path__)]
    modules = [import_module(f"pixfeed.recipe.{name}") for name in names]
    found = [value for module in modules for value in vars(module).values()]
    return {value for value in found if inspect.isclass(value) and issubclass(value, Op)} - {Op}


def named(op: Op) -> str:
    return op.name


def test_every_op_is_exported_and_has_an_example_here() -> None:
    assert kinds() <= set(Op.__subclasses__())
    assert {type(op) for op in OPS} == kinds()
    for kind in kinds():
        assert getattr(pixfeed.recipe, kind.__name__) is kind
        assert kind.__name__ in pixfeed.recipe.__all__


def test_one_op_a_file_of_its_name() -> None:
    for kind in kinds():
        file = kind.__module__.rpartition(".")[2]
        assert file.replace("_", "") == kind.__name__.lower()


def test_every_public_name_is_explained_with_an_example() -> None:
    public = {name: getattr(pixfeed.recipe, name) for name in pixfeed.recipe.__all__}
    routines = {name: v for name, v in public.items() if inspect.isclass(v) or inspect.isroutine(v)}
    assert set(routines) > {kind.__name__ for kind in kinds()}
    assert [name for name, v in routines.items() if ">>>" not in (v.__doc__ or "")] == []


@pytest.mark.parametrize("op", OPS, ids=named)
def test_the_options_are_the_fields_as_json(op: Op) -> None:
    options = op.options()
    assert json.loads(json.dumps(options, allow_nan=False)) == options
    assert set(options) == {field.name for field in fields(op)} - {"fn"}
    assert "op" not in options


@pytest.mark.parametrize("op", OPS, ids=named)
def test_an_op_cannot_be_changed_even_through_its_options(op: Op) -> None:
    before = repr(op), hash(op)
    with pytest.raises(FrozenInstanceError):
        setattr(op, fields(op)[0].name, None)
    for value in op.options().values():
        if isinstance(value, list):
            value.clear()
    assert (repr(op), hash(op)) == before


@pytest.mark.parametrize("op", OPS, ids=named)
def test_an_op_survives_pickle_and_being_made_anew(op: Op) -> None:
    for other in (pickle.loads(pickle.dumps(op)), replace(op)):
        assert other == op
        assert hash(other) == hash(op)
        assert other.options() == op.options()


@pytest.mark.parametrize(("op", "written"), EXAMPLES, ids=[op.name for op in OPS])
def test_an_op_prints_as_it_can_be_written(op: Op, written: str) -> None:
    known = {name: getattr(pixfeed.recipe, name) for name in pixfeed.recipe.__all__}
    again = eval(written, {**known, "swap": swap})
    assert again == op
    assert repr(again) == repr(op)
    assert repr(op).replace(repr(swap), "swap") == written


def test_ops_of_different_kinds_differ_though_their_options_do_not() -> None:
    one: Op = RandomHorizontalFlip()
    other: Op = RandomVerticalFlip()
    assert one != other
    assert one.options() == other.options()
    assert len(set(OPS)) == len(OPS)


def test_an_op_says_whether_it_draws() -> None:
    assert {op.name for op in OPS if op.random} == RANDOM
