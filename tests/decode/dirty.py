"""The dirty files: odd but legal ones with their pixels, and broken ones with their error.

``python -m decode.dirty FOLDER`` (in ``tests/``) writes them out to look at.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

from decode import dirty_broken, dirty_claims, dirty_formats, dirty_jpeg
from decode.cases import Readable, Refused


def readable() -> Iterator[Readable]:
    """Every file that must be read."""
    yield from dirty_jpeg.readable()
    yield from dirty_formats.readable()


def refused() -> Iterator[Refused]:
    """Every file that must be refused."""
    yield from dirty_broken.jpeg()
    yield from dirty_broken.others()
    yield from dirty_claims.claims()


def main(folder: Path) -> None:
    """Writes each file under its name."""
    folder.mkdir(parents=True, exist_ok=True)
    cases: list[Readable | Refused] = [*readable(), *refused()]
    for case in cases:
        (folder / f"{case.name}.bin").write_bytes(case.data)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
