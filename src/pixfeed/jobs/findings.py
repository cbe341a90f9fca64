"""What the demo finds while it trains: figures, and what is wrong with them if anything is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from pixfeed.engine import Report

GOAL = 0.95
"""What share of the held-back images must be told right at the end."""


@dataclass(frozen=True)
class Written:
    """The pictures that were made.

    >>> Written(images=3000, bytes=11_000_000, seconds=5.0).fault is None
    True
    """

    images: int
    bytes: int
    seconds: float
    fault: str | None = None


@dataclass(frozen=True)
class Opened:
    """What opening the folder found: the records of each class in each split.

    >>> Opened({"train": {"ring": 400}}, seconds=0.01).counts["train"]["ring"]
    400
    """

    counts: Mapping[str, Mapping[str, int]]
    seconds: float
    fault: str | None = None


@dataclass(frozen=True)
class Learned:
    """One epoch of training: how much is told right afterwards, and how fast it went.

    >>> Learned(4, loss=0.2, accuracy=0.93, rate=5e3, fingerprint="beef", last=True).fault
    '93.0% of the held-back images were told right; 95% is the least'
    """

    epoch: int
    loss: float
    accuracy: float
    rate: float
    fingerprint: str
    last: bool

    @property
    def fault(self) -> str | None:
        """What is wrong with it, if it is the last epoch."""
        if not self.last or self.accuracy >= GOAL:
            return None
        return (
            f"{self.accuracy:.1%} of the held-back images were told right; {GOAL:.0%} is the least"
        )


@dataclass(frozen=True)
class Fed:
    """An epoch fed to nobody, on so many threads, beside the fingerprint of the trained one.

    >>> Fed(threads=1, rate=9000.0, fingerprint="beef", expected="feed").fault
    'on 1 threads the fingerprint is beef; it was feed before'
    """

    threads: int
    rate: float
    fingerprint: str
    expected: str

    @property
    def fault(self) -> str | None:
        """What is wrong with it."""
        if self.fingerprint == self.expected:
            return None
        return (
            f"on {self.threads} threads the fingerprint is {self.fingerprint}; it was "
            f"{self.expected} before"
        )


@dataclass(frozen=True)
class Resumed:
    """A new loader that went on in the middle: its batches, and how many were those expected.

    >>> Resumed(step=18, batches=19, equal=18, state_bytes=400).fault
    'resumed at step 18, 18 of 19 batches are the ones that were left'
    """

    step: int
    batches: int
    equal: int
    state_bytes: int

    @property
    def fault(self) -> str | None:
        """What is wrong with it."""
        if self.equal == self.batches > 0:
            return None
        return (
            f"resumed at step {self.step}, {self.equal} of {self.batches} batches are the ones "
            "that were left"
        )


@dataclass(frozen=True)
class Told:
    """What the loader that trained says of its work.

    >>> Told(Report("", "")).fault is None
    True
    """

    report: Report
    fault: str | None = None


Finding = Written | Opened | Learned | Fed | Resumed | Told
"""Each has a ``fault``: what is wrong, in words, or None."""
