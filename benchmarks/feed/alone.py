"""pixfeed alone in a fresh process: `python -m benchmarks.feed.alone WHAT FOLDER THREADS`.

Nothing but the standard library is imported before pixfeed, so that its import is what is timed.
One line of JSON comes out.
"""

from __future__ import annotations

import importlib
import json
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

BATCH = 64
EPOCHS = 20
STEPS = 1000
SHARE = 0.7


def start(folder: str, threads: int) -> dict[str, object]:
    """Seconds to import, and from there to the first batch."""
    began = time.perf_counter()
    pf: Any = importlib.import_module("pixfeed")
    imported = time.perf_counter()
    images, _ = next(iter(_loader(pf, folder, threads)))
    return {
        "import": imported - began,
        "first": time.perf_counter() - imported,
        "shape": list(images.shape),
    }


def memory(folder: str, threads: int) -> dict[str, object]:
    """Resident MiB after every epoch, and the most it ever was."""
    pf: Any = importlib.import_module("pixfeed")
    loader = _loader(pf, folder, threads)
    after = []
    for _ in range(EPOCHS):
        for images, _ in loader:
            del images
        after.append(_status("VmRSS"))
    return {"after": after, "peak": _status("VmHWM")}


def waiting(folder: str, threads: int) -> dict[str, object]:
    """A consumer that sleeps as a step on a GPU would: how much of its time it waits."""
    pf: Any = importlib.import_module("pixfeed")
    batches = _forever(_loader(pf, folder, threads))
    _taken(batches, STEPS // 10, 0.0)
    top = sorted(_top_rate(batches) for _ in range(3))[1]
    step = 1.0 / (SHARE * top)
    began = time.perf_counter()
    waits = sorted(_taken(batches, STEPS, step))
    total = time.perf_counter() - began
    return {
        "share": sum(waits) / total,
        "p99": waits[len(waits) * 99 // 100],
        "longest": waits[-1],
        "top": top * BATCH,
        "taken": STEPS * BATCH / total,
    }


def _top_rate(batches: Iterator[Any]) -> float:
    count = STEPS // 5
    began = time.perf_counter()
    _taken(batches, count, 0.0)
    return count / (time.perf_counter() - began)


def _taken(batches: Iterator[Any], count: int, step: float) -> list[float]:
    waits = []
    for _ in range(count):
        asked = time.perf_counter()
        batch = next(batches)
        waits.append(time.perf_counter() - asked)
        time.sleep(step)
        del batch
    return waits


def _forever(loader: Any) -> Iterator[Any]:
    while True:
        yield from loader


def _loader(pf: Any, folder: str, threads: int) -> Any:
    recipe = [
        pf.RandomResizedCrop(224),
        pf.RandomHorizontalFlip(),
        pf.ToArray(dtype="float32", layout="NCHW", mean=pf.IMAGENET_MEAN, std=pf.IMAGENET_STD),
    ]
    return pf.Loader(folder, batch_size=BATCH, recipe=recipe, seed=0, run=pf.Run(threads=threads))


def _status(name: str) -> float:
    lines = Path("/proc/self/status").read_text(encoding="ascii").splitlines()
    found = next(line for line in lines if line.startswith(name))
    return int(found.split()[1]) / 1024


if __name__ == "__main__":
    measured = {"start": start, "memory": memory, "waiting": waiting}[sys.argv[1]]
    print(json.dumps(measured(sys.argv[2], int(sys.argv[3]))))
