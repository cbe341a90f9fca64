"""What the figures were taken on: processor, cores, versions, and whether it was idle."""

from __future__ import annotations

import os
import platform
from collections.abc import Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

BUSY = 0.5


def processor() -> str:
    """The processor's own name."""
    cpuinfo = Path("/proc/cpuinfo")
    lines = cpuinfo.read_text().splitlines() if cpuinfo.exists() else []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor() or platform.machine()


def cores() -> int:
    """The cores this process may use."""
    return len(os.sched_getaffinity(0))


def restrict(count: int) -> None:
    """Keep this process and its children on `count` cores, so that no rival uses more."""
    allowed = sorted(os.sched_getaffinity(0))
    os.sched_setaffinity(0, allowed[:count])


def load() -> float:
    """The load of the last minute, others' work included."""
    return os.getloadavg()[0]


def versions(packages: Sequence[str]) -> str:
    """`package version` of each, and Python's own."""
    named = [f"Python {platform.python_version()}"]
    return ", ".join(named + [f"{package} {_version(package)}" for package in packages])


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "(not installed as a package)"
