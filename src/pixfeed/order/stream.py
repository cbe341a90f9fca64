"""A stream: everything that decides the bytes of every batch, and its short name."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

STREAM_VERSION = 1
"""Raised by every release that changes a byte of a batch."""

Json: TypeAlias = "bool | int | float | str | Sequence[Json] | Mapping[str, Json] | None"

_LONG = 64


def digest(value: Json) -> str:
    """Sixteen hexadecimal digits of a value: BLAKE2b over its canonical JSON.

    Canonical: keys sorted, no spaces, ASCII only. 1 and 1.0 are different values.

    >>> digest({"op": "Resize", "size": [2, 3]}) == digest({"size": (2, 3), "op": "Resize"})
    True
    """
    import hashlib

    text = json.dumps(value, sort_keys=True, separators=(",", ":"), allow_nan=False)
    return hashlib.blake2b(text.encode(), digest_size=8).hexdigest()


@dataclass(frozen=True)
class Stream:
    """What decides every batch, apart from (epoch, step, rank, world).

    ``catalogue`` is the catalogue's fingerprint, ``recipe`` the recipe's ``digest``, ``batch`` the
    global batch, ``sampling`` how records are chosen ("permutation", "sequence").

    >>> stream = Stream("c0ffee", "train", "permutation", digest([]), 0, 256, "drop", "raise")
    >>> stream.id
    '67fa76481b21023f'
    """

    catalogue: str
    split: str | None
    sampling: str
    recipe: str
    seed: int
    batch: int
    last: str
    on_bad: str
    version: int = STREAM_VERSION

    def __post_init__(self) -> None:
        # A state is small whatever the split is called, and its id can be told from it alone.
        if self.split is not None and len(json.dumps(self.split)) > _LONG:
            object.__setattr__(self, "split", f"#{digest(self.split)}")

    @property
    def id(self) -> str:
        """The stream's name: sixteen hexadecimal digits of all it says.

        >>> from dataclasses import replace
        >>> stream = Stream("c0ffee", "train", "permutation", digest([]), 0, 256, "drop", "raise")
        >>> stream.id == replace(stream, seed=1).id
        False
        """
        return digest(self.facts())

    def facts(self) -> dict[str, Json]:
        """What the stream says, as the saved state spells it.

        >>> Stream("c0", None, "sequence", "00", 0, 8, "keep", "raise").facts()["last"]
        'keep'
        """
        return {
            "catalogue": self.catalogue,
            "split": self.split,
            "sampling": self.sampling,
            "recipe": self.recipe,
            "seed": self.seed,
            "batch": self.batch,
            "last": self.last,
            "on_bad": self.on_bad,
            "stream_version": self.version,
        }
