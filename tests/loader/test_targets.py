"""What stands for labels where one number does not say it: batches carry it, row by row."""

from __future__ import annotations

from pathlib import Path

import numpy as np

import pixfeed as pf
from pixfeed.testing import png


def _table(folder: Path, header: str, cells: list[str]) -> Path:
    for number in range(len(cells)):
        (folder / f"{number}.png").write_bytes(png(width=8, height=8, seed=number))
    rows = [f"{number}.png,{cell}" for number, cell in enumerate(cells)]
    table = folder / "labels.csv"
    table.write_text("\n".join([header, *rows]))
    return table


def test_several_labels_are_multi_hot(tmp_path: Path) -> None:
    place = _table(tmp_path, "filename,tags", ["a|b", "b", "c", "a|c"])
    table = pf.Table(place, label=pf.Labels("tags", separator="|"))
    loader = pf.Loader(table, batch_size=2, recipe=pf.Resize((4, 4)), seed=3)
    wanted = {"0.png": [1, 1, 0], "1.png": [0, 1, 0], "2.png": [0, 0, 1], "3.png": [1, 0, 1]}
    for batch in loader:
        assert batch.labels.dtype == np.float32
        assert batch.labels.tolist() == [wanted[key] for key in batch.keys]


def test_numbers_are_targets_and_reach_a_map(tmp_path: Path) -> None:
    place = _table(tmp_path, "filename,age", ["1.5", "2.25", "-3.0"])
    seen: list[float] = []

    def note(images: list[np.ndarray], labels: np.ndarray, rngs: object) -> list[np.ndarray]:
        del rngs
        seen.extend(labels.tolist())
        return images

    recipe = [pf.Resize((4, 4)), pf.Map(note, version="1")]
    table = pf.Table(place, label="age")
    (batch,) = pf.Loader(table, batch_size=3, recipe=recipe, shuffle=False)
    assert batch.labels.tolist() == [1.5, 2.25, -3.0] == seen
