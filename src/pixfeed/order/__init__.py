"""Which records come when: order and ends, the cursor, and the state that resumes it."""

from __future__ import annotations

from pixfeed.order.cursor import Cursor
from pixfeed.order.draws import generator
from pixfeed.order.order import Last, Order
from pixfeed.order.plan import plan
from pixfeed.order.resume import check
from pixfeed.order.state import State
from pixfeed.order.stream import STREAM_VERSION, Json, Stream, digest
from pixfeed.order.whole import whole

__all__ = [
    "STREAM_VERSION",
    "Cursor",
    "Json",
    "Last",
    "Order",
    "State",
    "Stream",
    "check",
    "digest",
    "generator",
    "plan",
    "whole",
]
