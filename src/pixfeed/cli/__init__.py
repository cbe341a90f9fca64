"""The `pixfeed` command: one thin file a subcommand."""

from __future__ import annotations

import click

from pixfeed.cli.demo import demo
from pixfeed.errors import PixfeedError

__all__ = ["main"]


class _Group(click.Group):
    """A group whose commands fail in one line: what was found and what to do."""

    def invoke(self, context: click.Context) -> object:
        try:
            return super().invoke(context)
        except (PixfeedError, OSError) as error:
            click.echo(f"pixfeed: {error}", err=True)
            context.exit(2)


@click.group(cls=_Group)
@click.version_option(package_name="pixfeed")
def main() -> None:
    """Images from where they are to where training uses them."""


main.add_command(demo)
