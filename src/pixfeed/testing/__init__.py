"""Shipped helpers for tests: pictures, files and folders that show them, the resume check."""

from __future__ import annotations

from pixfeed.testing.files import png
from pixfeed.testing.folders import class_folder
from pixfeed.testing.pictures import scene
from pixfeed.testing.resume import check_resume

__all__ = ["check_resume", "class_folder", "png", "scene"]
