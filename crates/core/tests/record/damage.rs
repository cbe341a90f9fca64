//! Every truncation and every changed bit of a shard: found for what it is, and never a panic.

use pixfeed_core::fault::Code;
use pixfeed_core::record::{Damage, Error, Limits, Scan, Shard, frame};

use crate::shards::{File, PAYLOADS, shard};

/// What a walk found: the payloads, and the damage that it went on after or ended with.
fn walk(mut scan: Scan<'_>) -> (Vec<(u64, Vec<u8>)>, Vec<Damage>) {
    let (mut sound, mut damaged) = (Vec::new(), Vec::new());
    while let Some(record) = scan.next() {
        match record {
            Ok(record) => sound.push((record.index, record.payload.to_vec())),
            Err(Error::Damage(damage)) => damaged.push(damage),
            Err(Error::Io(error)) => panic!("{error}"),
        }
    }
    assert!(scan.next().is_none() && scan.is_over());
    (sound, damaged)
}

fn in_file(bytes: &[u8]) -> (Vec<(u64, Vec<u8>)>, Vec<Damage>) {
    let file = File::of(bytes);
    walk(Shard::open(&file.0).unwrap().scan(Limits::default()))
}

/// The frames: where each begins, and where its payload does and ends.
fn frames() -> Vec<(usize, usize, usize)> {
    let mut at = 0;
    let frame = |payload: &&[u8]| {
        let start = at;
        at += payload.len() + 16;
        (start, start + 12, at - 4)
    };
    PAYLOADS.iter().map(frame).collect()
}

#[test]
fn a_truncation_is_found_where_it_is() {
    let whole = shard();
    for end in 0..whole.len() {
        let cut = &whole[..end];
        let before = frames().iter().filter(|frame| frame.2 + 4 <= end).count();
        let start = frames()[before].0;
        let streamed = walk(Scan::of_stream(cut, Limits::default()));
        let (header, rest) = match end - start {
            0 => (None, None),
            1..12 => (Some(Code::CutHeader), Some(Code::CutHeader)),
            _ => (Some(Code::BeyondEnd), Some(Code::CutPayload)),
        };
        for ((sound, damaged), code) in [(in_file(cut), header), (streamed, rest)] {
            assert_eq!(sound.len(), before, "{end}");
            assert_eq!(damaged.first().map(|damage| damage.fault.code), code, "{end}");
            if let Some(damage) = damaged.first() {
                assert_eq!((damage.index, damage.offset), (Some(before as u64), start as u64));
                assert!(damaged.len() == 1 && !damage.costs_only_itself());
            }
        }
    }
}

#[test]
fn a_changed_bit_is_found_and_costs_what_it_must() {
    let whole = shard();
    for bit in 0..8 * whole.len() {
        let mut changed = whole.clone();
        changed[bit / 8] ^= 1 << (bit % 8);
        let hit = frames().iter().rposition(|frame| frame.0 <= bit / 8).unwrap();
        let (start, payload, end) = frames()[hit];
        for (sound, damaged) in
            [in_file(&changed), walk(Scan::of_stream(&changed[..], Limits::default()))]
        {
            let damage = &damaged[0];
            assert_eq!((damaged.len(), damage.index), (1, Some(hit as u64)), "bit {bit}");
            assert_eq!(damage.offset, start as u64);
            if bit / 8 < payload {
                assert_eq!((damage.fault.code, sound.len()), (Code::LengthCrc, hit));
                assert_eq!(damage.fault.offset, Some(start as u64 + 8));
            } else {
                assert_eq!(
                    (damage.fault.code, sound.len()),
                    (Code::PayloadCrc, PAYLOADS.len() - 1)
                );
                assert_eq!(damage.fault.offset, Some(end as u64));
                assert!(damage.costs_only_itself());
                assert!(sound.iter().all(|(index, bytes)| bytes == PAYLOADS[*index as usize]));
            }
        }
    }
}

#[test]
fn unchecked_payloads_come_as_they_are() {
    let mut changed = shard();
    changed[12] ^= 1;
    let limits = Limits { checked: false, ..Limits::default() };
    let (sound, damaged) = walk(Scan::of_stream(&changed[..], limits));
    assert_eq!((sound.len(), damaged.len()), (PAYLOADS.len(), 0));
}

#[test]
fn a_record_over_the_limit_is_refused_before_it_is_read() {
    let limits = Limits { payload: 4, checked: true };
    let (sound, damaged) = walk(Scan::of_stream(&shard()[..], limits));
    let over = PAYLOADS.iter().position(|payload| payload.len() > 4).unwrap();
    assert_eq!((sound.len(), damaged[0].fault.code), (over, Code::RecordTooLarge));
    assert_eq!(damaged[0].fault.offset, Some(damaged[0].offset));
}

/// A sound header that claims more memory than there is.
#[test]
fn a_claim_is_not_believed() {
    let claim = frame::header(1 << 60);
    let limits = Limits { payload: u64::MAX, checked: true };
    let (_, damaged) = walk(Scan::of_stream(&claim[..], limits));
    assert_eq!(damaged[0].fault.code, Code::CutPayload);
    let claim = frame::header(u64::MAX);
    let mut scan = Scan::of_stream(&claim[..], limits);
    assert!(matches!(scan.next(), Some(Err(Error::Io(_)))));
    assert!(scan.next().is_none());
}

/// Gzip and zlib streams: each truncation and each changed bit gives records, or says what is wrong.
#[test]
fn compressed_shards_fail_in_words() {
    for name in ["examples.tfrecord.gzip", "examples.tfrecord.zlib"] {
        let packed = std::fs::read(crate::given::golden(name)).unwrap();
        for end in (3..packed.len()).step_by(61).chain([packed.len() - 1]) {
            let (sound, damaged) = in_file(&packed[..end]);
            assert_eq!(damaged[0].fault.code, Code::CutCompression, "{name} until {end}");
            assert_eq!(damaged[0].index, Some(sound.len() as u64));
        }
        for place in (11..packed.len()).step_by(67) {
            let mut changed = packed.clone();
            changed[place] ^= 16;
            let (_, damaged) = in_file(&changed);
            assert!(!damaged.is_empty(), "{name} at {place}");
        }
        let (sound, damaged) = in_file(&[&packed[..], b"more"].concat());
        assert_eq!((sound.len(), damaged.len()), (64, 1));
        assert!([Code::BadCompression, Code::CutCompression].contains(&damaged[0].fault.code));
    }
    let gzip = std::fs::read(crate::given::golden("examples.tfrecord.gzip")).unwrap();
    let (sound, damaged) = in_file(&[&gzip[..], &gzip[..]].concat());
    assert_eq!((sound.len(), damaged.len()), (128, 0));
}
