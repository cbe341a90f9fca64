"""The public face: small, complete, documented with examples, and light to import."""

from __future__ import annotations

import inspect
import json
import subprocess
import sys
import types

import pytest

import pixfeed

HEAVY = {"asyncio", "concurrent", "email", "http", "multiprocessing", "sqlite3", "unittest", "xml"}
UPSTAIRS = {f"pixfeed.{room}" for room in ("cli", "cluster", "jobs", "report")}


def _public() -> dict[str, object]:
    return {name: getattr(pixfeed, name) for name in pixfeed.__all__ if not name.startswith("__")}


def test_all_names_exist_and_what_exists_is_named() -> None:
    there = {
        name
        for name, value in vars(pixfeed).items()
        if not name.startswith("_") and name != "annotations"
        if not isinstance(value, types.ModuleType) or name in pixfeed.__all__
    }
    assert there <= set(pixfeed.__all__), "exported without being named"
    assert all(hasattr(pixfeed, name) for name in pixfeed.__all__)
    assert len(pixfeed.__all__) == len(set(pixfeed.__all__))


def test_every_public_name_has_a_docstring_with_an_example() -> None:
    described = {
        name: inspect.getdoc(value) or ""
        for name, value in _public().items()
        if inspect.isclass(value) or inspect.isroutine(value)
    }
    assert [name for name, text in described.items() if ">>>" not in text] == []


def _loaded_by(statement: str) -> set[str]:
    program = f"import sys, json; {statement}; print(json.dumps(sorted(sys.modules)))"
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    return set(json.loads(done.stdout))


@pytest.fixture(scope="module")
def loaded() -> set[str]:
    """What `import pixfeed` loads that `import numpy` does not."""
    return _loaded_by("import pixfeed") - _loaded_by("import numpy")


def test_import_loads_no_foreign_package_but_numpy(loaded: set[str]) -> None:
    packages = {name.partition(".")[0] for name in loaded}
    assert packages - sys.stdlib_module_names - {"pixfeed", "numpy"} == set()


def test_import_loads_nothing_heavy(loaded: set[str]) -> None:
    assert {name for name in loaded if name.partition(".")[0] in HEAVY} == set()
    assert UPSTAIRS & loaded == set()
