"""A loader's image is what `apply` makes of the same bytes, and what the ops are."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import pixfeed as pf
from decode.reference import pillow
from engine.places import SEED
from ops.reference import expected
from pixfeed.recipe import Op
from pixfeed.testing import class_folder

RECIPES: list[list[Op]] = [
    [pf.RandomResizedCrop(16), pf.RandomHorizontalFlip()],
    [pf.RandomResizedCrop((9, 30)), pf.ToArray(mean=pf.IMAGENET_MEAN, std=pf.IMAGENET_STD)],
    [pf.Resize(20), pf.RandomCrop(18, padding=2), pf.ToArray("float16", "NHWC")],
    [pf.Decode(1), pf.CenterCrop(25), pf.ToArray("uint8", "NCHW")],
    [pf.Decode(1), pf.CenterCrop(25), pf.RandomVerticalFlip(), pf.ToArray(mean=0.1, std=0.3)],
    [pf.Resize((12, 34), pad=True, fill=(1, 2, 3)), pf.Pad(1)],
    list(pf.recipes.imagenet_train(32)),
    list(pf.recipes.imagenet_eval(32)),
    list(pf.recipes.mnist_train()),
]


@pytest.mark.parametrize("recipe", RECIPES, ids=lambda ops: "-".join(op.name for op in ops))
def test_it_is_applied_to_the_byte(mixed: Path, recipe: list[Op]) -> None:
    loader = pf.Loader(mixed, batch_size=20, recipe=recipe, seed=SEED)
    for batch in loader.epoch(3):
        for key, id, image in zip(batch.keys, batch.ids.tolist(), batch.images, strict=True):
            data = (mixed / key).read_bytes()
            ours = pf.apply(recipe, data, seed=SEED, epoch=3, id=id)
            assert ours.dtype == image.dtype
            assert ours.shape == image.shape
            assert ours.tobytes() == image.tobytes()


def test_draws_are_named_by_seed_epoch_and_id() -> None:
    """Against the reference alone, past everything that apply and loader share."""
    ops: list[Op] = [pf.RandomCrop(9, padding=3), pf.RandomHorizontalFlip()]
    with class_folder(12, classes=3) as root:
        loader = pf.Loader(root, batch_size=4, recipe=ops, seed=2**64 - 1)
        for batch in loader.epoch(7):
            for key, id, image in zip(batch.keys, batch.ids.tolist(), batch.images, strict=True):
                pixels = pillow((root / key).read_bytes())
                assert np.array_equal(image, expected(ops, pixels, seed=2**64 - 1, epoch=7, id=id))


def test_a_batch_knows_its_records(mixed: Path) -> None:
    loader = pf.Loader(mixed, batch_size=7, recipe=pf.Resize((8, 8)), seed=1)
    data = pf.open(mixed)
    label = dict(zip(data.keys, data.labels.tolist(), strict=True))
    id = dict(zip(data.keys, data.ids.tolist(), strict=True))
    seen: list[str] = []
    for step, batch in enumerate(loader):
        assert (batch.epoch, batch.step) == (0, step)
        assert batch.labels.tolist() == [label[key] for key in batch.keys]
        assert batch.ids.tolist() == [id[key] for key in batch.keys]
        places = loader.plan.slots(0, step)[1]
        assert list(batch.keys) == [data.keys[int(place)] for place in places]
        arrays = (batch.labels, batch.ids, batch.valid, batch.hashes)
        assert [array.dtype.name for array in arrays] == ["int64", "uint64", "bool", "uint64"]
        assert batch.valid.all()
        seen += batch.keys
    assert len(seen) == len({*seen}) == 56


def test_unshuffled_images_come_in_their_order(mixed: Path) -> None:
    loader = pf.Loader(mixed, batch_size=16, recipe=pf.Resize((8, 8)), shuffle=False)
    batches = list(loader)
    assert [len(batch.labels) for batch in batches] == [16, 16, 16, 12]
    assert [key for batch in batches for key in batch.keys] == list(pf.open(mixed).keys)
    assert batches[-1].images.shape == (12, 8, 8, 3)
    assert [batch.keys for batch in loader] == [batch.keys for batch in batches]
