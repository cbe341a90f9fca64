"""RandomHorizontalFlip: a probability."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pixfeed.recipe import RandomHorizontalFlip
from recipe.refusal import refusal


@given(st.floats(0, 1))
def test_any_probability_is_kept(p: float) -> None:
    assert RandomHorizontalFlip(p).options() == {"p": p}


@pytest.mark.parametrize("p", [0, -0.0, np.float32(0), False + 0])
def test_equal_probabilities_print_alike(p: float) -> None:
    assert repr(RandomHorizontalFlip(p)) == "RandomHorizontalFlip(p=0.0)"


@pytest.mark.parametrize("p", [-0.1, 1.5, float("nan"), 10**400, True, "0.5", None, (0.5,), 1j])
def test_wrong_probabilities_get_one_line(p: Any) -> None:
    message = refusal(lambda: RandomHorizontalFlip(p))
    assert message.startswith(f"p of RandomHorizontalFlip is {repr(p)[:80]}")
    assert message.endswith("; give a number from 0 to 1")
