"""What a loader says of its work: rates, where time went, and what would change it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from pixfeed.engine.failures import Failure

_STAGES = {
    "read": "reading files",
    "decode": "decoding",
    "ops": "ops",
    "hand_over": "writing batches",
}
_SHOWN = 5


@dataclass(frozen=True)
class Cached:
    """What the cache keeps: of how many records, in how many bytes, and how often it was hit.

    >>> Cached("pixels after 1 op", 10, 4096, 8192, hits=30, misses=10).hits
    30
    """

    keeps: str
    records: int
    used: int
    limit: int
    hits: int
    misses: int


@dataclass(frozen=True)
class Report:
    """The sums of a loader since it was made; print it to read it.

    ``seconds`` is the time from the first batch asked for to the last received, ``wait`` what of
    it the consumer spent waiting; ``stages`` are seconds of all threads together; ``ready`` how
    many batches stood ready, on average, when one was asked for. ``steps`` has a 64-bit hash of
    (ids, labels, uint8 pixels) for every (epoch, step), ``fingerprint`` one of the latest epoch.

    >>> report = Report("c0ffee", "beef", images=640, batches=10, seconds=2.0, wait=1.8, threads=2,
    ...                 prefetch=3, batch_bytes=1, ready=0.1, stages={"decode": 3.6, "idle": 0.1})
    >>> report.rate, report.bottleneck.partition(";")[0]
    (320.0, "Decoding is the bottleneck: 97% of the threads' time")
    """

    stream_id: str
    catalogue: str
    images: int = 0
    batches: int = 0
    bytes: int = 0
    seconds: float = 0.0
    wait: float = 0.0
    threads: int = 1
    prefetch: int = 1
    batch_bytes: int = 0
    ready: float = 0.0
    stages: Mapping[str, float] = field(default_factory=dict)
    cache: Cached | None = None
    failures: tuple[Failure, ...] = ()
    notes: tuple[str, ...] = ()
    fingerprint: str = ""
    steps: Mapping[tuple[int, int], int] = field(default_factory=dict, repr=False)

    @property
    def rate(self) -> float:
        """Images a second, as the consumer saw them.

        >>> Report("", "").rate
        0.0
        """
        return self.images / self.seconds if self.seconds else 0.0

    @property
    def memory(self) -> int:
        """Bytes that batches made ahead and the cache take at most.

        >>> Report("", "", prefetch=2, batch_bytes=100).memory
        200
        """
        return self.prefetch * self.batch_bytes + (self.cache.used if self.cache else 0)

    @property
    def bottleneck(self) -> str:
        """One sentence: what holds the rate down, and what would change it.

        >>> Report("", "").bottleneck
        'Nothing was fed yet.'
        """
        if not self.batches:
            return "Nothing was fed yet."
        waited = self.wait / self.seconds if self.seconds else 0.0
        mapping = self.stages.get("map", 0.0) / self.seconds if self.seconds else 0.0
        if mapping > max(0.3, waited):
            return (
                f"The recipe's Map is the bottleneck: {mapping:.0%} of the time went into it, in "
                "one thread; native ops instead would change it."
            )
        if waited < 0.05:
            return (
                f"The consumer is the bottleneck: it waited {waited:.1%} of the time, so a faster "
                "step is what would change it."
            )
        busy = {name: self.stages.get(name, 0.0) for name in _STAGES}
        slowest = max(busy, key=lambda name: busy[name])
        total = sum(busy.values()) + self.stages.get("idle", 0.0)
        share = busy[slowest] / total if total else 0.0
        if self.ready > 0.8 * self.prefetch:
            return (
                f"Something else is the bottleneck: batches stood ready, yet the consumer waited "
                f"{waited:.0%} of the time, as it does where other work takes the cores; fewer "
                "threads would change it."
            )
        if share < 0.3:
            return (
                f"The hand-over is the bottleneck: the threads were idle while the consumer waited "
                f"{waited:.0%} of the time; a larger prefetch would change it."
            )
        return (
            f"{_STAGES[slowest].capitalize()} is the bottleneck: {share:.0%} of the threads' time; "
            f"{self._remedy(slowest)} would change it."
        )

    def _remedy(self, stage: str) -> str:
        if stage == "read":
            return "a faster disk, more threads or cache='encoded'"
        if stage == "decode" and self.cache is None:
            return "more cores, smaller images or cache='decoded' (for a recipe that resizes first)"
        return "more cores or a cheaper recipe"

    def __str__(self) -> str:
        waited = self.wait / self.seconds if self.seconds else 0.0
        lines = [
            f"{self.images:,} image{_s(self.images)} in {self.batches:,} "
            f"batch{'' if self.batches == 1 else 'es'}, {self.seconds:.1f} s: "
            f"{self.rate:,.0f} images/s",
            f"the consumer waited {self.wait:.2f} s ({waited:.1%})",
            f"{self.threads} thread{_s(self.threads)}: " + ", ".join(self._clocked()),
            f"made ahead: up to {self.prefetch} batches of {self.batch_bytes / 2**20:.1f} MiB, "
            f"{self.ready:.1f} ready when one was asked for",
        ]
        if self.cache is not None:
            kept = self.cache
            lines.append(
                f"cache ({kept.keeps}): {kept.records:,} records, {kept.used / 2**20:.1f} of "
                f"{kept.limit / 2**20:.1f} MiB, {kept.hits:,} hits, {kept.misses:,} misses"
            )
        lines += [f"bad: {failure}" for failure in self.failures[:_SHOWN]]
        if len(self.failures) > _SHOWN:
            lines.append(f"bad: {len(self.failures) - _SHOWN} more")
        lines += [f"note: {note}" for note in self.notes]
        lines.append(f"stream {self.stream_id}, latest epoch's fingerprint {self.fingerprint}")
        return "\n".join([*lines, self.bottleneck])

    def _clocked(self) -> list[str]:
        names = [*_STAGES, "idle", *(["map"] if self.stages.get("map") else [])]
        return [f"{name.replace('_', '-')} {self.stages.get(name, 0.0):.2f} s" for name in names]


def _s(count: int) -> str:
    return "" if count == 1 else "s"
