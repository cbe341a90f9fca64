"""Threads that fetch bytes for sources that only Python can read."""

from __future__ import annotations

import os
import threading
import weakref
from collections.abc import Callable

from pixfeed import _native


class Fetching:
    """Answers the engine's requests for bytes with a source's ``fetch``, in threads of its own.

    They are daemons, and nobody waits for them: a fetch that hangs holds up neither a stop nor the
    end of the program. They end when the feeder that owns this is gone.

    >>> Fetching(lambda place: b"", threads=1).close()
    """

    def __init__(self, fetch: Callable[[str], bytes], threads: int) -> None:
        self.desk = _native.Desk()
        for number in range(threads):
            name = f"pixfeed-fetch-{number}"
            threading.Thread(
                target=_answer, args=(self.desk, fetch), name=name, daemon=True
            ).start()
        weakref.finalize(self, _close, self.desk, os.getpid())

    def close(self) -> None:
        """Ends the threads that are not fetching; the others end when they have fetched."""
        self.desk.close()


def _close(desk: _native.Desk, process: int) -> None:
    """Ends the waiting threads, unless this is a forked child, where a lock may never be let go."""
    if os.getpid() == process:
        desk.close()


def _answer(desk: _native.Desk, fetch: Callable[[str], bytes]) -> None:
    while (asked := desk.next()) is not None:
        try:
            asked.give(_bytes(fetch(asked.place), asked.place))
        except BaseException as error:  # noqa: BLE001 # it is raised where the batch is received
            asked.fail(error)


def _bytes(given: object, place: str) -> bytes:
    if isinstance(given, bytes):
        return given
    if isinstance(given, bytearray | memoryview):
        return bytes(given)
    raise TypeError(f"fetch gave {type(given).__name__} for {place!r}; return bytes")
