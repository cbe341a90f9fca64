"""Classes: which name has which number."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Literal

from pixfeed.catalogue import imagenet
from pixfeed.errors import ConfigError, SourceError

Classes = Sequence[str] | Mapping[str, int] | Literal["imagenet"] | None
"""What ``classes=`` takes: names in the order of their numbers, name -> number, or a table."""

_SHOWN = 5


def quoted(names: Sequence[object]) -> str:
    """Some names for an error: the first few, and how many more.

    >>> quoted(["a", "b"]), quoted(list("abcdefg"))
    ("'a', 'b'", "'a', 'b', 'c', 'd', 'e' and 2 more")
    """
    shown = ", ".join(map(repr, names[:_SHOWN]))
    return shown if len(names) <= _SHOWN else f"{shown} and {len(names) - _SHOWN} more"


def composed(name: str) -> str:
    """A class's name as keys spell it: in Unicode's composed form.

    >>> len(composed("e\u0301"))
    1
    """
    return unicodedata.normalize("NFC", name)


def class_names(classes: Classes) -> tuple[str, ...] | None:
    """``classes=`` as names in the order of their numbers; None when the source shall say.

    >>> class_names(["dog", "cat"]), class_names({"dog": 1, "cat": 0})
    (('dog', 'cat'), ('cat', 'dog'))
    >>> class_names("imagenet")[0]
    'n01440764'
    """
    if classes is None:
        return None
    if isinstance(classes, str):
        return _table(classes)
    names = _in_order(classes) if isinstance(classes, Mapping) else list(classes)
    if not names or not all(map(_is_name, names)):
        raise ConfigError(f"classes={classes!r} holds no class names; give a list of names")
    unique = [composed(name) for name in names]
    twice = sorted(name for name, count in Counter(unique).items() if count > 1)
    if twice:
        raise ConfigError(f"classes= names {quoted(twice)} more than once; name each class once")
    return tuple(unique)


def frozen(classes: Classes) -> tuple[str, ...] | Literal["imagenet"] | None:
    """``classes=`` checked and as something that never changes, for a source to keep.

    >>> frozen(["dog", "cat"]), frozen("imagenet")
    (('dog', 'cat'), 'imagenet')
    """
    names = class_names(classes)
    return "imagenet" if isinstance(classes, str) else names


def _is_name(name: object) -> bool:
    return isinstance(name, str) and bool(name)


def _is_whole(number: object) -> bool:
    return isinstance(number, int) and not isinstance(number, bool)


def _table(name: str) -> tuple[str, ...]:
    if name != "imagenet":
        raise ConfigError(
            f"classes={name!r} is no table of classes; give 'imagenet', a list of names, or a dict "
            "of name to number"
        )
    return imagenet.synsets()


def _in_order(numbers: Mapping[str, int]) -> list[str]:
    given = list(numbers.values())
    if not all(map(_is_whole, given)) or sorted(given) != list(range(len(given))):
        raise ConfigError(
            f"classes= numbers its {len(given)} names {quoted(given)}; give each of the numbers "
            f"0 to {len(given) - 1} once"
        )
    return sorted(numbers, key=numbers.__getitem__)


def settle(classes: Classes, found: Mapping[str, int], where: str) -> tuple[str, ...]:
    """The classes of folders found with so many images each: as given, or sorted by name.

    >>> settle(None, {"b": 3, "a": 1}, "data")
    ('a', 'b')
    """
    names = class_names(classes)
    if names is None:
        _refuse_empty(sorted(name for name, images in found.items() if not images), where)
        return tuple(sorted(found))
    missing = sorted({name for name, images in found.items() if images}.difference(names))
    if missing:
        given = "the ImageNet table" if classes == "imagenet" else "classes="
        raise SourceError(
            f"{where}: {given} lacks {quoted(missing)}, found there with images; give "
            "classes= that name every folder, or move the others away"
        )
    return names


def _refuse_empty(empty: Sequence[str], where: str) -> None:
    if empty:
        raise SourceError(
            f"{where}: the class folders {quoted(empty)} hold no image; fill or remove them, or "
            "name all classes with classes=[...] to keep empty ones"
        )
