"""Contact sheets: pictures where they belong, captions below them."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image

from pixfeed.errors import ConfigError
from pixfeed.report.sheet import CAPTION, GAP, PAPER, write_sheet

Pixels = NDArray[np.uint8]


def _read(page: Path) -> Pixels:
    with Image.open(page) as sheet:
        return np.asarray(sheet.convert("RGB"))


def _plain(level: int, height: int = 30, width: int = 50) -> Pixels:
    return np.full((height, width, 3), level, np.uint8)


def test_pictures_stand_in_rows(tmp_path: Path) -> None:
    page = tmp_path / "new" / "sheet.png"
    write_sheet([_plain(10), _plain(60), _plain(110)], ["a", "b", "c"], page, columns=2)
    sheet = _read(page)
    assert sheet.shape == (GAP + 2 * (30 + CAPTION + GAP), GAP + 2 * (50 + GAP), 3)
    assert (sheet[GAP : GAP + 30, GAP + 50 + GAP :][:, :50] == 60).all()
    below = GAP + 30 + CAPTION + GAP
    assert (sheet[below : below + 30, GAP : GAP + 50] == 110).all()
    assert (sheet[below : below + 30, GAP + 50 + GAP :] == PAPER).all(), "no fourth picture"


def test_a_caption_is_written_below_its_picture(tmp_path: Path) -> None:
    page = tmp_path / "sheet.png"
    write_sheet([_plain(10), _plain(10)], ["", "W"], page, columns=2)
    strip = _read(page)[GAP + 30 : GAP + 30 + CAPTION]
    first, second = strip[:, GAP : GAP + 50], strip[:, GAP + 50 + GAP :][:, :50]
    assert (first == PAPER).all()
    assert (second != PAPER).any()


@pytest.mark.parametrize("pictures", [[], [_plain(1), _plain(1, height=31)]])
def test_a_sheet_needs_pictures_of_one_shape(pictures: list[Pixels], tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="one or more pictures of one shape"):
        write_sheet(pictures, ["x"] * len(pictures), tmp_path / "sheet.png")
    assert list(tmp_path.iterdir()) == []


def test_without_pillow_the_remedy_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "PIL", None)
    with pytest.raises(ConfigError, match=r'pip install "pixfeed\[demo\]"'):
        write_sheet([_plain(1)], ["x"], tmp_path / "sheet.png")
