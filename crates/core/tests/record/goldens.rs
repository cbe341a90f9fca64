//! Shards that TensorFlow wrote: read, and written again byte for byte.

use pixfeed_core::fault::Code;
use pixfeed_core::record::compression::Compression;
use pixfeed_core::record::{Limits, Scan, Shard, frame};

use crate::given::{golden, read, texts, write};

fn payloads(mut scan: Scan<'_>) -> Vec<Vec<u8>> {
    let mut all = Vec::new();
    while let Some(record) = scan.next() {
        all.push(record.unwrap().payload.to_vec());
    }
    all
}

fn shard(name: &str) -> Shard {
    Shard::open(&golden(name)).unwrap()
}

#[test]
fn examples_are_read_and_written_as_tensorflow_does() {
    let payloads = payloads(shard("examples.tfrecord").scan(Limits::default()));
    let texts = texts("examples.txt");
    assert_eq!((payloads.len(), texts.len()), (64, 64));
    for (payload, (title, features)) in payloads.iter().zip(texts) {
        let features = features.unwrap();
        assert_eq!(read(payload).as_ref(), Ok(&features), "{title}");
        assert!(&write(&features) == payload, "{title}");
    }
}

#[test]
fn frames_are_written_as_tensorflow_does() {
    for name in ["examples.tfrecord", "images.tfrecord", "odd.tfrecord"] {
        let mut writer = frame::Writer::new(Vec::new());
        for payload in payloads(shard(name).scan(Limits::default())) {
            writer.write(&payload).unwrap();
        }
        assert!(writer.into_inner() == std::fs::read(golden(name)).unwrap(), "{name}");
    }
}

#[test]
fn compressed_shards_hold_the_same() {
    let plain = payloads(shard("examples.tfrecord").scan(Limits::default()));
    let kinds = [("gzip", Compression::Gzip), ("zlib", Compression::Zlib)];
    for (ending, compression) in kinds {
        let shard = shard(&format!("examples.tfrecord.{ending}"));
        assert_eq!((shard.compression(), compression.as_str()), (compression, ending));
        assert!(payloads(shard.scan(Limits::default())) == plain, "{ending}");
        let heads = payloads(shard.headers(Limits::default(), 10));
        let first = |payload: &Vec<u8>| payload[..payload.len().min(10)].to_vec();
        assert_eq!(heads, plain.iter().map(first).collect::<Vec<_>>());
    }
    assert_eq!(shard("examples.tfrecord").compression(), Compression::None);
}

/// What protobuf takes and we do not (or the other way round), and why, is said in `example.rs`.
#[test]
fn odd_bytes_are_read_as_tensorflow_reads_them() {
    let mut strict = Vec::new();
    let payloads = payloads(shard("odd.tfrecord").scan(Limits::default()));
    for (payload, (title, features)) in payloads.iter().zip(texts("odd.txt")) {
        match (read(payload), features) {
            // Its Python drops an entry with an unknown field in it; its C++ does not.
            (Ok(ours), _) if title == "unknown fields of an entry" => assert_eq!(ours.len(), 1),
            (Ok(ours), Some(theirs)) => assert_eq!(ours, theirs, "{title}"),
            (Err(_), None) => {}
            (Err(fault), Some(_)) => strict.push((title, fault.code)),
            (Ok(ours), None) => panic!("{title}: TensorFlow refuses what we take for {ours:?}"),
        }
    }
    let strict: Vec<(&str, Code)> =
        strict.iter().map(|(title, code)| (&title[..], *code)).collect();
    assert_eq!(
        strict,
        [
            ("too much of a varint", Code::BadVarint),
            ("a group", Code::BadField),
            ("value twice", Code::RepeatedField),
            ("list twice", Code::RepeatedField),
        ]
    );
}

/// One of a kind, and where it is found.
#[test]
fn a_malformed_example_has_a_code_of_its_own() {
    let payloads = payloads(shard("odd.tfrecord").scan(Limits::default()));
    let texts = texts("odd.txt");
    let fault = |title: &str| {
        let place = texts.iter().position(|(other, _)| other == title).unwrap();
        let fault = read(&payloads[place]).unwrap_err();
        (fault.code, fault.offset.unwrap())
    };
    assert_eq!(fault("an endless varint"), (Code::BadVarint, 12));
    assert_eq!(fault("field zero"), (Code::BadField, 0));
    assert_eq!(fault("wire type six"), (Code::BadField, 0));
    assert_eq!(fault("wire type seven"), (Code::BadField, 0));
    assert_eq!(fault("an end without a group"), (Code::BadField, 0));
    assert_eq!(fault("cut length"), (Code::CutExample, 1));
    assert_eq!(fault("cut map"), (Code::CutExample, 2));
    assert_eq!(fault("cut list"), (Code::CutExample, 11));
    assert_eq!(fault("cut packed varint"), (Code::CutExample, 13));
    assert_eq!(fault("packed floats of five bytes"), (Code::BadPacked, 13));
    assert_eq!(fault("a name that is not UTF-8"), (Code::FeatureName, 6));
    assert_eq!(fault("value twice").0, Code::RepeatedField);
}
