"""A toy op, added to a copy of the project as a newcomer would add it."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

RUST = """//! Every value subtracted from 255, now and then.

use super::op::{Field, Op, Params, Size};
use super::options::Options;
use crate::fault::Fault;
use crate::order::Draws;

struct RandomInvert {
    p: f64,
}

/// Makes the op.
///
/// # Errors
/// When an option is missing or impossible.
pub fn build(options: &Options) -> Result<Box<dyn Op>, Fault> {
    Ok(Box::new(RandomInvert { p: options.number("p")? }))
}

impl Op for RandomInvert {
    fn random(&self) -> bool {
        true
    }

    fn moves(&self) -> bool {
        false
    }

    fn draw(&self, draws: &mut Draws, _: Size) -> Result<Params, Fault> {
        Ok(Params::Numbers([f64::from(u8::from(draws.float() < self.p)), 0.0, 0.0, 0.0]))
    }

    fn apply(&self, params: &Params, field: &mut Field<'_>) -> Result<(), Fault> {
        let Field::Image(image, _) = field;
        if *params == Params::Numbers([1.0, 0.0, 0.0, 0.0]) {
            image.pixels.iter_mut().for_each(|value| *value = 255 - *value);
        }
        Ok(())
    }
}
"""

PYTHON = '''"""RandomInvert: every value subtracted from 255, now and then."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from pixfeed.recipe.op import Op
from pixfeed.recipe.values import chance


@dataclass(frozen=True)
class RandomInvert(Op):
    """Inverts with probability p.

    >>> RandomInvert(0.3)
    RandomInvert(p=0.3)
    """

    random: ClassVar[bool] = True

    p: float = 0.5

    def __post_init__(self) -> None:
        self._settle(p=chance)
'''


def add(copy: Path) -> None:
    """Adds the op: one file on either side, and the lines that list it."""
    ops = copy / "crates" / "core" / "src" / "ops"
    (ops / "random_invert.rs").write_text(RUST)
    _insert(ops / "mod.rs", "mod random_horizontal_flip;", "mod random_invert;")
    _insert(
        ops / "mod.rs",
        '    ("RandomHorizontalFlip", random_horizontal_flip::build),',
        '    ("RandomInvert", random_invert::build),',
    )
    recipe = copy / "src" / "pixfeed" / "recipe"
    (recipe / "random_invert.py").write_text(PYTHON)
    _insert(
        recipe / "__init__.py",
        "from pixfeed.recipe.random_horizontal_flip import RandomHorizontalFlip",
        "from pixfeed.recipe.random_invert import RandomInvert",
    )
    _insert(recipe / "__init__.py", '    "RandomHorizontalFlip",', '    "RandomInvert",')


def _insert(file: Path, after: str, line: str) -> None:
    text = file.read_text()
    assert text.count(f"{after}\n") == 1, f"{after!r} in {file}"
    file.write_text(text.replace(f"{after}\n", f"{after}\n{line}\n"))


def copied(to: Path) -> Path:
    """A copy of what the extension is built from."""
    for name in ("Cargo.toml", "Cargo.lock"):
        shutil.copy(ROOT / name, to / name)
    for folder in ("crates/core", "crates/jpeg", "crates/python", "src"):
        unwanted = shutil.ignore_patterns("target", "*.so", "__pycache__")
        shutil.copytree(ROOT / folder, to / folder, ignore=unwanted)
    return to


def built(copy: Path) -> None:
    """Builds the extension into the copy's package, fast to make rather than fast."""
    target = ROOT / "target" / "toy"
    command = ["cargo", "build", "-q", "--locked", "--lib", "-p", "pixfeed-python"]
    quick = {"CARGO_TARGET_DIR": str(target), "CARGO_PROFILE_DEV_OPT_LEVEL": "1"}
    subprocess.run(command, cwd=copy, env=os.environ | quick, check=True)
    shutil.copy(target / "debug" / "lib_native.so", copy / "src/pixfeed/_native.abi3.so")
