"""How long a consumer waits that takes most of what we can give."""

from __future__ import annotations

from collections.abc import Iterator
from statistics import median

from benchmarks.feed import data
from benchmarks.feed.alone import BATCH, SHARE, STEPS
from benchmarks.feed.child import alone
from benchmarks.model import Benchmark, Settings, Table
from benchmarks.timing import verdict

LIMIT = 0.04


def measure(settings: Settings) -> Iterator[Table]:
    """A consumer that sleeps through its steps at 70% of the top rate, epoch ends among them."""
    made = data.prepare("w1", settings)
    answers = [alone("waiting", made, settings) for _ in range(settings.rounds)]
    shares = [answer["share"] for answer in answers]
    middle = median(shares)
    spread = f"{middle:.1%} ({min(shares):.1%}..{max(shares):.1%})"
    rows = (
        ("part of its time it waits", spread, f"< {LIMIT:.0%}", verdict(middle < LIMIT)),
        ("99th percentile of a wait", _ms(answers, "p99"), "", ""),
        ("longest wait", _ms(answers, "longest"), "", ""),
        ("images a second, at most", f"{median(a['top'] for a in answers):,.0f}", "", ""),
        ("images a second, taken", f"{median(a['taken'] for a in answers):,.0f}", "", ""),
    )
    title = f"{STEPS:,} batches of {BATCH} (W1) at {SHARE:.0%} of the top rate: {made.said}"
    yield Table(title, ("a consumer that sleeps otherwise", "median", "target", ""), rows)


def _ms(answers: list[dict[str, float]], what: str) -> str:
    return f"{median(answer[what] for answer in answers) * 1e3:.1f} ms"


BENCHMARK = Benchmark("waiting", "A consumer's wait", measure, ("pixfeed", "numpy"))
