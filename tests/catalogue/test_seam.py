"""The seam to the native table: what crosses, what is refused, and in whose words."""

from __future__ import annotations

import gc
import sys
import weakref
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from pixfeed import _native
from pixfeed.catalogue import Catalogue, Row
from pixfeed.errors import ConfigError, PixfeedError


def _table() -> _native.Catalogue:
    rows: list[tuple[str | None, str, int, int, str | None]] = [
        (None, "b/2.jpg", 1, 0, None),
        ("first", "a\udcff/1.jpg", 0, 0, "one"),
    ]
    return _native.Catalogue.of_rows("data", ["all", "none"], rows)


def test_what_a_table_says() -> None:
    table = _table()
    assert (len(table), table.root, table.grouped) == (2, "data", True)
    assert table.keys(0, 2) == [table.key(0), table.key(1)] == ["b/2.jpg", "first"]
    assert [table.place(row) for row in range(2)] == ["b/2.jpg", "a\udcff/1.jpg"]
    assert [table.path(row) for row in range(2)] == ["data/b/2.jpg", "data/a\udcff/1.jpg"]
    assert table.splits == [("all", 0, 2), ("none", 2, 2)]
    assert [table.find(key) for key in ("first", "b/2.jpg", "c", "\udcff")] == [1, 0, None, None]


def test_rows_outside_are_refused() -> None:
    table = _table()
    for lookup in (table.key, table.place, table.path):
        with pytest.raises(IndexError, match="row 2 of a table of 2"):
            lookup(2)
    with pytest.raises(IndexError, match="row 2 of a table of 2"):
        table.keys(0, 3)
    assert table.keys(5, 5) == table.keys(2, 0) == []


@pytest.mark.parametrize("column", ["ids", "labels"])
def test_a_view_is_the_table_s_own_memory_and_keeps_it(column: str) -> None:
    table = _table()
    before = sys.getrefcount(table)
    view, again = getattr(table, column), getattr(table, column)
    assert view.base is table
    assert view.ctypes.data == again.ctypes.data
    assert not view.flags.writeable
    assert not view.flags.owndata
    assert sys.getrefcount(table) == before + 2
    watch = weakref.ref(view)
    del view, again
    gc.collect()
    assert watch() is None
    assert sys.getrefcount(table) == before


def test_nobody_can_write_through_a_view_of_a_view() -> None:
    inner = _table().labels[:1].view(np.uint8)
    with pytest.raises(ValueError, match="WRITEABLE"):
        inner.setflags(write=True)


@pytest.mark.parametrize("missing", ["nowhere", "a/b"])
def test_a_folder_that_cannot_be_listed_is_named(tmp_path: Path, missing: str) -> None:
    (tmp_path / "a").touch()
    with pytest.raises((FileNotFoundError, NotADirectoryError)) as caught:
        _native.list_folder(tmp_path / missing, "")
    assert caught.value.filename == str(tmp_path / missing)
    assert "os error" not in str(caught.value)


@pytest.mark.parametrize(
    "work",
    [
        lambda: _table().with_groups(["one"]),
        lambda: _table().divide(["train"], [1], 0),
        lambda: _native.Catalogue.of_rows("", ["all"], [("a", "a", 0, 1, None)]),
    ],
)
def test_a_panic_is_an_exception_of_ours(work: Any, capfd: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(PixfeedError, match="internal error"):
        work()
    assert "panicked" in capfd.readouterr().err


@pytest.mark.parametrize(
    ("rows", "says"),
    [
        ([("a", 0)], r"\('a', 0\) is no record; give Row\(key, label\)"),
        ([Row(3, 0)], "is no record"),  # type: ignore[arg-type]
        ([Row("a", 0, place=Path("x"))], "is no record"),  # type: ignore[arg-type]
        ([Row(str(i), 0, split=str(i)) for i in range(65_537)], "name 65,537 splits"),
        ([Row("a", 0, group="\udcff")], "is no text that can be stored"),
        ([Row("a", 0, place="\ud800")], "is no text that can be stored"),
    ],
)
def test_rows_that_cannot_cross_say_what_to_do(rows: Any, says: str) -> None:
    with pytest.raises(ConfigError, match=says) as caught:
        Catalogue.from_rows(rows)
    assert "\n" not in str(caught.value)
