"""What a dirty file is: bytes, and what must become of them."""

from __future__ import annotations

from dataclasses import dataclass

from decode.reference import Pixels


@dataclass(frozen=True)
class Readable:
    """A file and the pixels it must give.

    ``off`` is how far a value may be from them: 0 but where a lossy codec leaves rounding free.
    """

    name: str
    data: bytes
    pixels: Pixels
    off: int = 0


@dataclass(frozen=True)
class Refused:
    """A file and the code of the error it must give; ``says`` is a word of the message."""

    name: str
    data: bytes
    code: str
    says: str = ""
