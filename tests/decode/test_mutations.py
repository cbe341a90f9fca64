"""Broken bytes give pixels or an error: never a crash, a hang, boundless memory or a leak."""

from __future__ import annotations

from pathlib import Path

import pytest

import pixfeed as pf
from decode import child
from decode.mutations import mutation, seeds

COUNT, MALFORMED = 100_000, 20_000

SLACK = 1 << 20
"""What an allocator may keep: fifty bytes a file would be more."""


def test_seeds_are_whole() -> None:
    for data in seeds():
        assert pf.decode(data).size


def test_mutations_are_told_apart() -> None:
    assert len({mutation(number) for number in range(1000)}) > 900
    assert mutation(7) == mutation(7)


def test_a_hundred_thousand_mutations(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    ledger = tmp_path / "ledger"
    done = child.run("decode.mutations", "0", str(COUNT), str(ledger))
    number = int.from_bytes(ledger.read_bytes(), "little")
    assert done.returncode == 0, f"mutation {number} ended the process:\n{done.stderr[-2000:]}"
    tally = {what: int(count) for what, count in map(str.split, done.stdout.splitlines())}
    with capsys.disabled():
        print("\nmutations:", ", ".join(f"{what} {count}" for what, count in tally.items()))
    assert sum(tally.values()) == COUNT
    assert {"pixels", "truncated", "bad-data"} <= set(tally) <= {"pixels", *pf.errors.FAULTS}
    assert tally["pixels"] > COUNT // 20, "too broken to reach the decoders"


def test_malformed_files_leak_nothing() -> None:
    done = child.run("decode.leaks", str(MALFORMED))
    assert done.returncode == 0, done.stderr[-2000:]
    assert int(done.stdout) < SLACK
