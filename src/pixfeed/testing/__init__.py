"""Shipped helpers for tests: pictures, and files that show them."""

from __future__ import annotations

from pixfeed.testing.files import png
from pixfeed.testing.pictures import scene

__all__ = ["png", "scene"]
