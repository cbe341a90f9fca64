"""Adding an op is as small as CONTRIBUTING says: a toy is added that way, built and run."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from house import toy

PROGRAM = """
import numpy as np
import pixfeed as pf
from pixfeed.order import generator
from pixfeed.recipe import RandomInvert
from pixfeed.testing import class_folder

with class_folder(40, classes=2) as folder:
    plain = pf.Loader(folder, batch_size=40, seed=5, recipe=[pf.Resize((8, 8))])
    recipe = [pf.Resize((8, 8)), RandomInvert(0.5)]
    inverted = pf.Loader(folder, batch_size=40, seed=5, recipe=recipe)
    (before, _), batch = next(iter(plain)), next(iter(inverted))
    drawn = [generator(5, 0, 1, int(id)).random() < 0.5 for id in batch.ids]
    assert any(drawn) and not all(drawn)
    expected = np.where(np.array(drawn)[:, None, None, None], 255 - before, before)
    assert np.array_equal(batch.images, expected)
print("inverted", sum(drawn))
"""


@pytest.mark.soak
def test_a_toy_op_is_added_and_works(tmp_path: Path) -> None:
    copy = toy.copied(tmp_path)
    toy.add(copy)
    toy.built(copy)
    path = os.pathsep.join([str(copy / "src"), *filter(None, [os.environ.get("PYTHONPATH")])])
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        env=os.environ | {"PYTHONPATH": path},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("inverted")
