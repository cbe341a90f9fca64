"""Folders that the tests of the loader share; nobody writes to them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from engine import places
from pixfeed.testing import class_folder


@pytest.fixture(scope="session")
def folder() -> Iterator[Path]:
    """A hundred small PNGs of five classes."""
    with class_folder(100, classes=5) as root:
        yield root


@pytest.fixture(scope="session")
def mixed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Sixty PNG and JPEG files of many sizes."""
    return places.mixed(tmp_path_factory.mktemp("mixed"), 60)
