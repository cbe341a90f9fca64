"""How a wrong argument is refused: a ConfigError of one line that says what to give."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from pixfeed.errors import ConfigError


def refusal(make: Callable[[], object]) -> str:
    """The message with which ``make`` is refused."""
    with pytest.raises(ConfigError) as refused:
        make()
    message = str(refused.value)
    assert "\n" not in message
    assert len(message) < 300
    assert "give" in message or "put" in message
    return message
