"""`pixfeed demo` as a person meets it."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from PIL import Image

from pixfeed.cli import main
from pixfeed.engine import Report
from pixfeed.jobs import demo as job
from pixfeed.jobs import training as lesson
from pixfeed.jobs.findings import Fed, Finding, Learned, Opened, Resumed, Told, Written
from pixfeed.jobs.samples import COUNT

FINDINGS: list[Finding] = [
    Written(images=6, bytes=9000, seconds=0.5),
    Opened({"train": {"ring": 4, "star": 4}, "validation": {"ring": 1, "star": 1}}, seconds=0.01),
    Learned(0, loss=0.5, accuracy=0.5, rate=900.0, fingerprint="beef", last=False),
    Learned(1, loss=0.1, accuracy=0.975, rate=950.0, fingerprint="cafe", last=True),
    Fed(threads=1, rate=9000.0, fingerprint="beef", expected="beef"),
    Fed(threads=2, rate=17000.0, fingerprint="beef", expected="beef"),
    Resumed(step=3, batches=4, equal=4, state_bytes=342),
    Told(Report("c0ffee", "beef", steps={(0, 0): 1})),
]


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    small = job.demo
    monkeypatch.setattr(job, "BUDGET", 0.0)
    monkeypatch.setattr(job, "demo", lambda: small(48, 64))
    monkeypatch.setattr(lesson, "training", lambda: iter(FINDINGS))
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


def test_training_is_told_line_by_line() -> None:
    lines = _run().stdout.splitlines()[-len(FINDINGS) :]
    assert lines[1] == (
        "Opened them in 10 ms: 8 train and 2 validation images of 2 classes (5 ring, 5 star)."
    )
    assert lines[3].startswith("Epoch 1: 97.5% of the held-back images told right")
    assert "on 2 threads: 17,000 images/s, fingerprint beef" in lines[5]
    assert "4 of 4 batches are the same" in lines[6]
    assert lines[7].endswith("the loader says: Nothing was fed yet.")


def test_json_holds_what_training_found() -> None:
    said = json.loads(_run("--json").stdout)["training"]
    assert [entry["found"] for entry in said] == [
        *("written", "opened", "learned", "learned", "fed", "fed", "resumed", "told")
    ]
    assert said[3]["accuracy"] == 0.975
    assert said[7]["steps"] == {"0/0": "0000000000000001"}


@pytest.mark.parametrize(
    ("finding", "said"),
    [
        (Learned(1, 0.1, accuracy=0.949, rate=1.0, fingerprint="", last=True), "94.9%"),
        (Fed(threads=2, rate=1.0, fingerprint="feed", expected="beef"), "feed"),
        (Resumed(step=3, batches=4, equal=3, state_bytes=342), "3 of 4 batches"),
    ],
)
def test_what_went_wrong_is_said_and_exit_1(
    finding: Finding, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lesson, "training", lambda: iter([*FINDINGS, finding]))
    for arguments in ([], ["--json"]):
        done = _run(*arguments)
        assert done.exit_code == 1
        (line,) = [line for line in done.stderr.splitlines() if line.startswith("pixfeed: ")]
        assert line.startswith("pixfeed: the demo failed: ")
        assert said in line


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
