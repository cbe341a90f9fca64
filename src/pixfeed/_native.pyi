"""The seam: what the native engine offers to Python; `make lint` compares it with the real one."""

from typing import Any, final

import numpy as np
from numpy.typing import NDArray

__all__ = [
    "Plan",
    "__version__",
    "decode",
    "draw_floats",
    "draw_integers",
    "draw_words",
    "fault_codes",
    "permute",
    "probe",
    "unpermute",
]

__version__: str

# decode

def fault_codes() -> list[str]:
    """Every code a fault can carry."""

def probe(data: bytes, max_pixels: int) -> dict[str, Any]:
    """What the headers say, as keyword arguments of `pixfeed.Probe`."""

def decode(
    data: bytes,
    box: tuple[int, int, int, int] | None,
    size: tuple[int, int] | None,
    channels: int,
    resample: int,
    exif: bool,
    background: tuple[int, int, int],
    max_pixels: int,
) -> NDArray[np.uint8]:
    """Decodes a box (x, y, width, height) of an image to a size (height, width)."""

# order

@final
class Plan:
    """Which records stand in which slot of which batch, as one rank sees it."""

    def __new__(
        cls, records: int, batch: int, shard: tuple[int, int], last: str, shuffle: int | None
    ) -> Plan: ...
    @property
    def records(self) -> int: ...
    @property
    def global_batch(self) -> int: ...
    @property
    def steps(self) -> int: ...
    def slots(
        self, epoch: int, step: int
    ) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.bool_]]:
        """Positions, records and validity of this rank's batch at a step of an epoch."""

def permute(records: int, seed: int, epoch: int, positions: NDArray[np.int64]) -> NDArray[np.int64]:
    """The records at positions of an epoch."""

def unpermute(records: int, seed: int, epoch: int, places: NDArray[np.int64]) -> NDArray[np.int64]:
    """The positions of records in an epoch."""

def draw_words(stream: tuple[int, int, int, int, int], count: int) -> NDArray[np.uint64]:
    """The first words of a stream of draws."""

def draw_floats(stream: tuple[int, int, int, int, int], count: int) -> NDArray[np.float64]:
    """The first floats of a stream of draws."""

def draw_integers(stream: tuple[int, int, int, int, int], n: int, count: int) -> NDArray[np.uint64]:
    """The first integers below n of a stream of draws."""
