"""What the machine has: cores and memory, shared by the ranks of a host."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

import pixfeed as pf
from engine.places import CROPS
from pixfeed.engine.machine import cores, free_memory

NAMES = ("LOCAL_WORLD_SIZE", "OMPI_COMM_WORLD_LOCAL_SIZE", "SLURM_NTASKS_PER_NODE")


@pytest.fixture(autouse=True)
def alone(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in NAMES:
        monkeypatch.delenv(name, raising=False)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(("said", "ranks"), [("1", 1), ("2", 2), ("1000", 1000), ("", 1), ("x", 1)])
def test_cores_are_shared(
    monkeypatch: pytest.MonkeyPatch, name: str, said: str, ranks: int
) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: set(range(6)))
    monkeypatch.setenv(name, said)
    assert cores() == max(1, 6 // ranks)


def test_memory_is_shared(monkeypatch: pytest.MonkeyPatch) -> None:
    alone = free_memory()
    monkeypatch.setenv("LOCAL_WORLD_SIZE", "1000")
    assert 0 < free_memory() < alone / 100


def test_a_loader_takes_the_cores_it_may(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: set(range(5)))
    feed = pf.Loader(folder, batch_size=10, recipe=CROPS)
    assert len(list(feed)) == 10
    assert feed.report().threads == 5
