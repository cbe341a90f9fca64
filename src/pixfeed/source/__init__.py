"""A place where images are, read into a catalogue."""

from __future__ import annotations

from pixfeed.source.folder import Folder
from pixfeed.source.items import Items
from pixfeed.source.opening import open, resolve

__all__ = ["Folder", "Items", "open", "resolve"]
