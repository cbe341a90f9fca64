"""What the demo shows of feeding: drawn shapes learned, compared for threads, and resumed."""

from __future__ import annotations

import json
import os
import tempfile
import time
from collections.abc import Iterator
from itertools import islice
from operator import eq
from pathlib import Path

import numpy as np

from pixfeed.catalogue import Dataset, Splits
from pixfeed.engine import Run
from pixfeed.jobs.classifier import Classifier
from pixfeed.jobs.findings import Fed, Finding, Learned, Opened, Resumed, Told, Written
from pixfeed.jobs.shapes import SHAPES, write_shapes
from pixfeed.loader import Loader
from pixfeed.recipe import Op, RandomHorizontalFlip, RandomResizedCrop, Resize, ToArray
from pixfeed.source import Folder
from pixfeed.source import open as open_source

EACH = 500
"""How many pictures of every class are made."""

EPOCHS = 5
BATCH = 64
SIDE = 32

SPLITS = Splits(train=0.8, validation=0.2, test=0)
TRAIN: tuple[Op, ...] = (
    RandomResizedCrop(SIDE, scale=(0.7, 1), ratio=(0.9, 1.1)),
    RandomHorizontalFlip(),
    ToArray(mean=0.5, std=0.25),
)
HELD_BACK: tuple[Op, ...] = (Resize((SIDE, SIDE)), ToArray(mean=0.5, std=0.25))


def training(each: int = EACH, seed: int = 0) -> Iterator[Finding]:
    """Makes labelled pictures in a folder of its own, and shows step by step what feeding is.

    There are ``each`` pictures of every class. Deterministic but for the times. Raises ConfigError
    where Pillow or simplejpeg is missing.

    >>> written = next(training(each=2))
    >>> type(written).__name__, written.images
    ('Written', 12)
    """
    with tempfile.TemporaryDirectory(prefix="pixfeed-") as place:
        start = time.perf_counter()
        size = write_shapes(Path(place), each, seed)
        yield Written(each * len(SHAPES), size, time.perf_counter() - start)
        start = time.perf_counter()
        dataset = open_source(Folder(place, splits=SPLITS))
        yield Opened(dataset.counts, time.perf_counter() - start)
        loader = _loader(dataset, seed)
        epochs = []
        for epoch in _learned(loader, dataset, seed):
            epochs.append(epoch)
            yield epoch
        loader.close()
        yield from _compared(dataset, seed, epochs[0].fingerprint)
        yield Told(loader.report())


def _loader(dataset: Dataset, seed: int, threads: int | None = None) -> Loader:
    run = Run(threads=threads)
    return Loader(dataset, split="train", batch_size=BATCH, recipe=TRAIN, seed=seed, run=run)


def _learned(loader: Loader, dataset: Dataset, seed: int) -> Iterator[Learned]:
    """Trains epoch after epoch, and looks at the held-back images after each."""
    classifier = Classifier(len(loader.classes), seed)
    held_back = Loader(
        dataset, split="validation", batch_size=BATCH, recipe=HELD_BACK, shuffle=False
    )
    for number in range(EPOCHS):
        start = time.perf_counter()
        losses = [classifier.learn(images, labels) for images, labels in loader]
        seconds = time.perf_counter() - start
        right = [classifier.classify(images) == labels for images, labels in held_back.epoch(0)]
        yield Learned(
            epoch=number,
            loss=float(np.mean(losses)),
            accuracy=float(np.concatenate(right).mean()),
            rate=len(losses) * BATCH / seconds,
            fingerprint=loader.report().fingerprint,
            last=number == EPOCHS - 1,
        )


def _compared(dataset: Dataset, seed: int, expected: str) -> Iterator[Fed | Resumed]:
    """The first epoch again, on one thread and on several, and its second half once more."""
    hashes: list[int] = []
    for threads in (1, max(2, os.cpu_count() or 1)):
        loader = _loader(dataset, seed, threads)
        hashes = [batch.hash for batch in loader]
        loader.close()
        report = loader.report()
        yield Fed(threads, report.rate, report.fingerprint, expected)
    yield _resumed(dataset, seed, hashes)


def _resumed(dataset: Dataset, seed: int, hashes: list[int]) -> Resumed:
    """Leaves an epoch in the middle, and goes on in a new loader with what was saved."""
    left = _loader(dataset, seed)
    middle = len(left) // 2
    for _ in islice(left, middle):
        pass
    saved = json.dumps(left.state_dict())
    resumed = _loader(dataset, seed, threads=1)
    resumed.load_state_dict(json.loads(saved))
    found = [batch.hash for batch in resumed]
    resumed.close()
    equal = sum(map(eq, found, hashes[middle:]))
    return Resumed(middle, max(len(found), len(hashes) - middle), equal, len(saved))
