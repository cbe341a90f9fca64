"""Shards of other writers: records found, labels as stored, pixels of a folder, damage named."""

from __future__ import annotations

import gzip
from pathlib import Path
from typing import Literal

import numpy as np
import pytest

import pixfeed as pf
from pixfeed.testing import class_folder, png, scene
from source.shardmake import Value, example, frame, write

RECIPE = (pf.RandomResizedCrop(8), pf.RandomHorizontalFlip())


def _record(number: int, **more: Value) -> dict[str, Value]:
    record: dict[str, Value] = {"image/encoded": png(width=9, height=7, seed=number)}
    return record | {"image/class/label": number % 3, "image/format": "PNG"} | more


@pytest.fixture
def shards(tmp_path: Path) -> Path:
    for shard in range(2):
        records = [_record(number) for number in range(5 * shard, 5 * shard + 5)]
        write(tmp_path / f"train-{shard:05d}-of-00002", records)
    write(tmp_path / "validation-00000-of-00001", [_record(number) for number in range(20, 24)])
    return tmp_path


def test_splits_and_keys_come_from_the_names(shards: Path) -> None:
    dataset = pf.open(shards)
    assert dataset.splits == ("train", "validation")
    assert len(dataset.split("train")) == 10
    assert dataset.keys[0] == "train-00000-of-00002:0000000000"
    assert dataset.split("validation").labels.tolist() == [20 % 3, 0, 1, 2]


def test_a_folder_and_its_shards_feed_the_same(tmp_path: Path) -> None:
    with class_folder(12, classes=3) as folder:
        files = sorted(folder.rglob("*.png"))
        keys = [str(file.relative_to(folder)) for file in files]
        records: list[dict[str, Value]] = [
            {
                "image/encoded": file.read_bytes(),
                "image/class/label": int(file.parent.name[-1]),
                "image/key": key,
            }
            for file, key in zip(files, keys, strict=True)
        ]
        write(tmp_path / "a.tfrecord", records[::2])
        write(tmp_path / "b.tfrecord", records[1::2])
        one = pf.Loader(folder, batch_size=4, recipe=RECIPE)
        two = pf.Loader(tmp_path, batch_size=4, recipe=RECIPE)
        assert one.dataset.catalogue.fingerprint == two.dataset.catalogue.fingerprint
        for ours, theirs in zip(one, two, strict=True):
            assert ours.keys == theirs.keys
            assert ours.hash == theirs.hash
            assert np.array_equal(ours.images, theirs.images)


@pytest.mark.parametrize("order", ["HWC", "CHW"])
@pytest.mark.parametrize("channels", [1, 3])
def test_tensors_are_pixels(tmp_path: Path, order: str, channels: Literal[1, 3]) -> None:
    pixels = [scene(10, 12, seed)[..., :channels] for seed in range(4)]
    records: list[dict[str, Value]] = []
    for number, picture in enumerate(pixels):
        stored = picture if order == "HWC" else picture.transpose(2, 0, 1)
        records.append(
            {
                "image/encoded": stored.tobytes(),
                "image/format": "tensor",
                "image/height": 10,
                "image/width": 12,
                "image/channels": channels,
                "image/order": order,
                "image/class/label": number,
            }
        )
    write(tmp_path / "raw.tfrecord", records)
    recipe = [pf.Decode(channels=channels), pf.CenterCrop((10, 12))]
    loader = pf.Loader(tmp_path, batch_size=4, recipe=recipe, shuffle=False)
    images, labels = next(iter(loader))
    assert labels.tolist() == [0, 1, 2, 3]
    assert np.array_equal(images, np.stack(pixels))


def test_foreign_names_are_mapped(tmp_path: Path) -> None:
    write(tmp_path / "x.tfrecord", [{"jpeg": png(width=4, height=4), "y": 5, "name": "one"}])
    source = pf.ShardSource(
        tmp_path, features={"encoded": "jpeg", "label": "y", "key": "name"}, classes=list("abcdef")
    )
    loader = pf.Loader(source, batch_size=1, recipe=pf.Resize((4, 4)))
    batch = next(iter(loader))
    assert (batch.keys, batch.labels.tolist()) == (("one",), [5])
    with pytest.raises(pf.SourceError, match=r"no image: the feature \"image/encoded\""):
        pf.open(tmp_path)


def test_damage_is_named_or_left_out(shards: Path) -> None:
    shard = shards / "train-00000-of-00002"
    data = bytearray(shard.read_bytes())
    data[40] ^= 1
    shard.write_bytes(data)
    with pytest.raises(pf.SourceError, match=r"train-00000-of-00002: .*record 0: .*'skip'"):
        pf.open(shards)
    dataset = pf.open(pf.ShardSource(shards, damaged="skip"))
    assert len(dataset.split("train")) == 9
    assert "left out 1 damaged" in dataset.notes[0]


def test_damage_after_opening_is_one_records(shards: Path) -> None:
    loader = pf.Loader(
        shards,
        split="train",
        batch_size=5,
        recipe=RECIPE,
        run=pf.Run(on_bad="blank"),
    )
    shard = shards / "train-00001-of-00002"
    data = bytearray(shard.read_bytes())
    data[60] ^= 1
    shard.write_bytes(data)
    valid = [flag for batch in loader for flag in batch.valid.tolist()]
    assert valid.count(False) == 1
    (failure,) = loader.report().failures
    assert failure.key == "train-00001-of-00002:0000000000"


def test_a_record_without_a_label(tmp_path: Path) -> None:
    write(tmp_path / "x.tfrecord", [{"image/encoded": b"..."}])
    with pytest.raises(pf.SourceError, match="no label: the feature"):
        pf.open(tmp_path)


def test_what_is_no_example(tmp_path: Path) -> None:
    (tmp_path / "x.tfrecord").write_bytes(frame(b"\xff\xff\xff") + frame(example({"a": 1})))
    with pytest.raises(pf.SourceError, match="2 records cannot be read"):
        pf.open(tmp_path)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"features": {"pixels": "x"}}, "features maps 'pixels' to 'x'"),
        ({"features": "jpeg"}, "features is 'jpeg'"),
        ({"damaged": "ignore"}, "damaged is 'ignore'"),
        ({"splits": 0.5}, "splits=0.5 divides nothing"),
    ],
)
def test_wrong_arguments(arguments: dict[str, object], said: str) -> None:
    with pytest.raises(pf.ConfigError, match=said):
        pf.ShardSource("x", **arguments)  # type: ignore[arg-type]


def test_no_shards(tmp_path: Path) -> None:
    with pytest.raises(pf.SourceError, match="no shards in"):
        pf.ShardSource(tmp_path).read()


def test_opened_records_are_the_stored_ones(shards: Path) -> None:
    dataset = pf.open(shards).split("train")
    image, label = dataset[3]
    assert label == 3 % 3
    assert np.array_equal(image, pf.decode(png(width=9, height=7, seed=3)))
    assert dataset.data(3) == png(width=9, height=7, seed=3)


def test_compressed_shards_are_refused(tmp_path: Path) -> None:
    shard = write(tmp_path / "x.tfrecord", [_record(1)])
    shard.write_bytes(gzip.compress(shard.read_bytes()))
    with pytest.raises(pf.SourceError, match="gzip"):
        pf.open(tmp_path)
