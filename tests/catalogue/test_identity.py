"""Keys, ids, order and fingerprints: what saved states and packs are compared by."""

from __future__ import annotations

import codecs
import hashlib
import os
import unicodedata

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pixfeed import _native
from pixfeed.catalogue import Catalogue, Row
from pixfeed.errors import ConfigError

# Characters that every version of Unicode from Python's on normalises alike.
_TEXT = st.text(st.characters(exclude_categories=("Cs", "Cn")), min_size=1, max_size=12)
_NAMES = st.one_of(_TEXT.map(str.encode), st.binary(min_size=1, max_size=12)).filter(
    lambda name: not {0, ord("/")} & set(name) and name not in (b".", b"..")
)


def _escape(error: UnicodeError) -> tuple[str, int]:
    assert isinstance(error, UnicodeDecodeError)
    return "".join(f"%{byte:02X}" for byte in error.object[error.start : error.end]), error.end


codecs.register_error("pixfeed-escape", _escape)


def _key_of(name: bytes) -> str:
    return _native.Catalogue.of_rows("", ["all"], [(None, os.fsdecode(name), 0, 0, None)]).key(0)


@given(_NAMES)
def test_a_key_is_the_composed_escaped_name(name: bytes) -> None:
    expected = unicodedata.normalize("NFC", name.decode("utf-8", "pixfeed-escape"))
    assert _key_of(name) == expected


@given(_TEXT)
def test_both_spellings_of_a_name_are_one_key(name: str) -> None:
    spellings = [unicodedata.normalize(form, name) for form in ("NFC", "NFD")]
    assert len({_key_of(spelling.encode()) for spelling in spellings}) == 1


@given(st.lists(st.tuples(st.sampled_from(["a", "b", "a#1", "é", "é", "c\n"]), st.integers(0, 3))))
def test_rows_in_any_order_make_one_table(rows: list[tuple[str, int]]) -> None:
    one = Catalogue.from_rows([Row(key, label) for key, label in rows])
    two = Catalogue.from_rows([Row(key, label) for key, label in reversed(rows)])
    assert list(one.keys) == list(two.keys) == sorted(set(one.keys))
    assert one.labels.tolist() == two.labels.tolist()
    assert one.fingerprint == two.fingerprint
    assert len(one) == len(rows)


def test_ids_are_pinned() -> None:
    # States and draws rest on these numbers: they never change.
    table = Catalogue.from_rows([Row("cat/1.jpg", 0), Row("cat/é.jpg", 0)])
    assert [hex(i) for i in table.ids] == ["0x9c4ae870b6f2472a", "0xd12a33a84efa8947"]


def test_the_fingerprint_is_pinned() -> None:
    rows = [Row("b", 1, split="train"), Row("a", 0, split="test"), Row("c", 2, split="train")]
    assert Catalogue.from_rows(rows).fingerprint == (
        "40d513672bf599d11dec0ea51cfa6fc7cfbbeb327a42f249aec979913e2ec668"
    )


_ROWS = st.lists(
    st.tuples(_TEXT, st.integers(0, 2**63 - 1), st.sampled_from(["train", "test", "zé"])),
    max_size=20,
    unique_by=lambda row: unicodedata.normalize("NFC", row[0]),
)


@given(_ROWS)
def test_the_fingerprint_is_what_its_description_says(rows: list[tuple[str, int, str]]) -> None:
    composed = [(unicodedata.normalize("NFC", key), label, split) for key, label, split in rows]
    got = Catalogue.from_rows([Row(key, label, split=split) for key, label, split in rows])
    assert got.fingerprint == _described(composed)


def _described(rows: list[tuple[str, int, str]]) -> str:
    whole = hashlib.sha256(b"pixfeed catalogue 1\n")
    for key, label, split in sorted(rows, key=lambda row: row[0].encode()):
        name, part = key.encode(), split.encode()
        whole.update(len(name).to_bytes(4, "little") + name + label.to_bytes(8, "little"))
        whole.update(len(part).to_bytes(4, "little") + part)
    return whole.hexdigest()


@pytest.mark.parametrize("change", [Row("a", 1), Row("b", 0), Row("a", 0, split="test")])
def test_a_key_a_label_or_a_split_changes_the_fingerprint(change: Row) -> None:
    same = Catalogue.from_rows([Row("a", 0, place="elsewhere.jpg")], root="/other")
    before = Catalogue.from_rows([Row("a", 0)])
    assert before.fingerprint == same.fingerprint
    assert before.fingerprint != Catalogue.from_rows([change]).fingerprint


def test_the_views_are_the_table_itself_and_cannot_be_written_to() -> None:
    table = Catalogue.from_rows([Row(str(i), i) for i in range(10)])
    assert np.shares_memory(table.labels, table.labels)
    assert table.labels.dtype == np.int64
    assert table.ids.dtype == np.uint64
    with pytest.raises(ValueError, match="read-only"):
        table.labels[0] = 1
    with pytest.raises(ValueError, match="WRITEABLE"):
        table.labels.setflags(write=True)


def test_views_outlive_their_table() -> None:
    labels = Catalogue.from_rows([Row(f"{i:04}", i) for i in range(1000)]).labels
    [Catalogue.from_rows([Row(f"{i:04}", 0) for i in range(1000)]) for _ in range(20)]
    assert labels.tolist() == list(range(1000))


def test_splits_are_ranges_sorted_by_key() -> None:
    rows = [Row(f"{i}", i, split=["train", "test"][i % 2]) for i in range(9)]
    table = Catalogue.from_rows(rows)
    assert table.splits == {"train": range(5), "test": range(5, 9)}
    assert list(table.keys) == ["0", "2", "4", "6", "8", "1", "3", "5", "7"]
    assert table.rows.find("3") == 6
    assert "3" in table.keys
    assert "3" not in table.keys[:5]
    assert list(table.keys[::-2]) == ["7", "3", "8", "4", "0"]


def test_no_table_is_small_enough_to_fail() -> None:
    empty = Catalogue.from_rows([])
    assert (len(empty), list(empty.keys), empty.counts) == (0, [], {"all": {}})
    assert empty.labels.shape == (0,)


@pytest.mark.parametrize("row", [-1, 1, 2**40])
def test_rows_that_are_not_there(row: int) -> None:
    table = Catalogue.from_rows([Row("a", 0)]).rows
    with pytest.raises((IndexError, OverflowError)):
        table.key(row)


def test_a_key_that_is_no_text_is_refused() -> None:
    with pytest.raises(ConfigError, match="in plain Unicode"):
        Catalogue.from_rows([Row("a\udcff", 0)])


def test_a_row_costs_less_than_100_bytes() -> None:
    name = "n{0:08}/n{0:08}_{1}.JPEG"
    table = Catalogue.from_rows([Row(name.format(i % 100, i), i % 100) for i in range(20_000)])
    assert table.rows.memory < 64 * len(table)
