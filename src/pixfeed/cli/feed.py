"""`pixfeed feed`: epochs of a source at full speed, and what the loader says of them."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from typing import TypedDict, Unpack, get_args

import click

from pixfeed.cli.figures import in_json, of_report
from pixfeed.engine import Run
from pixfeed.engine.run import Cache, OnBad
from pixfeed.errors import ConfigError, PixfeedError, SourceError
from pixfeed.jobs import feed as job
from pixfeed.loader import Loader
from pixfeed.recipe import named

LINES = 5.0
"""Seconds between two lines of progress, where there is no terminal."""

DRAWN = 200
"""How often the bar is drawn at most, about."""


class _Options(TypedDict):
    """What the options say, by the names of Loader and Run."""

    batch_size: int
    recipe: str
    split: str | None
    shuffle: bool
    seed: int
    threads: int | None
    prefetch: int
    memory: str | None
    cache: Cache | None
    on_bad: OnBad
    max_bad: str | None


@click.command()
@click.argument("source")
@click.option("--batch-size", default=64, show_default=True, help="Images in a batch.")
@click.option(
    "--recipe",
    default="imagenet-train",
    show_default=True,
    help="imagenet-train, imagenet-eval (with :SIZE for another than 224) or mnist-train.",
)
@click.option("--split", metavar="NAME", help="Which of the folders train/, val/, test/ to feed.")
@click.option("--epochs", type=click.IntRange(min=1), default=1, show_default=True)
@click.option("--threads", type=int, help="Native threads; all cores otherwise.")
@click.option("--prefetch", default=3, show_default=True, help="Batches made ahead.")
@click.option("--memory", metavar="SIZE", help='For batches made ahead and cache, as "2 GiB".')
@click.option("--cache", type=click.Choice(get_args(Cache)), help="Keep files or pixels in memory.")
@click.option(
    "--on-bad",
    type=click.Choice(get_args(OnBad)),
    default="raise",
    show_default=True,
    help="What becomes of an image that cannot be read.",
)
@click.option("--max-bad", metavar="N", help="Stop above so many bad images, or such a fraction.")
@click.option("--shuffle/--no-shuffle", default=True, help="Shuffled, or in the order of keys.")
@click.option("--seed", default=0, show_default=True, help="Of the order and the random ops.")
@click.option("--json", "as_json", is_flag=True, help="Print the report as JSON.")
def feed(source: str, epochs: int, as_json: bool, **options: Unpack[_Options]) -> None:
    """Feed batches of SOURCE, a folder of class folders, as fast as they can be made.

    Exits with 1 if an image was bad.
    """
    loader = _opened(source, options)
    problem = _fed(loader, epochs)
    report = loader.report()
    if as_json:
        click.echo(in_json({**of_report(report), "problem": problem}))
    elif report.batches:
        click.echo(report)
    if problem is not None:
        click.echo(f"pixfeed: {problem}", err=True)
    if problem is not None or report.failures:
        sys.exit(1)


def _opened(source: str, given: _Options) -> Loader:
    try:
        return Loader(
            job.place(source, given["split"]),
            batch_size=given["batch_size"],
            recipe=named(given["recipe"]),
            split=given["split"],
            shuffle=given["shuffle"],
            seed=given["seed"],
            run=_run(given),
        )
    except SourceError as error:
        known = ", ".join(job.splits_beside(source))
        if given["split"] is None and known:
            hint = f"{source!r} holds the splits {known}; name one with --split"
            raise ConfigError(hint) from error
        if given["split"] is not None and not known:
            hint = f"{source!r} has no folder named train, val or test; leave out --split"
            raise ConfigError(hint) from error
        raise


def _run(given: _Options) -> Run:
    return Run(
        threads=given["threads"],
        prefetch=given["prefetch"],
        memory=given["memory"],
        cache=given["cache"],
        on_bad=given["on_bad"],
        max_bad=_most_bad(given["max_bad"]),
    )


def _most_bad(said: str | None) -> int | float | None:
    if said is None or said.isdecimal():
        return None if said is None else int(said)
    try:
        return float(said)
    except ValueError as error:
        hint = "give 10 for ten images, or 0.01 for one in a hundred"
        raise ConfigError(f"--max-bad is {said!r}; {hint}") from error


def _fed(loader: Loader, epochs: int) -> str | None:
    """Feeds to the end; what ended it before, if something did."""
    click.echo(f"{loader!r}"[1:-1], err=True)
    try:
        for _ in _watched(job.feed(loader, epochs), epochs * len(loader)):
            pass
    except ConfigError:
        raise
    except (PixfeedError, OSError) as error:
        return str(error)
    return None


def _watched(steps: Iterator[job.Progress], of: int) -> Iterator[job.Progress]:
    """The steps, behind a bar on a terminal and plain lines elsewhere."""
    if not sys.stderr.isatty():
        yield from _told(steps)
        return
    with click.progressbar(
        steps,
        length=of,
        item_show_func=_figures,
        show_pos=True,
        update_min_steps=max(1, of // DRAWN),
        file=sys.stderr,
    ) as bar:
        yield from bar


def _told(steps: Iterator[job.Progress]) -> Iterator[job.Progress]:
    due = time.monotonic() + LINES
    for step in steps:
        if time.monotonic() >= due:
            due += LINES
            done = f"{step.batches:,} of {step.of:,} batches"
            click.echo(f"{done}: {_figures(step)}, {step.left:,.0f} s left", err=True)
        yield step


def _figures(step: job.Progress | None) -> str:
    if step is None:
        return ""
    return f"{step.rate:,.0f} images/s, waited {step.waited:.0%}, {step.bad} bad"
