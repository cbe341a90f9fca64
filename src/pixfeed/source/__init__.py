"""A place where images are, read into a catalogue."""

from __future__ import annotations

from pixfeed.source.folder import Folder
from pixfeed.source.items import Items
from pixfeed.source.labels import Labels
from pixfeed.source.opening import open, resolve
from pixfeed.source.reading import Reading
from pixfeed.source.shards import ShardSource
from pixfeed.source.table import Table

__all__ = ["Folder", "Items", "Labels", "Reading", "ShardSource", "Table", "open", "resolve"]
