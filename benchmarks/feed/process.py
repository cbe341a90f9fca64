"""A contender in its own process: started once, told when its turn is."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from types import TracebackType

from benchmarks.model import ROOT, CheckError, UnavailableError
from benchmarks.peers import venvs
from benchmarks.peers.dataset import Dataset


class Process:
    """One peer on one workload; only the one that is asked works."""

    def __init__(self, peer: str, workload: str, data: Dataset, threads: int, *more: str) -> None:
        self.peer = peer
        self.workload = workload
        self._log = (data.root / f"{peer}.log").open("w", encoding="utf-8")
        self._child = subprocess.Popen(
            [*_command(peer, workload, data.root, threads), *more],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._log,
            text=True,
            cwd=ROOT,
            env=_environment(peer),
        )

    def __enter__(self) -> Process:
        ready = self._answer()
        if "error" in ready:
            raise UnavailableError(f"{self.peer}: {ready['error']}")
        self.said = f"{self.peer} {ready['version']}: {ready['settings']}"
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._order("stop")
        try:
            self._child.communicate(timeout=20)
        except subprocess.TimeoutExpired:
            self._child.kill()
            self._child.wait()
        self._log.close()

    def check(self) -> str:
        """One epoch whose pixels and labels are looked at; CheckError when they are wrong."""
        answer = self._asked("check")
        if "error" in answer:
            raise CheckError(f"{self.peer} on {self.workload}: {answer['error']}")
        return f"{self.peer}: {answer['said']}"

    def round(self) -> tuple[int, float]:
        """One epoch: its images and its seconds."""
        answer = self._asked("round")
        if "error" in answer:
            raise CheckError(f"{self.peer} on {self.workload}: {answer['error']}")
        return int(str(answer["images"])), float(str(answer["seconds"]))

    def _asked(self, order: str) -> dict[str, object]:
        self._order(order)
        return self._answer()

    def _order(self, order: str) -> None:
        if self._child.stdin is None or self._child.poll() is not None:
            return
        self._child.stdin.write(json.dumps({"do": order}) + "\n")
        self._child.stdin.flush()

    def _answer(self) -> dict[str, object]:
        line = self._child.stdout.readline() if self._child.stdout else ""
        if not line:
            return {"error": f"its process ended; see {self._log.name}"}
        answer: dict[str, object] = json.loads(line)
        return answer


def seconds(process: Process, items: int) -> float:
    """One epoch's seconds; CheckError when it had not exactly `items` images."""
    images, taken = process.round()
    if images != items:
        raise CheckError(f"{process.peer} fed {images} images in a round, not {items}")
    return taken


def _command(peer: str, workload: str, root: Path, threads: int) -> list[str]:
    module = f"benchmarks.peers.{peer}"
    asked = ["--workload", workload, "--data", str(root), "--threads", str(threads)]
    return [str(venvs.python(peer)), "-m", module, *asked]


def _environment(peer: str) -> dict[str, str]:
    inherited = dict(os.environ)
    if peer != "pixfeed":
        inherited.pop("PYTHONPATH", None)
    # Rivals that use OpenMP or BLAS beside their own threads would otherwise take more than two.
    return inherited | {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
