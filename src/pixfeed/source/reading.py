"""How the rows of a table are taken: which belong together, and what when one is bad."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from pixfeed.errors import ConfigError
from pixfeed.source.problems import Policy


@dataclass(frozen=True)
class Reading:
    """How a ``Table`` takes its rows.

    ``group`` names the column whose equal values ``Splits`` never part. ``bad="skip"`` leaves rows
    that cannot be used out and notes them, where ``"raise"`` tells all of them in one error.
    ``repeats="keep"`` makes a record of every row of a file that has several. ``columns`` names the
    further columns that travel along; None stands for all.

    >>> Reading(group="patient", bad="skip")
    Reading(group='patient', bad='skip', repeats='bad', columns=None)
    """

    group: str | None = None
    bad: Policy = "raise"
    repeats: Literal["bad", "keep"] = "bad"
    columns: Sequence[str] | None = None

    def __post_init__(self) -> None:
        _check_one_of("bad", self.bad, ("raise", "skip"))
        _check_one_of("repeats", self.repeats, ("bad", "keep"))
        if self.group is not None:
            check_name("group", self.group)
        if self.columns is not None:
            object.__setattr__(self, "columns", names_of("columns", self.columns))


def check_name(what: str, name: object) -> None:
    """Refuses what cannot be the name of a column.

    >>> check_name("image", 3)
    Traceback (most recent call last):
    pixfeed.errors.ConfigError: image=3 names no column; give its name as a string
    """
    if not (isinstance(name, str) and name):
        raise ConfigError(f"{what}={name!r} names no column; give its name as a string")


def names_of(what: str, names: object) -> tuple[str, ...]:
    """Names of columns, each once, as something that never changes.

    >>> names_of("columns", ["age", "site"])
    ('age', 'site')
    """
    if isinstance(names, str) or not isinstance(names, Sequence):
        raise ConfigError(f"{what}={names!r} is no list; give a list of the columns' names")
    for name in names:
        check_name(what, name)
    if len(set(names)) < len(names):
        raise ConfigError(f"{what}={list(names)!r} names a column twice; name each once")
    return tuple(names)


def _check_one_of(what: str, value: object, allowed: tuple[str, ...]) -> None:
    if not (isinstance(value, str) and value in allowed):
        known = " or ".join(map(repr, allowed))
        raise ConfigError(f"{what}={value!r} is not known; give {known}")
