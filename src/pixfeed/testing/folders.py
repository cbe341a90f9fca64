"""Class folders for tests and examples, made on the spot."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from pixfeed.testing.files import png


@contextmanager
def class_folder(images: int, *, classes: int, width: int = 12, height: int = 10) -> Iterator[Path]:
    """A folder of so many PNGs in so many class folders, which is removed at the end.

    >>> with class_folder(4, classes=2) as folder:
    ...     sorted(str(path.relative_to(folder)) for path in folder.rglob("*.png"))
    ['class-0/0000.png', 'class-0/0002.png', 'class-1/0001.png', 'class-1/0003.png']
    """
    with tempfile.TemporaryDirectory(prefix="pixfeed-") as place:
        root = Path(place)
        for number in range(images):
            path = root / f"class-{number % classes}" / f"{number:04d}.png"
            path.parent.mkdir(exist_ok=True)
            path.write_bytes(png(width=width, height=height, seed=number))
        yield root
