"""What a benchmark is: a name, a measurement, and the tables it yields."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


class CheckError(Exception):
    """An answer was wrong, so no time was taken."""


class UnavailableError(Exception):
    """Something the benchmark needs is not here; the message says what."""


@dataclass(frozen=True)
class Settings:
    """What the command line says to every benchmark."""

    rounds: int = 5
    photos: Path = ROOT.parent / "shared" / "data" / "imagenet-sample"
    images: int = 3072
    threads: int = 2
    peers: tuple[str, ...] = ()
    work: Path = ROOT / "build" / "benchmarks"


@dataclass(frozen=True)
class Contender:
    """One way to do the work; `run` does all of it once and returns the seconds it took."""

    name: str
    run: Callable[[], float]


@dataclass(frozen=True)
class Target:
    """The first contender should be `ratio` times as fast as the best of `rivals`."""

    rivals: tuple[str, ...]
    ratio: float


@dataclass(frozen=True)
class Case:
    """One race: the first contender is ours, `check` raises CheckError on a wrong answer."""

    title: str
    items: int
    contenders: tuple[Contender, ...]
    check: Callable[[], str]
    targets: tuple[Target, ...] = ()
    unit: str = "img/s"


@dataclass(frozen=True)
class Table:
    """Figures as they are shown: a title, a header, rows of text, and notes below."""

    title: str
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    notes: tuple[str, ...] = field(default=())


@dataclass(frozen=True)
class Benchmark:
    """A named measurement; `packages` are those whose versions belong to its figures."""

    name: str
    title: str
    measure: Callable[[Settings], Iterator[Table]]
    packages: tuple[str, ...] = ("numpy", "Pillow", "simplejpeg")
