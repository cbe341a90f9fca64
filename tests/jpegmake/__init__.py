"""A small JPEG writer for the tests: every legal layout, from pixels or from ready coefficients.

It shares nothing with the code under test and nothing with libjpeg, so a file it writes is a third
opinion on the standard: what it makes, both must read alike.
"""

from __future__ import annotations

from jpegmake.frame import SAMPLINGS, Component, Frame, Sampling, from_blocks, from_planes, from_rgb
from jpegmake.scans import Scan, script
from jpegmake.segments import adobe, comment, exif, icc, jfif
from jpegmake.tables import HuffmanTable, quant_table
from jpegmake.write import Layout, encode, join, parts

__all__ = [
    "SAMPLINGS",
    "Component",
    "Frame",
    "HuffmanTable",
    "Layout",
    "Sampling",
    "Scan",
    "adobe",
    "comment",
    "encode",
    "exif",
    "from_blocks",
    "from_planes",
    "from_rgb",
    "icc",
    "jfif",
    "join",
    "parts",
    "quant_table",
    "script",
]
