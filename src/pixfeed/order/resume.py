"""Resuming: whether a saved state belongs to the loader that is to continue it."""

from __future__ import annotations

from collections.abc import Iterator

from pixfeed.errors import StateError
from pixfeed.order.state import State

_NAMES = {
    "stream_version": "release (stream version)",
    "catalogue": "dataset (catalogue fingerprint)",
    "content": "dataset (content fingerprint)",
    "split": "split",
    "sampling": "sampling",
    "recipe": "recipe (digest)",
    "seed": "seed",
    "batch": "global batch",
    "last": "last",
    "on_bad": "on_bad",
}


def check(saved: State, current: State, *, world: int = 1, steps: int | None = None) -> None:
    """Refuse a saved state that does not belong to the current one, naming all that differs.

    ``world`` is the number of ranks now; ``steps`` the steps of an epoch, where they are known.

    >>> from dataclasses import replace
    >>> from pixfeed.order import Stream
    >>> stream = Stream("c0ffee", "train", "permutation", "00", 0, 256, "drop", "raise")
    >>> other = State(replace(stream, batch=64))
    >>> check(State(stream), other, world=4)
    Traceback (most recent call last):
    pixfeed.errors.StateError: ... saved 256, here 64 (pass batch_size=64 with 4 ranks); ...
    """
    found = ", another ".join(_differences(saved, current, world))
    if found:
        raise StateError(
            f"the saved state belongs to another {found}; "
            "make the loader as it was, or start anew without the state"
        )
    if steps is not None and saved.cursor.step >= steps:
        raise StateError(
            f"the saved state is at step {saved.cursor.step}, but an epoch has {steps} steps, "
            "counted from 0; pass back what state_dict() returned"
        )


def _differences(saved: State, current: State, world: int) -> Iterator[str]:
    then, now = saved.to_dict(), current.to_dict()
    for key, name in _NAMES.items():
        # A content fingerprint is compared only where both sides have one.
        unknown = key == "content" and None in (then[key], now[key])
        if then[key] != now[key] and not unknown:
            yield f"{name}: saved {then[key]!r}, here {now[key]!r}{_remedy(key, saved, world)}"


def _remedy(key: str, saved: State, world: int) -> str:
    batch, last = saved.stream.batch, saved.stream.last
    if key == "batch" and batch % world == 0:
        ranks = f" with {world} ranks" if world > 1 else ""
        return f" (pass batch_size={batch // world}{ranks})"
    if key == "batch":
        return f" (use a number of ranks that divides {batch}; {world} does not)"
    if key == "last":
        alone = ", on one rank" if last == "keep" and world > 1 else ""
        return f" (pass Order(last={last!r}){alone})"
    return ""
