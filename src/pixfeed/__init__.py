"""Images from where they are to where training uses them, as fast as the machine can go."""

from __future__ import annotations

from pixfeed._native import __version__
from pixfeed.decode import Probe, decode, probe
from pixfeed.errors import (
    ConfigError,
    DecodeError,
    PixfeedError,
    RecordError,
    SourceError,
    StateError,
)

__all__ = [
    "ConfigError",
    "DecodeError",
    "PixfeedError",
    "Probe",
    "RecordError",
    "SourceError",
    "StateError",
    "__version__",
    "decode",
    "probe",
]
