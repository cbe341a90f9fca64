"""The state: small, plain, the same on every rank, and refused where it does not belong."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pixfeed.errors import ConfigError, StateError
from pixfeed.order import STREAM_VERSION, Cursor, State, Stream, check, digest

RECIPE = digest([{"op": "Resize", "size": 256}, {"op": "ToArray"}])
STREAM = Stream("5eed" * 8, "train", "permutation", RECIPE, 0, 512, "drop", "raise")
STATE = State(STREAM, Cursor(3, 41), content="c0de" * 16)
SAVED = STATE.to_dict()


def test_the_stream_id_people_rely_on() -> None:
    """Never change it: every saved state carries it (or raise the stream version)."""
    assert STREAM_VERSION == 1
    assert STREAM.id == "a32de5036f78944d"
    assert digest({"b": [1, 2.5, None], "a": "\u00e9"}) == "768932a4b09e79c8"


@pytest.mark.parametrize(
    "changed",
    [
        {"catalogue": "f00d"},
        {"split": None},
        {"split": "validation"},
        {"sampling": "sequence"},
        {"recipe": digest([])},
        {"seed": 1},
        {"batch": 256},
        {"last": "pad"},
        {"on_bad": "blank"},
        {"version": 2},
    ],
)
def test_everything_enters_the_stream_id(changed: dict[str, Any]) -> None:
    assert replace(STREAM, **changed).id != STREAM.id


def test_the_saved_dict() -> None:
    assert STATE.to_dict() == {
        "pixfeed": 1,
        "stream": STREAM.id,
        "stream_version": 1,
        "catalogue": "5eed" * 8,
        "content": "c0de" * 16,
        "split": "train",
        "sampling": "permutation",
        "recipe": RECIPE,
        "seed": 0,
        "batch": 512,
        "last": "drop",
        "on_bad": "raise",
        "unverified": False,
        "epoch": 3,
        "step": 41,
    }


@given(st.text() | st.none(), *[st.integers(0, 2**64 - 1)] * 3, st.booleans())
def test_it_survives_json(
    split: str | None, seed: int, epoch: int, step: int, unverified: bool
) -> None:
    stream = replace(STREAM, split=split, seed=seed, batch=2**40, catalogue="a" * 64)
    state = State(stream, Cursor(epoch, step), content="f" * 64, unverified=unverified)
    text = json.dumps(state.to_dict())
    assert State.from_dict(json.loads(text)) == state
    assert len(text.encode()) < 1024


@given(st.text(min_size=60, max_size=300), st.text(min_size=60, max_size=300))
def test_long_splits_stay_apart(one: str, other: str) -> None:
    ids = replace(STREAM, split=one).id, replace(STREAM, split=other).id
    assert (ids[0] == ids[1]) == (one == other)
    assert len(json.dumps(replace(STREAM, split=one * 9).facts())) < 600


@pytest.mark.parametrize(
    ("changed", "world", "message"),
    [
        ({"catalogue": "f00d"}, 1, r"dataset \(catalogue fingerprint\): saved '5eed.*here 'f00d'"),
        ({"split": None}, 1, "split: saved 'train', here None"),
        ({"split": "test"}, 1, "split: saved 'train', here 'test'"),
        ({"sampling": "sequence"}, 1, "sampling: saved 'permutation', here 'sequence'"),
        ({"recipe": digest([])}, 1, r"recipe \(digest\): saved"),
        ({"seed": 7}, 1, "seed: saved 0, here 7"),
        ({"batch": 256}, 1, r"global batch: saved 512, here 256 \(pass batch_size=512\)"),
        ({"batch": 256}, 4, r"here 256 \(pass batch_size=128 with 4 ranks\)"),
        ({"batch": 255}, 3, r"\(use a number of ranks that divides 512; 3 does not\)"),
        ({"last": "pad"}, 1, r"last: saved 'drop', here 'pad' \(pass Order\(last='drop'\)\)"),
        ({"on_bad": "blank"}, 1, "on_bad: saved 'raise', here 'blank'"),
        ({"version": 2}, 1, r"release \(stream version\): saved 1, here 2"),
        ({"seed": 7, "split": "test"}, 1, "split: .*, another seed: "),
    ],
)
def test_what_differs_is_named(changed: dict[str, Any], world: int, message: str) -> None:
    current = State(replace(STREAM, **changed))
    expected = f"^the saved state belongs to another .*{message}.*; make the loader as it was"
    with pytest.raises(StateError, match=expected) as refused:
        check(STATE, current, world=world)
    assert "\n" not in str(refused.value)


def test_a_kept_end_needs_one_rank() -> None:
    kept, padded = (State(replace(STREAM, last=last)) for last in ("keep", "pad"))
    with pytest.raises(StateError, match=r"\(pass Order\(last='keep'\), on one rank\)"):
        check(kept, padded, world=2)


def test_the_same_stream_is_taken_wherever_the_cursor_stands() -> None:
    for world in (1, 2, 3, 512):
        check(STATE, State(STREAM, Cursor(9, 9), content="c0de" * 16), world=world, steps=42)


def test_contents_are_compared_where_both_have_them() -> None:
    check(STATE, State(STREAM))
    check(State(STREAM), STATE)
    with pytest.raises(StateError, match=r"another dataset \(content fingerprint\)"):
        check(STATE, State(STREAM, content="0"))


def test_a_step_past_the_epoch_is_refused() -> None:
    with pytest.raises(StateError, match="at step 41, but an epoch has 41 steps"):
        check(STATE, State(STREAM), steps=41)


@pytest.mark.parametrize("name", sorted(SAVED))
def test_a_missing_field_is_named(name: str) -> None:
    saved = {key: value for key, value in SAVED.items() if key != name}
    with pytest.raises(StateError, match=f"^no saved state: it has no '{name}'; pass back"):
        State.from_dict(saved)


@pytest.mark.parametrize("name", sorted(SAVED))
@pytest.mark.parametrize("value", [-1, 1.5, [], True, 2**64])
def test_a_wrong_field_is_named(name: str, value: object) -> None:
    if name == "unverified" and value is True:
        value = 1
    with pytest.raises(
        StateError, match=f"^(no saved state: its '{name}' is |the saved state has)"
    ):
        State.from_dict({**SAVED, name: value})


@pytest.mark.parametrize("saved", [None, "state", [1], 7])
def test_what_is_no_dict_is_refused(saved: Any) -> None:
    with pytest.raises(StateError, match=r"^no saved state: it is of type"):
        State.from_dict(saved)


def test_a_changed_state_is_refused() -> None:
    with pytest.raises(StateError, match=r"^the saved state was changed: its stream is"):
        State.from_dict({**SAVED, "seed": 1})


def test_another_layout_is_refused() -> None:
    with pytest.raises(StateError, match="has layout 2, and this release reads 1"):
        State.from_dict({**SAVED, "pixfeed": 2})


def test_the_cursor_walks_through_epochs() -> None:
    cursor, seen = Cursor(), []
    for _ in range(5):
        seen.append((cursor.epoch, cursor.step))
        cursor = cursor.after(2)
    assert seen == [(0, 0), (0, 1), (1, 0), (1, 1), (2, 0)]
    assert Cursor(1, 1).next_epoch() == Cursor(2, 0)
    assert Cursor(1, 9) < Cursor(2, 0)


def test_a_cursor_counts_from_0() -> None:
    with pytest.raises(ConfigError, match=r"^step is -1; give a whole number from 0"):
        Cursor(0, -1)
