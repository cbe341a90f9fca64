"""Parquet tables, and what is said where pyarrow is not installed."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from pixfeed.errors import ConfigError, SourceError
from pixfeed.source import Labels, Table

if TYPE_CHECKING:
    from source.conftest import Fill


def _write(path: Path, **columns: Any) -> Path:
    pq.write_table(pa.table(columns), path)
    return path


def test_columns_of_all_plain_kinds(fill: Fill) -> None:
    root = fill(["1.png", "2.png"])
    path = _write(
        root / "x.parquet",
        id=[2, 1],
        label=pa.array(["b", "a"]).dictionary_encode(),
        age=pa.array([0.1, 40], pa.float32()),
        site=["x", None],
        good=[True, False],
        day=pa.array([0, 1], pa.date32()),
        tags=[["p"], ["q", "r"]],
        box=[{"x": 1}, {"x": 2}],
        bytes=[b"a", b"b"],
    )
    catalogue = Table(path, suffix=".png").read()
    assert list(catalogue.keys) == ["1.png", "2.png"]
    assert (catalogue.classes, catalogue.labels.tolist()) == (("a", "b"), [0, 1])
    assert {name: values.tolist() for name, values in catalogue.columns.items()} == {
        "age": [40.0, pytest.approx(0.1)],
        "site": ["", "x"],
        "good": ["False", "True"],
        "day": ["1970-01-02", "1970-01-01"],
        "tags": [("q", "r"), ("p",)],
    }
    several = Table(path, suffix=".png", label="tags").read()
    assert several.classes == ("p", "q", "r")
    assert several.targets is not None
    assert several.targets.tolist() == [[0, 1, 1], [1, 0, 0]]


def test_many_rows_keep_their_places(fill: Fill) -> None:
    names = [f"{i}.png" for i in range(40_000)]
    root = fill([])
    path = _write(root / "x.parquet", file=names, target=[i / 2 for i in range(40_000)])
    # Only one of the files is there, and its row is far behind the first batch.
    (root / "39999.png").touch()
    with pytest.raises(SourceError, match=r"the file is missing: 39,999 \(row 1 '0.png'"):
        Table(path, label=Labels(kind="float")).read()


def test_a_broken_file_is_told(fill: Fill) -> None:
    root = fill(["1.png"])
    path = _write(root / "x.parquet", file=["1.png"], label=[1])
    path.write_bytes(path.read_bytes()[:-20])
    with pytest.raises(SourceError, match="is no table: pyarrow cannot read it") as caught:
        Table(path).read()
    assert "\n" not in str(caught.value)


def test_without_pyarrow_the_extra_is_named(fill: Fill, monkeypatch: pytest.MonkeyPatch) -> None:
    path = _write(fill(["1.png"]) / "x.parquet", file=["1.png"], label=[1])
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(ConfigError, match=r"needs pyarrow; pip install 'pixfeed\[tables\]'"):
        Table(path).read()
