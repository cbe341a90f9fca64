"""Each rival's own environment, made on first use and remade when its requirements change."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import venv
from pathlib import Path

from benchmarks.model import ROOT, UnavailableError

PEERS = ("turboloader", "dali", "tfdata", "torchvision", "ffcv")
REQUIREMENTS = Path(__file__).parent / "requirements"
DEBIAN_FOR_FFCV = ("libopencv-dev", "libturbojpeg0-dev", "pkg-config", "g++")


def python(peer: str) -> Path:
    """The peer's interpreter; UnavailableError says why there is none."""
    if peer == "pixfeed":
        return Path(sys.executable)
    home = folder() / peer
    wanted = (REQUIREMENTS / f"{peer}.txt").read_text()
    stamp = home / "installed.txt"
    if not stamp.exists() or stamp.read_text() != wanted:
        _make(peer, home)
        stamp.write_text(wanted)
    return home / "bin" / "python"


def folder() -> Path:
    """Where the environments lie; PIXFEED_PEERS names another place."""
    return Path(os.environ.get("PIXFEED_PEERS", ROOT / ".venv-peers"))


def _make(peer: str, home: Path) -> None:
    print(f"  installing {peer} into {home} (minutes) ...", file=sys.stderr, flush=True)
    if peer == "ffcv":
        _system_packages()
    venv.create(home, with_pip=True, clear=True)
    _run([str(home / "bin" / "python"), "-m", "pip", "install", "-q", "-r", _file(peer)], peer)


def _system_packages() -> None:
    if _has_libraries():
        return
    if os.geteuid() != 0 or shutil.which("apt-get") is None:
        names = " ".join(DEBIAN_FOR_FFCV)
        raise UnavailableError(f"FFCV is compiled here and needs {names}: install them as root")
    _run(["apt-get", "update", "-q"], "ffcv")
    _run(["apt-get", "install", "-y", "-q", "--no-install-recommends", *DEBIAN_FOR_FFCV], "ffcv")


def _has_libraries() -> bool:
    asked = ["pkg-config", "--exists", "opencv4", "libturbojpeg"]
    return shutil.which(asked[0]) is not None and subprocess.run(asked, check=False).returncode == 0


def _run(command: list[str], peer: str) -> None:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        last = (done.stderr or done.stdout).strip().splitlines()[-1:] or ["no message"]
        raise UnavailableError(f"{peer} could not be installed: {last[0]}")


def _file(peer: str) -> str:
    return str(REQUIREMENTS / f"{peer}.txt")
