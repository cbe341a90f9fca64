"""The `pixfeed` command: one thin file a subcommand."""

from __future__ import annotations

from typing import NoReturn

import click

from pixfeed.cli.demo import demo
from pixfeed.cli.feed import feed
from pixfeed.errors import PixfeedError

__all__ = ["main"]


class _Group(click.Group):
    """A group whose commands fail in one line: what was found and what to do."""

    def parse_args(self, context: click.Context, args: list[str]) -> list[str]:
        if not args:
            return super().parse_args(context, args)
        try:
            return super().parse_args(context, args)
        except click.UsageError as error:
            _refuse(context, _said(error))

    def invoke(self, context: click.Context) -> object:
        try:
            return super().invoke(context)
        except click.UsageError as error:
            _refuse(context, _said(error))
        except (PixfeedError, OSError) as error:
            _refuse(context, str(error))


def _said(error: click.UsageError) -> str:
    command = error.ctx.command_path if error.ctx else "pixfeed"
    return f"{error.format_message().rstrip('.')}; see {command} --help"


def _refuse(context: click.Context, said: str) -> NoReturn:
    click.echo(f"pixfeed: {said}", err=True)
    context.exit(2)


@click.group(cls=_Group)
@click.version_option(package_name="pixfeed")
def main() -> None:
    """Images from where they are to where training uses them."""


main.add_command(demo)
main.add_command(feed)
