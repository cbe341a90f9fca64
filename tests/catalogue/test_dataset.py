"""Datasets: records by number, decoded when asked for."""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from pixfeed.catalogue import Catalogue, Dataset, Row, Splits
from pixfeed.errors import ConfigError, DecodeError
from pixfeed.source import Folder
from pixfeed.source import open as open_source


def _png(value: int) -> bytes:
    out = io.BytesIO()
    Image.new("RGB", (3, 2), (value, 0, 255)).save(out, "PNG")
    return out.getvalue()


@pytest.fixture
def pictures(tmp_path: Path) -> Path:
    for i in range(6):
        path = tmp_path / f"{'cat' if i % 2 else 'dog'}/{i}.png"
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(_png(i))
    return tmp_path


def test_records_are_image_and_label(pictures: Path) -> None:
    dataset = open_source(pictures)
    assert (len(dataset), dataset.classes) == (6, ("cat", "dog"))
    image, label = dataset[0]
    assert (image.shape, image.dtype.name, label) == ((2, 3, 3), "uint8", 0)
    assert image[0, 0].tolist() == [1, 0, 255]
    assert dataset[np.int64(-1)][0][0, 0, 0] == 4
    assert [image[0, 0, 0] for image, _ in dataset] == [1, 3, 5, 0, 2, 4]
    assert dataset.data(0) == _png(1)
    assert dataset.counts == {"all": {"cat": 3, "dog": 3}}


def test_a_split_is_a_dataset(pictures: Path) -> None:
    splits = Splits(0.5, 0.5, 0)
    dataset = open_source(Folder(pictures, splits=splits))
    train, validation = dataset.split("train"), dataset.split("validation")
    assert len(train) + len(validation) == len(dataset) == 6
    assert sorted([*train.keys, *validation.keys]) == sorted(dataset.keys)
    keys = [f"{('cat', 'dog')[label]}/{image[0, 0, 0]}.png" for image, label in validation]
    assert keys == list(validation.keys)
    assert validation.labels.tolist() == [label for _, label in validation]
    assert validation.ids.tolist() == dataset.ids[len(train) :].tolist()
    assert list(validation.counts) == ["validation"]
    assert "split 'validation'" in repr(validation)


@pytest.mark.parametrize("index", [6, -7])
def test_records_that_are_not_there(pictures: Path, index: int) -> None:
    with pytest.raises(IndexError, match=f"record {index} of a dataset of 6"):
        open_source(pictures)[index]


def test_a_split_that_is_not_there(pictures: Path) -> None:
    with pytest.raises(ConfigError, match="there is no split 'train'; give one of: all"):
        open_source(pictures).split("train")


def test_a_broken_image_is_named(pictures: Path) -> None:
    (pictures / "cat/1.png").write_bytes(b"not an image")
    with pytest.raises(DecodeError) as caught:
        open_source(pictures)[0]
    assert caught.value.__notes__ == ["while reading 'cat/1.png'"]


def test_a_file_that_is_gone_is_an_os_error(pictures: Path) -> None:
    dataset = open_source(pictures)
    (pictures / "cat/1.png").unlink()
    with pytest.raises(FileNotFoundError, match=r"cat/1\.png"):
        dataset[0]


def test_the_folder_is_found_from_anywhere(pictures: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(pictures.parent)
    dataset = open_source(pictures.name)
    monkeypatch.chdir("/")
    assert dataset[0][1] == 0


def test_what_it_looks_like(pictures: Path) -> None:
    (pictures / "cat/.hidden").touch()
    lines = repr(Dataset(Folder(pictures).read())).splitlines()
    assert lines[0] == "<6 records of 2 classes in 1 split: all 6>"
    assert lines[-2] == "  classes: cat 3, dog 3"
    assert lines[-1] == "  note: left out 1 hidden files or folders, the first 'cat/.hidden'"


def test_many_classes_are_cut_short() -> None:
    rows = [Row(f"{i}.png", f"c{i % 7}", split=("train", "test")[i % 2]) for i in range(2800)]
    dataset = Dataset(Catalogue.from_rows(rows))
    assert "classes: c0 400, c1 400, c2 400, c3 400, c4 400 and 2 more" in repr(dataset)
    assert "classes: c0 200, c1 200" in repr(dataset.split("test"))
    assert "classes" not in repr(Dataset(Catalogue.from_rows([Row("a", 3)]))).partition("\n")[2]
