"""A workload's data on disk, and the tally that finds wrong pixels or labels in a peer's epoch."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

SIDE = {"w1": 224, "w1-420": 224, "eval": 224, "w3": 28}
# How far an epoch's mean and spread may lie from the expected (in normalised units), and how
# closely an image's brightness must follow its label. Random crops wander, fixed ones do not.
TOLERANCE = {"w1": 0.12, "w1-420": 0.12, "eval": 0.06, "w3": 0.02}
FOLLOWS = {"w1": 0.75, "w1-420": 0.75, "eval": 0.9, "w3": 0.95}
MEAN = np.array([0.485, 0.456, 0.406], np.float32)
STD = np.array([0.229, 0.224, 0.225], np.float32)


@dataclass(frozen=True)
class Dataset:
    """The same images as a class folder and as a tar, with what a right epoch looks like."""

    root: Path
    labels: tuple[int, ...]
    mean: float
    std: float
    by_label: tuple[float, ...]
    said: str = field(default="")

    @property
    def folder(self) -> Path:
        """root/class/image, classes in label order."""
        return self.root / "folder"

    @property
    def tar(self) -> Path:
        """The images in folder order."""
        return self.root / "images.tar"

    @classmethod
    def read(cls, root: Path) -> Dataset:
        """Read what `write` wrote."""
        stored = json.loads((root / "dataset.json").read_text())
        stored.pop("root")
        for name in ("labels", "by_label"):
            stored[name] = tuple(stored[name])
        return cls(root=root, **stored)

    def write(self) -> None:
        """Write the description; it is last, so a folder that has it is complete."""
        stored = asdict(self) | {"root": ""}
        (self.root / "dataset.json").write_text(json.dumps(stored))


class Tally:
    """Counts an epoch's images and compares their statistics with the dataset's."""

    def __init__(self, workload: str, data: Dataset) -> None:
        self._workload = workload
        self._data = data
        self._means: list[NDArray[np.float64]] = []
        self._squares: list[NDArray[np.float64]] = []
        self._labels: list[NDArray[np.int64]] = []

    def add(self, images: Any, labels: Any) -> None:
        """One batch: float32 (N, 3, S, S) and N labels."""
        batch = np.asarray(images)
        side = SIDE[self._workload]
        if batch.dtype != np.float32 or batch.shape[1:] != (3, side, side):
            raise ValueError(
                f"a batch is {batch.dtype} {batch.shape}, not float32 (N, 3, {side}, {side})"
            )
        flat = batch.reshape(len(batch), -1).astype(np.float64)
        self._means.append(flat.mean(axis=1))
        self._squares.append((flat**2).mean(axis=1))
        self._labels.append(np.asarray(labels).reshape(-1).astype(np.int64))

    def verdict(self) -> str:
        """Raise ValueError on a wrong epoch, else say what was seen."""
        means, labels = np.concatenate(self._means), np.concatenate(self._labels)
        self._counted(labels)
        mean = float(means.mean())
        std = float(np.sqrt(np.concatenate(self._squares).mean() - mean**2))
        self._near("mean", mean, self._data.mean)
        self._near("spread", std, self._data.std)
        expected = np.asarray(self._data.by_label)[labels]
        follows = float(np.corrcoef(means, expected)[0, 1])
        if follows < FOLLOWS[self._workload]:
            raise ValueError(f"labels do not fit the images (correlation {follows:.2f})")
        return (
            f"{len(labels)} images, mean {mean:.3f}, spread {std:.3f}, labels fit ({follows:.2f})"
        )

    def _counted(self, labels: NDArray[np.int64]) -> None:
        wanted = np.bincount(self._data.labels)
        seen = np.bincount(labels, minlength=len(wanted))
        if len(seen) != len(wanted) or not np.array_equal(seen, wanted):
            raise ValueError(f"{seen.sum()} labels of {len(seen)} classes, not {wanted.sum()}")

    def _near(self, what: str, seen: float, wanted: float) -> None:
        if abs(seen - wanted) > TOLERANCE[self._workload]:
            raise ValueError(f"the images' {what} is {seen:.3f}, expected {wanted:.3f}")
