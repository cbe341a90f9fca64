"""TFRecord shards written by the book, independently of the engine."""

from __future__ import annotations

import struct
from collections.abc import Iterable, Mapping
from pathlib import Path

Value = bytes | str | int | float

_TABLE = []
for _byte in range(256):
    _crc = _byte
    for _ in range(8):
        _crc = _crc >> 1 ^ (0x82F63B78 if _crc & 1 else 0)
    _TABLE.append(_crc)


def masked(data: bytes) -> int:
    """TFRecord's checksum: CRC-32C, rotated and moved."""
    crc = 0xFFFFFFFF
    for byte in data:
        crc = crc >> 8 ^ _TABLE[(crc ^ byte) & 255]
    crc ^= 0xFFFFFFFF
    return ((crc >> 15 | crc << 17) + 0xA282EAD8) & 0xFFFFFFFF


def frame(payload: bytes) -> bytes:
    """A record with its length and checksums."""
    length = struct.pack("<Q", len(payload))
    parts = [length, struct.pack("<I", masked(length)), payload]
    return b"".join([*parts, struct.pack("<I", masked(payload))])


def example(features: Mapping[str, Value]) -> bytes:
    """A tf.train.Example of one value a feature."""
    entries = [_field(1, _field(1, name.encode()) + _field(2, _feature(value)))
               for name, value in features.items()]  # fmt: skip
    return _field(1, b"".join(entries))


def write(path: Path, records: Iterable[Mapping[str, Value]]) -> Path:
    """A shard of Examples."""
    path.write_bytes(b"".join(frame(example(record)) for record in records))
    return path


def _feature(value: Value) -> bytes:
    if isinstance(value, str | bytes):
        data = value.encode() if isinstance(value, str) else value
        return _field(1, _field(1, data))
    if isinstance(value, float):
        return _field(2, _field(1, struct.pack("<f", value)))
    return _field(3, _field(1, _varint(value & (1 << 64) - 1)))


def _field(number: int, data: bytes) -> bytes:
    return _varint(number << 3 | 2) + _varint(len(data)) + data


def _varint(value: int) -> bytes:
    out = bytearray()
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    out.append(value)
    return bytes(out)
