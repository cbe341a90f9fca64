"""The demo's samples and what is read from them."""

from __future__ import annotations

import sys

import numpy as np
import pytest

from pixfeed.errors import ConfigError
from pixfeed.jobs import demo
from pixfeed.jobs.samples import COUNT, samples


@pytest.fixture(scope="module")
def readings() -> list[demo.Reading]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(demo, "BUDGET", 0.0)
        return list(demo.demo(96, 128))


def test_every_sampling_and_format_is_read(readings: list[demo.Reading]) -> None:
    assert len(readings) == COUNT
    samplings = {r.subsampling for r in readings if r.format == "JPEG"}
    assert samplings >= {"4:4:4", "4:2:2", "4:2:0", "4:4:0", "4:1:1"}
    assert {r.format for r in readings} == {"JPEG", "PNG", "WEBP", "GIF", "TIFF"}


def test_a_reading_says_what_the_file_is(readings: list[demo.Reading]) -> None:
    made = list(samples(96, 128))
    assert [r.name for r in readings] == [sample.name for sample in made]
    assert [r.bytes for r in readings] == [len(sample.data) for sample in made]
    assert {(r.height, r.width) for r in readings} == {(96, 128)}
    assert all(r.whole_seconds > 0 and r.crop_seconds > 0 for r in readings)


def test_a_crop_is_the_middle_of_the_picture(readings: list[demo.Reading]) -> None:
    from PIL import Image

    from pixfeed.jobs.samples import FIRST_SCENE
    from pixfeed.testing import scene

    drawn = Image.fromarray(scene(96, 128, seed=FIRST_SCENE))
    middle = drawn.resize((224, 224), Image.Resampling.BILINEAR, box=(28, 12, 100, 84))
    difference = np.abs(np.asarray(middle).astype(int) - readings[0].crop)
    assert difference.mean() < 6


@pytest.mark.parametrize("package", ["PIL", "simplejpeg"])
def test_a_missing_package_is_named_with_its_remedy(
    package: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(ConfigError, match=r'pip install "pixfeed\[demo\]"') as caught:
        samples(8, 8)
    assert package in str(caught.value)
