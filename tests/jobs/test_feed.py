"""Feeding as a job: progress after each batch, threads gone at the end."""

from __future__ import annotations

import threading
from itertools import islice
from pathlib import Path

import pytest

from pixfeed.engine import Report, Run
from pixfeed.errors import DecodeError
from pixfeed.jobs import feed as job
from pixfeed.loader import Loader
from pixfeed.recipe import Resize
from pixfeed.source import Folder
from pixfeed.testing import class_folder


def _loader(folder: Path, **options: object) -> Loader:
    return Loader(folder, batch_size=3, recipe=Resize((8, 8)), run=Run(**options))  # type: ignore[arg-type]


def test_progress_counts_batches_and_images_of_all_epochs() -> None:
    with class_folder(10, classes=2) as folder:
        steps = list(job.feed(_loader(folder), epochs=3))
    assert [step.batches for step in steps] == list(range(1, 10))
    assert {step.of for step in steps} == {9}
    assert steps[-1].images == 27
    assert steps[-1].left == 0
    assert all(step.rate > 0 for step in steps)
    assert [step.seconds for step in steps] == sorted(step.seconds for step in steps)


def test_bad_images_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(job, "LOOK", 0.0)
    with class_folder(9, classes=1) as folder:
        (folder / "class-0" / "0004.png").write_bytes(b"nothing")
        loader = _loader(folder, on_bad="blank")
        assert [step.bad for step in job.feed(loader)][-1] in (0, 1)
        assert list(job.feed(loader))[-1].bad == 1


def test_the_report_is_looked_at_now_and_then_only(monkeypatch: pytest.MonkeyPatch) -> None:
    with class_folder(30, classes=1) as folder:
        loader = _loader(folder)
        looked: list[Report] = []
        report = loader.report

        def look() -> Report:
            looked.append(report())
            return looked[-1]

        monkeypatch.setattr(loader, "report", look)
        monkeypatch.setattr(job, "LOOK", 60.0)
        list(job.feed(loader, epochs=2))
    assert len(looked) == 1


def test_a_bad_image_ends_it_and_threads_end_with_it() -> None:
    with class_folder(9, classes=1) as folder:
        (folder / "class-0" / "0004.png").write_bytes(b"nothing")
        with pytest.raises(DecodeError, match=r"0004\.png"):
            list(job.feed(_loader(folder)))


def test_leaving_early_stops_the_threads() -> None:
    with class_folder(9, classes=1) as folder:
        steps = job.feed(_loader(folder), epochs=1000)
        before = threading.active_count()
        assert len(list(islice(steps, 2))) == 2
        steps.close()  # type: ignore[attr-defined]
        assert threading.active_count() <= before


def test_a_split_names_the_folder_that_holds_it(tmp_path: Path) -> None:
    for name in ("train", "val"):
        (tmp_path / name).mkdir()
    assert job.splits_beside(str(tmp_path)) == ("train", "validation")
    assert job.place("here", "validation") == Folder("here", splits="folders")
    assert job.place("here", "all") == "here"
