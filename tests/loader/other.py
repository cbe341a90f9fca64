"""``python -m loader.other FOLDER`` prints the hash of every step of two epochs there.

The same functions are what a process made by multiprocessing runs.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pixfeed as pf
from engine.places import CROPS, SEED, Told, epochs


def made(folder: Path) -> pf.Loader:
    """The loader that all processes make."""
    return pf.Loader(folder, batch_size=16, recipe=[*CROPS, pf.ToArray()], seed=SEED)


def fed(loader: pf.Loader) -> list[Told]:
    """Its next two epochs."""
    return epochs(loader)


def bright(images: Any, _labels: object, _rngs: object) -> Any:
    """A function that can be found by its name."""
    return images


if __name__ == "__main__":
    print(*(digest for _, _, digest in fed(made(Path(sys.argv[1])))))
