"""What tables say about images: classes, numbers, several of them, and maps beside."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from pixfeed.catalogue.classes import class_names
from pixfeed.errors import ConfigError, SourceError
from pixfeed.source import Labels
from pixfeed.source.problems import Problems
from pixfeed.source.sheet import Cell
from pixfeed.source.targets import Teller, Told


def _tell(
    columns: list[str | list[Cell]], classes: Any = None, **said: Any
) -> tuple[Told, Problems]:
    """Columns c0, c1, ...; a text is parted at its spaces, and _ is an empty cell."""
    cells: dict[str, list[Cell]] = {}
    for number, column in enumerate(columns):
        parts: list[Cell] = [*column.split()] if isinstance(column, str) else column
        cells[f"c{number}"] = ["" if part == "_" else part for part in parts]
    problems = Problems("x.csv", "line")
    problems.number(range(2, 100))
    return Teller(Labels(**said), class_names(classes), problems).tell(cells), problems


@pytest.mark.parametrize(
    ("said", "classes", "options", "labels", "names"),
    [
        ("dog cat dog", None, {}, [1, 0, 1], ("cat", "dog")),
        ("dog cat dog", ["dog", "cat", "eel"], {}, [0, 1, 0], ("dog", "cat", "eel")),
        ("dog cat dog", {"dog": 1, "cat": 0}, {}, [1, 0, 1], ("cat", "dog")),
        ("7 3 7", None, {}, [7, 3, 7], ()),
        ("7 3 10", None, {"kind": "name"}, [2, 1, 0], ("10", "3", "7")),
        ("1 0 1", ["a", "b"], {}, [1, 0, 1], ("a", "b")),
        ("7 3 7", ["7", "3"], {}, [0, 1, 0], ("7", "3")),
        ("007 7 8", None, {}, [0, 1, 2], ("007", "7", "8")),
        ("n01443537 n01440764", "imagenet", {}, [1, 0], class_names("imagenet")),
        ("e\u0301 \u00e9 a", None, {}, [1, 1, 0], ("a", "\u00e9")),
        ("b a b", None, {"names": {"a": "zebra", "b": "ant"}}, [0, 1, 0], ("ant", "zebra")),
        ("b a b", None, {"names": {"a": 0, "b": 1}}, [1, 0, 1], ("a", "b")),
        ("b a b", None, {"names": {"a": 5, "b": 9}}, [9, 5, 9], ()),
        ("b a c", None, {"names": {"a": 0, "b": 0, "c": 1}}, [0, 0, 1], ()),
        ("1 0 1", None, {"names": {0: "zebra", 1: "ant"}}, [1, 0, 1], ("zebra", "ant")),
        ("b a c", None, {"names": {"a": "x", "b": "x", "c": "y"}}, [0, 0, 1], ("x", "y")),
        ("b a b", ["q", "x"], {"names": {"a": "x", "b": "q"}}, [0, 1, 0], ("q", "x")),
    ],
)
def test_one_class_an_image(
    said: str, classes: Any, options: dict[str, Any], labels: list[int], names: tuple[str, ...]
) -> None:
    told, problems = _tell([said], classes, **options)
    assert (told.labels.tolist(), told.classes, told.targets) == (labels, names, None)
    assert not str(problems)


@pytest.mark.parametrize(
    ("columns", "classes", "options", "targets", "names"),
    [
        (["b|a a _"], None, {"separator": "|"}, [[1, 1], [1, 0], [0, 0]], ("a", "b")),
        (["b|a a|a"], ["b", "x", "a"], {"separator": "|"}, [[1, 0, 1], [0, 0, 1]], "bxa"),
        (["10|2 0"], None, {"separator": "|"}, [[0, 1, 1], [1, 0, 0]], ("0", "2", "10")),
        (["1|0 1"], ["p", "q"], {"separator": "|"}, [[1, 1], [0, 1]], "pq"),
        ([[("a", "b"), ()]], None, {}, [[1, 1], [0, 0]], "ab"),
        (["dog cat", "_ dog"], None, {}, [[0, 1], [1, 1]], ("cat", "dog")),
        (["0 1 1", "1 1 0"], None, {}, [[0, 1], [1, 1], [1, 0]], ("c0", "c1")),
        (["False True"], None, {"kind": "flag"}, [[0], [1]], ("c0",)),
        (["0.5 1", "-1 2e1"], None, {}, [[0.5, -1], [1, 20]], ()),
        (["0 1", "1 1"], None, {"kind": "float"}, [[0, 1], [1, 1]], ()),
        (["0.5 -1"], None, {}, [0.5, -1], ()),
        (["3 4"], None, {"kind": "float"}, [3, 4], ()),
        (["a|b b"], None, {"separator": "|", "names": {"a": 1, "b": 0}}, [[1, 1], [1, 0]], "ba"),
    ],
)
def test_targets(
    columns: Any, classes: Any, options: dict[str, Any], targets: Any, names: Any
) -> None:
    told, problems = _tell(columns, classes, **options)
    assert told.targets is not None
    assert told.targets.dtype == np.float32
    assert (told.targets.tolist(), told.classes) == (targets, tuple(names))
    assert told.labels.tolist() == [0] * len(targets)
    assert not str(problems)


@pytest.mark.parametrize(
    ("columns", "classes", "options", "says"),
    [
        (["a _ b"], None, {}, "the label is empty: 1 (line 3)"),
        (["a x b"], ["a", "b"], {}, "the label is none of the classes: 1 (line 3 'x')"),
        (["0 2 1"], ["a", "b"], {}, "the label is none of the classes: 1 (line 3 '2')"),
        (["1 nan 2"], None, {}, "the label is none of the classes: 1 (line 3 'nan')"),
        (["1 99999999999999999999"], None, {"kind": "number"}, "none of the classes: 1 (line 3"),
        (["a x"], None, {"names": {"a": "b"}}, "the label is none of the classes: 1 (line 3 'x')"),
        (["0.5 nan 1"], None, {}, "the label is no number: 1 (line 3 'nan')"),
        (["0.5 1e39 1"], None, {}, "the label is no number: 1 (line 3 '1e39')"),
        (["0.5 _ 1"], None, {}, "the label is no number: 1 (line 3 '')"),
        (["0 2"], None, {"kind": "flag"}, "the label is no number: 1 (line 3 '2')"),
        (["a|q a"], ["a"], {"separator": "|"}, "the label is none of the classes: 1 (line 2 'q')"),
    ],
)
def test_labels_that_say_nothing_are_noted(
    columns: Any, classes: Any, options: dict[str, Any], says: str
) -> None:
    told, problems = _tell(columns, classes, **options)
    assert says in str(problems)
    assert len(problems.kept(len(told.labels))) == len(told.labels) - 1


def test_an_empty_column_is_told_at_once() -> None:
    with pytest.raises(SourceError, match="the column 'c1' is empty in every row"):
        _tell(["a b", "_ _"])


def test_classes_do_not_go_with_numbers() -> None:
    with pytest.raises(ConfigError, match="of the kind 'float'; leave classes= out"):
        _tell(["0.5 1"], ["a"])


def test_targets_that_no_memory_holds_are_refused() -> None:
    many: list[Cell] = [tuple(f"{i}-{j}" for j in range(30)) for i in range(10_000)]
    teller = Teller(Labels(), None, Problems("x.csv", "line"))
    with pytest.raises(SourceError, match="10,000 rows with 300,000 classes each take more"):
        teller.tell({"tags": many})


@pytest.mark.parametrize(
    ("text", "labels", "names"),
    [
        ("class,class id\nb,0\na,1\n", [0, 1], ("b", "a")),
        ("id; name\n a;zebra\n b ;ant\n", [0, 1], ("ant", "zebra")),
        ('{"said": "b", "n": 1}\n{"said": "a", "n": 0}\n', [1, 0], ("a", "b")),
    ],
)
def test_a_map_may_be_a_table(
    tmp_path: Path, text: str, labels: list[int], names: tuple[str, ...]
) -> None:
    path = tmp_path / "classes.csv"
    path.write_text(text)
    told, problems = _tell(["b a"], names=path)
    assert (told.labels.tolist(), told.classes, str(problems)) == (labels, names, "")


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("class\na\n", "it has one column"),
        ("class,id\n", "it has a header and no rows"),
        ("class,id\na,\n", r"an empty cell: 1 \(line 2\)"),
        ("class,id\na,1\na,2\n", r"another meaning for a label: 1 \(line 3 'a'\)"),
    ],
)
def test_wrong_maps_say_what_is_wrong(tmp_path: Path, text: str, says: str) -> None:
    path = tmp_path / "classes.csv"
    path.write_text(text)
    with pytest.raises(SourceError, match=says):
        _tell(["b a"], names=str(path))


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        ({"columns": 3}, "label=3 is no list"),
        ({"columns": [""]}, "label='' names no column"),
        ({"kind": "int"}, "kind='int' is no kind of label; give one of 'name'"),
        ({"separator": ""}, "separator='' parts nothing"),
        ({"names": {}}, "maps no labels"),
        ({"names": {"a": 0.5}}, "maps no labels"),
        ({"names": {"a": True}}, "maps no labels"),
        ({"kind": "float", "separator": "|"}, "separator= is for names of classes"),
        ({"kind": "flag", "names": {"a": 0}}, "names= is for names of classes"),
    ],
)
def test_wrong_labels(wrong: dict[str, Any], says: str) -> None:
    with pytest.raises(ConfigError, match=says) as caught:
        Labels(**wrong)
    assert "\n" not in str(caught.value)
