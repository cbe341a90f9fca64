"""What a peer process speaks: a line of JSON in, a line of JSON out.

Standard library and NumPy only: this runs inside every peer's own environment.

    in:  {"do": "check"} | {"do": "round"} | {"do": "stop"}
    out: {"ready": NAME, "version": ..., "settings": ...} first, then
         {"said": ...} | {"images": N, "seconds": S} | {"error": ...}
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TextIO

from benchmarks.peers.dataset import Dataset, Tally

Epoch = Callable[[], Iterator[tuple[Any, Any]]]


@dataclass(frozen=True)
class Job:
    """What a peer is asked to feed; a batch or ahead of 0 leaves the choice to the peer."""

    workload: str
    data: Dataset
    threads: int
    batch: int = 0
    ahead: int = 0


@dataclass(frozen=True)
class Peer:
    """A peer that is set up: its version, its settings in words, an epoch's (images, labels)."""

    version: str
    settings: str
    epoch: Epoch


def serve(name: str, build: Callable[[Job], Peer]) -> None:
    """Build the peer from the command line and answer until told to stop."""
    replies = _private_stdout()
    try:
        job = _job()
        peer = build(job)
        _say(replies, {"ready": name, "version": peer.version, "settings": peer.settings})
    except Exception as error:  # noqa: BLE001 - the parent prints what the peer raised
        _say(replies, {"error": f"{type(error).__name__}: {error}"})
        return
    for line in sys.stdin:
        order = json.loads(line)["do"]
        if order == "stop":
            return
        _say(replies, _answer(order, job, peer))


def _answer(order: str, job: Job, peer: Peer) -> dict[str, object]:
    try:
        return {"said": _checked(job, peer)} if order == "check" else _round(peer)
    except Exception as error:  # noqa: BLE001 - as above
        return {"error": f"{type(error).__name__}: {error}"}


def _checked(job: Job, peer: Peer) -> str:
    tally = Tally(job.workload, job.data)
    for images, labels in peer.epoch():
        tally.add(images, labels)
    return tally.verdict()


def _round(peer: Peer) -> dict[str, object]:
    count = 0
    start = time.perf_counter()
    for images, labels in peer.epoch():
        count += len(labels)
        del images
    return {"images": count, "seconds": time.perf_counter() - start}


def _job() -> Job:
    parser = argparse.ArgumentParser()
    parser.add_argument("--workload", required=True)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--batch", type=int, default=0)
    parser.add_argument("--ahead", type=int, default=0)
    asked = parser.parse_args()
    data = Dataset.read(asked.data)
    return Job(asked.workload, data, asked.threads, asked.batch, asked.ahead)


def _private_stdout() -> TextIO:
    # Libraries print to file descriptor 1; the parent reads only what we write on purpose.
    kept = os.dup(1)
    os.dup2(2, 1)
    sys.stdout = sys.stderr
    return os.fdopen(kept, "w", buffering=1)


def _say(replies: TextIO, answer: dict[str, object]) -> None:
    replies.write(json.dumps(answer) + "\n")
    replies.flush()
