"""Wrong arguments get one clear line, before anything is read where that can be."""

from __future__ import annotations

import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import pixfeed as pf
from engine.places import CROPS

EIGHT = pf.Resize((8, 8))


def refusal(kind: type[Exception], folder: Any, **given: Any) -> str:
    """The message with which a loader is refused at the latest by its first batch."""
    with pytest.raises(kind) as refused:
        next(iter(pf.Loader(folder, **{"batch_size": 4, "recipe": EIGHT, **given})))
    message = str(refused.value)
    assert "\n" not in message
    assert len(message) < 400
    return message


def test_no_such_folder(tmp_path: Path) -> None:
    message = refusal(pf.SourceError, tmp_path / "nowhere")
    assert message.startswith("no such folder: '")
    assert "nowhere'; give the folder that holds the class folders" in message


def test_an_empty_folder(tmp_path: Path) -> None:
    message = refusal(pf.SourceError, tmp_path)
    assert "holds no class folders; put each image into a folder named by its class" in message


def test_no_classes(tmp_path: Path) -> None:
    (tmp_path / "loose.jpg").touch()
    assert "holds 1 images but no class folders" in refusal(pf.SourceError, tmp_path)
    (tmp_path / "cat").mkdir()
    assert "no image in any of the 1 class folders" in refusal(pf.SourceError, tmp_path)


@pytest.mark.parametrize("source", [None, 3, [1], object(), b"train"])
def test_what_is_no_source(source: Any) -> None:
    message = refusal(pf.ConfigError, source)
    assert "give" in message


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"batch_size": 0}, "batch_size is 0; give a whole number from 1 to 2**40"),
        ({"batch_size": "4"}, "batch_size is '4' (str); give a whole number from 1 to 2**40"),
        ({"batch_size": 101}, "100 records make no whole batch of 101, so every epoch would be"),
        ({"seed": "0"}, "seed is '0' (str); give a whole number from 0 to 2**64 - 1"),
        ({"seed": 1.0}, "seed is 1.0 (float); give a whole number from 0 to 2**64 - 1"),
        ({"seed": None}, "seed is None (NoneType); give a whole number from 0 to 2**64 - 1"),
        ({"seed": -1}, "seed is -1; give a whole number from 0 to 2**64 - 1"),
        ({"shuffle": "yes"}, "shuffle is 'yes'; give True or False"),
        ({"order": (0, 2)}, "order is (0, 2); give pixfeed.Order(...)"),
        ({"order": "auto"}, "order is 'auto'; give pixfeed.Order(...)"),
        ({"run": {"threads": 2}}, "run is {'threads': 2}; give pixfeed.Run(...)"),
        ({"run": 2}, "run is 2; give pixfeed.Run(...)"),
        ({"recipe": len}, "recipe is the function len; give pf.Map(fn) for Python of your own"),
        ({"recipe": pf.Resize}, "recipe is the class Resize; give an op of it, as pf.Resize(...)"),
        ({"recipe": "imagenet"}, "recipe is 'imagenet'; give ops, as [pf.Resize(256), "),
        ({"recipe": [EIGHT, None]}, "recipe[1] is None; give"),
        ({"split": "train"}, "there is no split 'train'; give one of: all"),
        ({"split": 3}, "there is no split 3; give one of: all"),
        ({"split": ["train"]}, "there is no split ['train']; give one of: all"),
    ],
)
def test_one_line_each(folder: Path, given: dict[str, Any], message: str) -> None:
    assert refusal(pf.ConfigError, folder, **given).startswith(message)


@pytest.mark.parametrize(
    ("recipe", "said"),
    [
        ((), "(no ops)"),
        ([pf.Resize(8)], "(Resize)"),
        ([pf.RandomHorizontalFlip(), pf.ToArray()], "(RandomHorizontalFlip, ToArray)"),
        ([pf.Pad(3), pf.Decode()][:1], "(Pad)"),
    ],
)
def test_a_recipe_without_a_size(tmp_path: Path, recipe: Any, said: str) -> None:
    """The folder does not exist: the recipe is looked at first."""
    message = refusal(pf.ConfigError, tmp_path / "nowhere", recipe=recipe)
    assert message.startswith(f"the recipe {said} leaves images of different sizes; put Resize(")


def test_a_crop_larger_than_the_image(folder: Path) -> None:
    message = refusal(pf.ConfigError, folder, recipe=pf.RandomCrop(64))
    assert message.startswith("class-")
    assert "a crop of 64 x 64 from an image of 10 x 12 pixels (height x width)" in message
    assert message.endswith("put a Resize before the crop, or give pad_if_needed=True")


def test_a_crop_behind_a_map_names_its_record_too(folder: Path) -> None:
    ops = [pf.Map(lambda images, labels, rngs: images, version="1"), pf.RandomCrop(64)]  # noqa: ARG005
    with pytest.raises(pf.ConfigError, match="a crop of 64 x 64") as refused:
        next(iter(pf.Loader(folder, batch_size=4, recipe=ops)))
    said = [str(refused.value), *getattr(refused.value, "__notes__", [])]
    assert any("class-" in line for line in said)


@pytest.mark.parametrize("layout", ["CHW", "nchw", None, 3])
def test_an_unknown_layout(folder: Path, layout: Any) -> None:
    for make in (
        lambda: pf.ToArray(layout=layout),
        lambda: pf.image_batches(folder, image_size=8, layout=layout),
    ):
        with pytest.raises(pf.ConfigError, match=r"^layout of ToArray is .*; give one of NCHW, NH"):
            make()


def test_short_batches_on_two_ranks() -> None:
    with pytest.raises(pf.ConfigError, match=r"^last='keep' with 2 ranks .*give last='pad'"):
        pf.Order(shard=(0, 2), last="keep")


def test_a_batch_larger_than_memory(folder: Path) -> None:
    message = refusal(pf.ConfigError, folder, run=pf.Run(memory=767))
    assert message == (
        "one batch takes 768 bytes, and memory allows 767; give more memory or a smaller batch_size"
    )
    assert next(iter(pf.Loader(folder, batch_size=4, recipe=EIGHT, run=pf.Run(memory=768))))


def test_a_batch_larger_than_any_memory(folder: Path) -> None:
    """More than a process can address: nobody has it, and nobody is aborted."""
    recipe = pf.Resize((2**29, 2**20))
    assert "no memory for a batch of" in refusal(pf.ConfigError, folder, recipe=recipe)


def test_inside_a_worker_of_torch(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    loader = pf.Loader(folder, batch_size=4, recipe=EIGHT)
    torch = SimpleNamespace(get_worker_info=object)
    monkeypatch.setitem(sys.modules, "torch.utils.data", torch)
    said = r"^a Loader inside a worker of torch's DataLoader; .*: it replaces the DataLoader"
    with pytest.raises(pf.ConfigError, match=said):
        iter(loader)
    with pytest.raises(pf.ConfigError, match=said):
        loader.epoch(0)
    torch.get_worker_info = lambda: None
    assert next(iter(loader))


def test_several_splits(folder: Path) -> None:
    source = pf.Folder(folder, splits=pf.Splits(0.8, 0.2, 0))
    message = refusal(pf.ConfigError, source)
    assert message == "the source has the splits train, validation; name one with split="
    assert "there is no split 'test'; give one of" in refusal(pf.ConfigError, source, split="test")
    assert len(pf.Loader(source, split="validation", batch_size=5, recipe=EIGHT)) == 4


def test_a_split_has_no_other_split_in_it(folder: Path) -> None:
    train = pf.open(pf.Folder(folder, splits=pf.Splits(0.8, 0.2, 0))).split("train")
    assert len(pf.Loader(train, batch_size=5, recipe=EIGHT)) == 16
    assert len(pf.Loader(train, split="train", batch_size=5, recipe=EIGHT)) == 16
    assert refusal(pf.ConfigError, train, split="validation") == (
        "there is no split 'validation'; give one of: train"
    )


@pytest.mark.parametrize("epoch", [-1, 0.5, "1", None])
def test_epochs_are_counted_from_0(folder: Path, epoch: Any) -> None:
    loader = pf.Loader(folder, batch_size=4, recipe=EIGHT)
    with pytest.raises(pf.ConfigError, match=r"^epoch is .*; give a whole number from 0"):
        loader.epoch(epoch)
    with pytest.raises(pf.ConfigError, match=r"^step is 25, but an epoch has 25 steps, from 0$"):
        loader.state_at(0, 25)


@pytest.mark.parametrize("state", [None, "x", {}, {"pixfeed": 9}])
def test_what_is_no_state(folder: Path, state: Any) -> None:
    with pytest.raises(pf.StateError, match=r"^(no saved state|the saved state has layout 9)"):
        pf.Loader(folder, batch_size=4, recipe=EIGHT).load_state_dict(state)


def test_numpys_integers_are_numbers(folder: Path) -> None:
    plain = pf.Loader(folder, batch_size=4, recipe=CROPS, seed=3)
    given: dict[str, Any] = {"batch_size": np.int64(4), "seed": np.uint32(3)}
    numpy = pf.Loader(folder, recipe=CROPS, **given)
    assert next(iter(numpy)).hash == next(iter(plain)).hash
    assert numpy.stream_id == plain.stream_id
    assert numpy.state_dict() == plain.state_dict()
