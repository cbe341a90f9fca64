"""Figures as JSON."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from pixfeed.engine import Report


def in_json(figures: Mapping[str, Any]) -> str:
    """The figures as indented JSON.

    >>> in_json({"images": 3})
    '{\\n  "images": 3\\n}'
    """
    return json.dumps(figures, indent=2)


def of_report(report: Report) -> dict[str, Any]:
    """What a report holds, as JSON can hold it: a step's hash under "epoch/step".

    >>> of_report(Report("c0ffee", "beef", steps={(0, 1): 0xFEED}))["steps"]
    {'0/1': '000000000000feed'}
    """
    steps = {f"{epoch}/{step}": f"{hash:016x}" for (epoch, step), hash in report.steps.items()}
    said = {"rate": report.rate, "memory": report.memory, "bottleneck": report.bottleneck}
    return {**asdict(report), **said, "steps": steps}
