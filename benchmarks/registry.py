"""Every benchmark by name, in the order of the page."""

from __future__ import annotations

import importlib

from benchmarks.model import Benchmark

# Imported only when asked for: a benchmark's rivals need not be installed to run another.
PLACES = {
    "crops": "benchmarks.decode.crops",
    "whole": "benchmarks.decode.whole",
    "large": "benchmarks.decode.large",
    "png": "benchmarks.decode.png",
    "tiny": "benchmarks.decode.tiny",
    "refusals": "benchmarks.decode.refusals",
    "w1": "benchmarks.feed.workloads",
    "w1-420": "benchmarks.feed.workloads",
    "eval": "benchmarks.feed.workloads",
    "w3": "benchmarks.feed.workloads",
    "scaling": "benchmarks.feed.scaling",
    "start": "benchmarks.feed.start",
    "memory": "benchmarks.feed.memory",
    "waiting": "benchmarks.feed.waiting",
    "settings": "benchmarks.feed.settings",
}
# Runs only when it is named.
ON_REQUEST = ("settings",)


def find(name: str) -> Benchmark:
    """The benchmark of that name."""
    module = importlib.import_module(PLACES[name])
    several: tuple[Benchmark, ...] = getattr(module, "BENCHMARKS", ())
    found: Benchmark = (
        next((each for each in several if each.name == name), None) or module.BENCHMARK
    )
    return found
