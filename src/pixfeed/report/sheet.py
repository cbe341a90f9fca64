"""Contact sheets: many small pictures on one page, each with its caption."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from pixfeed.errors import ConfigError

if TYPE_CHECKING:
    from PIL.Image import Image

GAP = 16
CAPTION = 26
PAPER, INK = (250, 250, 248), (50, 50, 54)


def write_sheet(
    pictures: Sequence[NDArray[np.uint8]], captions: Sequence[str], path: Path, columns: int = 4
) -> None:
    """Writes the pictures, all of one size, as a PNG with their captions below them.

    Folders on the way to `path` are made. Raises ConfigError where Pillow is missing, where there
    are no pictures, and where they differ in size.

    >>> import tempfile
    >>> page = Path(tempfile.mkdtemp()) / "sheet.png"
    >>> write_sheet([np.zeros((40, 60, 3), np.uint8)] * 5, list("abcde"), page)
    >>> page.read_bytes()[1:4]
    b'PNG'
    """
    sheet = _blank(pictures, columns)
    height, width = pictures[0].shape[:2]
    for i, (picture, caption) in enumerate(zip(pictures, captions, strict=True)):
        row, column = divmod(i, columns)
        corner = GAP + column * (width + GAP), GAP + row * (height + CAPTION + GAP)
        _place(sheet, picture, caption, corner)
    path.parent.mkdir(parents=True, exist_ok=True)
    sheet.save(path, "PNG")


def _blank(pictures: Sequence[NDArray[np.uint8]], columns: int) -> Image:
    shapes = sorted({picture.shape for picture in pictures})
    if len(shapes) != 1:
        found = ", ".join(map(str, shapes)) or "no pictures"
        raise ConfigError(f"a sheet of {found}; give one or more pictures of one shape")
    try:
        from PIL import Image
    except ImportError as missing:
        raise ConfigError(
            'Pillow is not installed and writes the sheet: pip install "pixfeed[demo]"'
        ) from missing
    rows = -(-len(pictures) // columns)
    height, width = shapes[0][:2]
    page = GAP + columns * (width + GAP), GAP + rows * (height + CAPTION + GAP)
    return Image.new("RGB", page, PAPER)


def _place(sheet: Image, picture: NDArray[np.uint8], caption: str, corner: tuple[int, int]) -> None:
    from PIL import Image, ImageDraw

    left, top = corner
    sheet.paste(Image.fromarray(picture), corner)
    ImageDraw.Draw(sheet).text((left, top + picture.shape[0] + 5), caption, fill=INK, font_size=14)
