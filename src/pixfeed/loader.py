"""The front door for feeding: a source in, batches out."""

from __future__ import annotations

import atexit
from collections.abc import Iterator, Mapping, Sequence
from operator import index
from os import PathLike
from typing import Any, Literal, SupportsIndex

from pixfeed.catalogue import Dataset, Source
from pixfeed.engine import (
    Cached,
    Epoch,
    Feeder,
    Job,
    Report,
    Run,
    Threads,
    refuse_sizes,
    refuse_worker,
    stop_all,
)
from pixfeed.errors import ConfigError
from pixfeed.order import Cursor, Json, Order, State, Stream, check, digest, plan, whole
from pixfeed.recipe import Op, Recipe, Resize, ToArray, settle
from pixfeed.sample import Batch
from pixfeed.source import open as open_source

Place = str | PathLike[str] | Source | Dataset
Recipes = Recipe | Op | Sequence[Op]

_BILLION = 1e9

atexit.register(stop_all)


class Loader:
    """Batches of a source, epoch after epoch, made by native threads.

    ``source`` is a class folder, an opened dataset, or any source; ``recipe`` says what happens to
    every image and must end in one size. Each ``iter(loader)`` is the next epoch, and a batch is a
    pure function of (stream, epoch, step, rank, world): threads, prefetch, caches and resuming
    change how fast it comes, never a byte of it. Used from one thread at a time; pickled, it is its
    configuration.

    >>> from pixfeed.source import Items
    >>> from pixfeed.testing import class_folder
    >>> with class_folder(10, classes=2) as folder:
    ...     loader = Loader(folder, batch_size=4, recipe=Resize((8, 8)), seed=0)
    ...     shapes = [(images.shape, labels.dtype.name) for images, labels in loader]
    >>> shapes
    [((4, 8, 8, 3), 'int64'), ((4, 8, 8, 3), 'int64')]
    """

    def __init__(
        self,
        source: Place,
        *,
        batch_size: int = 32,
        recipe: Recipes = (),
        split: str | None = None,
        shuffle: bool = True,
        seed: int = 0,
        order: Order | None = None,
        run: Run | None = None,
    ) -> None:
        self.recipe = settle(recipe)
        self._given = {
            "source": source,
            "batch_size": batch_size,
            "recipe": self.recipe,  # The list may change after.
            "split": split,
            "shuffle": shuffle,
            "seed": seed,
            "order": order,
            "run": run,
        }
        self.order = _kind("order", order, Order)
        self.run = _kind("run", run, Run)
        refuse_sizes(self.recipe)
        self.dataset = _split(_dataset(source), split)
        self.plan = plan(
            len(self.dataset), batch_size=batch_size, order=self.order, shuffle=shuffle, seed=seed
        )
        self.batch_size = self.plan.batch
        self._shuffle, self._seed = shuffle, whole("seed", seed, 0)
        self._resume = Cursor()
        self._at = Cursor()
        self._idle: tuple[Cursor, Threads] | None = None
        job = Job(
            self.dataset.catalogue, self.dataset.rows, self.plan, self.recipe, self._seed, self.run
        )
        self._engine = Feeder(job)

    def __len__(self) -> int:
        return self.plan.steps

    def __iter__(self) -> Epoch:
        refuse_worker()
        run = self._taken(cursor := self._resume)
        self._resume = cursor.next_epoch()
        self._at = cursor
        latest: list[Epoch] = []

        def received(at: Cursor) -> None:
            if self._latest is latest:
                self._at = at

        self._latest = latest
        return Epoch(self._engine, cursor, run, received=received, finished=self._kept)

    def epoch(self, number: int) -> Epoch:
        """The batches of one epoch, whatever was fed before; the loader's own place stays.

        >>> from pixfeed.testing import class_folder
        >>> with class_folder(6, classes=2) as folder:
        ...     loader = Loader(folder, batch_size=2, recipe=Resize((8, 8)))
        ...     [batch.step for batch in loader.epoch(7)]
        [0, 1, 2]
        """
        refuse_worker()
        cursor = Cursor(epoch=number)
        return Epoch(self._engine, cursor, self._engine.start(cursor, once=True))

    def forever(self) -> Iterator[Batch]:
        """Batches of this epoch, the next, and so on without end.

        >>> from pixfeed.testing import class_folder
        >>> with class_folder(4, classes=2) as folder:
        ...     batches = Loader(folder, batch_size=2, recipe=Resize((8, 8))).forever()
        ...     [next(batches).epoch for _ in range(5)]
        [0, 0, 1, 1, 2]
        """
        while True:
            yield from self

    @property
    def classes(self) -> tuple[str, ...]:
        """The names of the classes, by label; empty where labels are plain numbers.

        >>> from pixfeed.testing import class_folder
        >>> with class_folder(4, classes=2) as folder:
        ...     Loader(folder, batch_size=2, recipe=Resize((8, 8))).classes
        ('class-0', 'class-1')
        """
        return self.dataset.classes

    @property
    def stream_id(self) -> str:
        """The name of all that decides the bytes of every batch; equal ids give equal batches.

        >>> from pixfeed.testing import class_folder
        >>> with class_folder(4, classes=2) as folder:
        ...     a, b = (Loader(folder, batch_size=2, recipe=Resize((8, 8)), seed=n) for n in (0, 1))
        ...     len(a.stream_id), a.stream_id == b.stream_id
        (16, False)
        """
        return self._stream.id

    def state_dict(self) -> dict[str, Json]:
        """Where the latest iterator stands, as JSON of under 1 KiB, for a checkpoint.

        It names the batch after the last one *received*: what was made ahead is made again.

        >>> from pixfeed.testing import class_folder
        >>> with class_folder(6, classes=2) as folder:
        ...     loader = Loader(folder, batch_size=2, recipe=Resize((8, 8)))
        ...     batch = next(iter(loader))
        ...     state = loader.state_dict()
        >>> state["epoch"], state["step"]
        (0, 1)
        """
        return self._state(self._at).to_dict()

    def state_at(self, epoch: int, step: int) -> dict[str, Json]:
        """The state whose next batch is that of a step of an epoch.

        For loops whose framework takes batches ahead, so that "received" says nothing.

        >>> from pixfeed.testing import class_folder
        >>> with class_folder(6, classes=2) as folder:
        ...     Loader(folder, batch_size=2, recipe=Resize((8, 8))).state_at(3, 1)["epoch"]
        3
        """
        cursor = Cursor(epoch, step)
        if cursor.step >= len(self):
            raise ConfigError(f"step is {step}, but an epoch has {len(self)} steps, from 0")
        return self._state(cursor).to_dict()

    def load_state_dict(self, state: Mapping[str, Any]) -> None:
        """Makes the next ``iter`` continue where a state says; StateError for another stream's.

        >>> from pixfeed.testing import class_folder
        >>> with class_folder(6, classes=2) as folder:
        ...     loader = Loader(folder, batch_size=2, recipe=Resize((8, 8)))
        ...     loader.load_state_dict(loader.state_at(4, 2))
        ...     [(batch.epoch, batch.step) for batch in loader]
        [(4, 2)]
        """
        saved = State.from_dict(state)
        check(saved, self._state(self._at), world=self.order.world, steps=len(self))
        self._resume = self._at = saved.cursor
        self._latest = None

    def report(self) -> Report:
        """Rates, where time went, failures, hashes of every step; print it to read it.

        >>> from pixfeed.testing import class_folder
        >>> with class_folder(4, classes=2) as folder:
        ...     loader = Loader(folder, batch_size=2, recipe=Resize((8, 8)))
        ...     images = sum(len(labels) for _, labels in loader)
        >>> loader.report().images, loader.report().failures
        (4, ())
        """
        feeder = self._engine
        sums, tally = feeder.sums(), feeder.tally
        stages = ("read", "decode", "ops", "hand_over", "idle")
        return Report(
            stream_id=self.stream_id,
            catalogue=self.dataset.catalogue.fingerprint,
            images=tally.images,
            batches=tally.batches,
            bytes=sums["bytes"],
            seconds=tally.seconds,
            wait=tally.wait,
            threads=feeder.threads,
            prefetch=feeder.prefetch,
            batch_bytes=feeder.batch_bytes,
            ready=sums["ready"] / max(1, sums["batches"]),
            stages={name: sums[name] / _BILLION for name in stages} | {"map": tally.mapping},
            cache=self._cached(feeder, sums),
            failures=feeder.failures.found,
            notes=self.dataset.notes,
            fingerprint=tally.fingerprint(),
            steps=tally.steps,
        )

    def close(self) -> None:
        """Stops the threads that work on the next epoch; iterating starts new ones.

        >>> from pixfeed.testing import class_folder
        >>> with class_folder(4, classes=2) as folder:
        ...     Loader(folder, batch_size=2, recipe=Resize((8, 8))).close()
        """
        idle, self._idle = self._idle, None
        if idle is not None:
            idle[1].stop()

    def __reduce__(self) -> tuple[Any, ...]:
        return _made, (self._given,)

    def __repr__(self) -> str:
        ops = ", ".join(op.name for op in self.recipe.ops) or "no ops"
        return (
            f"<Loader {len(self.dataset):,} records, {len(self):,} batches of {self.batch_size}: "
            f"{ops}>"
        )

    _latest: list[Epoch] | None = None

    @property
    def _stream(self) -> Stream:
        return Stream(
            catalogue=self.dataset.catalogue.fingerprint,
            split=self.dataset.name,
            sampling="permutation" if self._shuffle else "sequence",
            recipe=digest(self.recipe.describe()),
            seed=self._seed,
            batch=self.plan.global_batch,
            last=self.order.ends(shuffle=self._shuffle),
            on_bad=self.run.on_bad,
        )

    def _state(self, cursor: Cursor) -> State:
        return State(self._stream, cursor, unverified=self.recipe.unverified)

    def _taken(self, cursor: Cursor) -> Threads:
        """Threads for a pass: those at work on it already, or new ones."""
        idle, self._idle = self._idle, None
        if idle is not None and idle[0] == cursor and idle[1].is_ours:
            return idle[1]
        if idle is not None:
            idle[1].stop()
        return self._engine.start(cursor, once=False)

    def _kept(self, cursor: Cursor, run: Threads) -> None:
        self.close()
        self._idle = cursor, run

    def _cached(self, feeder: Feeder, sums: Mapping[str, int]) -> Cached | None:
        filling = feeder.filling()
        if filling is None:
            return None
        steady = feeder.native.steady
        pixels = self.run.cache == "decoded" and steady is not None
        keeps = f"pixels after {steady} op{'' if steady == 1 else 's'}" if pixels else "bytes"
        return Cached(keeps, *filling, hits=sums["hits"], misses=sums["misses"])


def image_batches(
    directory: Place,
    *,
    image_size: SupportsIndex | tuple[int, int],
    batch_size: int = 32,
    layout: Literal["NHWC", "NCHW"] = "NHWC",
    scale: float = 1.0,
    shuffle: bool = True,
    seed: int = 0,
    run: Run | None = None,
) -> Loader:
    """A class folder as float32 batches of one size, in one call.

    Images are resized to ``image_size`` (height, width) in place, whatever their shape, and their
    values (0 to 255) multiplied by ``scale``. What comes back is a ``Loader``.

    >>> from pixfeed.testing import class_folder
    >>> with class_folder(4, classes=2) as folder:
    ...     loader = image_batches(folder, image_size=(8, 8), batch_size=2, layout="NCHW")
    ...     [images.shape for images, labels in loader]
    [(2, 3, 8, 8), (2, 3, 8, 8)]
    """
    side = index(image_size) if isinstance(image_size, SupportsIndex) else None
    size: Any = image_size if side is None else (side, side)
    recipe = [Resize(size), ToArray("float32", layout, scale=scale)]
    return Loader(
        directory, batch_size=batch_size, recipe=recipe, shuffle=shuffle, seed=seed, run=run
    )


def _made(given: dict[str, Any]) -> Loader:
    return Loader(**given)


def _kind(name: str, value: Any, kind: type) -> Any:
    if value is None:
        return kind()
    if not isinstance(value, kind):
        raise ConfigError(f"{name} is {value!r}; give pixfeed.{kind.__name__}(...)")
    return value


def _dataset(source: Place) -> Dataset:
    return source if isinstance(source, Dataset) else open_source(source)


def _split(dataset: Dataset, split: str | None) -> Dataset:
    """The records of one split; which one must be said where there are several."""
    if split is not None:
        return dataset.split(split)
    if len(dataset.splits) > 1:
        known = ", ".join(dataset.splits)
        raise ConfigError(f"the source has the splits {known}; name one with split=")
    return dataset.split(dataset.splits[0])
