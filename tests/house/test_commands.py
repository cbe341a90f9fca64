"""The commands of the project: one per intention, each explained."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
COMMANDS = ["help", "demo", "test", "soak", "lint", "bench", "fuzz", "docs", "wheel", "clean"]


def test_make_help_explains_every_command() -> None:
    done = subprocess.run(
        ["make", "--no-print-directory"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert sorted(re.findall(r"^  make (\w+) +\S", done.stdout, re.MULTILINE)) == sorted(COMMANDS)


def test_ci_runs_the_same_commands() -> None:
    script = ROOT / ".ci" / "run"
    assert os.access(script, os.X_OK)
    lines = script.read_text().splitlines()
    assert lines.index("make lint") < lines.index("make test")


def test_workflows_and_hooks_call_them_too() -> None:
    assert "run: .ci/run" in (ROOT / ".github" / "workflows" / "checks.yml").read_text()
    hooks = (ROOT / ".pre-commit-config.yaml").read_text()
    assert re.findall(r"entry: (.*)", hooks) == ["make lint", "make test"]
