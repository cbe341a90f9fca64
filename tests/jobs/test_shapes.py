"""The shapes that are drawn and written for the demo to learn from."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest

from pixfeed.decode import decode, probe
from pixfeed.errors import ConfigError
from pixfeed.jobs.shapes import SHAPES, SHEET, SIDES, draw, write_shapes


def test_a_drawing_depends_on_its_arguments_alone() -> None:
    assert (draw("star", 3, seed=7) == draw("star", 3, seed=7)).all()
    other = draw("star", 3, seed=8)
    assert other.shape != draw("star", 3, seed=7).shape or (other != draw("star", 3, seed=7)).any()
    pictures = draw("star", 3, seed=7)
    assert (pictures[0] != pictures[1]).mean() > 0.5


@pytest.mark.parametrize("name", SHAPES)
def test_a_shape_covers_a_part_of_its_square(name: str) -> None:
    y, x = np.mgrid[-1.1:1.1:201j, -1.1:1.1:201j]
    inside = SHAPES[name](x, y) > 0
    assert 0.15 < inside.mean() < 0.7
    assert not inside[0].any()
    assert not inside[:, 0].any()
    again = [other for other in SHAPES if ((SHAPES[other](x, y) > 0) == inside).all()]
    assert again == [name]


def test_a_folder_of_classes_is_written(tmp_path: Path) -> None:
    size = write_shapes(tmp_path, each=SHEET + 3, seed=1)
    files = sorted(path for path in tmp_path.rglob("*") if path.is_file())
    assert sorted({path.parent.name for path in files}) == sorted(SHAPES)
    assert len(files) == (SHEET + 3) * len(SHAPES)
    assert size == sum(path.stat().st_size for path in files)
    headers = [probe(path.read_bytes()) for path in files]
    assert {header.format for header in headers} == {"JPEG", "PNG"}
    assert all(header.height in SIDES and header.width in SIDES for header in headers)
    assert len({(header.height, header.width) for header in headers}) > 5


def test_what_is_written_is_what_was_drawn(tmp_path: Path) -> None:
    write_shapes(tmp_path, each=2, seed=5)
    drawn = draw("ring", 2, seed=5)
    assert (decode((tmp_path / "ring" / "0000.png").read_bytes()) == drawn[0]).all()
    jpeg = decode((tmp_path / "ring" / "0001.jpg").read_bytes()).astype(int)
    assert np.abs(jpeg - drawn[1]).mean() < 10


def test_a_missing_package_is_named_before_anything_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "simplejpeg", None)
    with pytest.raises(ConfigError, match=r'simplejpeg .* pip install "pixfeed\[demo\]"'):
        write_shapes(tmp_path, each=1, seed=0)
    assert list(tmp_path.iterdir()) == []
