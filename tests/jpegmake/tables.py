"""Quantisation and Huffman tables: the standard's own, and ones made for a scan."""

from __future__ import annotations

import heapq
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Ints = npt.NDArray[np.int64]

LONGEST = 16


def _zigzag() -> Ints:
    """Natural index of each zigzag position, walked rather than typed in."""
    cells = [(row, column) for row in range(8) for column in range(8)]
    cells.sort(key=lambda rc: (sum(rc), rc[0] if sum(rc) % 2 else rc[1]))
    return np.array([row * 8 + column for row, column in cells], dtype=np.int64)


ZIGZAG = _zigzag()

_LUMA = """
16 11 10 16 24 40 51 61 12 12 14 19 26 58 60 55 14 13 16 24 40 57 69 56 14 17 22 29 51 87 80 62
18 22 37 56 68 109 103 77 24 35 55 64 81 104 113 92 49 64 78 87 103 121 120 101
72 92 95 98 112 100 103 99"""
_CHROMA_CORNER = "17 18 24 47 18 21 26 66 24 26 56 99 47 66 99 99"


def quant_table(quality: int, *, chroma: bool = False) -> Ints:
    """The standard's example table scaled as libjpeg scales it, in natural order, up to 16 bits.

    >>> int(quant_table(50)[0]), int(quant_table(100)[63]), int(quant_table(1).max())
    (16, 1, 6050)
    """
    base = np.full((8, 8), 99, dtype=np.int64)
    if chroma:
        base[:4, :4] = np.array(_CHROMA_CORNER.split(), dtype=np.int64).reshape(4, 4)
    else:
        base[:] = np.array(_LUMA.split(), dtype=np.int64).reshape(8, 8)
    scale = 5000 // quality if quality < 50 else 200 - quality * 2
    scaled: Ints = np.clip((base.ravel() * scale + 50) // 100, 1, 32767)
    return scaled


@dataclass(frozen=True)
class HuffmanTable:
    """How many codes there are of each length 1..16, and their symbols in order of code."""

    counts: tuple[int, ...]
    symbols: bytes

    def codes(self) -> tuple[Ints, Ints]:
        """Code and length of each of the 256 symbols (length 0: no code)."""
        code_of, length_of = np.zeros(256, dtype=np.int64), np.zeros(256, dtype=np.int64)
        code, at = 0, 0
        for length, count in enumerate(self.counts, start=1):
            for symbol in self.symbols[at : at + count]:
                code_of[symbol], length_of[symbol] = code, length
                code += 1
            at += count
            code <<= 1
        return code_of, length_of


def _from_lengths(lengths: dict[int, int]) -> HuffmanTable:
    ordered = sorted(lengths, key=lambda symbol: (lengths[symbol], symbol))
    counts = [0] * LONGEST
    for length in lengths.values():
        counts[length - 1] += 1
    return HuffmanTable(tuple(counts), bytes(ordered))


def optimal(frequencies: Ints) -> HuffmanTable:
    """The table of least total length for these counts, with the all-ones code left free."""
    used = sorted(int(symbol) for symbol in np.flatnonzero(frequencies))
    # The stand-in symbol 256 is rarest, so it takes the last code, which JPEG forbids.
    heap: list[tuple[int, int, list[int]]] = [(int(frequencies[s]), s, [s]) for s in used]
    heap.append((0, 256, [256]))
    depth = dict.fromkeys([*used, 256], 0)
    heapq.heapify(heap)
    while len(heap) > 1:
        first, second = heapq.heappop(heap), heapq.heappop(heap)
        for symbol in first[2] + second[2]:
            depth[symbol] += 1
        heapq.heappush(heap, (first[0] + second[0], max(first[1], second[1]), first[2] + second[2]))
    counts = _limited(
        [list(depth.values()).count(length) for length in range(max(depth.values()) + 1)]
    )
    ordered = sorted(used, key=lambda symbol: (depth[symbol], symbol))
    return HuffmanTable(tuple(counts), bytes(ordered))


def _limited(by_length: list[int]) -> list[int]:
    """Code counts brought down to 16 bits, without the stand-in's (one of the longest)."""
    counts = by_length + [0] * (LONGEST + 1 - len(by_length))
    for length in range(len(counts) - 1, LONGEST, -1):
        while counts[length] > 0:
            shorter = length - 2
            while counts[shorter] == 0:
                shorter -= 1
            counts[length] -= 2
            counts[length - 1] += 1
            counts[shorter + 1] += 2
            counts[shorter] -= 1
    longest = max(length for length in range(LONGEST + 1) if counts[length])
    counts[longest] -= 1
    return counts[1 : LONGEST + 1]


def flat(symbols: Iterable[int]) -> HuffmanTable:
    """Codes as equal in length as they can be: 8 bits, and 9 for what is left over."""
    ordered = sorted(set(symbols))
    return _from_lengths({s: 8 if place < 254 else 9 for place, s in enumerate(ordered)})


def deep(symbols: Iterable[int]) -> HuffmanTable:
    """Almost every code 16 bits long: what no lookup table of a sane size holds."""
    ordered = sorted(set(symbols))
    return _from_lengths({s: min(place + 2, LONGEST) for place, s in enumerate(ordered)})
