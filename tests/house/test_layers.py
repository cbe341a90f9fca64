"""The rooms of the package: known, none empty, importing one way."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from house.layers import ALLOWED, imported_rooms, rooms

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "src" / "pixfeed"
FORBIDDEN_NAMES = {"utils", "util", "common", "helpers", "helper", "misc"}


@pytest.mark.parametrize("room", sorted(rooms(PACKAGE)))
def test_a_room_imports_only_what_lies_below_it(room: str) -> None:
    assert room in ALLOWED, f"{room} is new: say in tests/house/layers.py what it may import"
    for file in rooms(PACKAGE)[room]:
        used = imported_rooms(file.read_text(), PACKAGE) - {room}
        assert used <= ALLOWED[room], f"{file}: {sorted(used - ALLOWED[room])} is above {room}"


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("from pixfeed.errors import ConfigError", {"errors"}),
        ("from pixfeed import errors, _native", {"errors", "_native"}),
        ("def f():\n    import pixfeed.order.plan", {"order"}),
        ("import pixfeed as pf", {"pixfeed"}),
        ("from pixfeed import decode_all", {"pixfeed"}),
        ("import numpy.errors", set()),
    ],
)
def test_an_import_is_seen_wherever_it_stands(source: str, expected: set[str]) -> None:
    assert imported_rooms(source, PACKAGE) == expected


def test_the_table_has_no_circle() -> None:
    above = dict(ALLOWED)
    while above:
        ground = {room for room, below in above.items() if not below & above.keys()}
        assert ground, f"a circle among {sorted(above)}"
        above = {room: below for room, below in above.items() if room not in ground}


def test_a_station_imports_no_station_but_engine() -> None:
    stations = {"source", "order", "recipe", "shards"}
    assert all(not ALLOWED[room] & (stations | {"engine"}) for room in stations)
    assert ALLOWED["engine"] & stations == {"order", "recipe"}


def test_no_room_is_empty_or_called_utils() -> None:
    folders = [path.parent for path in PACKAGE.rglob("__init__.py") if path.parent != PACKAGE]
    assert not [folder for folder in folders if len(list(folder.glob("*.py"))) < 2]
    assert not [file for file in PACKAGE.rglob("*") if file.stem in FORBIDDEN_NAMES]


@pytest.mark.parametrize(
    ("crate", "allowed"),
    [("jpeg", set()), ("core", {"pixfeed-jpeg"}), ("python", {"pixfeed-core", "pixfeed-jpeg"})],
)
def test_crates_depend_one_way_and_only_the_seam_knows_python(
    crate: str, allowed: set[str]
) -> None:
    manifest = tomllib.loads((ROOT / "crates" / crate / "Cargo.toml").read_text())
    needed = set(manifest.get("dependencies", {}))
    assert {name for name in needed if name.startswith("pixfeed")} <= allowed
    assert crate == "python" or not needed & {"pyo3", "numpy"}
