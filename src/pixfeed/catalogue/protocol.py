"""What an object must be able to do to be a source of images."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, runtime_checkable

if TYPE_CHECKING:
    from pixfeed.catalogue.table import Catalogue


@runtime_checkable
class Source(Protocol):
    """Anything that can be read into a catalogue: one row per record.

    ``read`` is called once for every loader and must describe the same records each time, in any
    order: the catalogue sorts them. It should open no image. Rows are files unless the catalogue is
    given ``fetch``, which then gets a row's place and returns the bytes; it is called from several
    threads at once.

    A source of your own, for images that are kept in memory:

    >>> from pixfeed.catalogue import Catalogue, Row
    >>> class Drawer:
    ...     '''Images by name, as bytes.'''
    ...     def __init__(self, images):
    ...         self.images = images
    ...     def read(self):
    ...         rows = [Row(key=name, label=name[0]) for name in self.images]
    ...         return Catalogue.from_rows(rows, fetch=self.images.__getitem__)
    >>> drawer = Drawer({"b-1": b"...", "a-1": b"...", "a-2": b"..."})
    >>> isinstance(drawer, Source)
    True
    >>> catalogue = drawer.read()
    >>> list(catalogue.keys), catalogue.classes, catalogue.labels.tolist()
    (['a-1', 'a-2', 'b-1'], ('a', 'b'), [0, 0, 1])
    """

    def read(self) -> Catalogue:
        """The table of what there is now.

        >>> Source.read.__name__
        'read'
        """
        ...
