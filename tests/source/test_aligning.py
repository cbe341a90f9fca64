"""Properties of tables: what a row says lies at its key, however rows are written and divided."""

from __future__ import annotations

import csv
import io
import json
import tempfile
import unicodedata
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pixfeed.catalogue import Catalogue, Splits
from pixfeed.errors import PixfeedError
from pixfeed.source import Labels, Reading, Table
from pixfeed.source.places import place_of

# What csv or a table's rules would read as something else is left out.
_LETTERS = st.characters(
    exclude_categories=("Cs", "Cc", "Cn", "Zs", "Zl", "Zp"), exclude_characters="/"
)
_WORD = st.text(_LETTERS, min_size=1, max_size=8)
_PLACES = st.lists(
    st.tuples(st.sampled_from(["", "d/", "d/e/"]), _WORD).map("".join).map(lambda p: f"{p}.png"),
    min_size=1,
    max_size=12,
    unique=True,
)
_PADS = st.sampled_from(["", " ", "  "])


def _written(rows: list[dict[str, Any]], kind: str, pad: str) -> str:
    if kind == "jsonl":
        return "\n".join(map(json.dumps, rows))
    out = io.StringIO()
    writer = csv.writer(out, delimiter=kind, lineterminator="\r\n")
    writer.writerow(pad + name for name in rows[0])
    writer.writerows([pad + str(value) + pad for value in row.values()] for row in rows)
    return out.getvalue()


def _read(rows: list[dict[str, Any]], text: str, **said: Any) -> Catalogue:
    with tempfile.TemporaryDirectory() as folder:
        for row in rows:
            path = Path(folder, row["file"])
            path.parent.mkdir(parents=True, exist_ok=True)
            path.touch()
        table = Path(folder, "table.of.labels")
        table.write_bytes(text.encode())
        return Table(table, **said).read()


@settings(deadline=None)
@given(_PLACES, st.data(), st.sampled_from([",", ";", "\t", "jsonl"]), _PADS, st.booleans())
def test_what_a_row_says_lies_at_its_key(
    places: list[str], data: st.DataObject, kind: str, pad: str, divided: bool
) -> None:
    numbers = st.floats(-(2**20), 2**20, width=32)
    rows = [
        {"file": place, "target": data.draw(numbers), "note": f"of {data.draw(_WORD)}"}
        for place in places
    ]
    splits = Splits(0.5, 0.25, 0.25) if divided else None
    label = Labels(kind="float")
    text = _written(data.draw(st.permutations(rows)), kind, pad)
    catalogue = _read(rows, text, splits=splits, label=label)
    assert len(catalogue) == len(rows)
    said = {row["file"]: row for row in rows}
    assert catalogue.targets is not None
    for n in range(len(catalogue)):
        row = said[catalogue.rows.place(n)]
        assert (catalogue.targets[n], catalogue.columns["note"][n]) == (row["target"], row["note"])
    again = _read(rows, _written(rows, ",", ""), splits=splits, label=label)
    assert again.fingerprint == catalogue.fingerprint


@settings(deadline=None)
@given(_PLACES, st.data())
def test_classes_are_the_sorted_names(places: list[str], data: st.DataObject) -> None:
    rows = [{"file": place, "class": f"c{data.draw(_WORD)}"} for place in places]
    catalogue = _read(rows, _written(rows, ",", " "))
    assert list(catalogue.classes) == sorted(catalogue.classes)
    said = {row["file"]: row["class"] for row in rows}
    for n, label in enumerate(catalogue.labels.tolist()):
        spelled = said[catalogue.rows.place(n)]
        assert catalogue.classes[label] == unicodedata.normalize("NFC", spelled)


@settings(deadline=None, max_examples=300)
@given(
    st.one_of(
        st.binary(max_size=80),
        st.text(st.sampled_from('ab,;\t|"\n\r{}[]:.1 é'), max_size=80).map(str.encode),
    ),
    st.sampled_from([b"", b"file,class\n", b'{"file": "a", "class": ', b"PAR1", b"\xef\xbb\xbf"]),
    st.sampled_from(["raise", "skip"]),
)
def test_any_bytes_are_a_table_or_refused(body: bytes, head: bytes, bad: Any) -> None:
    with tempfile.TemporaryDirectory() as folder:
        table = Path(folder, "x.csv")
        table.write_bytes(head + body)
        Path(folder, "a").touch()
        with suppress(PixfeedError):
            catalogue = Table(table, reading=Reading(bad=bad)).read()
            assert set(catalogue.keys) <= {"a", "x.csv"}


@given(st.text("./ab", max_size=12), st.sampled_from(["/r", "/r/a", "/"]))
def test_no_path_leaves_its_root(name: str, root: str) -> None:
    place = place_of(name, [root]) if name else None
    if place is not None:
        parts = place.split("/")
        assert ".." not in parts
        assert not place.startswith("/")


@pytest.mark.parametrize(
    ("name", "place"),
    [
        ("a/../b", "b"),
        ("a/../../b", None),
        ("..", None),
        ("...", "..."),
        ("..a/b", "..a/b"),
        ("/r/x", "x"),
        ("//r/x", "x"),
        ("/r2/x", None),
        ("/r/../x", None),
        ("/r", None),
    ],
)
def test_paths(name: str, place: str | None) -> None:
    assert place_of(name, ["/r"]) == place
