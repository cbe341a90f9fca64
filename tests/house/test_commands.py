"""The commands of the project: one per intention, each explained."""

from __future__ import annotations

import os
import re
import subprocess
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
COMMANDS = ["help", "demo", "test", "soak", "lint", "bench", "fuzz", "docs", "wheel", "clean"]


def test_make_help_explains_every_command() -> None:
    done = subprocess.run(
        ["make", "--no-print-directory"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert sorted(re.findall(r"^  make (\w+) +\S", done.stdout, re.MULTILINE)) == sorted(COMMANDS)


def test_scripts_that_commands_call_are_there() -> None:
    called = re.findall(r"^\t(crates/\S+\.sh)", (ROOT / "Makefile").read_text(), re.MULTILINE)
    assert called
    assert [script for script in called if not os.access(ROOT / script, os.X_OK)] == []


def test_every_format_is_fuzzed() -> None:
    fuzz = ROOT / "crates" / "fuzz"
    targets = {target["name"]: target for target in _manifest(fuzz)["bin"]}
    sniff = (ROOT / "crates" / "core" / "src" / "decode" / "sniff.rs").read_text()
    formats = {name.lower() for name in re.findall(r"Format::(\w+) => \"", sniff)}
    assert len(formats) >= 6
    assert formats | {"headers", "entropy", "coefficients", "differential"} <= set(targets)
    assert all((fuzz / target["path"]).is_file() for target in targets.values())


def _manifest(crate: Path) -> dict[str, list[dict[str, str]]]:
    return tomllib.loads((crate / "Cargo.toml").read_text())


def test_ci_runs_the_same_commands() -> None:
    script = ROOT / ".ci" / "run"
    assert os.access(script, os.X_OK)
    lines = script.read_text().splitlines()
    assert lines.index("make lint") < lines.index("make test")


def test_workflows_and_hooks_call_them_too() -> None:
    assert "run: .ci/run" in (ROOT / ".github" / "workflows" / "checks.yml").read_text()
    hooks = (ROOT / ".pre-commit-config.yaml").read_text()
    assert re.findall(r"entry: (.*)", hooks) == ["make lint", "make test"]
