"""From what a table calls its images to files below its root."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator, Sequence
from posixpath import normpath

from pixfeed.source.problems import Problems
from pixfeed.source.sheet import Cell

MISSING = "the file is missing"
"""Why a row cannot be used whose file is not there."""

_NOT_THERE = {errno.ENOENT, errno.ENOTDIR, errno.ENAMETOOLONG, errno.ELOOP}
_EXTENSIONS = (".png", ".jpg", ".jpeg", ".JPEG", ".JPG", ".webp", ".bmp", ".gif", ".tif")


def place_of(name: str, roots: Sequence[str]) -> str | None:
    """The path below the root that a name stands for; None where it leads out of the root.

    >>> place_of("./cat//1.png", ["/data"]), place_of("/data/cat/1.png", ["/data"])
    ('cat/1.png', 'cat/1.png')
    >>> place_of("../1.png", ["/data"]), place_of("/etc/passwd", ["/data"])
    (None, None)
    """
    plain = normpath(name)
    if plain.startswith("/"):
        plain = f"/{plain.lstrip('/')}"
        inside = (plain.removeprefix(_below(root)) for root in roots)
        return next((place for place in inside if place != plain), None)
    return None if plain == ".." or plain.startswith("../") else plain


def _below(root: str) -> str:
    return root if root.endswith("/") else f"{root}/"


def places(cells: Sequence[Cell], root: str, suffix: str, problems: Problems) -> list[str]:
    """The place of every row's file; rows without one are noted. No file is opened.

    >>> problems = Problems("labels.csv", "line")
    >>> problems.number([2, 3])
    >>> places(["", "../x"], "/data", ".png", problems)
    ['', '']
    >>> print(problems)
    no file is named: 1 (line 2); the path leaves the root: 1 (line 3 '../x.png')
    """
    roots = [os.path.abspath(root), os.path.realpath(root)]  # noqa: PTH100 # texts, by the million
    found = [_place(cell, row, roots, suffix, problems) for row, cell in enumerate(cells)]
    _refuse_missing(found, roots, problems)
    return found


def _place(cell: Cell, row: int, roots: Sequence[str], suffix: str, problems: Problems) -> str:
    if not cell or not isinstance(cell, str):
        problems.spoil("no file is named", row, cell or None)
        return ""
    name = cell if cell.endswith(suffix) else cell + suffix
    place = place_of(name, roots)
    if place is None:
        problems.spoil("the path leaves the root", row, name)
    return place or ""


def _refuse_missing(found: Sequence[str], roots: Sequence[str], problems: Problems) -> None:
    """Notes rows whose file is not there: each folder is listed once, however many rows it has."""
    folders: dict[str, list[int]] = {}
    for row, place in enumerate(found):
        if place:
            folders.setdefault(place.rpartition("/")[0], []).append(row)
    for folder, rows in folders.items():
        wanted = {found[row].rpartition("/")[2] for row in rows}
        there = dict(_there(os.path.join(roots[0], folder), wanted, roots[1]))  # noqa: PTH118 # as above
        for row in rows:
            inside = there.get(found[row].rpartition("/")[2])
            if not inside:
                reason = "a link leaves the root" if inside is False else MISSING
                problems.spoil(reason, row, found[row])


def _there(folder: str, wanted: set[str], root: str) -> Iterator[tuple[str, bool]]:
    """The wanted files that a folder holds, and whether they lie inside the root."""
    try:
        real = os.path.realpath(folder)
        inside = _is_inside(real, root)
        with os.scandir(folder) as entries:
            for entry in entries:
                if entry.name in wanted and entry.is_file():
                    linked = inside and entry.is_symlink()
                    yield (
                        entry.name,
                        _is_inside(os.path.realpath(entry), root) if linked else inside,
                    )
    except ValueError:
        # A name with zero bytes or lone surrogates is the name of no file.
        return
    except OSError as error:
        if error.errno not in _NOT_THERE:
            raise


def _is_inside(path: str, root: str) -> bool:
    return path == root or path.startswith(_below(root))


def suffix_of(place: str, root: str) -> str | None:
    """The suffix that makes a missing file one that is there.

    >>> suffix_of("no/such/1", "/data") is None
    True
    """
    path = os.path.join(root, place)  # noqa: PTH118 # as above
    tried = (end for end in _EXTENSIONS if os.path.isfile(path + end))  # noqa: PTH113 # as above
    return next(tried, None)
