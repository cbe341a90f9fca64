"""The pages people read: their code runs, and nothing names a place on somebody's disk."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from pixfeed.testing import scene

ROOT = Path(__file__).resolve().parents[2]
BUILT = {"target", "dist", "build", "_build", "demo-out", "__pycache__", "corpus", "artifacts"}
READ = {".md", ".py", ".pyi", ".rs", ".sh", ".toml", ".txt", ".yaml", ".yml"}
PLACE = re.compile(
    r"""(?:^|[\s"'`=(:])/(?:home|root|Users|work|tmp|mnt|opt|srv)/\w""", re.MULTILINE
)
PYTHON = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def _pages() -> list[Path]:
    return [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").glob("*.md"))]


def _blocks(page: Path) -> list[str]:
    return PYTHON.findall(page.read_text())


def _files() -> list[Path]:
    """The files of the project, without what is built or belongs to an environment."""
    found = []
    for path in sorted(ROOT.iterdir()):
        if path.name in BUILT or path.name == ".git" or path.name.startswith(".venv"):
            continue
        inside = path.rglob("*") if path.is_dir() else [path]
        found += [file for file in inside if not BUILT & set(file.relative_to(ROOT).parts)]
    named = {"Makefile", "run"}
    return [file for file in found if file.suffix in READ or file.name in named]


@pytest.mark.parametrize("page", [page for page in _pages() if _blocks(page)], ids=lambda p: p.name)
def test_the_code_of_a_page_runs(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    Image.fromarray(scene(300, 400, seed=5)).save(tmp_path / "cat.jpg", quality=90)
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {}
    for block in _blocks(page):
        exec(compile(block, page.name, "exec"), names)
    assert any(isinstance(value, np.ndarray) for value in names.values())


def test_the_readme_has_code() -> None:
    assert _blocks(ROOT / "README.md")


@pytest.mark.parametrize(
    "page",
    ["README.md", "ARCHITECTURE.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md", "LICENSE"],
)
def test_the_page_is_there(page: str) -> None:
    assert len((ROOT / page).read_text()) > 200


def test_links_between_pages_lead_somewhere() -> None:
    link = re.compile(r"\]\((?!https?:|#)([^)#\s]+)")
    broken = [
        f"{page.name}: {target}"
        for page in _pages()
        for target in link.findall(page.read_text())
        if not (page.parent / target).exists()
    ]
    assert broken == []


def test_no_file_names_a_place_on_somebodys_disk() -> None:
    files = _files()
    assert ROOT / "Makefile" in files
    assert ROOT / ".ci" / "run" in files
    naming = [str(file.relative_to(ROOT)) for file in files if PLACE.search(file.read_text())]
    assert naming == []


@pytest.mark.parametrize("line", ['path = "|home|me|x"', "cd |tmp|x", "see `|work|main`"])
def test_a_place_is_recognised(line: str) -> None:
    assert PLACE.search(line.replace("|", "/"))
