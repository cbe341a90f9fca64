"""Makes the JPEG files beside it, and the samples libjpeg-turbo reads in them.

    PYTHONPATH=tests python crates/jpeg/tests/data/make.py

needs NumPy and Pillow. The ending of the samples says what they are: gray, rgb, or inks as stored.
`tiny.jpg` is the example of the documentation.
"""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np
from PIL import Image

import jpegmake as jm

HERE = Path(__file__).parent
HEIGHT, WIDTH = 19, 21


def picture(components: int) -> np.ndarray[tuple[int, ...], np.dtype[np.uint8]]:
    """Slopes, waves and an edge."""
    y, x, c = np.mgrid[:HEIGHT, :WIDTH, :components]
    waves = 90 * np.sin(x * (0.3 + 0.2 * c)) * np.cos(y * 0.45) + 60 * (x + y > 22) + 5 * y
    return np.clip(40 + waves + 20 * c, 0, 255).astype(np.uint8)


def files() -> dict[str, bytes]:
    """Every kind of file the crate reads."""
    rgb, four = picture(3), picture(4)

    def colours(sampling: str, layout: jm.Layout, quality: int = 80) -> bytes:
        return jm.encode(jm.from_rgb(rgb, sampling, quality), layout, [jm.jfif()])

    def inks(transform: int) -> bytes:
        sampling = ((2, 2), (1, 1), (1, 1), (2, 2))
        planes = [four[..., c] for c in range(4)]
        return jm.encode(jm.from_planes(planes, sampling, 80), extra=[jm.adobe(transform)])

    return {
        "444": colours("444", jm.Layout(tables="optimal"), 95),
        "422-restart": colours("422", jm.Layout(restart=1)),
        "420": colours("420", jm.Layout()),
        "420-apart": colours("420", jm.Layout("apart", restart=2)),
        "411-deep": colours("411", jm.Layout(tables="deep", wide=True)),
        "440-usual": colours("440", jm.Layout("usual")),
        "420-usual": colours("420", jm.Layout("usual", restart=1)),
        "444-bits": colours("444", jm.Layout("bits", tables="optimal"), 95),
        "410-odd": colours("410", jm.Layout("odd", tables="optimal")),
        "gray": jm.encode(jm.from_rgb(rgb, "gray", 80), jm.Layout(tables="optimal")),
        "gray-usual": jm.encode(jm.from_rgb(rgb, "gray", 80), jm.Layout("usual")),
        "inks": inks(0),
        "inks-ycck": inks(2),
    }


def samples(data: bytes) -> tuple[str, bytes]:
    """What libjpeg-turbo makes of a file. Pillow turns inks round where Adobe's segment stands."""
    image = Image.open(io.BytesIO(data))
    if image.mode == "CMYK":
        return "inks", (255 - np.asarray(image)).tobytes()
    return {"L": "gray", "RGB": "rgb"}[image.mode], image.tobytes()


def main() -> None:
    """Writes all of them."""
    for name, data in files().items():
        ending, pixels = samples(data)
        (HERE / f"{name}.jpg").write_bytes(data)
        (HERE / f"{name}.{ending}").write_bytes(pixels)


if __name__ == "__main__":
    main()
