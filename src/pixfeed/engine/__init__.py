"""The engine as Python sees it: how a run goes, passes over epochs, failures, the report."""

from __future__ import annotations

from pixfeed.engine.apply import apply
from pixfeed.engine.epoch import Epoch, refuse_worker
from pixfeed.engine.failures import Failure
from pixfeed.engine.feeder import Feeder, Job, Threads, refuse_sizes, stop_all
from pixfeed.engine.report import Cached, Report
from pixfeed.engine.run import Run

__all__ = [
    "Cached",
    "Epoch",
    "Failure",
    "Feeder",
    "Job",
    "Report",
    "Run",
    "Threads",
    "apply",
    "refuse_sizes",
    "refuse_worker",
    "stop_all",
]
