"""The table every source yields: keys, labels, classes, splits, fingerprint."""

from __future__ import annotations

from pixfeed.catalogue.dataset import Dataset
from pixfeed.catalogue.keys import Keys
from pixfeed.catalogue.protocol import Source
from pixfeed.catalogue.splits import Splits
from pixfeed.catalogue.table import Catalogue, Row

__all__ = ["Catalogue", "Dataset", "Keys", "Row", "Source", "Splits"]
