"""A place where images are, read into a catalogue."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from pixfeed.source.folder import Folder
from pixfeed.source.items import Items
from pixfeed.source.opening import open, resolve

if TYPE_CHECKING:
    from pixfeed.source.labels import Labels
    from pixfeed.source.reading import Reading
    from pixfeed.source.shards import ShardSource
    from pixfeed.source.table import Table

__all__ = ["Folder", "Items", "Labels", "Reading", "ShardSource", "Table", "open", "resolve"]

_LATE = {"Labels": "labels", "Reading": "reading", "ShardSource": "shards", "Table": "table"}
"""What is imported when first asked for, so that `import pixfeed` is quick."""


def __getattr__(name: str) -> Any:
    if name in _LATE:
        return getattr(import_module(f"pixfeed.source.{_LATE[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
