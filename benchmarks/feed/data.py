"""The workloads' data: made once from the photos, kept in the work folder."""

from __future__ import annotations

import shutil
import tarfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

import numpy as np
from PIL import Image

from benchmarks import boxes, photos
from benchmarks.model import Settings
from benchmarks.peers.dataset import MEAN, STD, Dataset
from benchmarks.photos import Pixels

TINY = 20_000
TINY_CLASSES = 10
LABELLED = 300


def prepare(workload: str, settings: Settings) -> Dataset:
    """The workload's data, made where it is missing or was made for other settings."""
    real = photos.load(settings.photos)
    root = settings.work / f"{real.mark}-{settings.images}" / workload
    if (root / "dataset.json").exists():
        return Dataset.read(root)
    shutil.rmtree(root, ignore_errors=True)
    made = _MAKERS[workload](real, settings.images, root)
    made.write()
    return made


def _photos(real: photos.Photos, images: int, root: Path) -> Dataset:
    said = f"{images:,} files: {real.said}, repeated"
    return _from_photos(real, images, root, said, trained=True)


def _web(real: photos.Photos, images: int, root: Path) -> Dataset:
    said = "re-encoded at quality 90, 4:2:0"
    web = real.changed(photos.re_encoded, said)
    return _from_photos(web, images, root, f"{images:,} files: {web.said}, repeated", trained=True)


def _evaluated(real: photos.Photos, images: int, root: Path) -> Dataset:
    said = f"{images:,} files: {real.said}, repeated"
    return _from_photos(real, images, root, said, trained=False)


def _from_photos(
    real: photos.Photos, images: int, root: Path, said: str, *, trained: bool
) -> Dataset:
    count = len(real.files)
    kinds = min(count, LABELLED)
    of = sorted(range(images), key=lambda index: index % count % kinds)
    labels = [index % count % kinds for index in of]
    _store(
        root, ((real.files[index % count], label) for index, label in zip(of, labels, strict=True))
    )
    seen = [_normalised(_middle(photos.pixels(data))) for data in real.files]
    by_label = [
        float(np.mean([view.mean() for view in seen[label::kinds]])) for label in range(kinds)
    ]
    views = list(_crops(real)) if trained else seen
    return _described(root, labels, views, by_label, said)


def _tiny(real: photos.Photos, images: int, root: Path) -> Dataset:
    del images  # the issue fixes their number
    cut = list(photos.thumbnails(real, TINY))
    order = np.argsort([thumbnail.mean() for thumbnail in cut], kind="stable")
    labels = [rank * TINY_CLASSES // TINY for rank in range(TINY)]
    encoded = (photos.jpeg(cut[index], quality=75) for index in order)
    _store(root, zip(encoded, labels, strict=True))
    views = [_resized(cut[index], None, 28).astype(np.float32) / 255.0 for index in order]
    means = np.array([view.mean() for view in views]).reshape(TINY_CLASSES, -1).mean(axis=1)
    said = f"{TINY:,} JPEGs of 32x32 in {TINY_CLASSES} class folders, pieces of {real.said}"
    return _described(root, labels, views, [float(mean) for mean in means], said)


def _described(
    root: Path, labels: list[int], views: list[photos.Floats], by_label: list[float], said: str
) -> Dataset:
    mean = float(np.mean([view.mean() for view in views]))
    square = float(np.mean([np.square(view, dtype=np.float64).mean() for view in views]))
    std = float(np.sqrt(square - mean**2))
    return Dataset(root, tuple(labels), mean, std, tuple(by_label), said)


def _store(root: Path, images: Iterable[tuple[bytes, int]]) -> None:
    root.mkdir(parents=True)
    with tarfile.open(root / "images.tar", "w") as tar:
        for number, (data, label) in enumerate(images):
            path = root / "folder" / f"c{label:05d}" / f"{number:06d}.jpg"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
            tar.add(path, arcname=path.name)


def _crops(real: photos.Photos, each: int = 4) -> Iterator[photos.Floats]:
    rng = np.random.default_rng(0)
    for data in real.files:
        pixels = photos.pixels(data)
        for _ in range(each):
            box = boxes.random_resized(pixels.shape[0], pixels.shape[1], rng)
            yield _normalised(_resized(pixels, box, 112))


def _middle(pixels: Pixels) -> Pixels:
    height, width = pixels.shape[:2]
    edge = round(min(height, width) * 224 / 256)
    return _resized(pixels, ((width - edge) // 2, (height - edge) // 2, edge, edge), 224)


def _resized(pixels: Pixels, box: boxes.Box | None, side: int) -> Pixels:
    image = Image.fromarray(pixels)
    edges = None if box is None else (box[0], box[1], box[0] + box[2], box[1] + box[3])
    return photos.as_pixels(image.resize((side, side), Image.Resampling.BILINEAR, box=edges))


def _normalised(pixels: Pixels) -> photos.Floats:
    return ((pixels.astype(np.float32) / 255.0 - MEAN) / STD).astype(np.float32)


Maker = Callable[[photos.Photos, int, Path], Dataset]
_MAKERS: dict[str, Maker] = {"w1": _photos, "w1-420": _web, "eval": _evaluated, "w3": _tiny}
WORKLOADS: Sequence[str] = tuple(_MAKERS)
