"""The engine behind a loader: what it feeds from, and deliveries made into batches."""

from __future__ import annotations

import os
import time
import weakref
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from pixfeed import _native
from pixfeed.catalogue import Catalogue
from pixfeed.engine.failures import Failures
from pixfeed.engine.fetching import Fetching
from pixfeed.engine.machine import cores, free_memory
from pixfeed.engine.mapping import Chain, Names
from pixfeed.engine.run import Run
from pixfeed.engine.tally import Tally
from pixfeed.errors import ConfigError
from pixfeed.order import Cursor
from pixfeed.recipe import Recipe
from pixfeed.sample import Batch, Place

if TYPE_CHECKING:
    from numpy.typing import NDArray


Threads: TypeAlias = _native.Run
"""Native threads at work."""

_running: weakref.WeakSet[Threads] = weakref.WeakSet()


@dataclass(frozen=True)
class Job:
    """What a feeder feeds: records, their order, what is done to them, and how.

    >>> Job.__dataclass_fields__["seed"].type
    'int'
    """

    catalogue: Catalogue
    rows: range
    plan: _native.Plan
    recipe: Recipe
    seed: int
    run: Run


class Feeder:
    """Starts threads on a job and makes batches of what they deliver.

    One feeder serves all iterators of a loader: they share its cache, its failures and its sums.
    """

    def __init__(self, job: Job) -> None:
        self.job = job
        self.chain = Chain(job.recipe.maps, job.recipe.segments[1:]) if job.recipe.maps else None
        self.native = _native.Recipe(list(job.recipe.segments[0]))
        self.tail = self.native if self.chain is None else self.chain.last
        self.dtype = array_dtype(self.tail.dtype)
        self.threads = job.run.threads or cores()
        self.prefetch, self.cache_bytes = self._shares()
        self.failures = Failures(partial(_named, job.catalogue), job.run.most_bad(len(job.rows)))
        self.tally = Tally()
        self._fetching: Fetching | None = None
        self._feed = self._made()
        self._process = os.getpid()

    def start(self, cursor: Cursor, *, once: bool) -> Threads:
        """Threads that make the batches from there on, to the epoch's end or for ever."""
        if self._process != os.getpid():
            # A forked child has no thread that would let go of what they held.
            self._feed, self._process = self._made(), os.getpid()
        run = self._feed.start(cursor.epoch, cursor.step, once, self.threads, self.prefetch)
        _running.add(run)
        return run

    def batch(self, delivery: _native.Delivery) -> Batch:
        """The batch of a delivery; raises what ended it."""
        if delivery.fatal is not None:
            self.failures.note([*delivery.failures, delivery.fatal])
            raise self.failures.final(delivery.fatal)
        self.failures.add(delivery.failures)
        if self.chain is None:
            images = self._array(delivery.images, len(delivery.labels), self.native)
            return self._batch(delivery, images, delivery.hashes, delivery.hash)
        return self._mapped(self.chain, delivery)

    def sums(self) -> dict[str, int]:
        """What the threads counted and clocked, in nanoseconds."""
        return self._feed.stats()

    def filling(self) -> tuple[int, int, int] | None:
        """Records the cache keeps, bytes it uses, bytes it may use."""
        return self._feed.filling()

    @property
    def batch_bytes(self) -> int:
        """Bytes of one batch's images; 0 where only the recipe's Python knows."""
        return self._batch_bytes()

    def _made(self) -> _native.Feed:
        job, fetch = self.job, self.job.catalogue.fetch
        self._fetching = None if fetch is None else Fetching(fetch, self.threads)
        return _native.Feed(
            job.catalogue.rows,
            (job.rows.start, job.rows.stop),
            job.plan,
            self.native,
            seed=job.seed,
            on_bad=job.run.on_bad,
            cache=None if job.run.cache is None else (job.run.cache, self.cache_bytes),
            fetch=None if self._fetching is None else self._fetching.desk,
            features=None if job.catalogue.features is None else dict(job.catalogue.features),
            pictures=self.chain is not None,
        )

    def _shares(self) -> tuple[int, int]:
        """How many batches are made ahead, and how many bytes the cache may use."""
        one, run = self._batch_bytes(), self.job.run
        if not isinstance(run.memory, int):
            return run.prefetch, free_memory() // 2
        if one > run.memory:
            raise ConfigError(
                f"one batch takes {one:,} bytes, and memory allows {run.memory:,}; give more "
                "memory or a smaller batch_size"
            )
        prefetch = min(run.prefetch, run.memory // one) if one else run.prefetch
        return prefetch, run.memory - prefetch * one

    def _batch_bytes(self) -> int:
        # Where there is a Map, what is made ahead are the pictures it will get.
        made = 1 if self.chain is not None else self.dtype.itemsize
        sides = [(self.native, made), (self.tail, self.dtype.itemsize)]
        sizes = (
            recipe.size[0] * recipe.size[1] * recipe.channels * itemsize
            for recipe, itemsize in sides
            if recipe.size is not None
        )
        return self._batch_size * max(sizes, default=0)

    @property
    def _batch_size(self) -> int:
        return self.job.plan.batch

    def _array(self, flat: NDArray[np.uint8], count: int, recipe: _native.Recipe) -> NDArray[Any]:
        height, width = recipe.size or (0, 0)
        shape = array_shape(recipe.layout, (height, width, recipe.channels))
        return flat.view(self.dtype).reshape(count, *shape)

    def _batch(
        self,
        delivery: _native.Delivery,
        images: NDArray[Any],
        hashes: NDArray[np.uint64],
        hash: int,
    ) -> Batch:
        rows, table = delivery.rows, self.job.catalogue.rows
        labels = self._labels(delivery)
        self.tally.add(delivery.epoch, delivery.step, hash, len(delivery.labels))
        return Batch(
            (images, labels),
            place=Place(delivery.epoch, delivery.step),
            ids=delivery.ids,
            valid=delivery.valid,
            hashes=hashes,
            hash=hash,
            keys=lambda: tuple(table.key(row) for row in rows.tolist()),
        )

    def _labels(self, delivery: _native.Delivery) -> NDArray[Any]:
        """The labels of a batch: numbers, or what the source has in their stead."""
        targets = self.job.catalogue.targets
        return delivery.labels if targets is None else targets[delivery.rows]

    def _mapped(self, chain: Chain, delivery: _native.Delivery) -> Batch:
        """The batch whose pictures go through the user's own Python; blank ones do not."""
        made = np.flatnonzero(delivery.made)
        if not made.size:
            return self._blank(delivery)
        ids = delivery.ids[made].tolist()
        names = Names(self.job.seed, delivery.epoch, ids, delivery.occurrences[made].tolist())
        keys = [self.job.catalogue.rows.key(row) for row in delivery.rows[made].tolist()]
        pictures = [delivery.images[at] for at in made.tolist()]
        begun = time.perf_counter()
        numbers = chain.numbers(pictures, self._labels(delivery)[made], names, keys)
        self.tally.mapping += time.perf_counter() - begun
        shape = _one_shape([shape for _, _, shape in numbers], keys)
        images = np.zeros((len(delivery.labels), *array_shape(self.tail.layout, shape)), self.dtype)
        hashes = np.zeros(len(delivery.labels), np.uint64)
        for at, (data, hash, _) in zip(made.tolist(), numbers, strict=True):
            images[at] = np.frombuffer(data, self.dtype).reshape(images.shape[1:])
            hashes[at] = hash
        return self._hashed(delivery, images, hashes)

    def _blank(self, delivery: _native.Delivery) -> Batch:
        """A batch of zeros alone, as large as the ops around the Maps say."""
        height, width = self.tail.size or self.native.size or (1, 1)
        shape = array_shape(self.tail.layout, (height, width, self.native.channels))
        count = len(delivery.labels)
        return self._hashed(
            delivery, np.zeros((count, *shape), self.dtype), np.zeros(count, np.uint64)
        )

    def _hashed(
        self, delivery: _native.Delivery, images: NDArray[Any], hashes: NDArray[np.uint64]
    ) -> Batch:
        words = np.stack([delivery.ids, delivery.labels.view(np.uint64), hashes], axis=1)
        return self._batch(delivery, images, hashes, _native.hash_words(words.ravel()))


def _named(catalogue: Catalogue, row: int) -> tuple[str, str]:
    """A record's key and place."""
    rows = catalogue.rows
    return rows.key(row), rows.path(row) if catalogue.fetch is None else rows.place(row)


def stop_all() -> None:
    """Stops all threads of all feeders; called when the interpreter ends.

    >>> stop_all()
    """
    for run in list(_running):
        run.stop()


def refuse_sizes(recipe: Recipe) -> None:
    """Refuses a recipe after which images may differ in size, while nothing has been read yet.

    >>> refuse_sizes(Recipe())
    Traceback (most recent call last):
    pixfeed.errors.ConfigError: the recipe (no ops) leaves images of different sizes; put ...
    """
    if not recipe.maps and _native.Recipe(list(recipe.segments[0])).size is None:
        said = ", ".join(op.name for op in recipe.ops) or "no ops"
        raise ConfigError(
            f"the recipe ({said}) leaves images of different sizes; put Resize((height, width)), "
            "CenterCrop(size) or RandomResizedCrop(size) into it"
        )


def array_shape(layout: str, shape: tuple[int, int, int]) -> tuple[int, int, int]:
    """The shape of a slot whose picture is (height, width, channels).

    >>> array_shape("NCHW", (4, 5, 3))
    (3, 4, 5)
    """
    height, width, channels = shape
    return (height, width, channels) if layout == "NHWC" else (channels, height, width)


def _one_shape(shapes: Sequence[tuple[int, int, int]], keys: Sequence[str]) -> tuple[int, int, int]:
    """The shape all of them have."""
    for shape, key in zip(shapes, keys, strict=True):
        if shape != shapes[0]:
            raise ConfigError(
                f"after the Maps {key!r} is {shape} and {keys[0]!r} is {shapes[0]} (height, width, "
                "channels); make all images of a batch the same size"
            )
    return shapes[0]


def array_dtype(name: str) -> np.dtype[Any]:
    """NumPy's type of that name, or the one that ml_dtypes lends it.

    >>> array_dtype("float16")
    dtype('float16')
    """
    if name != "bfloat16":
        return np.dtype(name)
    try:
        lent: np.dtype[Any] = np.dtype(import_module("ml_dtypes").bfloat16)
    except ImportError as missing:
        raise ConfigError(
            "NumPy has no bfloat16 of its own; pip install ml_dtypes, or give dtype='float16'"
        ) from missing
    return lent
