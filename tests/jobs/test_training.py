"""What the demo finds when it trains, and that it says so when something is wrong."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

import pytest

from pixfeed.jobs import training as job
from pixfeed.jobs.findings import GOAL, Fed, Finding, Learned, Opened, Resumed, Told, Written
from pixfeed.jobs.shapes import SHAPES
from pixfeed.testing import png

Kind = TypeVar("Kind", bound=Finding)

EACH = 120


@pytest.fixture(scope="module")
def findings() -> list[Finding]:
    return list(job.training(each=EACH))


def _of(findings: list[Finding], kind: type[Kind]) -> list[Kind]:
    return [finding for finding in findings if isinstance(finding, kind)]


def test_the_pictures_are_made_opened_and_divided(findings: list[Finding]) -> None:
    written, opened = findings[:2]
    assert isinstance(written, Written)
    assert isinstance(opened, Opened)
    assert written.images == EACH * len(SHAPES)
    assert opened.counts == {
        "train": dict.fromkeys(sorted(SHAPES), EACH * 4 // 5),
        "validation": dict.fromkeys(sorted(SHAPES), EACH // 5),
    }


def test_held_back_images_are_told_apart(findings: list[Finding]) -> None:
    epochs = _of(findings, Learned)
    assert [epoch.epoch for epoch in epochs] == list(range(job.EPOCHS))
    assert [epoch.last for epoch in epochs] == [False] * (job.EPOCHS - 1) + [True]
    # A quarter of the pictures of the real demo, so less is asked.
    assert epochs[-1].accuracy > 0.85 > 1 / len(SHAPES)
    assert epochs[-1].loss < epochs[0].loss
    assert len({epoch.fingerprint for epoch in epochs}) == job.EPOCHS


def test_any_number_of_threads_feeds_the_same(findings: list[Finding]) -> None:
    one, several = _of(findings, Fed)
    assert one.threads == 1 < several.threads
    assert one.fingerprint == several.fingerprint == _of(findings, Learned)[0].fingerprint
    assert one.fault is several.fault is None


def test_a_new_loader_goes_on_in_the_middle(findings: list[Finding]) -> None:
    (resumed,) = _of(findings, Resumed)
    assert resumed.step > 0
    assert resumed.equal == resumed.batches == EACH * len(SHAPES) * 4 // 5 // 64 - resumed.step
    assert resumed.state_bytes < 1024
    assert resumed.fault is None


def test_the_report_is_of_the_training(findings: list[Finding]) -> None:
    (told,) = _of(findings, Told)
    assert told.report.images == job.EPOCHS * (EACH * len(SHAPES) * 4 // 5 // 64) * 64
    assert "bottleneck" in told.report.bottleneck


def test_low_accuracy_is_a_fault_in_the_last_epoch_only() -> None:
    epoch = Learned(1, loss=1.0, accuracy=GOAL - 0.01, rate=1.0, fingerprint="beef", last=False)
    assert epoch.fault is None
    assert "94.0%" in str(replace(epoch, last=True).fault)
    assert replace(epoch, last=True, accuracy=GOAL).fault is None


def test_pictures_without_shapes_are_a_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    def scenes(folder: Path, each: int, seed: int) -> int:
        for number in range(each * len(SHAPES)):
            path = folder / list(SHAPES)[number % len(SHAPES)] / f"{number}.png"
            path.parent.mkdir(exist_ok=True)
            path.write_bytes(png(width=32, height=32, seed=seed + number))
        return 0

    monkeypatch.setattr(job, "write_shapes", scenes)
    monkeypatch.setattr(job, "EPOCHS", 1)
    (epoch,) = _of(list(job.training(each=30)), Learned)
    assert epoch.fault is not None


def test_a_batch_too_many_or_another_one_is_a_fault() -> None:
    resumed = Resumed(step=3, batches=4, equal=4, state_bytes=300)
    assert resumed.fault is None
    assert "3 of 4" in str(replace(resumed, equal=3).fault)
    assert replace(resumed, batches=0, equal=0).fault is not None


def test_the_folder_is_gone_at_the_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    findings: Iterator[Finding] = job.training(each=2)
    next(findings)
    assert len(list(tmp_path.rglob("*.png"))) == len(SHAPES)
    findings.close()  # type: ignore[attr-defined]
    assert list(tmp_path.iterdir()) == []


@pytest.mark.soak
def test_the_whole_demo_reaches_its_goal_for_other_seeds_too() -> None:
    for seed in range(5):
        assert [finding.fault for finding in job.training(seed=seed) if finding.fault] == []
