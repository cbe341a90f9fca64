"""The saved state: what a checkpoint keeps of a loader."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from pixfeed.errors import StateError
from pixfeed.order.cursor import Cursor
from pixfeed.order.stream import Json, Stream
from pixfeed.order.whole import WORD

FORMAT = 1
"""The layout of the saved dict."""

_FACTS = ("catalogue", "split", "sampling", "recipe", "seed", "batch", "last", "on_bad")
_TEXTS = ("stream", "catalogue", "sampling", "recipe", "last", "on_bad")
_OPTIONAL = ("split", "content")
_COUNTS = ("seed", "batch", "stream_version", "epoch", "step")
_ADVICE = "pass back what state_dict() returned"


@dataclass(frozen=True)
class State:
    """A place in a stream; the same whatever rank saved it, and on how many.

    ``content`` is the pack's content fingerprint, where there is one. ``unverified`` says that the
    recipe holds a user's code without a version, so that equal states do not prove equal bytes.

    >>> stream = Stream("c0ffee", "train", "permutation", "00", 0, 256, "drop", "raise")
    >>> state = State(stream, Cursor(2, 5))
    >>> State.from_dict(state.to_dict()) == state
    True
    """

    stream: Stream
    cursor: Cursor = field(default_factory=Cursor)
    content: str | None = None
    unverified: bool = False

    def to_dict(self) -> dict[str, Json]:
        """The state as JSON-able data of less than 1 KiB.

        >>> stream = Stream("c0ffee", "train", "permutation", "00", 0, 256, "drop", "raise")
        >>> saved = State(stream, Cursor(2, 5)).to_dict()
        >>> saved["epoch"], saved["step"], saved["batch"]
        (2, 5, 256)
        """
        return {
            "pixfeed": FORMAT,
            "stream": self.stream.id,
            **self.stream.facts(),
            "content": self.content,
            "unverified": self.unverified,
            "epoch": self.cursor.epoch,
            "step": self.cursor.step,
        }

    @classmethod
    def from_dict(cls, saved: Mapping[str, Any]) -> State:
        """The state a dict holds, or a StateError that says what is wrong with the dict.

        >>> State.from_dict({"epoch": 1})
        Traceback (most recent call last):
        pixfeed.errors.StateError: no saved state: it has no 'pixfeed'; ...
        """
        _check_layout(saved)
        facts = {name: saved[name] for name in _FACTS}
        stream = Stream(**facts, version=saved["stream_version"])
        if stream.id != saved["stream"]:
            raise StateError(
                f"the saved state was changed: its stream is {saved['stream']}, but what it says "
                f"of itself gives {stream.id}; {_ADVICE}"
            )
        cursor = Cursor(saved["epoch"], saved["step"])
        return cls(stream, cursor, saved["content"], saved["unverified"])


def _check_layout(saved: object) -> None:
    if not isinstance(saved, Mapping):
        raise StateError(f"no saved state: it is of type {type(saved).__name__}; {_ADVICE}")
    _check_field(saved, "pixfeed", int)
    if saved["pixfeed"] != FORMAT:
        raise StateError(
            f"the saved state has layout {saved['pixfeed']}, and this release reads {FORMAT}; "
            "resume with the release that saved it"
        )
    for names, kinds in ((_TEXTS, str), (_OPTIONAL, (str, type(None))), (_COUNTS, int)):
        for name in names:
            _check_field(saved, name, kinds)
    _check_field(saved, "unverified", bool)


def _check_field(saved: Mapping[str, object], name: str, kinds: type | tuple[type, ...]) -> None:
    if name not in saved:
        raise StateError(f"no saved state: it has no {name!r}; {_ADVICE}")
    value = saved[name]
    fits = isinstance(value, kinds) and (kinds is bool or not isinstance(value, bool))
    if not fits or (isinstance(value, int) and not 0 <= value <= WORD):
        raise StateError(f"no saved state: its {name!r} is {value!r}; {_ADVICE}")
