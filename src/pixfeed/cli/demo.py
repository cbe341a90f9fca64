"""`pixfeed demo`: images made on the spot, read, timed and put on a contact sheet."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import click

from pixfeed.cli.table import aligned
from pixfeed.jobs import demo as job
from pixfeed.jobs.samples import COUNT
from pixfeed.report.sheet import write_sheet

HEADER = ("picture", "format", "sampling", "size", "bytes", "whole decode", "crop to 224")


@click.command()
@click.option(
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    default=Path("demo-out"),
    show_default=True,
    help="Folder for the contact sheet.",
)
@click.option("--json", "as_json", is_flag=True, help="Print figures as JSON instead of a table.")
def demo(out: Path, as_json: bool) -> None:
    """Show what pixfeed reads, and how fast, on images made here."""
    readings = list(_watched(job.demo()))
    sheet = out / "contact-sheet.png"
    write_sheet([reading.crop for reading in readings], [r.name for r in readings], sheet)
    click.echo(_as_json(readings, sheet) if as_json else _as_text(readings, sheet))


def _watched(readings: Iterable[job.Reading]) -> Iterator[job.Reading]:
    """The readings, behind a bar on a terminal and a plain line elsewhere."""
    label = f"Drawing and reading {COUNT} pictures"
    if not sys.stderr.isatty():
        click.echo(label, err=True)
        yield from readings
        return
    with click.progressbar(readings, length=COUNT, label=label, file=sys.stderr) as bar:
        yield from bar


def _as_text(readings: Sequence[job.Reading], sheet: Path) -> str:
    rows = [HEADER, *(_row(reading) for reading in readings)]
    shares = [r.crop_seconds / r.whole_seconds for r in readings if r.format == "JPEG"]
    return "\n".join(
        [
            "",
            *aligned(rows, right=range(3, len(HEADER))),
            "",
            "The crop is the square in the middle, 3/4 as high, resized to 224 x 224.",
            "One thread, bytes in memory, median times.",
            f"A JPEG's crop took {min(shares):.0%} to {max(shares):.0%} of the time of its whole.",
            f"Contact sheet: {sheet}",
        ]
    )


def _row(reading: job.Reading) -> tuple[str, ...]:
    return (
        reading.name,
        reading.format,
        reading.subsampling or "-",
        f"{reading.width} x {reading.height}",
        f"{reading.bytes:,}",
        _speed(reading.whole_seconds),
        _speed(reading.crop_seconds),
    )


def _speed(seconds: float) -> str:
    return f"{seconds * 1000:.2f} ms {1 / seconds:6,.0f}/s"


def _as_json(readings: Sequence[job.Reading], sheet: Path) -> str:
    pictures = [
        {name: value for name, value in vars(reading).items() if name != "crop"}
        for reading in readings
    ]
    return json.dumps({"pictures": pictures, "sheet": str(sheet)}, indent=2)
