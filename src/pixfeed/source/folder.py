"""A class folder as a source: ``root/class/**/image``."""

from __future__ import annotations

from dataclasses import dataclass
from os import PathLike, fspath
from pathlib import Path
from typing import Literal

from pixfeed import _native
from pixfeed.catalogue import Catalogue, Splits
from pixfeed.catalogue.classes import Classes, frozen, settle
from pixfeed.errors import ConfigError, SourceError
from pixfeed.source.seen import notes, refuse_unreadable
from pixfeed.source.split_folders import SPLIT_NAMES, split_folders


@dataclass(frozen=True)
class Folder:
    """Images in class folders, at any depth below them; a class folder's name is its class.

    Files are listed by name (jpg, jpeg, jpe, jfif, png, webp, gif, bmp, dib, tif, tiff in any case)
    and none is opened. Names that begin with a dot and other files are left out and counted in the
    notes. Links are followed as long as they stay inside the folder. ``classes`` numbers the
    classes (a list, a dict, or ``"imagenet"`` for synsets), otherwise they are sorted by name; only
    with it may a class folder be empty. ``splits`` divides the images, or is ``"folders"`` where
    train/ and val/ (validation/, test/) lie side by side with one set of classes.

    >>> Folder("train/", classes=["cat", "dog"])
    Folder(path='train/', classes=('cat', 'dog'), splits=None)
    """

    path: str | PathLike[str]
    classes: Classes = None
    splits: Splits | Literal["folders"] | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "path", _path(self.path))
        object.__setattr__(self, "classes", frozen(self.classes))
        if not (self.splits in (None, "folders") or isinstance(self.splits, Splits)):
            raise ConfigError(
                f"splits={self.splits!r} divides nothing; give pixfeed.Splits(...) or 'folders'"
            )

    def read(self) -> Catalogue:
        """The table of the images that are there now.

        >>> Folder("no/such/folder").read()
        Traceback (most recent call last):
        pixfeed.errors.SourceError: no such folder: 'no/such/folder'; ...
        """
        root = _existing(Path(self.path))
        if self.splits == "folders":
            return self._catalogue(root, split_folders(root))
        catalogue = self._catalogue(root, {"all": ""})
        return self.splits.divide(catalogue) if self.splits else catalogue

    def _catalogue(self, root: Path, places: dict[str, str]) -> Catalogue:
        listings = {split: _native.list_folder(root, place) for split, place in places.items()}
        refuse_unreadable(root, listings.values())
        for split, listing in listings.items():
            _refuse_none(root / places[split], listing)
        found = _images(listings)
        self._refuse_splits(root, found)
        names = settle(self.classes, found, repr(str(root)))
        number = {name: label for label, name in enumerate(names)}
        parts = [
            (listing, split, [number.get(name, 0) for name, _ in listing.classes])
            for split, listing in enumerate(listings.values())
        ]
        rows = _table(root, list(listings), parts)
        return Catalogue(rows, names, notes(listings.values()))

    def _refuse_splits(self, root: Path, found: dict[str, int]) -> None:
        said = self.classes is not None or self.splits is not None
        named = {name: SPLIT_NAMES[name.lower()] for name in found if name.lower() in SPLIT_NAMES}
        several = len({*named.values()}) > 1 and "train" in named.values()
        if not said and (several or len(named) == len(found)):
            raise SourceError(
                f"{str(root)!r} holds the splits {', '.join(named)} rather than classes; read them "
                "with Folder(..., splits='folders'), or give classes=[...] if they are classes"
            )


def _path(path: object) -> str:
    plain = fspath(path) if isinstance(path, PathLike) else path
    if not isinstance(plain, str) or not plain:
        raise ConfigError(f"Folder({path!r}) names no folder; give its path as a string or a Path")
    return plain


def _existing(root: Path) -> Path:
    if root.is_dir():
        return root.absolute()
    wanted = "give the folder that holds the class folders"
    if root.exists():
        raise SourceError(f"{str(root)!r} is a file; {wanted}")
    if root.is_symlink():
        raise SourceError(f"{str(root)!r} is a link that leads nowhere; {wanted}")
    raise SourceError(f"no such folder: {str(root)!r}; {wanted}")


def _images(listings: dict[str, _native.Listing]) -> dict[str, int]:
    """The images of each class in all splits together."""
    found: dict[str, int] = {}
    for listing in listings.values():
        for name, images in listing.classes:
            found[name] = found.get(name, 0) + images
    return dict(sorted(found.items()))


def _refuse_none(folder: Path, listing: _native.Listing) -> None:
    """Says why there is not one image in any class folder, if so."""
    if any(images for _, images in listing.classes):
        return
    loose, classes = listing.loose[0], len(listing.classes)
    if classes:
        found = f"no image in any of the {classes:,} class folders of {str(folder)!r}"
    else:
        found = f"{str(folder)!r} holds {f'{loose:,} images but ' if loose else ''}no class folders"
    seen = "".join(f" ({note})" for note in notes([listing]))
    behind = ", not behind such links" if listing.links else ""
    raise SourceError(
        f"{found}{seen}; put each image into a folder named by its class (class/image.jpg){behind}"
    )


def _table(
    root: Path, splits: list[str], parts: list[tuple[_native.Listing, int, list[int]]]
) -> _native.Catalogue:
    try:
        return _native.Catalogue.of_listings(root, splits, parts)
    except ValueError as error:
        raise SourceError(f"{str(root)!r}: {error}; rename one of the two files") from error
