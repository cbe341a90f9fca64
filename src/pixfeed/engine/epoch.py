"""One pass: an iterator over the batches of an epoch."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator

from pixfeed.engine.feeder import Feeder, Threads
from pixfeed.errors import ConfigError
from pixfeed.order import Cursor
from pixfeed.sample import Batch


class Epoch(Iterator[Batch]):
    """The batches from a cursor to the end of its epoch, made ahead by native threads.

    Leaving it early stops the threads. It is used from one thread at a time.
    """

    def __init__(
        self,
        feeder: Feeder,
        cursor: Cursor,
        run: Threads,
        *,
        received: Callable[[Cursor], None] | None = None,
        finished: Callable[[Cursor, Threads], None] | None = None,
    ) -> None:
        self._feeder = feeder
        self._next = cursor
        self._steps = feeder.job.plan.steps
        self._left = self._steps - cursor.step
        self._run: Threads | None = run
        self._received = received
        self._finished = finished
        self._last: float | None = None

    def __iter__(self) -> Epoch:
        return self

    def __next__(self) -> Batch:
        if self._run is None:
            raise StopIteration
        if not self._left:
            self._end()
            raise StopIteration
        # The consumer's own time counts from its second batch on.
        asked = time.perf_counter()
        since = asked if self._last is None else self._last
        try:
            delivery = self._run.take()
            waited = time.perf_counter() - asked
            batch = self._feeder.batch(delivery)
        except BaseException:
            self.close()
            raise
        self._feeder.tally.wait += waited
        self._last = self._feeder.tally.clock(since)
        self._left -= 1
        if self._received is not None:
            self._next = self._next.after(self._steps)
            self._received(self._next)
        return batch

    def close(self) -> None:
        """Stops the threads; the iterator is over. Nothing happens the second time."""
        run, self._run = self._run, None
        if run is not None:
            run.stop()

    def _end(self) -> None:
        """Hands the threads back: they are at work on the next epoch already."""
        run, self._run = self._run, None
        if run is not None and self._finished is not None:
            self._finished(self._next, run)
        elif run is not None:
            run.stop()

    def __del__(self) -> None:
        self.close()


def refuse_worker() -> None:
    """Refuses to feed from inside a worker of torch's DataLoader, which this replaces.

    >>> refuse_worker()
    """
    torch_data = sys.modules.get("torch.utils.data")
    if torch_data is not None and torch_data.get_worker_info() is not None:
        raise ConfigError(
            "a Loader inside a worker of torch's DataLoader; iterate the Loader itself, without "
            "a DataLoader: it replaces the DataLoader and its workers"
        )
