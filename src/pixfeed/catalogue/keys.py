"""Keys by position, without making a million strings first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, overload

if TYPE_CHECKING:
    from pixfeed import _native

_AT_ONCE = 4096


class Keys(Sequence[str]):
    """The keys of a range of rows, in canonical order; a view that never changes.

    >>> from pixfeed.catalogue import Catalogue, Row
    >>> keys = Catalogue.from_rows([Row("b", 0), Row("a", 0), Row("c", 0)]).keys
    >>> keys[0], list(keys[1:]), "c" in keys, len(keys)
    ('a', ['b', 'c'], True, 3)
    """

    def __init__(self, rows: _native.Catalogue, where: range) -> None:
        self._rows = rows
        self._where = where

    def __len__(self) -> int:
        return len(self._where)

    @overload
    def __getitem__(self, index: int) -> str: ...
    @overload
    def __getitem__(self, index: slice) -> Keys: ...
    def __getitem__(self, index: int | slice) -> str | Keys:
        if isinstance(index, slice):
            return Keys(self._rows, self._where[index])
        return self._rows.key(self._where[index])

    def __iter__(self) -> Iterator[str]:
        if self._where.step != 1:
            yield from map(self._rows.key, self._where)
            return
        for start in range(self._where.start, self._where.stop, _AT_ONCE):
            yield from self._rows.keys(start, min(start + _AT_ONCE, self._where.stop))

    def __contains__(self, key: object) -> bool:
        row = self._rows.find(key) if isinstance(key, str) else None
        return row is not None and row in self._where

    def __repr__(self) -> str:
        shown = ", ".join(repr(key) for key in self[:3])
        return f"<{len(self):,} keys: {shown}{', ...' if len(self) > 3 else ''}>"
