"""Every fault of the native engine is known to Python: a class, a remedy, one line."""

from __future__ import annotations

import pickle

import pytest

from pixfeed import _native
from pixfeed.errors import FAULTS, DecodeError, PixfeedError, from_native


def test_native_and_python_know_the_same_codes() -> None:
    codes = _native.fault_codes()
    assert len(codes) == len(set(codes)) > 0
    assert set(codes) == set(FAULTS)


@pytest.mark.parametrize("code", sorted(FAULTS))
def test_a_fault_becomes_one_line_with_a_remedy(code: str) -> None:
    error = from_native(code, "JPEG", 7, "something odd")
    assert type(error) is FAULTS[code].error
    assert issubclass(FAULTS[code].error, PixfeedError)
    assert "something odd" in str(error)
    assert len(FAULTS[code].hint) > 10
    assert str(error).endswith(FAULTS[code].hint)
    assert "\n" not in str(error)


def test_a_decode_error_survives_another_process() -> None:
    error = pickle.loads(pickle.dumps(DecodeError("truncated", "PNG", 9, "the data ends")))
    assert (error.code, error.format, error.offset, error.found) == (
        "truncated",
        "PNG",
        9,
        "the data ends",
    )
