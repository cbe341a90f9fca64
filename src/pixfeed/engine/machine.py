"""What the machine has for this process: cores and memory."""

from __future__ import annotations

import os
from pathlib import Path

_RANKS_HERE = ("LOCAL_WORLD_SIZE", "OMPI_COMM_WORLD_LOCAL_SIZE", "SLURM_NTASKS_PER_NODE")
_UNKNOWN = 2**30


def cores() -> int:
    """The cores this process may use, divided by the ranks on this host; one at least.

    >>> cores() >= 1
    True
    """
    if hasattr(os, "sched_getaffinity"):
        allowed = len(os.sched_getaffinity(0))
    else:
        allowed = os.cpu_count() or 1
    return max(1, allowed // _ranks_here())


def free_memory() -> int:
    """The bytes of memory that could be used now, divided by the ranks on this host.

    >>> free_memory() > 0
    True
    """
    try:
        lines = Path("/proc/meminfo").read_text(encoding="ascii").splitlines()
    except OSError:
        return _UNKNOWN
    available = [int(line.split()[1]) for line in lines if line.startswith("MemAvailable:")]
    return (available[0] * 1024 if available else _UNKNOWN) // _ranks_here()


def _ranks_here() -> int:
    said = (os.environ.get(name, "") for name in _RANKS_HERE)
    return next((int(number) for number in said if number.isdigit() and int(number) > 0), 1)
