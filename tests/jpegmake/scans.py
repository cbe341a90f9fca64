"""Scans, and scripts of them: which coefficients of which components come when."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from jpegmake.frame import Frame
from jpegmake.tables import Ints


@dataclass(frozen=True)
class Scan:
    """Component indices, first and last coefficient, and the bit positions before and after."""

    components: tuple[int, ...]
    start: int = 0
    end: int = 63
    high: int = 0
    low: int = 0


def mcu_blocks(frame: Frame, scan: Scan) -> tuple[Ints, list[int]]:
    """The scan's blocks as (MCUs, blocks a MCU, 64), and the component of each block of a MCU."""
    if len(scan.components) == 1:
        component = frame.components[scan.components[0]]
        columns, rows = frame.own_blocks(component)
        return component.blocks[:rows, :columns].reshape(-1, 1, 64), [scan.components[0]]
    across, down = frame.mcus
    groups, owners = [], []
    for index in scan.components:
        c = frame.components[index]
        grid = c.blocks.reshape(down, c.v, across, c.h, 64).transpose(0, 2, 1, 3, 4)
        groups.append(grid.reshape(down * across, c.v * c.h, 64))
        owners += [index] * (c.v * c.h)
    return np.concatenate(groups, axis=1), owners


def script(name: str, components: int) -> tuple[Scan, ...]:
    """A named script for a number of components.

    ``interleaved`` and ``apart`` are sequential; the others progressive.

    >>> [len(script(name, 3)) for name in ("interleaved", "apart", "spectral", "usual", "bits")]
    [1, 3, 9, 10, 24]
    """
    return _SCRIPTS[name](tuple(range(components)))


def _interleaved(every: tuple[int, ...]) -> tuple[Scan, ...]:
    return (Scan(every),)


def _apart(every: tuple[int, ...]) -> tuple[Scan, ...]:
    return tuple(Scan((c,)) for c in every)


def _spectral(every: tuple[int, ...]) -> tuple[Scan, ...]:
    """No bit is held back, and the DC scans are apart."""
    direct = [Scan((c,), 0, 0) for c in every]
    return (*direct, *(Scan((c,), *band) for c in every for band in ((6, 63), (1, 5))))


def _usual(every: tuple[int, ...]) -> tuple[Scan, ...]:
    """What most encoders write: DC first, luma's low band early, the last bits of luma last."""
    first, others = every[:1], [(c,) for c in reversed(every[1:])]
    return (
        Scan(every, 0, 0, 0, 1),
        Scan(first, 1, 5, 0, 2),
        *(Scan(c, 1, 63, 0, 1) for c in others),
        Scan(first, 6, 63, 0, 2),
        Scan(first, 1, 63, 2, 1),
        Scan(every, 0, 0, 1, 0),
        *(Scan(c, 1, 63, 1, 0) for c in others),
        Scan(first, 1, 63, 1, 0),
    )


def _bits(every: tuple[int, ...]) -> tuple[Scan, ...]:
    """Every bit plane its own scan, from the sixth down."""
    direct = [Scan(every, 0, 0, 0, 5)] + [
        Scan(every, 0, 0, low + 1, low) for low in range(4, -1, -1)
    ]
    bands = [
        Scan((c,), 1, 63, 0 if low == 5 else low + 1, low)
        for low in range(5, -1, -1)
        for c in every
    ]
    return (*direct, *bands)


def _odd(every: tuple[int, ...]) -> tuple[Scan, ...]:
    """Legal and strange: single coefficients, bands out of order, DC refined between them."""
    scans = [Scan(every, 0, 0, 0, 3)]
    for c in reversed(every):
        scans += [Scan((c,), 63, 63, 0, 4), Scan((c,), 2, 2, 0, 0), Scan((c,), 30, 62, 0, 0)]
    scans.append(Scan(every, 0, 0, 3, 2))
    for c in every:
        scans += [Scan((c,), 1, 1, 0, 2), Scan((c,), 3, 29, 0, 1), Scan((c,), 1, 1, 2, 1)]
        scans += [Scan((c,), 63, 63, high, high - 1) for high in range(4, 0, -1)]
        scans += [Scan((c,), 3, 29, 1, 0), Scan((c,), 1, 1, 1, 0)]
    return (*scans, Scan(every, 0, 0, 2, 1), *(Scan((c,), 0, 0, 1, 0) for c in every))


def _thousand(every: tuple[int, ...]) -> tuple[Scan, ...]:
    """One coefficient and one bit a scan: over a thousand of them for three components."""
    scans = [Scan(every, 0, 0)]
    for low in range(5, -1, -1):
        high = 0 if low == 5 else low + 1
        scans += [Scan((c,), k, k, high, low) for c in every for k in range(1, 64)]
    return tuple(scans)


_SCRIPTS = {
    "interleaved": _interleaved,
    "apart": _apart,
    "spectral": _spectral,
    "usual": _usual,
    "bits": _bits,
    "odd": _odd,
    "thousand": _thousand,
}
