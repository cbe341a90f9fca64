"""Images from where they are to where training uses them, as fast as the machine can go."""

from __future__ import annotations

import typing

from pixfeed._native import __version__
from pixfeed.catalogue import Catalogue, Dataset, Row, Source, Splits
from pixfeed.decode import Probe, decode, probe
from pixfeed.engine import Report, Run, apply
from pixfeed.errors import (
    ConfigError,
    DecodeError,
    PixfeedError,
    RecordError,
    SourceError,
    StateError,
)
from pixfeed.loader import Loader, image_batches
from pixfeed.order import Order
from pixfeed.recipe import (
    IMAGENET_MEAN,
    IMAGENET_STD,
    CenterCrop,
    Decode,
    Map,
    Pad,
    RandomCrop,
    RandomHorizontalFlip,
    RandomResizedCrop,
    RandomVerticalFlip,
    Resize,
    ToArray,
)
from pixfeed.recipe import presets as recipes
from pixfeed.sample import Batch
from pixfeed.source import Folder, Items, open

if typing.TYPE_CHECKING:
    from pixfeed.source import Labels, Reading, ShardSource, Table

__all__ = [
    "IMAGENET_MEAN",
    "IMAGENET_STD",
    "Batch",
    "Catalogue",
    "CenterCrop",
    "ConfigError",
    "Dataset",
    "Decode",
    "DecodeError",
    "Folder",
    "Items",
    "Labels",
    "Loader",
    "Map",
    "Order",
    "Pad",
    "PixfeedError",
    "Probe",
    "RandomCrop",
    "RandomHorizontalFlip",
    "RandomResizedCrop",
    "RandomVerticalFlip",
    "Reading",
    "RecordError",
    "Report",
    "Resize",
    "Row",
    "Run",
    "ShardSource",
    "Source",
    "SourceError",
    "Splits",
    "StateError",
    "Table",
    "ToArray",
    "__version__",
    "apply",
    "decode",
    "image_batches",
    "open",
    "probe",
    "recipes",
]


def __getattr__(name: str) -> object:
    # Some sources are imported when first asked for, so that `import pixfeed` is quick.
    if name in {"Labels", "Reading", "ShardSource", "Table"}:
        from pixfeed import source

        return getattr(source, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
