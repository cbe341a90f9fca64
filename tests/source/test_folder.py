"""Class folders: what is found, how it is named, and what is refused with a reason."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pixfeed.catalogue import Splits
from pixfeed.errors import ConfigError, SourceError
from pixfeed.source import Folder

if TYPE_CHECKING:
    from source.conftest import Fill


def _refused(root: Path, **options: Any) -> str:
    with pytest.raises(SourceError) as caught:
        Folder(root, **options).read()
    assert "\n" not in str(caught.value)
    return str(caught.value)


def test_keys_labels_and_classes(fill: Fill) -> None:
    root = fill(["dog/b.PNG", "cat/deep/er/a.jpg", "cat/a b.tiff", "cat\n/x.webp", "cat/ü.gif"])
    catalogue = Folder(root).read()
    assert catalogue.classes == ("cat", "cat\n", "dog")
    keys = ["cat\n/x.webp", "cat/a b.tiff", "cat/deep/er/a.jpg", "cat/ü.gif", "dog/b.PNG"]
    assert list(catalogue.keys) == keys
    assert catalogue.labels.tolist() == [1, 0, 0, 0, 2]
    assert catalogue.rows.path(2) == str(root / "cat/deep/er/a.jpg")
    assert catalogue.notes == ()


def test_what_is_left_out_is_counted(fill: Fill) -> None:
    root = fill(["a/1.jpg", "a/.2.jpg", ".git/3.jpg", "a/Thumbs.db", "a/4.jpg.part", "loose.png"])
    os.mkfifo(root / "a/pipe.jpg")
    assert Folder(root).read().notes == (
        "left out 2 hidden files or folders, the first '.git'",
        "left out 3 files that are no images by their names, the first 'a/4.jpg.part'",
        "left out 1 images outside of class folders, the first 'loose.png'",
    )


def test_two_spellings_of_a_class_are_one(fill: Fill) -> None:
    root = fill(["e\u0301/1.jpg", "\u00e9/1.jpg", "\u00e9/2.jpg", "f/3.jpg"])
    catalogue = Folder(root).read()
    assert catalogue.classes == ("f", "\u00e9")
    assert list(catalogue.keys) == ["f/3.jpg", "\u00e9/1.jpg", "\u00e9/1.jpg#1", "\u00e9/2.jpg"]
    assert all(Path(catalogue.rows.path(row)).exists() for row in range(4))
    assert len({catalogue.rows.path(row) for row in range(4)}) == 4


@given(
    st.sets(st.binary(min_size=1, max_size=20).filter(lambda n: not {0, 47} & set(n)), min_size=1)
)
def test_any_bytes_may_name_files(names: set[bytes]) -> None:
    with tempfile.TemporaryDirectory() as root:
        for name in names:
            folder = Path(root) / os.fsdecode(b"c" + name)
            folder.mkdir()
            (folder / os.fsdecode(b"i" + name + b".jpg")).touch()
        catalogue = Folder(root).read()
        paths = {os.fsencode(catalogue.rows.path(row)) for row in range(len(catalogue))}
        assert len(paths) == len(names) == len(set(catalogue.keys))
        assert all(map(os.path.exists, paths))


def test_class_maps(fill: Fill) -> None:
    root = fill(["cat/1.jpg", "dog/2.jpg"])
    assert Folder(root, classes=["dog", "cat"]).read().labels.tolist() == [1, 0]
    assert Folder(root, classes={"eel": 0, "dog": 1, "cat": 2}).read().labels.tolist() == [2, 1]
    same = [Folder(root, classes=("cat", "dog")), Folder(root)]
    assert same[0].read().fingerprint == same[1].read().fingerprint


def test_imagenet_s_numbers(fill: Fill) -> None:
    root = fill(["n02123045/1.JPEG", "n15075141/2.JPEG"])
    folder = Folder(root, classes="imagenet")
    catalogue = folder.read()
    assert catalogue.labels.tolist() == [281, 999]
    assert len(catalogue.classes) == 1000
    assert "classes='imagenet'" in repr(folder)
    fill(["cat/1.jpg"])
    assert "the ImageNet table lacks 'cat'" in _refused(root, classes="imagenet")


def test_empty_class_folders(fill: Fill) -> None:
    root = fill(["cat/1.jpg", "dog/readme.txt"])
    assert "the class folders 'dog' hold no image" in _refused(root)
    catalogue = Folder(root, classes=["cat", "dog"]).read()
    assert catalogue.counts == {"all": {"cat": 1, "dog": 0}}


def test_refusals_say_what_to_do(fill: Fill, tmp_path: Path) -> None:
    assert "no such folder" in _refused(tmp_path / "nowhere")
    root = fill([])
    assert "holds no class folders; put each image into" in _refused(root)
    fill(["1.jpg", "2.jpg"])
    assert "is a file" in _refused(root / "1.jpg")
    (tmp_path / "link").symlink_to("nowhere")
    assert "is a link that leads nowhere" in _refused(tmp_path / "link")
    assert "holds 2 images but no class folders" in _refused(root)
    fill(["cat/readme.txt"])
    message = _refused(root)
    assert "no image in any of the 1 class folders" in message
    assert "the first 'cat/readme.txt'" in message
    fill(["cat/1.jpg"])
    assert "classes= lacks 'cat'" in _refused(root, classes=["dog"])


def test_splits_are_not_taken_for_classes(fill: Fill) -> None:
    root = fill(["train/cat/1.jpg", "Val/cat/2.jpg"])
    assert "splits='folders'" in _refused(root)
    assert Folder(root, classes=["train", "Val"]).read().classes == ("train", "Val")
    fill(["notes/3.jpg"])
    assert "holds the splits Val, train rather than classes" in _refused(root)
    (root / "Val").rename(root / "cars")
    assert Folder(root).read().classes == ("cars", "notes", "train")


def test_unreadable_folders_are_named_together(fill: Fill) -> None:
    # Root may read what it likes, but nobody can name a path of more than 4,096 bytes.
    root = fill(["a/1.jpg", "b/2.jpg"])
    for name in ("a", "b"):
        at = os.open(root / name, os.O_RDONLY)
        for _ in range(20):
            os.mkdir("x" * 250, dir_fd=at)
            at, above = os.open("x" * 250, os.O_RDONLY, dir_fd=at), at
            os.close(above)
        os.close(at)
    message = _refused(root)
    assert "2 of its folders cannot be read: 'a/xxx" in message
    assert "name too long" in message


def test_folders_without_permission_are_named(fill: Fill) -> None:
    root = fill(["a/1.jpg", "b/2.jpg"])
    (root / "b").chmod(0)
    try:
        if os.access(root / "b", os.R_OK):
            pytest.skip("this user may read every folder")
        assert "'b' (Permission denied" in _refused(root)
    finally:
        (root / "b").chmod(0o700)


def test_folders_divided(fill: Fill) -> None:
    root = fill(f"{c}/{i}.jpg" for c in "ab" for i in range(20))
    catalogue = Folder(root, splits=Splits(seed=3)).read()
    assert {name: len(rows) for name, rows in catalogue.splits.items()} == {
        "train": 32,
        "validation": 4,
        "test": 4,
    }


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        ({"path": ""}, "names no folder"),
        ({"path": 3}, "names no folder"),
        ({"path": b"x"}, "names no folder"),
        ({"path": "x", "splits": "random"}, "splits='random' divides nothing"),
        ({"path": "x", "splits": 0.8}, "divides nothing"),
        ({"path": "x", "classes": ["a", "a"]}, "more than once"),
    ],
)
def test_wrong_arguments_say_what_to_do(wrong: dict[str, Any], says: str) -> None:
    with pytest.raises(ConfigError, match=says) as caught:
        Folder(**wrong)
    assert "\n" not in str(caught.value)


def test_folders_are_pickled_as_configuration(fill: Fill) -> None:
    folder = Folder(fill(["a/1.jpg"]), classes=["b", "a"], splits=Splits(limit=5))
    again = pickle.loads(pickle.dumps(folder))
    assert again == folder
    assert again.read().fingerprint == folder.read().fingerprint


def test_another_process_finds_the_same(fill: Fill) -> None:
    root = fill(f"{c}/{i}.jpg" for c in "abc" for i in range(30))
    code = (
        "import sys; from pixfeed.source import Folder;"
        "print(Folder(sys.argv[1]).read().fingerprint)"
    )
    command = [sys.executable, "-c", code, str(root)]
    out = subprocess.run(command, capture_output=True, check=True, text=True)
    assert out.stdout.strip() == Folder(root).read().fingerprint
