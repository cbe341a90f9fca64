"""Splits that lie side by side as folders."""

from __future__ import annotations

from pathlib import Path

from pixfeed.errors import SourceError

SPLIT_NAMES = {
    "train": "train",
    "training": "train",
    "val": "validation",
    "valid": "validation",
    "validation": "validation",
    "eval": "validation",
    "test": "test",
    "testing": "test",
}
"""What folders of splits are called, in lower case, and which split that is."""


def split_folders(root: Path) -> dict[str, str]:
    """The folder of each split, in the order train, validation, test.

    >>> split_folders(Path("no/such/folder"))
    Traceback (most recent call last):
    FileNotFoundError: ...
    """
    found: dict[str, list[str]] = {"train": [], "validation": [], "test": []}
    for entry in sorted(root.iterdir()):
        split = SPLIT_NAMES.get(entry.name.lower())
        if split is not None and entry.is_dir():
            found[split].append(_inside(root, entry))
    folders = {split: names for split, names in found.items() if names}
    if not folders:
        raise SourceError(
            f"{str(root)!r} has no folder named train, val or test; name them so, or leave out "
            "splits='folders'"
        )
    return {split: _only(root, split, names) for split, names in folders.items()}


def _inside(root: Path, folder: Path) -> str:
    if not folder.resolve().is_relative_to(root.resolve()):
        raise SourceError(
            f"{str(folder)!r} is a link that leads out of {str(root)!r}; put the folder "
            "itself there"
        )
    return folder.name


def _only(root: Path, split: str, names: list[str]) -> str:
    if len(names) > 1:
        raise SourceError(
            f"{str(root)!r} has several folders for the split {split}: {', '.join(names)}; "
            "leave one"
        )
    return names[0]
