"""What every test may use: hypothesis without clocks, and the real photos where there are any."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import settings

settings.register_profile("pixfeed", deadline=None, derandomize=True, print_blob=True)
settings.load_profile("pixfeed")

_BESIDE = Path(__file__).resolve().parents[2] / "shared" / "data" / "imagenet-sample"


@pytest.fixture(scope="session")
def photos() -> list[Path]:
    """Real photos: the folder named by PIXFEED_PHOTOS, or one beside the repository."""
    folder = Path(os.environ.get("PIXFEED_PHOTOS", _BESIDE))
    found = sorted(p for p in folder.rglob("*") if p.suffix.lower() in {".jpg", ".jpeg"})
    if not found:
        pytest.skip(f"no photos in {folder}: set PIXFEED_PHOTOS to a folder of JPEG files")
    return found
