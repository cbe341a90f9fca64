"""Folders of many files: counts, and the same result for any number of threads."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from pixfeed import _native
from pixfeed.catalogue import Catalogue, Splits
from pixfeed.source import Folder


def _fill(root: Path, classes: int, images: int) -> None:
    for number in range(classes):
        folder = root / f"n{number * 7919 % 10**8:08}"
        folder.mkdir(parents=True)
        at = os.open(folder, os.O_RDONLY)
        for image in range(images):
            name = f"{folder.name}_{image * 7919 % 100_003}.JPEG"
            os.close(os.open(name, os.O_CREAT | os.O_WRONLY, dir_fd=at))
        os.close(at)


def _table(root: Path, threads: int) -> _native.Catalogue:
    listing = _native.list_folder(root, "", threads)
    labels = list(range(len(listing.classes)))
    return _native.Catalogue.of_listings(root, ["all"], [(listing, 0, labels)])


def _check(catalogue: Catalogue, classes: int, images: int) -> None:
    assert len(catalogue) == classes * images
    assert set(catalogue.counts["all"].values()) == {images}
    assert catalogue.rows.memory < 100 * len(catalogue)
    keys = list(catalogue.keys)
    assert keys == sorted(set(keys))
    splits = Splits().divide(catalogue)
    assert [len(rows) for rows in splits.splits.values()] == [
        classes * images * 8 // 10,
        classes * images // 10,
        classes * images // 10,
    ]


def test_a_hundred_thousand_files(tmp_path: Path) -> None:
    _fill(tmp_path / "root", 100, 1000)
    catalogue = Folder(tmp_path / "root").read()
    _check(catalogue, 100, 1000)
    for threads in (1, 2, 3, 8, 200):
        assert _table(tmp_path / "root", threads).fingerprint == catalogue.fingerprint


def test_a_class_that_takes_long_keeps_its_place(tmp_path: Path) -> None:
    _fill(tmp_path / "root", 1, 5000)
    first = next((tmp_path / "root").iterdir()).rename(tmp_path / "root/a")
    (first / "notes.txt").touch()
    for name in "bcdef":
        (tmp_path / "root" / name).mkdir()
        (tmp_path / "root" / name / "notes.txt").touch()
    for _ in range(10):
        listing = _native.list_folder(tmp_path / "root", "", 2)
        assert [name for name, _ in listing.classes] == list("abcdef")
        assert listing.foreign == (6, "a/notes.txt")


@pytest.mark.soak
def test_as_many_files_as_imagenet(tmp_path: Path) -> None:
    _fill(tmp_path / "root", 1000, 1300)
    _check(Folder(tmp_path / "root").read(), 1000, 1300)
