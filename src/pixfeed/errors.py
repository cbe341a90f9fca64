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


class StateError(PixfeedError):
    """A saved state that does not belong to this loader.

    >>> issubclass(StateError, PixfeedError)
    True
    """


class _ByteError(PixfeedError):
    """Bytes that are not what they should be: which, where in them, and what was found there."""

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

    def __reduce__(self) -> tuple[type[_ByteError], tuple[str, str, int | None, str, str]]:
        return type(self), (self.code, self.format, self.offset, self.found, self.record)


class DecodeError(_ByteError):
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


class RecordError(_ByteError):
    """A stored record that cannot be had; each malformation is a subclass.

    Its attributes are those of a `DecodeError`; ``format`` is ``TFRecord`` or ``tf.train.Example``.
    The offset counts in the shard for the one (in its unpacked bytes, when it is compressed) and
    in the record for the other.

    >>> error = from_native("record-payload-crc", "TFRecord", 120, "record 3: other bytes")
    >>> isinstance(error, RecordError), error.code, error.offset
    (True, 'record-payload-crc', 120)
    >>> print(error)
    TFRecord: record 3: other bytes (at byte 120); leave the record out, or copy the shard again
    """


class CutHeaderError(RecordError):
    """A shard that ends within the header of a record.

    >>> type(from_native("record-cut-header", "TFRecord", 9, "odd")).__name__
    'CutHeaderError'
    """


class LengthChecksumError(RecordError):
    """A record whose length was changed since it was written: what follows cannot be found.

    >>> type(from_native("record-length-crc", "TFRecord", 9, "odd")).__name__
    'LengthChecksumError'
    """


class BeyondEndError(RecordError):
    """A record that is longer than what is left of its shard.

    >>> type(from_native("record-beyond-end", "TFRecord", 9, "odd")).__name__
    'BeyondEndError'
    """


class RecordTooLargeError(RecordError):
    """A record that is longer than the limit.

    >>> type(from_native("record-too-large", "TFRecord", 9, "odd")).__name__
    'RecordTooLargeError'
    """


class CutPayloadError(RecordError):
    """A shard that ends within a record, which only reading it showed.

    >>> type(from_native("record-cut-payload", "TFRecord", 9, "odd")).__name__
    'CutPayloadError'
    """


class PayloadChecksumError(RecordError):
    """A record whose bytes were changed since it was written; the others are not concerned.

    >>> type(from_native("record-payload-crc", "TFRecord", 9, "odd")).__name__
    'PayloadChecksumError'
    """


class RecordMovedError(RecordError):
    """A place in a shard where another record lies than the catalogue says.

    >>> type(from_native("record-moved", "TFRecord", 9, "odd")).__name__
    'RecordMovedError'
    """


class CompressedShardError(RecordError):
    """One record asked of a shard that is compressed as a whole.

    >>> type(from_native("record-compressed", "TFRecord", 9, "odd")).__name__
    'CompressedShardError'
    """


class CompressionError(RecordError):
    """A compressed shard whose gzip or zlib stream is damaged.

    >>> type(from_native("record-compression", "TFRecord", 9, "odd")).__name__
    'CompressionError'
    """


class CutCompressionError(RecordError):
    """A compressed shard whose gzip or zlib stream ends too early.

    >>> type(from_native("record-cut-compression", "TFRecord", 9, "odd")).__name__
    'CutCompressionError'
    """


class CutExampleError(RecordError):
    """An Example with a message that ends within one of its fields.

    >>> type(from_native("example-cut", "tf.train.Example", 9, "odd")).__name__
    'CutExampleError'
    """


class VarintError(RecordError):
    """An Example with a number of more than 64 bits.

    >>> type(from_native("example-varint", "tf.train.Example", 9, "odd")).__name__
    'VarintError'
    """


class FieldError(RecordError):
    """An Example with a field whose number or type cannot be.

    >>> type(from_native("example-field", "tf.train.Example", 9, "odd")).__name__
    'FieldError'
    """


class RepeatedFieldError(RecordError):
    """An Example with a field twice that it can have but once.

    >>> type(from_native("example-repeated", "tf.train.Example", 9, "odd")).__name__
    'RepeatedFieldError'
    """


class PackedListError(RecordError):
    """An Example whose packed list is no whole number of values.

    >>> type(from_native("example-packed", "tf.train.Example", 9, "odd")).__name__
    'PackedListError'
    """


class FeatureNameError(RecordError):
    """A feature with a name that is not UTF-8.

    >>> type(from_native("feature-name", "tf.train.Example", 9, "odd")).__name__
    'FeatureNameError'
    """


class FeatureKindError(RecordError):
    """A feature with another kind of values than its name promises.

    >>> type(from_native("feature-kind", "tf.train.Example", 9, "odd")).__name__
    'FeatureKindError'
    """


class FeatureCountError(RecordError):
    """A feature with another number of values than its name promises.

    >>> type(from_native("feature-count", "tf.train.Example", 9, "odd")).__name__
    'FeatureCountError'
    """


class FeatureValueError(RecordError):
    """A feature with a value that cannot be what its name promises.

    >>> type(from_native("feature-value", "tf.train.Example", 9, "odd")).__name__
    'FeatureValueError'
    """


class Fault(NamedTuple):
    """What a native fault code means to a user: the exception's class and the remedy."""

    error: type[PixfeedError]
    hint: str


_DAMAGED = "the file is damaged: fetch it again or leave it out"
_COPY = "the shard is damaged: copy or write it again"
_CUT = "the shard is cut short: copy it again; the records before this one are sound"
_LOST = "copy the shard again; repairing it finds the records behind this one"
_NO_EXAMPLE = "the record is no tf.train.Example: leave it out, or write it again"
_MAP = "map another feature to it, or none, or write the records again"

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
    "record-cut-header": Fault(CutHeaderError, _CUT),
    "record-length-crc": Fault(LengthChecksumError, _LOST),
    "record-beyond-end": Fault(BeyondEndError, _CUT),
    "record-too-large": Fault(
        RecordTooLargeError,
        "raise the limit on a record's bytes if you trust the shard",
    ),
    "record-cut-payload": Fault(CutPayloadError, _CUT),
    "record-payload-crc": Fault(
        PayloadChecksumError,
        "leave the record out, or copy the shard again",
    ),
    "record-moved": Fault(
        RecordMovedError,
        "the shard was changed since its catalogue was made: make the catalogue again",
    ),
    "record-compressed": Fault(
        CompressedShardError,
        "unpack the shard first, or pack it again uncompressed",
    ),
    "record-compression": Fault(CompressionError, _COPY),
    "record-cut-compression": Fault(CutCompressionError, _CUT),
    "example-cut": Fault(CutExampleError, _NO_EXAMPLE),
    "example-varint": Fault(VarintError, _NO_EXAMPLE),
    "example-field": Fault(FieldError, _NO_EXAMPLE),
    "example-repeated": Fault(RepeatedFieldError, _NO_EXAMPLE),
    "example-packed": Fault(PackedListError, _NO_EXAMPLE),
    "feature-name": Fault(FeatureNameError, "write the records again with names in UTF-8"),
    "feature-kind": Fault(FeatureKindError, _MAP),
    "feature-count": Fault(FeatureCountError, _MAP),
    "feature-value": Fault(FeatureValueError, _MAP),
}


def from_native(code: str, format: str, offset: int | None, found: str) -> PixfeedError:
    """The exception for a fault the native engine reports.

    >>> from_native("bad-request", "", None, "size has a zero in it")
    ConfigError('size has a zero in it; see the documentation of the function called')
    """
    fault = FAULTS[code]
    if issubclass(fault.error, _ByteError):
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
    if isinstance(error, _ByteError):
        error = type(error)(error.code, error.format, error.offset, error.found, key)
    elif isinstance(error, PixfeedError):
        error = type(error)(f"{key}: {error}")
    error.add_note(f"record {key!r} at {place!r}, stage: {stage}")
    return error
