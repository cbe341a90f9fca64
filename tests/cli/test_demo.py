"""`pixfeed demo` as a person meets it."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from PIL import Image

from pixfeed.cli import main
from pixfeed.jobs import demo as job
from pixfeed.jobs.samples import COUNT


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    small = job.demo
    monkeypatch.setattr(job, "BUDGET", 0.0)
    monkeypatch.setattr(job, "demo", lambda: small(48, 64))
    monkeypatch.chdir(tmp_path)


def _run(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["demo", *arguments], catch_exceptions=False)


def test_a_table_and_a_contact_sheet() -> None:
    done = _run()
    assert done.exit_code == 0
    lines = done.stdout.splitlines()
    header = next(line for line in lines if line.startswith("picture"))
    row = next(line for line in lines if line.startswith("JPEG 4:1:1"))
    assert row.split()[2:4] == ["JPEG", "4:1:1"]
    assert "64 x 48" in row
    assert header.index("sampling") == row.index("4:1:1", len("JPEG 4:1:1"))
    with Image.open("demo-out/contact-sheet.png") as sheet:
        assert sheet.format == "PNG"


def test_json_holds_the_same_figures() -> None:
    done = _run("--json", "--out", "there")
    said = json.loads(done.stdout)
    assert len(said["pictures"]) == COUNT
    assert said["pictures"][0]["subsampling"] == "4:4:4"
    assert Path(said["sheet"]).stat().st_size > 1000


def test_a_missing_package_is_one_line_and_exit_2(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "PIL", None)
    done = _run()
    assert done.exit_code == 2
    assert done.stderr.startswith("pixfeed: PIL is not installed")
    assert len(done.stderr.splitlines()) == 1


def test_a_file_in_the_way_is_one_line_and_exit_2(tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("a file")
    done = _run("--out", "taken/deeper")
    assert done.exit_code == 2
    assert "taken" in done.stderr.splitlines()[-1]
    assert "Traceback" not in done.output
