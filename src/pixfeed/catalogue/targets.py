"""What stands for labels where one number a record does not say it: an array, a row a record."""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING, Any

import numpy as np

from pixfeed.errors import ConfigError

if TYPE_CHECKING:
    from numpy.typing import NDArray


def checked(given: Any, records: int, classes: tuple[str, ...]) -> NDArray[np.float32]:
    """Targets of so many records, multi-hot where there are classes, not to be written to.

    >>> checked(np.zeros((2, 3), np.float32), 2, ("a", "b"))
    Traceback (most recent call last):
    pixfeed.errors.ConfigError: targets are float32 (2, 3); give float32 of the shape (2, 2)
    """
    targets: NDArray[np.float32] = aligned("targets", given, records)
    shapes = [(len(classes),)] if classes else [(), targets.shape[1:2]]
    if targets.dtype != np.float32 or targets.shape[1:] not in shapes:
        raise ConfigError(
            f"targets are {targets.dtype} {targets.shape}; give float32 of the shape "
            f"({records}, {len(classes) or 'n'})"
        )
    return targets


def aligned(name: str, values: Any, records: int) -> NDArray[Any]:
    """One value a record, as a view that cannot be written to.

    >>> aligned("age", [40], 1)
    Traceback (most recent call last):
    pixfeed.errors.ConfigError: age must be an array with 1 rows, one a record
    """
    if not isinstance(values, np.ndarray) or values.shape[:1] != (records,):
        raise ConfigError(f"{name} must be an array with {records:,} rows, one a record")
    view = values.view()
    view.setflags(write=False)
    return view


def hashed(fingerprint: str, ids: NDArray[np.uint64], targets: NDArray[np.float32]) -> str:
    """The fingerprint of a table with targets: the same for records in any order.

    >>> ids, targets = np.array([7, 5], np.uint64), np.array([0.5, 1.5], np.float32)
    >>> hashed("", ids, targets) == hashed("", ids[::-1], targets[::-1])
    True
    """
    # Adding 0 makes the negative zero the other one: they are equal.
    by_id = targets[np.argsort(ids)] + np.float32(0)
    head = f"pixfeed targets 1 {fingerprint} {targets.shape}\n"
    return sha256(head.encode() + by_id.astype("<f4").tobytes()).hexdigest()
