"""Work done in a process of its own, so that a crash, a hang or a leak is seen and survived."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

PATIENCE = 150
"""Seconds until a child counts as hanging; far above what any takes."""


def run(module: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Runs ``python -m module`` on this process's own search path."""
    return subprocess.run(
        [sys.executable, "-m", module, *arguments],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)},
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )


def resident(field: str) -> int:
    """This process's ``VmRSS`` (now) or ``VmHWM`` (the most since the last reset), in bytes."""
    lines = Path("/proc/self/status").read_text(encoding="ascii").splitlines()
    return next(int(line.split()[1]) * 1024 for line in lines if line.startswith(f"{field}:"))


def reset_peak() -> None:
    """Makes ``VmHWM`` start again from what is resident now."""
    Path("/proc/self/clear_refs").write_text("5", encoding="ascii")
