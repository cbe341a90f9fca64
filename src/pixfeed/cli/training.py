"""The demo's training in words and figures."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from pixfeed.cli.figures import of_report
from pixfeed.jobs.findings import Fed, Finding, Learned, Opened, Resumed, Told, Written


def worded(finding: Finding) -> str:
    """A finding as a line for people.

    >>> from pixfeed.jobs.findings import Resumed
    >>> worded(Resumed(step=18, batches=19, equal=19, state_bytes=342))
    'Left at batch 18 and resumed from 342 bytes in a new loader: 19 of 19 batches are the same.'
    """
    match finding:
        case Written(images, size, seconds):
            return f"Drew and wrote {images:,} pictures, {size / 2**20:.1f} MiB: {seconds:.1f} s."
        case Opened(counts, seconds):
            return f"Opened them in {seconds * 1000:.0f} ms: {_counted(counts)}."
        case Learned():
            return (
                f"Epoch {finding.epoch}: {finding.accuracy:.1%} of the held-back images told "
                f"right, trained at {finding.rate:,.0f} images/s, fingerprint "
                f"{finding.fingerprint}."
            )
        case Fed():
            threads = "1 thread: " if finding.threads == 1 else f"{finding.threads} threads:"
            return (
                f"Fed epoch 0 again on {threads} {finding.rate:,.0f} images/s, fingerprint "
                f"{finding.fingerprint}."
            )
        case Resumed():
            return (
                f"Left at batch {finding.step} and resumed from {finding.state_bytes} bytes in a "
                f"new loader: {finding.equal} of {finding.batches} batches are the same."
            )
        case Told(report):
            return f"Of the training, the loader says: {report.bottleneck}"


def figured(finding: Finding) -> dict[str, Any]:
    """A finding as JSON has it.

    >>> from pixfeed.jobs.findings import Written
    >>> figured(Written(images=3, bytes=999, seconds=0.5))
    {'found': 'written', 'images': 3, 'bytes': 999, 'seconds': 0.5, 'fault': None}
    """
    said = of_report(finding.report) if isinstance(finding, Told) else asdict(finding)
    return {"found": type(finding).__name__.lower(), **said, "fault": finding.fault}


def _counted(counts: Mapping[str, Mapping[str, int]]) -> str:
    splits = [f"{sum(classes.values()):,} {split}" for split, classes in counts.items()]
    names = list(next(iter(counts.values())))
    each = [sum(classes[name] for classes in counts.values()) for name in names]
    listed = ", ".join(f"{count:,} {name}" for name, count in zip(names, each, strict=True))
    return f"{' and '.join(splits)} images of {len(names)} classes ({listed})"
