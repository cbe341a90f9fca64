"""Images from where they are to where training uses them, as fast as the machine can go."""

from __future__ import annotations

from pixfeed._native import __version__

__all__ = ["__version__"]
