"""Draws: the native words are NumPy's, float and integer are as written down."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from order.reference import words
from pixfeed import _native
from pixfeed.errors import ConfigError
from pixfeed.order import generator

WORDS = st.integers(0, 2**64 - 1)
STREAMS = st.tuples(WORDS, WORDS, WORDS, WORDS, WORDS)
Stream = tuple[int, int, int, int, int]


def numpy_words(stream: Stream, count: int) -> list[int]:
    """The words of a stream by NumPy alone."""
    seed, epoch, op, id, occurrence = stream
    return words((seed, epoch), (op, id, occurrence), count)


@given(STREAMS, st.integers(0, 50))
def test_words_are_those_of_numpy(stream: Stream, count: int) -> None:
    assert _native.draw_words(stream, count).tolist() == numpy_words(stream, count)


@given(STREAMS, WORDS)
def test_a_float_and_an_integer_take_one_word_each(stream: Stream, n: int) -> None:
    drawn = numpy_words(stream, 9)
    assert _native.draw_floats(stream, 9).tolist() == [(x >> 11) * 2.0**-53 for x in drawn]
    assert _native.draw_integers(stream, n, 9).tolist() == [x * n >> 64 for x in drawn]


@given(STREAMS)
def test_a_users_generator_draws_the_same(stream: Stream) -> None:
    drawn = generator(*stream)
    # NumPy makes its floats of the same 53 bits.
    assert drawn.random(5).tolist() == _native.draw_floats(stream, 5).tolist()


def test_the_numbers_people_rely_on() -> None:
    """Never change these: every saved run depends on them (or raise the stream version)."""
    assert _native.draw_words((0, 0, 0, 0, 0), 5).tolist() == [
        0x02F4BA6408E4D89B,
        0x3DD62B0B9CA8C5B2,
        0x1C8667A55D902E79,
        0x907D7A052FD5B4DC,
        0x809BF322883987C3,
    ]
    assert _native.draw_words((1, 2, 3, 4, 5), 5).tolist() == [
        0x3A2521B7927BBB55,
        0xAFC7FF19479996F0,
        0x37D95196E907DB97,
        0x19DD01D453E1F915,
        0x29241B625856EAEC,
    ]
    last = 2**64 - 1
    assert _native.draw_words((last, last, last, last, last), 2).tolist() == [
        0xE253DF8964E26D9C,
        0x2DB50ACD1513D80B,
    ]
    assert _native.draw_integers((7, 0, 1, 99, 0), 6, 12).tolist() == [
        1,
        4,
        2,
        3,
        4,
        1,
        3,
        0,
        0,
        5,
        0,
        4,
    ]


def test_streams_of_neighbours_are_unrelated() -> None:
    names = np.eye(5, dtype=int).tolist()
    streams = [(0, 0, 0, 0, 0), *(tuple(name) for name in names)]
    bits = [np.unpackbits(_native.draw_words(s, 1000).view(np.uint8)) for s in streams]
    for one in range(len(bits)):
        for other in range(one):
            same = np.mean(bits[one] == bits[other])
            assert abs(same - 0.5) < 5 * 0.5 / np.sqrt(64_000), (streams[one], streams[other])


def test_a_generator_refuses_what_names_no_stream() -> None:
    with pytest.raises(ConfigError, match=r"^epoch is -1; give a whole number from 0 to 2\*\*64"):
        generator(0, -1, 0, 0)
    with pytest.raises(ConfigError, match=r"^seed is 1\.5 \(float\)"):
        generator(1.5, 0, 0, 0)  # type: ignore[arg-type]
