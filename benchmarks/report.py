"""Tables for people: aligned on a terminal, Markdown in docs/benchmarks.md."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from pathlib import Path

from benchmarks.model import ROOT, Table

PAGE = ROOT / "docs" / "benchmarks.md"
INTRODUCTION = """# Benchmarks

`make bench` measures everything on this page and rewrites it;
`benchmarks/run.py NAME` rewrites one section.
Every benchmark first checks that the answers agree, then lets the contenders take turns in one run.
A ratio is the median over the rounds, with the lowest and the highest behind it;
above 1 ours is faster. Targets are aims written down before the code was: nothing fails when one
is missed, its line just says so.
"""


def text(table: Table) -> str:
    """The table as aligned columns."""
    lines = [table.header, *table.rows]
    widths = [max(len(line[column]) for line in lines) for column in range(len(table.header))]
    shown = ["  " + "  ".join(map(str.ljust, line, widths)).rstrip() for line in lines]
    return "\n".join([table.title, *shown, *(f"  {note}" for note in table.notes)])


def markdown(table: Table) -> str:
    """The table as Markdown."""
    rule = tuple("---" if column == 0 else "---:" for column in range(len(table.header)))
    rows = ["| " + " | ".join(row) + " |" for row in (table.header, rule, *table.rows)]
    notes = [f"{note}  " for note in table.notes]
    return "\n".join([f"### {table.title}", "", *rows, "", *notes]).rstrip()


def section(title: str, context: Sequence[str], tables: Iterable[Table]) -> str:
    """One benchmark's part of the page."""
    parts = [f"## {title}", "  \n".join(context), *(markdown(table) for table in tables)]
    return "\n\n".join(parts)


def write(name: str, body: str, order: Sequence[str], page: Path = PAGE) -> None:
    """Put `body` between the markers of `name`, leaving every other section as it is."""
    found = _sections(page.read_text(encoding="utf-8")) if page.exists() else {}
    found[name] = body
    known = [known for known in order if known in found]
    rest = sorted(set(found) - set(known))
    marked = [f"{_open(name)}\n{found[name]}\n{_close(name)}" for name in [*known, *rest]]
    page.parent.mkdir(parents=True, exist_ok=True)
    page.write_text("\n\n".join([INTRODUCTION.rstrip(), *marked]) + "\n", encoding="utf-8")


def _sections(page: str) -> dict[str, str]:
    pattern = re.compile(
        r"^<!-- benchmark: (\S+) -->\n(.*?)\n^<!-- end: \1 -->$", re.MULTILINE | re.DOTALL
    )
    return {match[1]: match[2] for match in pattern.finditer(page)}


def _open(name: str) -> str:
    return f"<!-- benchmark: {name} -->"


def _close(name: str) -> str:
    return f"<!-- end: {name} -->"
