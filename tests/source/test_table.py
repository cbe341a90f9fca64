"""Tables as sources: the kinds people have, and everything that can be wrong with them."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from pixfeed.catalogue import Catalogue, Splits
from pixfeed.errors import ConfigError, SourceError
from pixfeed.source import Folder, Labels, Reading, Table
from pixfeed.source import open as open_source
from pixfeed.testing import png

if TYPE_CHECKING:
    from source.conftest import Fill

Tell = Callable[..., Catalogue]


@pytest.fixture
def tell(fill: Fill) -> Tell:
    """Writes a table beside cat/1.png, 1.png, 2.png and 3.png, and reads it."""
    root = fill(["1.png", "2.png", "3.png", "cat/1.png"])

    def read(text: str | bytes, name: str = "labels.csv", **said: Any) -> Catalogue:
        (root / name).write_bytes(text if isinstance(text, bytes) else text.encode())
        return Table(root / name, **said).read()

    return read


def test_kaggles_list_of_ids(fill: Fill, tmp_path: Path) -> None:
    root = fill(["1.png", "2.png", "10.png"])
    (tmp_path / "trainLabels.csv").write_text("id,label\n1,frog\n2,truck\n10,frog\n")
    table = Table(tmp_path / "trainLabels.csv", root=root, suffix=".png")
    catalogue = table.read()
    assert list(catalogue.keys) == ["1.png", "10.png", "2.png"]
    assert catalogue.counts == {"all": {"frog": 2, "truck": 1}}
    assert Path(catalogue.rows.path(0)) == root / "1.png"
    with pytest.raises(SourceError, match=r"there is '1\.png': give suffix='\.png'$"):
        Table(tmp_path / "trainLabels.csv", root=root).read()


def test_spaces_around_names_and_values(tell: Tell) -> None:
    catalogue = tell("filename, class\n1.png , dog\n 2.png,\tcat \n\n , \n")
    assert list(catalogue.keys) == ["1.png", "2.png"]
    assert (catalogue.classes, catalogue.labels.tolist()) == (("cat", "dog"), [1, 0])


@pytest.mark.parametrize(
    "text",
    [
        "\ufefffile,class\r\n1.png,cat\r\n2.png,a b\r\n",
        "file;class;x\n1.png;cat;1\n2.png;a b;2",
        "file\tclass\n1.png\tcat\n2.png\ta b\n",
        'class,file\n"cat","1.png"\n"a b" , "./2.png"\n',
        ",file,class,\n0,1.png,cat,\n1,2.png,a b,\n",
        '{"file": "1.png", "class": "cat"}\n{"class": "a b", "file": "2.png", "box": {"x": 1}}\n',
    ],
    ids=["bom-crlf", "semicolons", "tabs", "quotes", "pandas-index", "jsonl"],
)
def test_one_table_in_many_spellings(tell: Tell, text: str) -> None:
    plain = tell("file,class\n1.png,cat\n2.png,a b\n")
    assert tell(text).fingerprint == plain.fingerprint


def test_a_folder_and_a_table_of_its_files_are_one_dataset(fill: Fill) -> None:
    root = fill(["cat/1.png", "dog/deep/2.png"])
    folder = Folder(root).read()
    rows = ["dog/deep/2.png,dog", f"{root}/cat/1.png,cat"]
    (root / "labels.csv").write_text("\n".join(["path,label", *rows]))
    table = Table(root / "labels.csv").read()
    assert table.fingerprint == folder.fingerprint
    assert list(table.keys) == list(folder.keys)


def test_the_columns_are_found_or_named(tell: Tell) -> None:
    text = "Target,other,ID,File\n0,3.png,1.png,2.png\n"
    assert list(tell(text).keys) == ["2.png"]
    assert tell(text).columns["ID"].tolist() == ["1.png"]
    assert list(tell(text, image="other").keys) == ["3.png"]
    assert list(tell("picture,label\n3.png,1\n").keys) == ["3.png"]
    assert not tell(text, label=None).labelled


def test_splits_of_a_column_and_by_shares(tell: Tell) -> None:
    text = "file,class,set\n1.png,a,train\n2.png,b,Val\n3.png,a,extra\n"
    catalogue = tell(text, splits="set")
    assert catalogue.splits == {
        "train": range(1),
        "validation": range(1, 2),
        "extra": range(2, 3),
    }
    assert "set" not in catalogue.columns
    assert len(tell(text, splits=Splits(limit=2))) == 2
    with pytest.raises(SourceError, match="the split is empty: 1"):
        tell("file,class,set\n1.png,a,train\n2.png,b,\n", splits="set")


def test_groups_stay_together(fill: Fill) -> None:
    root = fill([f"{i}.png" for i in range(60)])
    lines = [f"{i}.png,c,p{i % 6}" for i in range(60)]
    (root / "x.csv").write_text("\n".join(["file,class,patient", *lines]))
    splits = Splits(0.5, 0.5, 0)
    catalogue = Table(root / "x.csv", splits=splits, reading=Reading(group="patient")).read()
    patients = catalogue.columns["patient"]
    parts = [set(patients[rows.start : rows.stop]) for rows in catalogue.splits.values()]
    assert not parts[0] & parts[1]
    assert "groups were kept whole" in catalogue.notes[-1]


def test_further_columns_lie_where_the_rows_do(tell: Tell) -> None:
    text = "file,class,age,score,site,code\n3.png,a,7,0.5,x,007\n1.png,b,-5,2,y,1\n"
    columns = tell(text).columns
    assert {name: values.tolist() for name, values in columns.items()} == {
        "age": [-5, 7],
        "score": [2.0, 0.5],
        "site": ["y", "x"],
        "code": ["1", "007"],
    }
    assert columns["age"].dtype == np.int64
    assert list(tell(text, reading=Reading(columns=["site"])).columns) == ["site"]
    assert not tell(text, reading=Reading(columns=[])).columns
    with pytest.raises(ValueError, match="read-only"):
        columns["age"][0] = 1


WRONG = """filename,class
1.png,
2.png,a
4.png,a
2.png,b
../x.png,a
/etc/passwd,a
1.png,a,b
,a
3.png,a
3.png,a
cat,a
"""


def test_all_that_is_wrong_is_told_together(tell: Tell) -> None:
    with pytest.raises(SourceError) as caught:
        tell(WRONG)
    said = str(caught.value)
    assert "labels.csv': 10 of 11 rows cannot be used: " in said
    for part in (
        "not as many cells as the header's 2: 1 (line 8 ['1.png', 'a', 'b'])",
        "the path leaves the root: 2 (line 6 '../x.png', line 7 '/etc/passwd')",
        "no file is named: 1 (line 9)",
        "the file is missing: 2 (line 4 '4.png', line 12 'cat')",
        "the label is empty: 1 (line 2)",
        "the file has another row that says otherwise: 1 (line 5 '2.png')",
        "the file has another row that says the same: 1 (line 11 '3.png')",
    ):
        assert part in said
    assert said.endswith("leave them out with reading=pixfeed.Reading(bad='skip')")
    assert "\n" not in said


def test_bad_rows_may_be_left_out(tell: Tell) -> None:
    catalogue = tell(WRONG, reading=Reading(bad="skip"))
    assert list(catalogue.keys) == ["3.png"]
    assert "left out rows: the label is empty: 1 (line 2)" in catalogue.notes
    with pytest.raises(SourceError, match=r"2 of 2 rows .* there is none to keep; mend them$"):
        tell("file,class\n1.png,\n../2.png,b\n", reading=Reading(bad="skip"))


def test_repeated_rows_may_be_kept(tell: Tell) -> None:
    lines = ["1.png,0.5,a", "2.png,4,b", "1.png,0.25,c", "1.png,-1,d"]
    for order in ([0, 1, 2, 3], [3, 2, 1, 0], [1, 3, 0, 2]):
        text = "\n".join(["file,target,note", *(lines[i] for i in order)])
        catalogue = tell(text, reading=Reading(repeats="keep"))
        assert list(catalogue.keys) == ["1.png", "1.png#1", "1.png#2", "2.png"]
        assert catalogue.targets is not None
        assert catalogue.targets.tolist() == [-1.0, 0.25, 0.5, 4.0]
        assert catalogue.columns["note"].tolist() == ["d", "c", "a", "b"]
        assert Path(catalogue.rows.path(2)).name == "1.png"


def test_links_may_not_leave_the_root(tell: Tell, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "9.png").touch()
    root = tmp_path / "root"
    (root / "far").symlink_to(outside)
    (root / "8.png").symlink_to(outside / "9.png")
    (root / "near.png").symlink_to("1.png")
    assert list(tell("file,class\nnear.png,a\n").keys) == ["near.png"]
    with pytest.raises(SourceError, match=r"a link leaves the root: 2 \(line 2 .*, line 3"):
        tell("file,class\nfar/9.png,a\n8.png,a\n")


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("1.png,frog\n2.png,truck\n", "has no header: its first line names the image '1.png'"),
        ("1,frog\n2,truck\n", r"has no column class, .*\('1', 'frog'\).*must be a header"),
        ("file,class\n1.png,\n2.png,\n", "the column 'class' is empty in every row"),
        ("file,class\n", "has a header and no rows"),
        ("", "is empty; give a table"),
        (" \n\n", "is empty; give a table"),
        (",,\n", "is no table: it has 0 columns"),
        ("file,file\n1,2\n", "several columns named 'file'"),
        (b"\x89PNG\r\n\x1a\n\xff", "is no text in UTF-8: line 1 has the byte 0x89"),
        (b"file,class\n1.png,\xe9\n", "is no text in UTF-8: line 2 has the byte 0xe9"),
        (b"a\0b,c\n", "is no table: line 1 has zero bytes"),
        (b"\x01\x02,\x03\n", "is no table: its first line is"),
        ("file,class\n".encode("utf-16"), "is text in UTF-16; save it as UTF-8"),
        (b"PK\x03\x04....", "is a ZIP archive or an Excel file"),
        (b"\x1f\x8b....", "is compressed by gzip; unpack it"),
        (b"PAR1....", "is no table: pyarrow cannot read it"),
        (b"x" * 10_000_000, "line 1 has more than 1,048,576 bytes"),
        (b"file,class\n1.png," + b"x" * 10_000_000, "line 2 has more than 1,048,576 bytes"),
        (b"file,class\n1.png," + b"x" * 500_000, "line 2 cannot be read: field larger"),
        ('file,class\n1.png,"a\n2.png,b\n', "a quote that opens in line 2 is never closed"),
        ('[{"file": "1.png"}]', r"is a JSON list; write one JSON object a line"),
        ('{"file": \n"1.png"}', "line 1 begins like JSON and is no JSON object"),
        ("{" * 100_000, "is no JSON object"),
        ("{}\n{}\n", "is no table: it has 0 columns"),
        ("file,class\nx.png,a\n", r"the column 'file' names no file below .*with root="),
        ('{"file": "1.png", "class": "a"}\n3\n', r"1 of 2 rows .* no JSON object: 1 \(line 2 '3'"),
    ],
)
def test_wrong_tables_each_give_one_clear_line(tell: Tell, text: str | bytes, says: str) -> None:
    with pytest.raises(SourceError, match=says) as caught:
        tell(text)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 600
    assert "labels.csv'" in str(caught.value)


@pytest.mark.parametrize(
    ("said", "says"),
    [
        ({"label": "breed"}, "label='breed' is no column of .*; its columns are 'file', 'class'"),
        ({"image": "id"}, "image='id' is no column"),
        ({"splits": "set"}, "splits='set' is no column"),
        ({"reading": Reading(group="set")}, "group='set' is no column"),
        ({"reading": Reading(columns=["set"])}, "columns='set' is no column"),
    ],
)
def test_columns_that_are_not_there(tell: Tell, said: dict[str, Any], says: str) -> None:
    with pytest.raises(ConfigError, match=says):
        tell("file,class\n1.png,a\n", **said)


@pytest.mark.parametrize(
    ("said", "says"),
    [
        ({"path": ""}, "path='' is no path"),
        ({"path": b"x.csv"}, "path=b'x.csv' is no path"),
        ({"root": 3}, "root=3 is no path"),
        ({"image": 3}, "image=3 names no column"),
        ({"suffix": None}, "suffix=None is no end of a name"),
        ({"label": 3}, "label=3 names no column"),
        ({"label": []}, r"label=\[\] names no column"),
        ({"label": ["a", "a"]}, "names a column twice"),
        ({"splits": 3}, "splits=3 divides nothing"),
        ({"splits": ""}, "splits='' divides nothing"),
        ({"reading": "skip"}, "reading='skip' is none"),
        ({"label": None, "classes": ["a"]}, "label=None says that there are no classes"),
        ({"classes": []}, "no class names"),
    ],
)
def test_wrong_arguments_say_what_to_do(said: dict[str, Any], says: str) -> None:
    with pytest.raises(ConfigError, match=says) as caught:
        Table(**{"path": "x.csv", **said})
    assert "\n" not in str(caught.value)


def test_a_root_must_be_a_folder(tell: Tell) -> None:
    with pytest.raises(SourceError, match="root='nowhere' is not there"):
        tell("file,class\n1.png,a\n", root="nowhere")


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        ({"bad": "ignore"}, "bad='ignore' is not known; give 'raise' or 'skip'"),
        ({"repeats": 1}, "repeats=1 is not known"),
        ({"group": 1}, "group=1 names no column"),
        ({"columns": "age"}, "columns='age' is no list"),
    ],
)
def test_wrong_readings(wrong: dict[str, Any], says: str) -> None:
    with pytest.raises(ConfigError, match=says):
        Reading(**wrong)


def test_a_table_is_opened_by_its_name(fill: Fill) -> None:
    root = fill([])
    for i in range(4):
        (root / f"{i}.png").write_bytes(png(width=8, height=6, seed=i))
    (root / "labels.csv").write_text("file,a,b\n0.png,1,0\n3.png,1,1\n1.png,0,0\n")
    dataset = open_source(Table(root / "labels.csv", label=["a", "b"]))
    image, target = dataset[2]
    assert image.shape == (6, 8, 3)
    assert (target.tolist(), target.dtype.name) == ([1.0, 1.0], "float32")
    assert dataset.schema["label"] == "float32 (2,), multi-hot"
    assert dataset.targets is not None
    (root / "labels.csv").write_text("file,target,site\n0.png,0.5,x\n3.png,1,y\n")
    dataset = open_source(root / "labels.csv")
    assert [float(target) for _, target in dataset] == [0.5, 1.0]
    assert dataset.schema["label"] == "float32"
    assert "2 records with 1 number each" in repr(dataset)
    assert "columns: site" in repr(dataset)
    again = pickle.loads(pickle.dumps(dataset))
    assert again.catalogue.fingerprint == dataset.catalogue.fingerprint
    unlabelled = open_source(Table(root / "labels.csv", label=None))
    assert unlabelled[0][1] == 0
    assert unlabelled.schema["label"] == "none, 0 for every record"
    assert unlabelled.counts == {"all": {}}


def test_tables_are_configuration() -> None:
    label = Labels("a", names={"x": "y"})
    table = Table("x.csv", label=label, classes=["y"], splits=Splits())
    assert pickle.loads(pickle.dumps(table)) == table
    assert Table(Path("x.csv"), label=label, classes=["y"], splits=Splits()) == table
    assert hash(table) == hash(pickle.loads(pickle.dumps(table)))
