"""The command line: which benchmarks, how many rounds, which photos."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from benchmarks import machine, registry, report
from benchmarks.model import CheckError, Settings, Table, UnavailableError


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the named benchmarks, or all; the exit status is 1 when an answer was wrong."""
    asked = _parser().parse_args(arguments)
    if asked.list:
        print("\n".join(registry.PLACES))
        return 0
    unknown = sorted(set(asked.names) - set(registry.PLACES))
    if unknown:
        known = ", ".join(registry.PLACES)
        print(f"no benchmark is called {', '.join(unknown)}; there are {known}", file=sys.stderr)
        return 2
    settings = _settings(asked)
    machine.restrict(settings.threads)
    names = asked.names or [name for name in registry.PLACES if name not in registry.ON_REQUEST]
    outcomes = [_one(name, settings, asked.page) for name in names]
    return 0 if all(outcomes) else 1


def _one(name: str, settings: Settings, page: Path) -> bool:
    print(f"\n== {name}", flush=True)
    try:
        benchmark = registry.find(name)
        context = _context(settings, benchmark.packages)
        print(*context, sep="\n")
        tables = [_shown(table) for table in benchmark.measure(settings)]
    except CheckError as wrong:
        print(f"  WRONG ANSWER, nothing timed: {wrong}", file=sys.stderr)
        return False
    except (UnavailableError, ImportError, AttributeError) as missing:
        print(f"  not measured: {missing}", file=sys.stderr)
        return True
    if not settings.peers:  # a race among a few is no result for the page
        body = report.section(benchmark.title, context, tables)
        report.write(name, body, list(registry.PLACES), page)
    return True


def _shown(table: Table) -> Table:
    print("\n" + report.text(table), flush=True)
    return table


def _context(settings: Settings, packages: Sequence[str]) -> list[str]:
    cores = f"{machine.cores()} cores used"
    lines = [
        f"{machine.processor()}, {cores}, {settings.rounds} alternating rounds.",
        machine.versions(["pixfeed", *(name for name in packages if name != "pixfeed")]) + ".",
    ]
    load = machine.load()
    if load > machine.BUSY:
        lines.append(f"The machine was busy (load {load:.1f}): take these figures as a sketch.")
    return lines


def _settings(asked: argparse.Namespace) -> Settings:
    return Settings(
        rounds=asked.rounds,
        photos=asked.photos.resolve(),
        images=asked.images,
        threads=asked.threads,
        peers=tuple(asked.peers),
    )


def _parser() -> argparse.ArgumentParser:
    ours = Settings()
    parser = argparse.ArgumentParser(prog="benchmarks/run.py", description=main.__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help="see --list")
    parser.add_argument("--list", action="store_true", help="name the benchmarks")
    parser.add_argument("--rounds", type=int, default=ours.rounds, help="default %(default)s")
    parser.add_argument("--photos", type=Path, default=ours.photos, help="a folder of JPEGs")
    parser.add_argument("--images", type=int, default=ours.images, help="files a feed epoch has")
    parser.add_argument("--threads", type=int, default=ours.threads, help="default %(default)s")
    parser.add_argument(
        "--peers",
        nargs="*",
        default=[],
        help="only these contenders of the feed benchmarks, and nothing written",
    )
    parser.add_argument("--page", type=Path, default=report.PAGE, help="the page to rewrite")
    return parser
