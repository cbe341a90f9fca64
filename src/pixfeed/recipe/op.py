"""What every op is: frozen data that describes one step of a recipe."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import ClassVar, TypeAlias

from pixfeed.recipe.values import Rule

Json: TypeAlias = "bool | int | float | str | Sequence[Json] | Mapping[str, Json] | None"


@dataclass(frozen=True)
class Op:
    """A step of a recipe, described; the native engine has a twin of the same name that does it.

    Ops compare by value, hash, pickle, and are safe to share. ``random`` says whether the step
    draws: what comes before the first random op may be cached.

    To add an op ``Blur``: this room gets ``blur.py``, a frozen dataclass whose ``__post_init__``
    names a rule for every field; ``crates/core/src/ops/blur.rs`` does the work; and
    ``tests/recipe/test_blur.py`` holds it to what it says. The lists to extend are ``__all__`` in
    ``recipe/__init__.py`` and ``pixfeed/__init__.py``, ``EXAMPLES`` in ``tests/recipe/examples.py``
    and ``OPS`` in ``crates/core/src/ops/mod.rs``.

    >>> from pixfeed.recipe.values import whole
    >>> @dataclass(frozen=True)
    ... class Blur(Op):
    ...     '''Means over squares.'''
    ...     size: int
    ...     def __post_init__(self) -> None:
    ...         self._settle(size=whole)
    >>> Blur(3)
    Blur(size=3)
    >>> Blur("much")
    Traceback (most recent call last):
    pixfeed.errors.ConfigError: size of Blur is 'much'; give a whole number from 1 to 2**30 - 1
    """

    random: ClassVar[bool] = False

    @property
    def name(self) -> str:
        """The name of the native twin.

        >>> from pixfeed.recipe import CenterCrop
        >>> CenterCrop(224).name
        'CenterCrop'
        """
        return type(self).__name__

    def options(self) -> dict[str, Json]:
        """The settled fields as JSON has them: what the native twin is made of.

        >>> from pixfeed.recipe import CenterCrop
        >>> CenterCrop(224).options()
        {'size': [224, 224]}
        """
        return {field.name: _as_json(getattr(self, field.name)) for field in fields(self)}

    def _settle(self, **rules: Rule) -> None:
        """Checks the named fields by their rules, and keeps what the rules return."""
        for field, rule in rules.items():
            value = rule(f"{field} of {self.name}", getattr(self, field))
            object.__setattr__(self, field, value)


def _as_json(value: Json) -> Json:
    return [_as_json(item) for item in value] if isinstance(value, tuple) else value
