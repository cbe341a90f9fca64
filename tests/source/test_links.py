"""Symbolic links: followed inside the root, never out of it, never in a circle."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from pixfeed.errors import SourceError
from pixfeed.source import Folder

if TYPE_CHECKING:
    from source.conftest import Fill


def _link(path: Path, target: str | Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.symlink_to(target)


def _keys(root: Path) -> list[str]:
    return list(Folder(root).read().keys)


def test_links_inside_the_root_are_followed(fill: Fill) -> None:
    root = fill(["a/1.jpg", "a/deep/2.jpg"])
    _link(root / "a/3.jpg", "1.jpg")
    _link(root / "b", "a/deep")
    _link(root / "c/d", root / "a")
    assert _keys(root) == [
        "a/1.jpg", "a/3.jpg", "a/deep/2.jpg", "b/2.jpg", "c/d/1.jpg", "c/d/3.jpg", "c/d/deep/2.jpg"
    ]  # fmt: skip
    assert Folder(root).read().notes == ()


def test_links_out_of_the_root_are_named(fill: Fill, tmp_path: Path) -> None:
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside/1.jpg").touch()
    root = fill(["a/1.jpg"])
    _link(root / "a/2.jpg", tmp_path / "outside/1.jpg")
    _link(root / "a/folder", tmp_path / "outside")
    _link(root / "b", tmp_path / "outside")
    catalogue = Folder(root).read()
    assert list(catalogue.keys) == ["a/1.jpg"]
    assert catalogue.classes == ("a",)
    named = "'b' leads out of the folder, 'a/2.jpg' leads out of the folder, 'a/folder' leads out"
    assert catalogue.notes[0].startswith(f"left out 3 links: {named}")


def test_a_neighbour_whose_name_begins_alike_is_outside(fill: Fill, tmp_path: Path) -> None:
    (tmp_path / "root2").mkdir()
    (tmp_path / "root2/1.jpg").touch()
    root = fill(["a/1.jpg"])
    _link(root / "a/2.jpg", tmp_path / "root2/1.jpg")
    assert _keys(root) == ["a/1.jpg"]


def test_a_farm_of_links_that_all_lead_out_is_explained(fill: Fill, tmp_path: Path) -> None:
    (tmp_path / "1.jpg").touch()
    root = fill([])
    _link(root / "a/1.jpg", tmp_path / "1.jpg")
    with pytest.raises(SourceError, match=r"'a/1\.jpg' leads out of the folder"):
        Folder(root).read()


def test_classes_that_are_all_links_out_are_explained(fill: Fill, tmp_path: Path) -> None:
    (tmp_path / "outside").mkdir()
    root = fill([])
    _link(root / "a", tmp_path / "outside")
    says = r"no class folders \(left out 1 links: 'a' leads out of .*not behind such links$"
    with pytest.raises(SourceError, match=says):
        Folder(root).read()


@pytest.mark.parametrize("target", ["..", ".", "../..", "../../a", "../deep"])
def test_circles_end(fill: Fill, target: str) -> None:
    root = fill(["a/deep/1.jpg"])
    _link(root / "a/deep/loop", target)
    catalogue = Folder(root).read()
    assert list(catalogue.keys) == ["a/deep/1.jpg"]
    assert catalogue.notes == ("left out 1 links: 'a/deep/loop' leads to a folder it lies in",)


def test_circles_of_two_end(fill: Fill) -> None:
    root = fill(["a/1.jpg", "b/2.jpg"])
    _link(root / "a/to-b", "../b")
    _link(root / "b/to-a", "../a")
    assert _keys(root) == ["a/1.jpg", "a/to-b/2.jpg", "b/2.jpg", "b/to-a/1.jpg"]
    assert "'a/to-b/to-a' leads to a folder it lies in" in Folder(root).read().notes[0]


def test_links_that_lead_nowhere_or_to_each_other(fill: Fill) -> None:
    root = fill(["a/1.jpg"])
    _link(root / "a/2.jpg", "missing.jpg")
    _link(root / "a/3.jpg", "4.jpg")
    _link(root / "a/4.jpg", "3.jpg")
    _link(root / "a/5.jpg", "1.jpg/x")
    note = Folder(root).read().notes[0]
    assert note.startswith("left out 4 links: 'a/2.jpg' leads nowhere, 'a/3.jpg' leads to a folder")
    assert _keys(root) == ["a/1.jpg"]


def test_links_that_multiply_are_bounded(fill: Fill) -> None:
    root = fill(f"c{i}/{i}.jpg" for i in range(7))
    for i in range(7):
        for j in range(7):
            _link(root / f"c{i}/l{j}", f"../c{j}")
    catalogue = Folder(root).read()
    assert len(catalogue) == sum(7 * f for f in (1, 6, 30, 120, 360))
    assert "lies behind more than 4 other links" not in catalogue.notes[0]
    assert "more" in catalogue.notes[0]


def test_the_root_may_be_a_link(fill: Fill, tmp_path: Path) -> None:
    root = fill(["a/1.jpg"])
    _link(root / "a/2.jpg", root / "a/1.jpg")
    _link(tmp_path / "alias", root)
    assert _keys(tmp_path / "alias") == ["a/1.jpg", "a/2.jpg"]
