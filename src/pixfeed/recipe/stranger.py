"""What to say of something in a recipe that is no op."""

from __future__ import annotations

from pixfeed.errors import ConfigError
from pixfeed.recipe.op import Op
from pixfeed.recipe.values import refused


def stranger(place: str, item: object) -> ConfigError:
    """The error for an item that is no op, with what to give in its place.

    >>> stranger("recipe[1]", len)
    ConfigError('recipe[1] is the function len; give pf.Map(fn) for Python of your own')
    """
    if isinstance(item, type) and issubclass(item, Op):
        return ConfigError(
            f"{place} is the class {item.__name__}; give an op of it, as pf.{item.__name__}(...)"
        )
    if str(getattr(item, "__module__", "")).partition(".")[0] == "torchvision":
        return _torchvision(place, item)
    if callable(item):
        return _function(place, item)
    if isinstance(item, tuple | list):
        return refused(place, item, "its ops one by one, as [*ops, pf.ToArray()]")
    return refused(place, item, "ops, as [pf.Resize(256), pf.CenterCrop(224), pf.ToArray()]")


def _torchvision(place: str, item: object) -> ConfigError:
    name = str(getattr(item, "__name__", type(item).__name__))
    known = sorted(op.__name__ for op in Op.__subclasses__())
    if name in known:
        return ConfigError(f"{place} is torchvision's {name}; give pf.{name}(...), which means it")
    if name == "Compose":
        return ConfigError(f"{place} is torchvision's Compose; give a list of pixfeed's ops")
    return ConfigError(
        f"{place} is torchvision's {name}, and pixfeed has no op of that name; give one of "
        f"{', '.join(known)}, or pf.Map(fn) for Python of your own"
    )


def _function(place: str, item: object) -> ConfigError:
    kind = "class" if isinstance(item, type) else "function"
    name = getattr(item, "__name__", None)
    remedy = "pf.Map(fn) for Python of your own"
    if name is None:
        return refused(place, item, remedy)
    return ConfigError(f"{place} is the {kind} {name}; give {remedy}")
