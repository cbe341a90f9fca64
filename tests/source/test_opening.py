"""From what a user names to a source."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from pixfeed.catalogue import Catalogue, Row, Source
from pixfeed.errors import ConfigError, SourceError
from pixfeed.source import Folder, Table, open, resolve

if TYPE_CHECKING:
    from source.conftest import Fill


class _Own:
    """A source of a user's own, whose images are no files."""

    def read(self) -> Catalogue:
        return Catalogue.from_rows([Row("a", "x", place="memory:a")], fetch=str.encode)


def test_sources_are_handed_through() -> None:
    own = _Own()
    assert isinstance(own, Source)
    assert resolve(own) is own
    assert open(own).data(0) == b"memory:a"


def test_paths_are_folders(fill: Fill) -> None:
    root = fill(["a/1.jpg"])
    assert resolve(root) == resolve(str(root)) == Folder(root)
    assert len(open(root)) == 1


def test_a_source_that_reads_something_else_is_told_so() -> None:
    class Wrong:
        def read(self) -> list[str]:
            return ["a"]

    with pytest.raises(ConfigError, match=r"Wrong.read\(\) gave list \['a'\]; return a Catalogue"):
        open(Wrong())  # type: ignore[arg-type] # the point of the test


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        (None, "NoneType None is no source"),
        (3, "int 3 is no source"),
        (_Own, "is no source"),
        (b"train/", "bytes b'train/' is no source"),
        ("https://example.org/x", "is a URL"),
    ],
)
def test_what_is_no_source_is_told_what_is(wrong: Any, says: str) -> None:
    with pytest.raises(ConfigError, match=says) as caught:
        resolve(wrong)
    assert "give a class folder" in str(caught.value)


@pytest.mark.parametrize("name", ["labels.txt", "x.tar"])
def test_kinds_that_are_known_and_not_read(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.parent.mkdir(exist_ok=True)
    path.touch()
    place = path if path.parent == tmp_path else path.parent
    with pytest.raises(ConfigError, match="cannot be read as a dataset; give a class folder"):
        resolve(place)


@pytest.mark.parametrize("name", ["a.csv", "a.TSV", "a.tab", "a.jsonl", "a.parquet"])
def test_tables_are_told_by_their_names(tmp_path: Path, name: str) -> None:
    assert resolve(tmp_path / name) == resolve(str(tmp_path / name)) == Table(tmp_path / name)
    (tmp_path / name).mkdir()
    assert resolve(tmp_path / name) == Folder(tmp_path / name)


def test_a_missing_folder_is_named() -> None:
    with pytest.raises(SourceError, match="no such folder: 'nowhere'"):
        open("nowhere")
