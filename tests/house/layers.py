"""Which room of the package may import which: imports point one way."""

from __future__ import annotations

import ast
from pathlib import Path

FOUNDATION = frozenset({"errors", "sample", "decode", "catalogue"})
STATIONS = frozenset({"source", "order", "recipe", "engine", "shards"})
TASKS = frozenset({"jobs", "loader", "feed"})

ALLOWED: dict[str, frozenset[str]] = {
    "_native": frozenset(),
    "errors": frozenset(),
    "sample": frozenset({"errors"}),
    "decode": frozenset({"_native", "errors"}),
    "catalogue": frozenset({"_native", "errors", "sample", "decode"}),
    "source": FOUNDATION | {"_native"},
    "order": FOUNDATION | {"_native"},
    "recipe": FOUNDATION | {"_native"},
    "shards": FOUNDATION | {"_native"},
    "engine": FOUNDATION | {"_native", "order", "recipe"},
    "feed": FOUNDATION | STATIONS,
    "loader": FOUNDATION | STATIONS | {"feed"},
    "testing": FOUNDATION | STATIONS | {"loader"},
    "jobs": FOUNDATION | STATIONS | {"testing", "loader"},
    "cluster": FOUNDATION | STATIONS | TASKS,
    "report": FOUNDATION | STATIONS | TASKS,
    "cli": FOUNDATION | STATIONS | TASKS | {"cluster", "report", "testing"},
}
"""Room -> the rooms it may import. A station never imports a station, but engine knows two."""


def imported_rooms(source: str, package: Path) -> set[str]:
    """The rooms of pixfeed that this source imports, inside functions too."""
    modules = (module for node in ast.walk(ast.parse(source)) for module in _modules(node))
    paths = (module.split(".") for module in modules)
    inside = [path for path in paths if path[0] == "pixfeed"]
    return {_room(path, package) for path in inside}


def _modules(node: ast.AST) -> list[str]:
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    if isinstance(node, ast.ImportFrom) and node.module is not None:
        return [f"{node.module}.{alias.name}" for alias in node.names]
    return []


def _room(path: list[str], package: Path) -> str:
    """A room's name; "pixfeed" stands for the front door, which no room may use."""
    name = path[1] if len(path) > 1 else ""
    return name if name == "_native" or is_room(package, name) else "pixfeed"


def is_room(package: Path, name: str) -> bool:
    """Whether the package has a folder or a module of this name."""
    file, folder = package / f"{name}.py", package / name / "__init__.py"
    return bool(name) and (file.exists() or folder.exists())


def rooms(package: Path) -> dict[str, list[Path]]:
    """Every room of the package and its files."""
    found: dict[str, list[Path]] = {}
    for file in sorted(package.rglob("*.py")):
        room = file.relative_to(package).with_suffix("").parts[0]
        found.setdefault(room, []).append(file)
    found.pop("__init__", None)
    return found
