"""Whether a loader continues where its state says, step by step."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterable, Iterator

from pixfeed.errors import StateError
from pixfeed.loader import Loader
from pixfeed.sample import Batch


def check_resume(loader: Loader, *, epochs: int = 2) -> int:
    """Saves a loader's state at every step, restores each in a new loader, and compares the rest.

    Goes through ``epochs`` epochs from where the loader's configuration starts; the loader itself
    is left as it is. Every batch after a restored state must have the same place, ids, labels,
    validity and bytes, up to the end of the last epoch. Returns how many states were tried; raises
    StateError where one continues otherwise.

    >>> from pixfeed.recipe import Resize
    >>> from pixfeed.testing import class_folder
    >>> with class_folder(7, classes=2) as folder:
    ...     check_resume(Loader(folder, batch_size=2, recipe=Resize((4, 4))))
    7
    """
    expected, states = _recorded(copy.copy(loader), epochs)
    for number, state in enumerate(states):
        resumed = copy.copy(loader)
        resumed.load_state_dict(json.loads(state))
        _compare(expected[number:], _rest(resumed, epochs), state)
        resumed.close()
    return len(states)


def _recorded(loader: Loader, epochs: int) -> tuple[list[str], list[str]]:
    """What every batch is, and the state before each of them and after the last."""
    batches, states = [], [json.dumps(loader.state_dict())]
    for _ in range(epochs):
        for batch in loader:
            batches.append(_said(batch))
            states.append(json.dumps(loader.state_dict()))
    loader.close()
    return batches, states


def _rest(loader: Loader, epochs: int) -> Iterator[str]:
    epoch = loader.state_dict()["epoch"]
    for _ in range(epochs - int(str(epoch))):
        yield from map(_said, loader)


def _said(batch: Batch) -> str:
    arrays = (batch.ids, batch.labels, batch.valid)
    told = [array.tobytes().hex() for array in arrays]
    bytes_hash = hash(batch.images.tobytes())
    return f"{batch!r} {' '.join(told)} {bytes_hash}"


def _compare(expected: list[str], found: Iterable[str], state: str) -> None:
    got = list(found)
    if got != expected:
        at = next(
            (i for i, pair in enumerate(zip(expected, got, strict=False)) if len({*pair}) > 1),
            min(len(expected), len(got)),
        )
        raise StateError(
            f"resumed at {state}, the loader gives {len(got)} batches instead of {len(expected)}, "
            f"and number {at} is another one; whatever changed the dataset or the code of a Map "
            "between the two runs is the cause"
        )
