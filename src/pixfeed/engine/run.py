"""How a run goes: threads, memory, cache, and what becomes of bad images."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal, get_args

from pixfeed.errors import ConfigError

Cache = Literal["encoded", "decoded"]
OnBad = Literal["raise", "substitute", "blank"]

_UNITS = {"": 1, "K": 2**10, "M": 2**20, "G": 2**30, "T": 2**40}
_SIZE = re.compile(r"\s*([0-9]+(?:\.[0-9]+)?)\s*([KMGT]?)(?:i?B)?\s*", re.IGNORECASE)


@dataclass(frozen=True)
class Run:
    """How fast batches come, never what is in them; only ``on_bad`` may change a byte.

    ``threads`` are native (None: the cores this process may use, shared by the ranks of this host).
    ``prefetch`` batches are made ahead, as many as fit into ``memory`` (bytes, or a text such as
    "2 GiB"), which also bounds the cache; None leaves the cache half of what the machine has free.
    ``cache="encoded"`` keeps the files' bytes, ``"decoded"`` the pixels up to the first random op.
    ``on_bad`` says what becomes of an image that is missing, damaged, over a limit, or too small
    for a crop: "raise" ends the epoch there, "substitute" puts another of its label in its place,
    "blank" leaves zeros with ``valid`` False. ``max_bad`` bad images (a fraction of them all for a
    float) are put up with.

    >>> Run(threads=4, memory="2 GiB").memory
    2147483648
    >>> Run(cache="all")
    Traceback (most recent call last):
    pixfeed.errors.ConfigError: cache is 'all'; give 'encoded', 'decoded' or None
    """

    threads: int | None = None
    prefetch: int = 3
    memory: int | str | None = None
    cache: Cache | None = None
    on_bad: OnBad = "raise"
    max_bad: int | float | None = None

    def __post_init__(self) -> None:
        if self.threads is not None:
            _check_whole("threads", self.threads, 1, 1024)
        _check_whole("prefetch", self.prefetch, 1, 1024)
        if self.memory is not None:
            object.__setattr__(self, "memory", _bytes(self.memory))
        if self.cache is not None and self.cache not in get_args(Cache):
            raise ConfigError(f"cache is {self.cache!r}; give 'encoded', 'decoded' or None")
        if self.on_bad not in get_args(OnBad):
            raise ConfigError(f"on_bad is {self.on_bad!r}; give 'raise', 'substitute' or 'blank'")
        _check_max_bad(self.max_bad)

    def most_bad(self, records: int) -> int | None:
        """How many bad records of so many are put up with; None for any number.

        >>> Run(max_bad=0.1).most_bad(50), Run(max_bad=3).most_bad(50)
        (5, 3)
        """
        if isinstance(self.max_bad, float):
            return int(Fraction(str(self.max_bad)) * records)
        return self.max_bad


def _check_whole(name: str, value: object, least: int, most: int) -> None:
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        raise ConfigError(f"{name} is {value!r}; give a whole number from {least} to {most}")


def _bytes(memory: object) -> int:
    match = _SIZE.fullmatch(memory) if isinstance(memory, str) else None
    if match is not None:
        memory = int(float(match[1]) * _UNITS[match[2].upper()])
    if isinstance(memory, int) and not isinstance(memory, bool) and memory > 0:
        return memory
    raise ConfigError(f"memory is {memory!r}; give bytes, or a text such as '2 GiB'")


def _check_max_bad(max_bad: object) -> None:
    if max_bad is None:
        return
    whole = isinstance(max_bad, int) and not isinstance(max_bad, bool) and max_bad >= 0
    if not (whole or (isinstance(max_bad, float) and 0 <= max_bad <= 1)):
        raise ConfigError(
            f"max_bad is {max_bad!r}; give a number of images, a fraction from 0.0 to 1.0, or None"
        )
