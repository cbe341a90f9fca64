"""Run: checked when it is made."""

from __future__ import annotations

import pickle
from typing import Any

import pytest

import pixfeed as pf


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"threads": 0}, "threads is 0; give a whole number from 1 to 1024"),
        ({"threads": 1.5}, r"threads is 1\.5; give a whole number"),
        ({"threads": True}, "threads is True; give a whole number"),
        ({"threads": 1025}, "threads is 1025; give a whole number"),
        ({"prefetch": 0}, "prefetch is 0; give a whole number from 1 to 1024"),
        ({"prefetch": None}, "prefetch is None; give a whole number"),
        ({"memory": 0}, "memory is 0; give bytes, or a text such as '2 GiB'"),
        ({"memory": "0"}, "memory is '?0'?; give bytes, or a text such as '2 GiB'"),
        ({"memory": -1}, "memory is -1; give bytes"),
        ({"memory": "2 pounds"}, "memory is '2 pounds'; give bytes"),
        ({"memory": "GiB"}, "memory is 'GiB'; give bytes"),
        ({"memory": 1.5}, r"memory is 1\.5; give bytes"),
        ({"cache": "all"}, "cache is 'all'; give 'encoded', 'decoded' or None"),
        ({"cache": True}, "cache is True; give"),
        ({"on_bad": "skip"}, "on_bad is 'skip'; give 'raise', 'substitute' or 'blank'"),
        ({"on_bad": None}, "on_bad is None; give"),
        ({"max_bad": -1}, "max_bad is -1; give a number of images, a fraction from 0.0 to 1.0"),
        ({"max_bad": 1.5}, r"max_bad is 1\.5; give a number of images"),
        ({"max_bad": True}, "max_bad is True; give a number of images"),
        ({"max_bad": float("nan")}, "max_bad is nan; give a number of images"),
    ],
)
def test_wrong_values_get_one_line(given: dict[str, Any], message: str) -> None:
    with pytest.raises(pf.ConfigError, match=f"^{message}") as refused:
        pf.Run(**given)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize(
    ("memory", "size"),
    [
        (1, 1),
        ("100", 100),
        ("2 GiB", 2**31),
        ("1.5MB", 3 * 2**19),
        ("3k", 3072),
        (" 1 tib ", 2**40),
    ],
)
def test_memory_in_words(memory: Any, size: int) -> None:
    assert pf.Run(memory=memory).memory == size


@pytest.mark.parametrize("records", [1, 7, 100, 1000, 1_281_167])
def test_a_fraction_of_bad_images_is_not_rounded_away(records: int) -> None:
    for percent in range(101):
        assert pf.Run(max_bad=percent / 100).most_bad(records) == records * percent // 100


def test_it_is_plain_data() -> None:
    run = pf.Run(threads=2, memory="1 MB", max_bad=0.5)
    assert pickle.loads(pickle.dumps(run)) == run
    assert repr(pf.Run()) == (
        "Run(threads=None, prefetch=3, memory=None, cache=None, on_bad='raise', max_bad=None)"
    )
    with pytest.raises(AttributeError):
        run.threads = 3  # type: ignore[misc]
