"""Consumers that break, fail, fork, are interrupted or killed: all ends are clean and prompt."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path

import pytest

from engine.child import ended, ready, said, started

GROWTH = 16 << 20


@pytest.mark.parametrize("name", ["breaks", "errors", "closes", "interrupts"])
def test_twenty_ends_in_one_process(folder: Path, name: str) -> None:
    """Each within two seconds, and no thread is left of any."""
    assert said(name, folder) == "True 0"


def test_ctrl_c_while_the_source_does_not_answer(folder: Path) -> None:
    assert said("stuck", folder) == "True"


@pytest.mark.parametrize("name", ["forks", "fetch_forks"])
def test_forked_twenty_times(folder: Path, name: str) -> None:
    assert said(name, folder).startswith("True")


def test_a_forked_child_that_exits(folder: Path) -> None:
    assert said("fork_and_exit", folder) == "True True"


def test_forked_while_another_thread_waits(folder: Path) -> None:
    assert said("forks_beside", folder).startswith("True")


def test_memory_beyond_what_is_made_ahead_is_given_back(folder: Path) -> None:
    assert int(said("gives_back", folder)) <= 1


def test_starting_and_stopping_leaks_nothing(folder: Path) -> None:
    threads, descriptors, grown = map(int, said("cycles", folder).split())
    assert (threads, descriptors) == (0, 0)
    assert grown < GROWTH


def test_memory_stays_flat_over_epochs(folder: Path) -> None:
    assert int(said("flat", folder)) < GROWTH


@pytest.mark.parametrize(
    ("name", "code", "last"),
    [
        ("live_files", 0, ""),
        ("idle_files", 0, ""),
        ("live_fetch", 0, ""),
        ("idle_fetch", 0, ""),
        ("failing", 1, "LookupError: 0"),
        ("leaving", 3, ""),
    ],
)
def test_processes_end_by_themselves(folder: Path, name: str, code: int, last: str) -> None:
    """Five at a time: what a race can do, it then does."""
    ends = [ended(child) for child in [started(name, folder) for _ in range(5)]]
    assert [(found, err.strip().rpartition("\n")[2]) for found, _, err in ends] == [
        (code, last)
    ] * 5


def test_ctrl_c_ends_the_program(folder: Path) -> None:
    for _ in range(3):
        child = started("waiting", folder)
        ready(child)
        time.sleep(0.05)
        begun = time.perf_counter()
        child.send_signal(signal.SIGINT)
        code, _, err = ended(child)
        assert time.perf_counter() - begun < 2
        assert code == -signal.SIGINT
        assert err.strip().endswith("KeyboardInterrupt")


def test_killed_it_leaves_nothing_behind(folder: Path) -> None:
    shared, files = _shared(), sorted(folder.rglob("*"))
    for _ in range(4):
        children = [started("working", folder) for _ in range(5)]
        for child in children:
            ready(child)
        for child in children:
            child.kill()
            assert ended(child)[0] == -signal.SIGKILL
            with pytest.raises(ProcessLookupError):
                os.killpg(child.pid, 0)
    assert _shared() == shared
    assert sorted(folder.rglob("*")) == files


def _shared() -> list[str]:
    """Named shared memory and semaphores of the machine that could be ours."""
    return sorted(path.name for path in Path("/dev/shm").iterdir() if "pixfeed" in path.name)
