"""Splits that lie side by side as folders share one set of classes."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from pixfeed.catalogue import Splits
from pixfeed.errors import ConfigError, SourceError
from pixfeed.source import Folder

if TYPE_CHECKING:
    from source.conftest import Fill


def test_one_class_map_for_all(fill: Fill) -> None:
    root = fill(["val/dog/1.jpg", "train/cat/1.jpg", "train/dog/2.jpg", "notes/x.jpg"])
    catalogue = Folder(root, splits="folders").read()
    assert catalogue.classes == ("cat", "dog")
    assert catalogue.counts == {
        "train": {"cat": 1, "dog": 1},
        "validation": {"cat": 0, "dog": 1},
    }
    assert list(catalogue.keys) == ["train/cat/1.jpg", "train/dog/2.jpg", "val/dog/1.jpg"]
    assert catalogue.labels.tolist() == [0, 1, 1]


@pytest.mark.parametrize(
    ("names", "splits"),
    [
        (("training", "validation", "testing"), ["train", "validation", "test"]),
        (("test", "Train", "VALID"), ["train", "validation", "test"]),
        (("train", "eval"), ["train", "validation"]),
        (("test",), ["test"]),
    ],
)
def test_the_names_of_splits(fill: Fill, names: tuple[str, ...], splits: list[str]) -> None:
    root = fill(f"{name}/cat/1.jpg" for name in names)
    assert list(Folder(root, splits="folders").read().splits) == splits


def test_an_empty_class_in_one_split_is_no_fault(fill: Fill) -> None:
    root = fill(["train/cat/1.jpg", "val/dog/1.jpg"])
    (root / "val/cat").mkdir()
    assert len(Folder(root, splits="folders").read()) == 2
    (root / "val/eel").mkdir()
    with pytest.raises(SourceError, match="'eel' hold no image"):
        Folder(root, splits="folders").read()


def test_refusals_say_what_to_do(fill: Fill) -> None:
    root = fill(["cat/1.jpg"])
    with pytest.raises(SourceError, match="no folder named train, val or test"):
        Folder(root, splits="folders").read()
    fill(["val/cat/1.jpg", "valid/cat/1.jpg"])
    with pytest.raises(SourceError, match="several folders for the split validation: val, valid"):
        Folder(root, splits="folders").read()


def test_a_split_may_not_lie_elsewhere(fill: Fill, tmp_path: Path) -> None:
    (tmp_path / "other/cat").mkdir(parents=True)
    root = fill(["val/cat/1.jpg", "deep/more/cat/1.jpg"])
    (root / "train").symlink_to(tmp_path / "other")
    with pytest.raises(SourceError, match="a link that leads out of"):
        Folder(root, splits="folders").read()
    (root / "train").unlink()
    (root / "train").symlink_to("deep/more")
    (root / "train/cat/loop").symlink_to("../../..")
    catalogue = Folder(root, splits="folders").read()
    assert list(catalogue.keys) == ["train/cat/1.jpg", "val/cat/1.jpg"]


def test_a_split_without_class_folders_is_named(fill: Fill) -> None:
    root = fill(["train/cat/1.jpg", "test/1.jpg"])
    with pytest.raises(SourceError, match="test' holds 1 images but no class folders"):
        Folder(root, splits="folders").read()


def test_splits_of_splits_are_refused(fill: Fill) -> None:
    catalogue = Folder(fill(["train/cat/1.jpg", "val/cat/2.jpg"]), splits="folders").read()
    with pytest.raises(ConfigError, match="has splits already"):
        Splits().divide(catalogue)
