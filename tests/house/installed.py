"""Run inside an empty environment by `make wheel`: the installed package decodes."""

from __future__ import annotations

import base64
import struct
import sys

JPEG = base64.b64decode(
    "/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDABALDA4MChAODQ4SERATGCgaGBYWGDEjJR0oOjM9PDkzODdASFxOQERXRTc4"
    "UG1RV19iZ2hnPk1xeXBkeFxlZ2P/wAALCAAIAAgBAREA/8QAFAABAAAAAAAAAAAAAAAAAAAABP/EABQQAQAAAAAAAAAA"
    "AAAAAAAAAAD/2gAIAQEAAD8AC//Z"
)


def bitmap(height: int, width: int) -> bytes:
    """A blue BMP of 24 bits."""
    rows = (b"\xff\x00\x00" * width).ljust(-(-3 * width // 4) * 4, b"\0") * height
    head = struct.pack("<IiiHHIIiiII", 40, width, height, 1, 24, 0, len(rows), 0, 0, 0, 0)
    return struct.pack("<2sIHHI", b"BM", 54 + len(rows), 0, 0, 54) + head + rows


def check() -> str:
    """What was installed, after it has decoded a bitmap and a JPEG."""
    import pixfeed as pf

    blue = pf.decode(bitmap(3, 5))
    gray = pf.decode(JPEG, size=(4, 4))
    if blue.shape != (3, 5, 3) or blue.reshape(-1, 3).tolist() != [[0, 0, 255]] * 15:
        raise SystemExit(f"the bitmap became {blue.tolist()}")
    if gray.shape != (4, 4, 3) or abs(int(gray.min()) - 100) > 2 or abs(int(gray.max()) - 100) > 2:
        raise SystemExit(f"the JPEG became {gray.tolist()}")
    return f"pixfeed {pf.__version__} on Python {sys.version.split()[0]} decodes: {pf.__file__}"


if __name__ == "__main__":
    sys.stdout.write(check() + "\n")
