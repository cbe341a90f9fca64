"""Alternating rounds: every contender once a round, so that a slow minute hurts all alike."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from statistics import median

from benchmarks.model import Case, Contender, Table, Target


@dataclass(frozen=True)
class Ratio:
    """How many times as fast ours was: the median over rounds, and the extremes."""

    middle: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{self.middle:.2f}x ({self.low:.2f}..{self.high:.2f})"


def timed(work: Callable[[], object]) -> Callable[[], float]:
    """Wrap `work` so that calling it returns its seconds."""

    def run() -> float:
        start = time.perf_counter()
        work()
        return time.perf_counter() - start

    return run


def race(case: Case, rounds: int) -> Table:
    """Check the answer, warm every contender up, then time them in turn."""
    checked = case.check()
    for contender in case.contenders:
        contender.run()
    times: dict[str, list[float]] = {contender.name: [] for contender in case.contenders}
    for turn in range(rounds):
        for contender in _turned(case.contenders, turn):
            times[contender.name].append(contender.run())
    return _table(case, times, f"Checked first: {checked}")


def ratio(ours: list[float], theirs: list[float]) -> Ratio:
    """The ratios of paired rounds."""
    ratios = [their / our for our, their in zip(ours, theirs, strict=True)]
    return Ratio(median(ratios), min(ratios), max(ratios))


def verdict(met: bool) -> str:
    """The word that stands in a table's last column."""
    return "met" if met else "**not met**"


def _turned(contenders: tuple[Contender, ...], turn: int) -> tuple[Contender, ...]:
    cut = turn % len(contenders)
    return contenders[cut:] + contenders[:cut]


def _table(case: Case, times: dict[str, list[float]], note: str) -> Table:
    ours = case.contenders[0].name
    header = ("contender", case.unit, f"{ours} is", "target", "")
    rows: list[tuple[str, ...]] = [(ours, _speed(case, times[ours]), "", "", "")]
    for contender in case.contenders[1:]:
        theirs = times[contender.name]
        goal = _own_target(case, contender.name)
        outcome = ratio(times[ours], theirs)
        rows.append((contender.name, _speed(case, theirs), str(outcome), *_judged(goal, outcome)))
    rows += [_best_of(target, times, ours) for target in case.targets if len(target.rivals) > 1]
    return Table(case.title, header, tuple(rows), (note,))


def _speed(case: Case, seconds: list[float]) -> str:
    if case.unit == "img/s":
        return f"{case.items / median(seconds):,.0f}"
    return f"{median(seconds) / case.items * 1e6:,.1f}"


def _own_target(case: Case, rival: str) -> Target | None:
    return next((target for target in case.targets if target.rivals == (rival,)), None)


def _judged(target: Target | None, outcome: Ratio) -> tuple[str, str]:
    if target is None:
        return "", ""
    return f">= {target.ratio:g}x", verdict(outcome.middle >= target.ratio)


def _best_of(target: Target, times: dict[str, list[float]], ours: str) -> tuple[str, ...]:
    present = [rival for rival in target.rivals if rival in times]
    if len(present) < len(target.rivals):
        missing = ", ".join(rival for rival in target.rivals if rival not in times)
        return (f"best of {len(target.rivals)}", "", "", f">= {target.ratio:g}x", f"no {missing}")
    best = min(present, key=lambda rival: median(times[rival]))
    outcome = ratio(times[ours], times[best])
    return (f"the best: {best}", "", str(outcome), *_judged(target, outcome))
