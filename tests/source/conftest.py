"""Class folders made of empty files: listing opens none of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path

import pytest

Fill = Callable[[Iterable[str]], Path]


@pytest.fixture
def fill(tmp_path: Path) -> Fill:
    """Makes files under a fresh root and returns the root."""
    root = tmp_path / "root"
    root.mkdir()

    def make(places: Iterable[str]) -> Path:
        for place in places:
            path = root / place
            path.parent.mkdir(parents=True, exist_ok=True)
            path.touch()
        return root

    return make
