"""The thousand classes of ImageNet-1k: synset and words of each label."""

from __future__ import annotations

from functools import cache


@cache
def _table() -> tuple[tuple[str, str], ...]:
    # Both take longer to import than all the rest of the catalogue.
    import csv
    from importlib.resources import files

    text = files("pixfeed.catalogue").joinpath("imagenet.csv").read_text(encoding="utf-8")
    rows = csv.DictReader(text.splitlines())
    return tuple((row["synset"], row["text"]) for row in rows)


def synsets() -> tuple[str, ...]:
    """The synsets, by label; read at the first call.

    >>> len(synsets()), synsets()[281]
    (1000, 'n02123045')
    """
    return tuple(synset for synset, _ in _table())


def words() -> tuple[str, ...]:
    """What the classes are called, by label; several words are separated by commas.

    >>> words()[281]
    'tabby, tabby cat'
    """
    return tuple(text for _, text in _table())
