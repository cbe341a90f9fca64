"""Images from where they are to where training uses them, as fast as the machine can go."""

from __future__ import annotations

from pixfeed._native import __version__
from pixfeed.catalogue import Catalogue, Dataset, Row, Source, Splits
from pixfeed.decode import Probe, decode, probe
from pixfeed.errors import (
    ConfigError,
    DecodeError,
    PixfeedError,
    RecordError,
    SourceError,
    StateError,
)
from pixfeed.source import Folder, Items, open

__all__ = [
    "Catalogue",
    "ConfigError",
    "Dataset",
    "DecodeError",
    "Folder",
    "Items",
    "PixfeedError",
    "Probe",
    "RecordError",
    "Row",
    "Source",
    "SourceError",
    "Splits",
    "StateError",
    "__version__",
    "decode",
    "open",
    "probe",
]
