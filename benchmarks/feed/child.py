"""Runs `benchmarks.feed.alone` and reads its answer."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

from benchmarks.model import ROOT, Settings, UnavailableError
from benchmarks.peers.dataset import Dataset


def alone(what: str, data: Dataset, settings: Settings) -> dict[str, Any]:
    """One fresh process's answer."""
    command = [sys.executable, "-m", "benchmarks.feed.alone"]
    command += [what, str(data.folder), str(settings.threads)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        last = done.stderr.strip().splitlines()[-1:] or ["no message"]
        raise UnavailableError(f"pixfeed alone ({what}): {last[0]}")
    answer: dict[str, Any] = json.loads(done.stdout.strip().splitlines()[-1])
    return answer
