"""Prints, for each refused file, by how much memory grew while it was refused: ``name bytes``."""

from __future__ import annotations

import contextlib

import pixfeed as pf
from decode import dirty
from decode.child import reset_peak, resident


def main() -> None:
    for case in list(dirty.refused()):
        reset_peak()
        before = resident("VmRSS")
        with contextlib.suppress(pf.PixfeedError):
            pf.decode(case.data)
        print(case.name, resident("VmHWM") - before)


if __name__ == "__main__":
    main()
