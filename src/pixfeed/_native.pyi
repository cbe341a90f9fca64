"""The seam: what the native engine offers to Python; `make lint` compares it with the real one."""

from collections.abc import Sequence
from os import PathLike
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

__all__ = [
    "Asked",
    "Catalogue",
    "Delivery",
    "Desk",
    "Feed",
    "Listing",
    "Plan",
    "Recipe",
    "Run",
    "__version__",
    "decode",
    "draw_floats",
    "draw_integers",
    "draw_words",
    "fault_codes",
    "hash_words",
    "list_folder",
    "permute",
    "probe",
    "unpermute",
]

__version__: str

# catalogue

@final
class Catalogue:
    """The rows of a catalogue."""

    @staticmethod
    def of_rows(
        root: str | PathLike[str],
        splits: list[str],
        rows: list[tuple[str | None, str, int, int, str | None]],
    ) -> Catalogue:
        """The table of rows (key, place, label, split, group) in any order."""

    @staticmethod
    def of_listings(
        root: str | PathLike[str],
        splits: list[str],
        parts: list[tuple[Listing, int, list[int]]],
    ) -> Catalogue:
        """The table of listings, each with its split's number and a label a class folder."""

    @staticmethod
    def of_shards(
        root: str | PathLike[str],
        splits: list[str],
        files: Sequence[tuple[str, int]],
        features: dict[str, str | None] | None,
        threads: int,
    ) -> tuple[Catalogue, list[tuple[int, BaseException]]]:
        """The table of shards, each with its split's number, and what was damaged."""

    def divide(self, names: list[str], weights: list[int], seed: int) -> Catalogue:
        """The table divided anew; one weight a name, and one more for the records left out."""

    def with_groups(self, names: list[str]) -> Catalogue:
        """The same records, with the name of a group for every row."""

    def __len__(self) -> int: ...
    def key(self, row: int) -> str:
        """The key of a row."""

    def keys(self, start: int, stop: int) -> list[str]:
        """The keys of the rows from start up to stop."""

    def find(self, key: str) -> int | None:
        """The row of a key."""

    def place(self, row: int) -> str:
        """Where a record's bytes are, as its source named it."""

    def stored(
        self, row: int, features: dict[str, str | None] | None
    ) -> tuple[bytes, tuple[int, int, int, bool] | None]:
        """A shard's record: the image's bytes, and a tensor's height, width, channels, planar."""

    @property
    def sharded(self) -> bool: ...
    def path(self, row: int) -> str:
        """The path of a record's file."""

    @property
    def ids(self) -> NDArray[np.uint64]: ...
    @property
    def labels(self) -> NDArray[np.int64]: ...
    @property
    def splits(self) -> list[tuple[str, int, int]]: ...
    @property
    def fingerprint(self) -> str: ...
    @property
    def grouped(self) -> bool: ...
    @property
    def root(self) -> str: ...
    @property
    def memory(self) -> int: ...

@final
class Listing:
    """What a folder of class folders holds."""

    @property
    def classes(self) -> list[tuple[str, int]]: ...
    @property
    def hidden(self) -> tuple[int, str | None]: ...
    @property
    def foreign(self) -> tuple[int, str | None]: ...
    @property
    def loose(self) -> tuple[int, str | None]: ...
    @property
    def links(self) -> list[tuple[str, str]]: ...
    @property
    def unreadable(self) -> list[tuple[str, str]]: ...

def list_folder(
    root: str | PathLike[str], under: str | PathLike[str], threads: int | None = None
) -> Listing:
    """Lists the class folders of root/under; the result is the same for any number of threads."""

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
    def batch(self) -> int: ...
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

# recipe

@final
class Recipe:
    """Native ops in a row, ready to run."""

    def __new__(cls, ops: Sequence[tuple[int, str, dict[str, Any]]]) -> Recipe: ...
    @property
    def size(self) -> tuple[int, int] | None: ...
    @property
    def channels(self) -> int: ...
    @property
    def dtype(self) -> str: ...
    @property
    def layout(self) -> str: ...
    @property
    def steady(self) -> int | None: ...
    def pictures(
        self,
        records: Sequence[bytes | NDArray[np.uint8]],
        named: tuple[int, int, list[tuple[int, int]]],
    ) -> list[NDArray[np.uint8]]:
        """The pixels of each record after the last op, before they become numbers."""

    def numbers(
        self,
        records: Sequence[bytes | NDArray[np.uint8]],
        named: tuple[int, int, list[tuple[int, int]]],
    ) -> list[tuple[bytes, int, tuple[int, int, int]]]:
        """Of each record: its numbers as bytes, the hash of its pixels, and their shape."""

# engine

@final
class Feed:
    """What every batch of a run is."""

    def __new__(
        cls,
        table: Catalogue,
        rows: tuple[int, int],
        plan: Plan,
        recipe: Recipe,
        *,
        seed: int,
        on_bad: str,
        cache: tuple[str, int] | None = None,
        fetch: Desk | None = None,
        features: dict[str, str | None] | None = None,
        pictures: bool = False,
    ) -> Feed: ...
    def start(self, epoch: int, step: int, once: bool, threads: int, prefetch: int) -> Run:
        """Starts threads that make batches from a place on."""

    def stats(self) -> dict[str, int]:
        """What was counted and clocked (in nanoseconds) so far."""

    def filling(self) -> tuple[int, int, int] | None:
        """Records the cache keeps, bytes it uses, bytes it may use."""

@final
class Run:
    """Threads at work on a feed."""

    @property
    def is_ours(self) -> bool: ...
    def take(self) -> Delivery:
        """The next batch; waits for it, and lets Ctrl-C through. StopIteration after the last."""

    def stop(self) -> None:
        """Stops the threads and waits until they are gone."""

@final
class Delivery:
    """One batch as it crosses."""

    @property
    def epoch(self) -> int: ...
    @property
    def step(self) -> int: ...
    @property
    def images(self) -> Any: ...
    @property
    def labels(self) -> NDArray[np.int64]: ...
    @property
    def ids(self) -> NDArray[np.uint64]: ...
    @property
    def rows(self) -> NDArray[np.int64]: ...
    @property
    def occurrences(self) -> NDArray[np.uint64]: ...
    @property
    def valid(self) -> NDArray[np.bool_]: ...
    @property
    def made(self) -> NDArray[np.bool_]: ...
    @property
    def hashes(self) -> NDArray[np.uint64]: ...
    @property
    def hash(self) -> int: ...
    @property
    def failures(self) -> list[tuple[int, str, BaseException]]: ...
    @property
    def fatal(self) -> tuple[int, str, BaseException] | None: ...

def hash_words(words: NDArray[np.uint64]) -> int:
    """The hash of words, as that of a batch is made: XXH3-64 over them, little-endian."""

# fetch

@final
class Desk:
    """Where places are asked for and bytes handed in."""

    def __new__(cls) -> Desk: ...
    def next(self) -> Asked | None:
        """The next place that is asked for; waits for one. None when the desk is closed."""

    def close(self) -> None:
        """Ends the waiting of all who answer."""

@final
class Asked:
    """A place that is asked for."""

    @property
    def place(self) -> str: ...
    def give(self, bytes: bytes) -> None:
        """Hands in the bytes."""

    def fail(self, error: BaseException) -> None:
        """Hands in the exception there was instead."""
