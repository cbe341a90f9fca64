"""Files named one by one."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import pytest

from pixfeed.catalogue import Splits
from pixfeed.errors import ConfigError, SourceError
from pixfeed.source import Items
from pixfeed.source import open as open_source


def test_items_are_sorted_and_numbered() -> None:
    catalogue = Items([("b/1.jpg", "dog"), (Path("a/1.jpg"), "cat"), ("b//1.jpg", "dog")]).read()
    assert list(catalogue.keys) == ["a/1.jpg", "b/1.jpg", "b/1.jpg#1"]
    assert catalogue.classes == ("cat", "dog")
    assert catalogue.rows.place(2) == "b/1.jpg"


def test_classes_and_splits() -> None:
    items = [(f"{i}.jpg", i % 2) for i in range(20)]
    catalogue = Items(items, classes=["even", "odd"], splits=Splits(0.5, 0.5, 0)).read()
    assert catalogue.counts["train"] == {"even": 5, "odd": 5}


def test_places_may_be_absolute_or_relative(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "x").write_bytes(b"one")
    (tmp_path / "y").write_bytes(b"two")
    monkeypatch.chdir(tmp_path)
    dataset = open_source(Items([("x", 0), (tmp_path / "y", 1)]))
    monkeypatch.chdir("/")
    assert [dataset.data(i) for i in range(2)] == [b"two", b"one"]


def test_a_folder_and_its_items_are_the_same_dataset() -> None:
    items = Items([("b/2.jpg", "b"), ("a/1.jpg", "a")])
    assert pickle.loads(pickle.dumps(items)) == items
    assert items.read().fingerprint == Items(list(items.items)[::-1]).read().fingerprint


@pytest.mark.parametrize(
    "wrong",
    [[("a",)], ["ab"], [3], [(3, 0)], [("a", 0.5)], [("a", None)], [("a", True)], [("a", [0, 1])]],
)
def test_wrong_items_say_what_to_do(wrong: Any) -> None:
    with pytest.raises(ConfigError, match=r"is no item; give \(place, label\)"):
        Items(wrong)


def test_no_items() -> None:
    with pytest.raises(SourceError, match="names no images"):
        Items([]).read()


def test_splits_must_be_splits() -> None:
    with pytest.raises(ConfigError, match="divides nothing"):
        Items([("a", 0)], splits="folders")  # type: ignore[arg-type]
