"""`pixfeed feed` as a person meets it."""

from __future__ import annotations

import json
import os
import pty
import subprocess
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from pixfeed.cli import main
from pixfeed.testing import class_folder


@pytest.fixture
def folder() -> Iterator[Path]:
    with class_folder(10, classes=2, width=40, height=30) as made:
        yield made


def _feed(*arguments: object) -> Result:
    given = ["feed", *map(str, arguments)]
    return CliRunner().invoke(main, given, catch_exceptions=False)


def _quick(folder: Path, *arguments: object) -> Result:
    return _feed(folder, "--recipe", "imagenet-train:16", "--batch-size", 4, *arguments)


def _spoil(folder: Path, *numbers: int) -> None:
    for number in numbers:
        (folder / f"class-{number % 2}" / f"{number:04d}.png").write_bytes(b"no image")


def test_an_epoch_and_its_report(folder: Path) -> None:
    done = _quick(folder)
    assert done.exit_code == 0
    assert done.stdout.startswith("8 images in 2 batches")
    assert "bottleneck" in done.stdout.splitlines()[-1]
    assert done.stderr.splitlines() == [
        "Loader 10 records, 2 batches of 4: RandomResizedCrop, RandomHorizontalFlip, ToArray"
    ]


def test_json_is_the_report(folder: Path) -> None:
    done = _quick(folder, "--json", "--epochs", 2, "--threads", 1, "--cache", "encoded")
    said = json.loads(done.stdout)
    assert done.exit_code == 0
    assert (said["images"], said["batches"], said["threads"]) == (16, 4, 1)
    assert list(said["steps"]) == ["0/0", "0/1", "1/0", "1/1"]
    assert said["cache"]["records"] > 0
    assert said["failures"] == []
    assert said["problem"] is None


def test_options_reach_the_loader(folder: Path) -> None:
    one = json.loads(_quick(folder, "--json").stdout)
    same = json.loads(_quick(folder, "--json", "--threads", 3, "--prefetch", 1).stdout)
    assert same["fingerprint"] == one["fingerprint"]
    assert same["prefetch"] == 1
    for different in (["--seed", 1], ["--no-shuffle"], ["--batch-size", 5]):
        other = json.loads(_quick(folder, "--json", *different).stdout)
        assert other["stream_id"] != one["stream_id"]
        assert other["fingerprint"] != one["fingerprint"]
    assert json.loads(_quick(folder, "--json", "--memory", "1 MiB").stdout)["images"] == 8


@pytest.mark.parametrize("policy", ["substitute", "blank"])
def test_bad_images_are_told_and_exit_1(folder: Path, policy: str) -> None:
    _spoil(folder, 0, 1, 2)
    done = _quick(folder, "--on-bad", policy, "--epochs", 2)
    assert done.exit_code == 1
    assert "bad: class-0/0000.png (decode)" in done.stdout
    assert done.stdout.startswith("16 images")


def test_a_bad_image_that_ends_it_is_one_line_and_exit_1(folder: Path) -> None:
    _spoil(folder, *range(10))
    done = _quick(folder)
    assert done.exit_code == 1
    assert done.stderr.splitlines()[-1].startswith("pixfeed: class-")
    assert "Traceback" not in done.output


def test_too_many_bad_images_are_exit_1_and_said_in_json(folder: Path) -> None:
    _spoil(folder, *range(6))
    done = _quick(folder, "--on-bad", "substitute", "--max-bad", 1, "--json")
    assert done.exit_code == 1
    assert "max_bad allows 1" in json.loads(done.stdout)["problem"]
    assert _quick(folder, "--on-bad", "substitute", "--max-bad", "0.1").exit_code == 1


def test_splits_side_by_side(folder: Path) -> None:
    (folder / "train").mkdir()
    for name in ("class-0", "class-1"):
        (folder / name).rename(folder / "train" / name)
    (folder / "val").mkdir()
    (folder / "val" / "class-0").mkdir()
    (folder / "train" / "class-0" / "0000.png").rename(folder / "val" / "class-0" / "0000.png")
    refused = _quick(folder)
    assert refused.exit_code == 2
    assert "holds the splits train, validation; name one with --split" in refused.stderr
    assert _quick(folder, "--split", "train").stdout.startswith("8 images")
    one = _quick(folder, "--split", "validation", "--batch-size", 1)
    assert one.stdout.startswith("1 image in 1 batch,")


WRONG = {
    "no such recipe": (["--recipe", "cifar"], "imagenet-train, imagenet-eval, mnist-train"),
    "no such option": (["--colour"], "see main feed --help"),
    "batch of none": (["--batch-size", "0"], "batch_size is 0"),
    "batch too large": (["--batch-size", "99"], "10 records make no whole batch of 99"),
    "no number": (["--batch-size", "many"], "'many'"),
    "threads": (["--threads", "0"], "threads is 0"),
    "memory": (["--memory", "lots"], "'2 GiB'"),
    "memory for no batch": (["--memory", "10"], "more memory or a smaller batch_size"),
    "cache": (["--cache", "all"], "'encoded', 'decoded'"),
    "max bad": (["--max-bad", "few"], "--max-bad is 'few'; give 10"),
    "epochs": (["--epochs", "0"], "'--epochs'"),
    "split": (["--split", "train"], "leave out --split"),
    "recipe without one size": (["--recipe", "imagenet-train:0"], "size of imagenet_train is 0"),
}


@pytest.mark.parametrize("case", WRONG)
def test_wrong_use_is_one_line_and_exit_2(folder: Path, case: str) -> None:
    arguments, expected = WRONG[case]
    done = _feed(folder, "--batch-size", 4, *arguments)
    assert done.exit_code == 2
    (line,) = [line for line in done.stderr.splitlines() if not line.startswith("Loader ")]
    assert line.startswith("pixfeed: ")
    assert expected in line
    assert done.stdout == ""


def test_wrong_places_and_commands_are_one_line_and_exit_2() -> None:
    for arguments in (["feed"], ["feed", "no/such/folder"], ["fed"], ["--colour"]):
        done = CliRunner().invoke(main, arguments)
        assert done.exit_code == 2
        assert len(done.stderr.splitlines()) == 1


def test_plain_lines_where_there_is_no_terminal(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(import_module("pixfeed.cli.feed"), "LINES", 0.0)
    done = _quick(folder)
    assert "1 of 2 batches: " in done.stderr
    assert "images/s, waited " in done.stderr


def test_a_bar_on_a_terminal(folder: Path) -> None:
    # So few batches that all of the bar fits into the terminal's buffer.
    ours, theirs = pty.openpty()
    program = "from pixfeed.cli import main; main(prog_name='pixfeed')"
    arguments = ["feed", str(folder), "--batch-size", "2", "--json"]
    with os.fdopen(ours, "rb", closefd=True) as screen, os.fdopen(theirs, "wb") as terminal:
        done = subprocess.run(
            [sys.executable, "-c", program, *arguments, "--recipe", "imagenet-train:8"],
            stdout=subprocess.PIPE,
            stderr=terminal,
            check=True,
        )
        shown = os.read(screen.fileno(), 1 << 16).decode()
    assert json.loads(done.stdout)["images"] == 10
    assert "0/5" in shown
    assert "images/s, waited" in shown
