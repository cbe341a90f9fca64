"""torchvision with Pillow: ImageFolder behind a DataLoader with two worker processes."""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from typing import Any

from benchmarks.peers.dataset import MEAN, SIDE, STD
from benchmarks.peers.protocol import Job, Peer, serve

BATCH = 64
AHEAD = 4


def build(job: Job) -> Peer:
    """A DataLoader over the workload's class folder."""
    torch: Any = importlib.import_module("torch")
    datasets: Any = importlib.import_module("torchvision.datasets")
    batch, ahead = job.batch or BATCH, job.ahead or AHEAD
    torch.set_num_threads(1)
    loader = torch.utils.data.DataLoader(
        datasets.ImageFolder(str(job.data.folder), _transform(job.workload)),
        batch_size=batch,
        shuffle=job.workload != "eval",
        num_workers=job.threads,
        prefetch_factor=ahead,
        persistent_workers=True,
    )

    def epoch() -> Iterator[tuple[Any, Any]]:
        for images, labels in loader:
            yield images.numpy(), labels.numpy()

    version = importlib.import_module("torchvision").__version__
    said = (
        f"torch {torch.__version__}, {job.threads} workers, batch {batch}, prefetch_factor {ahead}"
    )
    return Peer(version, said, epoch)


def _transform(workload: str) -> Any:
    kit: Any = importlib.import_module("torchvision.transforms")
    side = SIDE[workload]
    if workload == "w3":
        return kit.Compose([kit.Resize((side, side)), kit.ToTensor()])
    end = [kit.ToTensor(), kit.Normalize(MEAN.tolist(), STD.tolist())]
    if workload == "eval":
        return kit.Compose([kit.Resize(256), kit.CenterCrop(side), *end])
    return kit.Compose([kit.RandomResizedCrop(side), kit.RandomHorizontalFlip(), *end])


if __name__ == "__main__":
    serve("torchvision", build)
