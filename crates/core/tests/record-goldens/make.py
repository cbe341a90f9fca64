"""Makes the golden shards beside it with TensorFlow, and says in text files what is in them.

    python make.py

needs `tensorflow-cpu`. `examples.tfrecord` (and its gzip and zlib twins) holds random Examples,
`images.tfrecord` those of images, `odd.tfrecord` bytes that no writer writes but protobuf reads, or
refuses. The texts have a line for each feature: its name in hex, its kind, its values (byte strings
in hex, floats as their bits in hex); what TensorFlow makes of `odd.tfrecord` is in `odd.txt`.
"""

from __future__ import annotations

import random
import struct
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
COUNT = 64


def feature(kind: str, values: list[Any]) -> Any:
    import tensorflow as tf

    train = tf.train
    match kind:
        case "bytes":
            return train.Feature(bytes_list=train.BytesList(value=values))
        case "floats":
            return train.Feature(float_list=train.FloatList(value=values))
        case "ints":
            return train.Feature(int64_list=train.Int64List(value=values))
    return train.Feature()


def example(features: dict[str, tuple[str, list[Any]]]) -> Any:
    import tensorflow as tf

    made = {name: feature(kind, values) for name, (kind, values) in features.items()}
    return tf.train.Example(features=tf.train.Features(feature=made))


def random_value(rng: random.Random, kind: str) -> Any:
    match kind:
        case "bytes":
            return rng.randbytes(rng.choice([0, 1, 2, 5, 127, 128, 300]))
        case "floats":
            bits = rng.choice([rng.getrandbits(32), 0x3F800000, 0x80000000, 0x7F800000, 1])
            value: float = struct.unpack("<f", struct.pack("<I", bits))[0]
            return 0.5 if value != value else value  # NaNs do not survive a Python float
        case _:
            return rng.choice([0, 1, 127, 128, -1, 2**63 - 1, -(2**63), rng.getrandbits(40)])


def random_example(rng: random.Random) -> dict[str, tuple[str, list[Any]]]:
    letters = "abAB/_0é日\U0001f600"
    features: dict[str, tuple[str, list[Any]]] = {}
    for _ in range(rng.choice([0, 1, 2, 5, 12])):
        name = "".join(rng.choice(letters) for _ in range(rng.choice([0, 1, 2, 3, 40])))
        kind = rng.choice(["bytes", "floats", "ints", "empty"])
        count = 0 if kind == "empty" else rng.choice([0, 1, 1, 2, 7])
        features[name] = (kind, [random_value(rng, kind) for _ in range(count)])
    return features


def images() -> list[dict[str, tuple[str, list[Any]]]]:
    """As the scripts for ImageNet write them; as image2tfrecords does; a tensor; foreign names."""
    by_slim = {
        "image/encoded": ("bytes", [b"\xff\xd8jpeg\xff\xd9"]),
        "image/format": ("bytes", [b"JPEG"]),
        "image/height": ("ints", [375]),
        "image/width": ("ints", [500]),
        "image/channels": ("ints", [3]),
        "image/colorspace": ("bytes", [b"RGB"]),
        "image/class/label": ("ints", [42]),
        "image/class/synset": ("bytes", [b"n01440764"]),
        "image/class/text": ("bytes", [b"tench, Tinca tinca"]),
        "image/filename": ("bytes", [b"n01440764_10026.JPEG"]),
        "image/object/bbox/xmin": ("floats", [0.25, 0.5]),
    }
    short = {
        "image/encoded": ("bytes", [b"png"]),
        "image/format": ("bytes", [b"png"]),
        "image/class/label": ("ints", [-1]),
        "image/class/text": ("bytes", []),
    }
    tensor = {
        "image/encoded": ("bytes", [bytes(range(24))]),
        "image/format": ("bytes", [b"tensor"]),
        "image/height": ("ints", [2]),
        "image/width": ("ints", [4]),
        "image/channels": ("ints", [3]),
        "image/order": ("bytes", [b"CHW"]),
        "image/class/label": ("floats", [0.5, 0.25]),
        "image/key": ("bytes", ["é/1.png".encode()]),
    }
    foreign = {"jpeg": ("bytes", [b"picture"]), "target": ("ints", [3, 4])}
    return [by_slim, short, tensor, foreign]


def field(number: int, body: bytes, wire: int = 2) -> bytes:
    tag = bytes([number << 3 | wire])
    return tag + (bytes([len(body)]) if wire == 2 else b"") + body


def entry(name: bytes, *fields: bytes) -> bytes:
    """An entry of the map, of which the feature has these fields."""
    return field(1, field(1, name) + field(2, b"".join(fields)))


def odd() -> dict[str, bytes]:
    ints = lambda *numbers: field(3, field(1, bytes(numbers)))  # noqa: E731
    one = entry(b"a", ints(1))
    text = entry(b"b", field(1, field(1, b"B")))
    unpacked = field(3, field(1, b"\5", 0) + field(1, b"\6\7") + field(1, b"\x80\x02", 0))
    unknown = field(15, b"x") + field(14, b"\1", 0) + field(13, b"1234", 5)
    beside = field(3, unknown + field(1, b"\3"))
    return {
        "nothing at all": b"",
        "no features": field(1, b""),
        "a name twice": field(1, one + entry(b"a", ints(2))),
        "two maps": field(1, one) + field(1, text),
        "two maps with one name": field(1, one + text) + field(1, entry(b"a", ints(9))),
        "value before name": field(1, field(1, field(2, ints(1)) + field(1, b"a"))),
        "no name": field(1, field(1, field(2, ints(1)))),
        "no value": field(1, field(1, field(1, b"a"))),
        "packed and not": field(1, entry(b"a", unpacked)),
        "floats not packed": field(1, entry(b"a", field(2, field(1, b"\0\0\x80\x3f", 5)))),
        "kinds change": field(1, entry(b"a", field(1, field(1, b"B")), ints(7))),
        "kinds change to and fro": field(1, entry(b"a", ints(1), field(2, b""), ints(7))),
        "unknown fields around": unknown + field(1, unknown + one + unknown) + unknown,
        "unknown fields of an entry": field(1, field(1, field(1, b"a") + unknown)),
        "unknown fields of a feature": field(1, entry(b"a", unknown + beside + unknown)),
        "an unknown field of eight bytes": field(12, b"12345678", 1) + field(1, one),
        "other types in known fields": field(1, b"\1", 0) + field(1, one + field(1, b"\1", 0)),
        "a kind of another type": field(1, entry(b"a", field(3, b"\1", 0), ints(4))),
        "a long tag": b"\x8a\x00" + bytes([len(one)]) + one,
        "a long length": b"\x0a\x80\x80\x00",
        "most of a varint": field(1, entry(b"a", field(3, field(1, b"\xff" * 9 + b"\1", 0)))),
        "too much of a varint": field(1, entry(b"a", field(3, field(1, b"\xff" * 9 + b"\2", 0)))),
        "an endless varint": field(1, entry(b"a", field(3, field(1, b"\xff" * 12, 0)))),
        "field zero": b"\x02\x00",
        "wire type six": b"\x0e\x00",
        "wire type seven": b"\x0f\x00",
        "an end without a group": b"\x7c",
        "a group": b"\x7b\x7c",
        "cut length": b"\x0a",
        "cut map": field(1, one)[:-1],
        "cut list": field(1, entry(b"a", b"\x1a\x04\x0a\x01\x05")),
        "cut packed varint": field(1, entry(b"a", ints(0x85))),
        "packed floats of five bytes": field(1, entry(b"a", field(2, field(1, b"12345")))),
        "a name that is not UTF-8": field(1, entry(b"\xff", ints(1))),
        "value twice": field(1, field(1, field(1, b"a") + field(2, ints(1)) + field(2, ints(2)))),
        "name twice": field(1, field(1, field(1, b"a") + field(1, b"b") + field(2, ints(2)))),
        "list twice": field(1, entry(b"a", ints(1), ints(2))),
    }  # fmt: skip


def described(made: Any) -> list[str]:
    lines = []
    for name, value in sorted(made.features.feature.items(), key=lambda item: item[0].encode()):
        kind = value.WhichOneof("kind")
        words = [name.encode().hex() or "-"]
        match kind:
            case "bytes_list":
                words += ["bytes", *(one.hex() or "-" for one in value.bytes_list.value)]
            case "float_list":
                bits = (struct.pack(">f", one).hex() for one in value.float_list.value)
                words += ["floats", *bits]
            case "int64_list":
                words += ["ints", *(str(one) for one in value.int64_list.value)]
            case _:
                words += ["empty"]
        lines.append("  " + " ".join(words))
    return lines


def read(data: bytes) -> list[str]:
    import tensorflow as tf
    from google.protobuf.message import DecodeError

    try:
        return described(tf.train.Example.FromString(data))
    except (DecodeError, UnicodeDecodeError):
        return ["  refused"]


def keep(name: str, titles: list[str], payloads: list[bytes], compressed: bool = False) -> None:
    import tensorflow as tf

    for kind in ("", "GZIP", "ZLIB") if compressed else ("",):
        path = HERE / f"{name}.tfrecord{'.' if kind else ''}{kind.lower()}"
        with tf.io.TFRecordWriter(str(path), tf.io.TFRecordOptions(compression_type=kind)) as out:
            for payload in payloads:
                out.write(payload)
    lines = [
        line for title, data in zip(titles, payloads, strict=True) for line in [title, *read(data)]
    ]
    (HERE / f"{name}.txt").write_text("\n".join(lines) + "\n")


def main() -> None:
    rng = random.Random(5)
    made = [example(random_example(rng)) for _ in range(COUNT)]
    titles = [f"example {number}" for number in range(COUNT)]
    keep("examples", titles, [one.SerializeToString(deterministic=True) for one in made], True)
    made = [example(features) for features in images()]
    titles = ["by slim", "short", "tensor", "foreign"]
    keep("images", titles, [one.SerializeToString(deterministic=True) for one in made])
    keep("odd", list(odd()), list(odd().values()))


if __name__ == "__main__":
    main()
