"""What travels: a batch, as users receive it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@dataclass(frozen=True)
class Place:
    """Which batch it is: its epoch and its step, both from 0.

    >>> Place(epoch=2, step=5)
    Place(epoch=2, step=5)
    """

    epoch: int
    step: int


class Batch(tuple["NDArray[Any]", "NDArray[np.int64]"]):
    """A pair of images and labels that also knows its records.

    It unpacks as ``images, labels = batch``. Both belong to whoever holds them: nothing handed out
    is ever written to again, and the memory returns to the engine when the last view is gone.
    ``ids`` and ``valid`` are arrays, ``hash`` is a 64-bit hash of (ids, labels, uint8 pixels) and
    ``hashes`` has that of every image's pixels.

    >>> import numpy as np
    >>> images, labels = np.zeros((2, 4, 4, 3), np.uint8), np.array([1, 0])
    >>> batch = Batch((images, labels), place=Place(0, 0), ids=np.array([7, 8], np.uint64),
    ...               valid=np.array([True, True]), hashes=np.zeros(2, np.uint64), hash=0,
    ...               keys=lambda: ("a", "b"))
    >>> images, labels = batch
    >>> batch.keys, batch.images.shape
    (('a', 'b'), (2, 4, 4, 3))
    """

    ids: NDArray[np.uint64]
    valid: NDArray[np.bool_]
    hashes: NDArray[np.uint64]
    hash: int
    epoch: int
    step: int
    _keys: Callable[[], tuple[str, ...]]

    def __new__(
        cls,
        pair: tuple[NDArray[Any], NDArray[np.int64]],
        *,
        place: Place,
        ids: NDArray[np.uint64],
        valid: NDArray[np.bool_],
        hashes: NDArray[np.uint64],
        hash: int,
        keys: Callable[[], tuple[str, ...]],
    ) -> Batch:
        """A batch of a pair and what is known of it."""
        batch = super().__new__(cls, pair)
        batch.ids, batch.valid, batch.hashes, batch.hash = ids, valid, hashes, hash
        batch.epoch, batch.step = place.epoch, place.step
        batch._keys = keys
        return batch

    @property
    def images(self) -> NDArray[Any]:
        """The images: one array, first axis the batch.

        >>> Batch.images.fget is not None
        True
        """
        return self[0]

    @property
    def labels(self) -> NDArray[np.int64]:
        """The labels, int64.

        >>> Batch.labels.fget is not None
        True
        """
        return self[1]

    @property
    def keys(self) -> tuple[str, ...]:
        """The keys of the records, looked up when asked for.

        >>> Batch.keys.fget is not None
        True
        """
        return self._keys()

    def __reduce__(self) -> tuple[Any, ...]:
        return _restored, (
            tuple(self),
            Place(self.epoch, self.step),
            self.ids,
            self.valid,
            self.hashes,
            self.hash,
            self.keys,
        )

    def __repr__(self) -> str:
        images = "x".join(map(str, self.images.shape))
        where = f"epoch {self.epoch}, step {self.step}"
        return f"<Batch {self.images.dtype} {images}, {where}: hash {self.hash:016x}>"


def _restored(
    pair: tuple[NDArray[Any], NDArray[np.int64]],
    place: Place,
    ids: NDArray[np.uint64],
    valid: NDArray[np.bool_],
    hashes: NDArray[np.uint64],
    hash: int,
    keys: tuple[str, ...],
) -> Batch:
    return Batch(
        pair, place=place, ids=ids, valid=valid, hashes=hashes, hash=hash, keys=lambda: keys
    )
