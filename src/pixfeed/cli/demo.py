"""`pixfeed demo`: what pixfeed reads, and a classifier trained on what it feeds."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import click

from pixfeed.cli.figures import in_json
from pixfeed.cli.table import aligned
from pixfeed.cli.training import figured, worded
from pixfeed.jobs import demo as job
from pixfeed.jobs import training as lesson
from pixfeed.jobs.findings import Finding
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
@click.option("--json", "as_json", is_flag=True, help="Print figures as JSON instead of text.")
def demo(out: Path, as_json: bool) -> None:
    """Show what pixfeed reads, and train on what it feeds; all images are made here.

    Exits with 1 if training does not come out as it should.
    """
    readings = list(_watched(job.demo()))
    sheet = out / "contact-sheet.png"
    write_sheet([reading.crop for reading in readings], [r.name for r in readings], sheet)
    if not as_json:
        click.echo(_as_text(readings, sheet))
    click.echo("Drawing pictures to train on", err=True)
    findings = list(_said(lesson.training(), as_json))
    if as_json:
        click.echo(_as_json(readings, sheet, findings))
    faults = [finding.fault for finding in findings if finding.fault]
    for fault in faults:
        click.echo(f"pixfeed: the demo failed: {fault}", err=True)
    sys.exit(1 if faults else 0)


def _said(findings: Iterable[Finding], as_json: bool) -> Iterator[Finding]:
    """The findings, each told as it comes; beside the JSON where that is wanted."""
    for finding in findings:
        click.echo(worded(finding), err=as_json)
        yield finding


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
    return "\n".join(
        [
            "",
            *aligned(rows, right=range(3, len(HEADER))),
            "",
            "Medians of one thread. The crop is the middle, 3/4 as high, resized to 224 x 224.",
            f"Contact sheet: {sheet}",
            "",
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


def _as_json(readings: Sequence[job.Reading], sheet: Path, findings: Sequence[Finding]) -> str:
    pictures = [
        {name: value for name, value in vars(reading).items() if name != "crop"}
        for reading in readings
    ]
    training = [figured(finding) for finding in findings]
    return in_json({"pictures": pictures, "sheet": str(sheet), "training": training})
