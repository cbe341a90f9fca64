"""What a listing saw besides images, in words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from pixfeed import _native
from pixfeed.errors import SourceError

_SHOWN = 5


def refuse_unreadable(root: Path, listings: Iterable[_native.Listing]) -> None:
    """One error that names together what could not be read, if anything could not.

    >>> refuse_unreadable(Path("data"), [])
    """
    unreadable = [what for listing in listings for what in listing.unreadable]
    if unreadable:
        named = _named([f"{path!r} ({why})" for path, why in unreadable])
        raise SourceError(
            f"{str(root)!r}: {len(unreadable)} of its folders cannot be read: {named}; allow "
            "reading, or move them away, since a dataset without them would be another one"
        )


def notes(listings: Iterable[_native.Listing]) -> tuple[str, ...]:
    """What was left out, one line a reason.

    >>> notes([])
    ()
    """
    every = list(listings)
    counted = {
        "hidden files or folders": [listing.hidden for listing in every],
        "files that are no images by their names": [listing.foreign for listing in every],
        "images outside of class folders": [listing.loose for listing in every],
    }
    lines = [_tally(what, tallies) for what, tallies in counted.items()]
    links = [f"{path!r} {why}" for listing in every for path, why in listing.links]
    lines.append(f"left out {len(links):,} links: {_named(links)}" if links else "")
    return tuple(line for line in lines if line)


def _tally(what: str, tallies: Sequence[tuple[int, str | None]]) -> str:
    count = sum(number for number, _ in tallies)
    first = next((path for _, path in tallies if path is not None), None)
    return f"left out {count:,} {what}, the first {first!r}" if count else ""


def _named(things: Sequence[str]) -> str:
    shown = ", ".join(things[:_SHOWN])
    return shown if len(things) <= _SHOWN else f"{shown} and {len(things) - _SHOWN} more"
