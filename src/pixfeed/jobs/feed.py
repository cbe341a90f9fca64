"""Feeding for its own sake: the batches of some epochs, and how far it is after each."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from pixfeed.catalogue import Source
from pixfeed.engine import Report
from pixfeed.errors import PixfeedError
from pixfeed.loader import Loader
from pixfeed.source import Folder
from pixfeed.source.split_folders import split_folders

LOOK = 0.5
"""Seconds between two looks at the report, at least."""


@dataclass(frozen=True)
class Progress:
    """How far feeding is: batches of all, images, seconds, share waited, bad images.

    >>> progress = Progress(10, of=40, images=640, seconds=2.0, waited=0.9, bad=0)
    >>> progress.rate, progress.left
    (320.0, 6.0)
    """

    batches: int
    of: int
    images: int
    seconds: float
    waited: float
    bad: int

    @property
    def rate(self) -> float:
        """Images a second since the start.

        >>> Progress(1, of=2, images=0, seconds=0.0, waited=0.0, bad=0).rate
        0.0
        """
        return self.images / self.seconds if self.seconds else 0.0

    @property
    def left(self) -> float:
        """The seconds it will still take, if it goes on as before.

        >>> Progress(1, of=3, images=1, seconds=4.0, waited=0.0, bad=0).left
        8.0
        """
        return self.seconds / self.batches * (self.of - self.batches)


def place(source: str, split: str | None) -> str | Source:
    """What to open for a path: its class folders, or those of train/ and val/ where one is named.

    >>> place("photos", None), place("photos", "train")
    ('photos', Folder(path='photos', classes=None, splits='folders'))
    """
    return source if split in (None, "all") else Folder(source, splits="folders")


def splits_beside(source: str) -> tuple[str, ...]:
    """The splits whose folders lie side by side there; empty where none do.

    >>> splits_beside("no/such/folder")
    ()
    """
    try:
        return tuple(split_folders(Path(source)))
    except (PixfeedError, OSError):
        return ()


def feed(loader: Loader, epochs: int = 1) -> Iterator[Progress]:
    """Takes the batches of so many epochs, lets each go, and says after each how far it is.

    Raises what the loader raises. Its threads are stopped at the end, however that is reached.

    >>> from pixfeed.recipe import Resize
    >>> from pixfeed.testing import class_folder
    >>> with class_folder(6, classes=2) as folder:
    ...     loader = Loader(folder, batch_size=2, recipe=Resize((8, 8)))
    ...     [(progress.batches, progress.images) for progress in feed(loader, epochs=2)][-1]
    (6, 12)
    """
    start, images, glance = time.perf_counter(), 0, _Glance(loader)
    try:
        for done, size in enumerate(_sizes(loader, epochs), start=1):
            images += size
            report, seconds = glance.report(), time.perf_counter() - start
            waited = report.wait / report.seconds if report.seconds else 0.0
            bad = len(report.failures)
            yield Progress(done, epochs * len(loader), images, seconds, waited, bad)
    finally:
        loader.close()


def _sizes(loader: Loader, epochs: int) -> Iterator[int]:
    for _ in range(epochs):
        for _, labels in loader:
            yield len(labels)


class _Glance:
    """A loader's report, as it was when last looked at."""

    def __init__(self, loader: Loader) -> None:
        self._loader = loader
        self._report = Report("", "")
        self._due = 0.0

    def report(self) -> Report:
        start = time.perf_counter()
        if start >= self._due:
            self._report = self._loader.report()
            now = time.perf_counter()
            # A report goes through all steps so far: looking takes 2% of the time at most.
            self._due = now + max(LOOK, 50 * (now - start))
        return self._report
