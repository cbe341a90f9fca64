"""A dataset to look at: records by number, decoded one at a time."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, SupportsIndex

from pixfeed.catalogue.keys import Keys
from pixfeed.catalogue.table import Catalogue
from pixfeed.errors import ConfigError, DecodeError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_SHOWN = 5


@dataclass(frozen=True, repr=False)
class Dataset:
    """The records of a catalogue, or of one of its splits; what ``pixfeed.open`` returns.

    Opening reads names only; ``dataset[i]`` reads and decodes one image. Safe to share between
    threads. The order is the canonical one: sorted by split and key.

    >>> from pixfeed.catalogue import Row
    >>> rows = [Row(f"{i}.png", "cat", split="train" if i else "test") for i in range(3)]
    >>> dataset = Dataset(Catalogue.from_rows(rows))
    >>> len(dataset), dataset.classes, dataset.splits
    (3, ('cat',), ('test', 'train'))
    >>> list(dataset.split("train").keys)
    ['1.png', '2.png']
    """

    catalogue: Catalogue
    name: str | None = None
    reread: Callable[[], Catalogue] | None = field(default=None, compare=False)

    def __len__(self) -> int:
        return len(self.rows)

    def __getitem__(self, index: SupportsIndex) -> tuple[NDArray[np.uint8], Any]:
        row = self._row(index)
        targets = self.catalogue.targets
        if targets is None:
            return self._decoded(row), int(self.catalogue.labels[row])
        return self._decoded(row), targets[row]

    def __iter__(self) -> Iterator[tuple[NDArray[np.uint8], Any]]:
        return (self[index] for index in range(len(self)))

    def data(self, index: SupportsIndex) -> bytes:
        """The bytes of a record, as they are stored.

        >>> from pixfeed.catalogue import Row
        >>> rows = [Row("a", 0), Row("b", 0)]
        >>> Dataset(Catalogue.from_rows(rows, fetch=lambda place: place.encode())).data(1)
        b'b'
        """
        return self._read(self._row(index))

    def split(self, name: str) -> Dataset:
        """The records of one split.

        >>> from pixfeed.catalogue import Row
        >>> Dataset(Catalogue.from_rows([Row("a", 0)])).split("test")
        Traceback (most recent call last):
        pixfeed.errors.ConfigError: there is no split 'test'; give one of: all
        """
        if name not in self.splits:
            known = ", ".join(self.splits)
            raise ConfigError(f"there is no split {name!r}; give one of: {known}")
        return Dataset(self.catalogue, name, self.reread)

    def __reduce__(self) -> tuple[Any, ...]:
        if self.reread is None:
            raise ConfigError(
                "a dataset made of a catalogue cannot be pickled; open its source with pixfeed.open"
            )
        return _again, (self.reread, self.name)

    @property
    def classes(self) -> tuple[str, ...]:
        """The names of the classes, by label; empty where labels are plain numbers.

        >>> from pixfeed.catalogue import Row
        >>> Dataset(Catalogue.from_rows([Row("a", "dog"), Row("b", "cat")])).classes
        ('cat', 'dog')
        """
        return self.catalogue.classes

    @property
    def splits(self) -> tuple[str, ...]:
        """The names of the splits in it.

        >>> from pixfeed.catalogue import Row
        >>> Dataset(Catalogue.from_rows([Row("a", 0)])).splits
        ('all',)
        """
        return tuple(self.catalogue.splits) if self.name is None else (self.name,)

    @property
    def counts(self) -> dict[str, dict[str, int]]:
        """The records of each class in each split.

        >>> from pixfeed.catalogue import Row
        >>> Dataset(Catalogue.from_rows([Row("a", "cat")])).counts
        {'all': {'cat': 1}}
        """
        counts = self.catalogue.counts
        return {name: counts[name] for name in self.splits}

    @property
    def keys(self) -> Keys:
        """The keys, made as they are asked for.

        >>> from pixfeed.catalogue import Row
        >>> Dataset(Catalogue.from_rows([Row("a", 0)])).keys
        <1 keys: 'a'>
        """
        return Keys(self.catalogue.rows, self.rows)

    @property
    def labels(self) -> NDArray[np.int64]:
        """The labels: a view of the table, not to be written to.

        >>> from pixfeed.catalogue import Row
        >>> Dataset(Catalogue.from_rows([Row("a", 4)])).labels
        array([4])
        """
        return self.catalogue.labels[self.rows.start : self.rows.stop]

    @property
    def targets(self) -> NDArray[np.float32] | None:
        """What stands for labels where one number does not say it, a row a record: a view.

        >>> from pixfeed.catalogue import Row
        >>> Dataset(Catalogue.from_rows([Row("a", 4)])).targets is None
        True
        """
        targets = self.catalogue.targets
        return None if targets is None else targets[self.rows.start : self.rows.stop]

    @property
    def ids(self) -> NDArray[np.uint64]:
        """The ids: a view of the table, not to be written to.

        >>> from pixfeed.catalogue import Row
        >>> Dataset(Catalogue.from_rows([Row("a", 4)])).ids.dtype
        dtype('uint64')
        """
        return self.catalogue.ids[self.rows.start : self.rows.stop]

    @property
    def notes(self) -> tuple[str, ...]:
        """What was left out while reading, and why.

        >>> from pixfeed.catalogue import Row
        >>> Dataset(Catalogue.from_rows([Row("a", 4)])).notes
        ()
        """
        return self.catalogue.notes

    @property
    def schema(self) -> dict[str, str]:
        """What ``dataset[i]`` consists of.

        >>> from pixfeed.catalogue import Row
        >>> Dataset(Catalogue.from_rows([Row("a", "cat")])).schema
        {'image': 'uint8 (height, width, 3)', 'label': 'int64, 1 class'}
        """
        return {"image": "uint8 (height, width, 3)", "label": self._label()}

    @property
    def rows(self) -> range:
        """The rows of the catalogue that these records are.

        >>> from pixfeed.catalogue import Row
        >>> Dataset(Catalogue.from_rows([Row("a", 4), Row("b", 4)])).rows
        range(0, 2)
        """
        return range(len(self.catalogue)) if self.name is None else self.catalogue.splits[self.name]

    def _label(self) -> str:
        classes, targets = len(self.classes), self.catalogue.targets
        if not self.catalogue.labelled:
            return "none, 0 for every record"
        if targets is not None:
            wide = f" ({targets.shape[1]:,},)" if targets.ndim == 2 else ""
            return f"float32{wide}{', multi-hot' if classes else ''}"
        return "int64" + (f", {classes:,} class{'' if classes == 1 else 'es'}" if classes else "")

    def _row(self, index: SupportsIndex) -> int:
        try:
            return self.rows[operator.index(index)]
        except IndexError:
            raise IndexError(f"record {index} of a dataset of {len(self)}") from None

    def _decoded(self, row: int) -> NDArray[np.uint8]:
        from pixfeed.decode import decode

        data, tensor = self._stored(row)
        if tensor is not None:
            return _pixels(data, *tensor)
        try:
            return decode(data)
        except DecodeError as error:
            error.add_note(f"while reading {self.catalogue.rows.key(row)!r}")
            raise

    def _read(self, row: int) -> bytes:
        return self._stored(row)[0]

    def _stored(self, row: int) -> tuple[bytes, tuple[int, int, int, bool] | None]:
        """The bytes of a record, and what they are where they are pixels."""
        rows = self.catalogue.rows
        if self.catalogue.fetch is not None:
            return self.catalogue.fetch(rows.place(row)), None
        if rows.sharded:
            features = self.catalogue.features
            return rows.stored(row, None if features is None else dict(features))
        return Path(rows.path(row)).read_bytes(), None

    def __repr__(self) -> str:
        title = (
            repr(self.catalogue) if self.name is None else f"<split {self.name!r}: {len(self):,}>"
        )
        lines = [f"{name}: {kind}" for name, kind in self.schema.items()]
        lines += [f"classes: {self._tally()}"] if self.classes else []
        lines += [f"columns: {', '.join(self.catalogue.columns)}"] if self.catalogue.columns else []
        lines += [f"note: {note}" for note in self.notes]
        return "\n  ".join([title, *lines])

    def _tally(self) -> str:
        """The records of the first few classes, in all splits together."""
        names, counts = self.classes[:_SHOWN], self.counts.values()
        shown = [f"{name} {sum(split[name] for split in counts):,}" for name in names]
        more = len(self.classes) - len(names)
        return ", ".join(shown) + (f" and {more:,} more" if more else "")


def _again(reread: Callable[[], Catalogue], name: str | None) -> Dataset:
    """A pickled dataset: its source is read anew."""
    return Dataset(reread(), name, reread)


def _pixels(data: bytes, height: int, width: int, channels: int, planar: bool) -> NDArray[np.uint8]:
    """The pixels of a tensor as (height, width, channels)."""
    import numpy as np

    if height * width * channels != len(data):
        found = f"{len(data)} bytes for {height} x {width} x {channels} values"
        raise DecodeError("bad-data", "tensor", None, found)
    flat = np.frombuffer(bytearray(data), np.uint8)
    if planar:
        return flat.reshape(channels, height, width).transpose(1, 2, 0)
    return flat.reshape(height, width, channels)
