//! Shards in files: walked, walked by their heads, read at a place.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

use pixfeed_core::fault::Code;
use pixfeed_core::record::{Error, Limits, Scan, Shard, frame};
use proptest::prelude::*;

/// What the small shard holds.
pub const PAYLOADS: [&[u8]; 5] = [b"one", b"", b"a longer payload", b"\0", b"last"];

pub fn shard() -> Vec<u8> {
    let mut writer = frame::Writer::new(Vec::new());
    for payload in PAYLOADS {
        writer.write(payload).unwrap();
    }
    writer.into_inner()
}

/// A file that goes when it is dropped.
pub struct File(pub PathBuf);

impl File {
    pub fn of(bytes: &[u8]) -> Self {
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let name = format!("pixfeed-record-{}-{number}.tfrecord", std::process::id());
        let path = std::env::temp_dir().join(name);
        std::fs::write(&path, bytes).unwrap();
        Self(path)
    }
}

impl Drop for File {
    fn drop(&mut self) {
        std::fs::remove_file(&self.0).unwrap();
    }
}

type Seen = Vec<(u64, u64, u64, Vec<u8>)>;

fn seen(mut scan: Scan<'_>) -> Seen {
    let mut all = Vec::new();
    while let Some(record) = scan.next() {
        let record = record.unwrap();
        all.push((record.index, record.offset, record.length, record.payload.to_vec()));
    }
    all
}

fn code(answer: Result<std::ops::Range<usize>, Error>) -> Code {
    answer.unwrap_err().damage().unwrap().fault.code
}

#[test]
fn no_records_are_no_fault() {
    let file = File::of(b"");
    let shard = Shard::open(&file.0).unwrap();
    assert_eq!((seen(shard.scan(Limits::default())), shard.size()), (vec![], 0));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]
    /// Sizes about those of the windows: some fit, some lie across two, some are larger.
    #[test]
    fn records_are_walked_and_read_at_their_places(
        lengths in prop::collection::vec(prop_oneof![0usize..60, 4000usize..5000, 0usize..1 << 20], 1..12),
        first in prop_oneof![0usize..20, 4000usize..9000],
    ) {
        let payload = |length: &usize| (0..*length).map(|i| (i * 7 + length) as u8).collect();
        let payloads: Vec<Vec<u8>> = lengths.iter().map(payload).collect();
        let mut writer = frame::Writer::new(Vec::new());
        let offsets: Vec<u64> = payloads.iter().map(|payload| writer.write(payload).unwrap()).collect();
        let file = File::of(&writer.into_inner());
        let shard = Shard::open(&file.0).unwrap();
        let expected: Seen = payloads.iter().zip(&offsets).enumerate().map(|(i, (payload, &offset))| {
            (i as u64, offset, payload.len() as u64, payload.clone())
        }).collect();
        prop_assert!(seen(shard.scan(Limits::default())) == expected);
        let heads = seen(shard.headers(Limits::default(), first));
        let cut = |(i, offset, length, mut payload): (u64, u64, u64, Vec<u8>)| {
            payload.truncate(first);
            (i, offset, length, payload)
        };
        prop_assert!(heads == expected.iter().cloned().map(cut).collect::<Seen>());
        let mut buffer = Vec::new();
        for (_, offset, length, payload) in expected.iter().rev() {
            let range = shard.read(*offset, *length, &mut buffer, Limits::default()).unwrap();
            prop_assert!(&buffer[range] == payload);
        }
    }
}

#[test]
fn a_record_is_where_it_is_said_to_be_or_the_damage_is_named() {
    let bytes = shard();
    let file = File::of(&bytes);
    let shard = Shard::open(&file.0).unwrap();
    let mut buffer = Vec::new();
    let mut read = |offset, length| shard.read(offset, length, &mut buffer, Limits::default());
    assert_eq!(read(0, 3).unwrap(), 12..15);
    assert_eq!(code(read(0, 4)), Code::RecordMoved);
    assert_eq!(code(read(1, 3)), Code::LengthCrc);
    let size = bytes.len() as u64;
    assert_eq!(read(size - 20, 4).unwrap(), 12..16);
    assert_eq!(code(read(size - 20, 5)), Code::BeyondEnd);
    assert_eq!(code(read(u64::MAX - 2, 3)), Code::BeyondEnd);
    assert_eq!(code(read(0, 1 << 30)), Code::BeyondEnd);
    assert_eq!(code(read(0, (1 << 30) + 1)), Code::RecordTooLarge);
    assert_eq!(code(read(0, u64::MAX)), Code::RecordTooLarge);
    assert!(buffer.len() < 100, "no memory was taken for what is not there");
}

#[test]
fn a_record_read_at_its_place_is_held_to_its_checksum() {
    let mut bytes = shard();
    bytes[13] ^= 4;
    let file = File::of(&bytes);
    let shard = Shard::open(&file.0).unwrap();
    let mut buffer = Vec::new();
    let damage = shard.read(0, 3, &mut buffer, Limits::default()).unwrap_err().damage().unwrap();
    assert_eq!((damage.fault.code, damage.fault.offset), (Code::PayloadCrc, Some(15)));
    assert_eq!((damage.index, damage.offset), (None, 0));
    let limits = Limits { checked: false, ..Limits::default() };
    assert_eq!(shard.read(0, 3, &mut buffer, limits).unwrap(), 12..15);
}

#[test]
fn a_file_that_shrinks_is_found_out() {
    let file = File::of(&shard());
    let open = Shard::open(&file.0).unwrap();
    std::fs::OpenOptions::new().write(true).open(&file.0).unwrap().set_len(14).unwrap();
    assert_eq!(code(open.read(0, 3, &mut Vec::new(), Limits::default())), Code::CutPayload);
    let mut scan = open.scan(Limits::default());
    let damage = scan.next().unwrap().unwrap_err().damage().unwrap();
    assert_eq!((damage.fault.code, damage.index), (Code::CutPayload, Some(0)));
}

#[test]
fn a_compressed_shard_is_not_read_by_places() {
    let shard = Shard::open(&crate::given::golden("examples.tfrecord.gzip")).unwrap();
    let read = shard.read(0, 3, &mut Vec::new(), Limits::default());
    assert_eq!(code(read), Code::CompressedShard);
}

#[test]
fn what_is_no_file_is_the_systems_error() {
    let kind = |path: &Path| Shard::open(path).unwrap_err().kind();
    assert_eq!(kind(Path::new("/nowhere/a.tfrecord")), io::ErrorKind::NotFound);
    assert_eq!(kind(&std::env::temp_dir()), io::ErrorKind::IsADirectory);
    assert_eq!(kind(Path::new("/dev/zero")), io::ErrorKind::NotSeekable);
}
