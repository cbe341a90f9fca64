"""Consumers in processes of their own, each with a hard limit."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

LIMIT = 60
"""Seconds until a child counts as hanging; far above what any takes."""


def started(name: str, folder: Path) -> subprocess.Popen[str]:
    """A process that goes through one of `engine.lives`, in a group of its own."""
    return subprocess.Popen(
        [sys.executable, "-m", "engine.lives", name, str(folder)],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


def ended(child: subprocess.Popen[str], limit: float = LIMIT) -> tuple[int, str, str]:
    """Its exit code and what it said; one that hangs is killed, and that is an error."""
    try:
        out, err = child.communicate(timeout=limit)
    except subprocess.TimeoutExpired:
        child.kill()
        child.communicate()
        raise
    return child.returncode, out, err


def said(name: str, folder: Path) -> str:
    """What a process prints that ends well."""
    code, out, err = ended(started(name, folder))
    assert code == 0, err
    return out.strip()


def ready(child: subprocess.Popen[str]) -> None:
    """Waits until it says so; one that ended instead is an error that tells what it said."""
    assert child.stdout is not None
    if child.stdout.readline() != "ready\n":
        raise AssertionError(ended(child))
