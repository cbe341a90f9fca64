"""A stranger: something in a recipe that is no op, and what to give for it."""

from __future__ import annotations

from typing import Any

import pytest

from pixfeed.recipe import Recipe, Resize, ToArray, settle
from recipe.refusal import refusal


def foreign(name: str) -> Any:
    """A transform as torchvision makes them: an object that can be called."""
    body = {"__module__": f"torchvision.transforms.v2._{name}", "__call__": lambda *_: None}
    return type(name, (), body)()


def double(*_: object) -> None: ...


class Own:
    def __call__(self) -> None: ...

    def __repr__(self) -> str:
        return "Own()"


PYTHON = "pf.Map(fn) for Python of your own"
OPS = "ops, as [pf.Resize(256), pf.CenterCrop(224), pf.ToArray()]"


@pytest.mark.parametrize(
    ("item", "message"),
    [
        (Resize, "is the class Resize; give an op of it, as pf.Resize(...)"),
        (double, f"is the function double; give {PYTHON}"),
        (Own(), f"is Own(); give {PYTHON}"),
        (Own, f"is the class Own; give {PYTHON}"),
        ("Resize", f"is 'Resize'; give {OPS}"),
        (None, f"is None; give {OPS}"),
        (224, f"is 224; give {OPS}"),
        (foreign("Resize"), "is torchvision's Resize; give pf.Resize(...), which means it"),
        (type(foreign("Pad")), "is torchvision's Pad; give pf.Pad(...), which means it"),
        (foreign("Compose"), "is torchvision's Compose; give a list of pixfeed's ops"),
    ],
)
def test_what_is_no_op_gets_one_line(item: Any, message: str) -> None:
    assert refusal(lambda: settle([ToArray(), item])) == f"recipe[1] {message}"
    assert refusal(lambda: settle(item)) == f"recipe {message}"


def test_what_only_torchvision_has_gets_the_list() -> None:
    message = refusal(lambda: settle([foreign("GaussianNoise")]))
    assert message.startswith(
        "recipe[0] is torchvision's GaussianNoise, and pixfeed has no op of that name; give one of "
    )
    for name in ("CenterCrop", "RandomResizedCrop", "ToArray", PYTHON):
        assert name in message


@pytest.mark.parametrize("inner", [[Resize(8)], (Resize(8), Resize(9)), ()])
def test_lists_are_not_nested(inner: Any) -> None:
    message = refusal(lambda: settle([inner, ToArray()]))
    assert message.startswith("recipe[0] is ")
    assert message.endswith("; give its ops one by one, as [*ops, pf.ToArray()]")


def test_a_recipe_is_no_op() -> None:
    inner: Any = settle([Resize(8)])
    assert refusal(lambda: settle([inner])).startswith("recipe[0] is Recipe(ops=(Resize(")
    assert refusal(lambda: Recipe((Resize,))).startswith("recipe[0] is the class Resize")  # type: ignore[arg-type]


@pytest.mark.parametrize("recipe", [{Resize(8)}, {"op": "Resize"}, iter([Resize(8)]), None])
def test_only_lists_and_tuples_have_an_order_that_stays(recipe: Any) -> None:
    assert refusal(lambda: settle(recipe)).startswith(f"recipe is {str(recipe)[:20]}")
