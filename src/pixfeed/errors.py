"""One tree of exceptions: each says which thing, which stage, what was found and what to do."""

from __future__ import annotations

from typing import NamedTuple


class PixfeedError(Exception):
    """The root of all of pixfeed's own errors.

    >>> issubclass(DecodeError, PixfeedError)
    True
    """


class ConfigError(PixfeedError, ValueError):
    """An argument or option that cannot be meant; nothing was read or written.

    >>> raise ConfigError("batch_size is 0; give a number from 1 up")
    Traceback (most recent call last):
    pixfeed.errors.ConfigError: batch_size is 0; give a number from 1 up
    """


class SourceError(PixfeedError):
    """A place that cannot be read as a dataset: missing, empty, or contradicting itself.

    >>> issubclass(SourceError, PixfeedError)
    True
    """


class RecordError(PixfeedError):
    """A stored record that is damaged.

    >>> issubclass(RecordError, PixfeedError)
    True
    """


class StateError(PixfeedError):
    """A saved state that does not belong to this loader.

    >>> issubclass(StateError, PixfeedError)
    True
    """


class DecodeError(PixfeedError):
    """Bytes that are no readable image.

    ``code`` names the malformation, ``format`` the image format as far as it was known, ``offset``
    the byte where it was found (or None), ``found`` what stood there, ``record`` whose bytes they
    are, where that is known.

    >>> error = DecodeError("truncated", "JPEG", 120, "the data ends")
    >>> print(error)
    JPEG: the data ends (at byte 120); the file is cut short: fetch it again or leave it out
    >>> error.code, error.offset
    ('truncated', 120)
    """

    def __init__(
        self, code: str, format: str, offset: int | None, found: str, record: str = ""
    ) -> None:
        self.code = code
        self.format = format
        self.offset = offset
        self.found = found
        self.record = record
        place = "" if offset is None else f" (at byte {offset})"
        subject = "".join(f"{part}: " for part in (record, format) if part)
        super().__init__(f"{subject}{found}{place}; {FAULTS[code].hint}")

    def __reduce__(self) -> tuple[type[DecodeError], tuple[str, str, int | None, str, str]]:
        return type(self), (self.code, self.format, self.offset, self.found, self.record)


class Fault(NamedTuple):
    """What a native fault code means to a user: the exception's class and the remedy."""

    error: type[PixfeedError]
    hint: str


_DAMAGED = "the file is damaged: fetch it again or leave it out"

FAULTS: dict[str, Fault] = {
    "empty": Fault(DecodeError, "the file is empty: fetch it again or leave it out"),
    "unknown-format": Fault(
        DecodeError, "give the bytes of a JPEG, PNG, WebP, GIF, BMP or TIFF image"
    ),
    "truncated": Fault(DecodeError, "the file is cut short: fetch it again or leave it out"),
    "bad-header": Fault(DecodeError, _DAMAGED),
    "bad-segment": Fault(DecodeError, _DAMAGED),
    "bad-table": Fault(DecodeError, _DAMAGED),
    "bad-data": Fault(DecodeError, _DAMAGED),
    "unsupported": Fault(DecodeError, "convert the file to a plain JPEG or PNG first"),
    "too-many-pixels": Fault(DecodeError, "raise max_pixels if you trust the file"),
    "too-many-scans": Fault(DecodeError, "re-encode the file with fewer scans"),
    "too-much-memory": Fault(DecodeError, "shrink the file or convert it to a plain JPEG first"),
    "box-outside": Fault(
        ConfigError, "give box=(x, y, width, height) in oriented pixels inside the image"
    ),
    "image-too-small": Fault(
        ConfigError, "put a Resize before the crop, or give pad_if_needed=True"
    ),
    "no-substitute": Fault(SourceError, "mend or replace the files of its class"),
    "batch-too-large": Fault(ConfigError, "give a smaller batch_size, or smaller images"),
    "bad-request": Fault(ConfigError, "see the documentation of the function called"),
}


def from_native(code: str, format: str, offset: int | None, found: str) -> PixfeedError:
    """The exception for a fault the native engine reports.

    >>> from_native("bad-request", "", None, "size has a zero in it")
    ConfigError('size has a zero in it; see the documentation of the function called')
    """
    fault = FAULTS[code]
    if issubclass(fault.error, DecodeError):
        return fault.error(code, format, offset, found)
    return fault.error(f"{found}; {fault.hint}")


def from_panic(said: str) -> PixfeedError:
    """The exception for a bug in native code, which was stopped before it could do harm.

    >>> print(from_panic("index out of range"))
    internal error: index out of range; please report it, with the file that caused it
    """
    return PixfeedError(f"internal error: {said}; please report it, with the file that caused it")


def placed(error: BaseException, key: str, place: str, stage: str) -> BaseException:
    """The same exception, with the record it is about.

    >>> error = placed(from_native("truncated", "JPEG", 9, "the data ends"), "a.jpg", "", "decode")
    >>> print(error)
    a.jpg: JPEG: the data ends (at byte 9); the file is cut short: fetch it again or leave it out
    """
    if isinstance(error, DecodeError):
        error = DecodeError(error.code, error.format, error.offset, error.found, key)
    elif isinstance(error, PixfeedError):
        error = type(error)(f"{key}: {error}")
    error.add_note(f"record {key!r} at {place!r}, stage: {stage}")
    return error
