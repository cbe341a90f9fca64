//! How fast it is, for who asks: no test fails by it.
//!
//! `cargo test --release -p pixfeed-core --test record -- --ignored --nocapture speed`

use std::hint::black_box;
use std::time::Instant;

use pixfeed_core::record::{Example, Label, Limits, Schema, Shard, Slot, View, crc, frame};

use crate::shards::File;

fn example(bytes: usize) -> Vec<u8> {
    let encoded: Vec<u8> = (0..bytes).map(|i| ((i * 31) ^ (i >> 7)) as u8).collect();
    let view = View {
        encoded: Some(&encoded),
        format: Some("JPEG"),
        height: Some(375),
        width: Some(500),
        channels: Some(3),
        colorspace: Some("RGB"),
        label: Some(Label::One(517)),
        synset: Some("n01440764"),
        text: Some("tench, Tinca tinca"),
        filename: Some("n01440764_10026.JPEG"),
        key: Some("n01440764/n01440764_10026.JPEG"),
        ..View::default()
    };
    let mut payload = Vec::new();
    view.write(&[], &mut payload);
    payload
}

/// The best of some rounds, in seconds.
fn best(rounds: usize, mut work: impl FnMut()) -> f64 {
    let once = |()| {
        let start = Instant::now();
        work();
        start.elapsed().as_secs_f64()
    };
    std::iter::repeat_n((), rounds).map(once).fold(f64::INFINITY, f64::min)
}

#[test]
#[ignore = "a figure, no test"]
fn speed_of_shards() {
    for (bytes, name) in [(3 << 10, "3 KB"), (110 << 10, "110 KB"), (270_000, "270 KB")] {
        let payload = example(bytes);
        let count = (1 << 30) / payload.len();
        let mut writer = frame::Writer::new(Vec::with_capacity((1 << 30) + 16 * count));
        let write = Instant::now();
        for _ in 0..count {
            writer.write(&payload).unwrap();
        }
        let write = write.elapsed().as_secs_f64();
        let size = writer.bytes() as f64 / 1e9;
        let whole = writer.into_inner();
        let file = File::of(&whole);
        let shard = Shard::open(&file.0).unwrap();
        let crc = best(7, || assert_ne!(crc::masked(black_box(&whole)), 0));
        drop(whole);
        let walk = |first: Option<usize>, checked| {
            let limits = Limits { checked, ..Limits::default() };
            let mut scan = first.map_or_else(|| shard.scan(limits), |n| shard.headers(limits, n));
            let mut seen = 0;
            while let Some(record) = scan.next() {
                black_box(record.unwrap());
                seen += 1;
            }
            assert_eq!(seen, count);
        };
        let checked = best(7, || walk(None, true));
        let unchecked = best(7, || walk(None, false));
        let headers = best(7, || walk(Some(0), true));
        let (mut buffer, frame) = (Vec::new(), payload.len() as u64 + frame::OVERHEAD);
        let random = best(7, || {
            for i in 0..count as u64 {
                let at = i * 7919 % count as u64 * frame;
                let read = shard.read(at, payload.len() as u64, &mut buffer, Limits::default());
                black_box(read.unwrap());
            }
        });
        println!(
            "{name} a record, GB/s: CRC in memory {:.1}, walk {:.1} (unchecked {:.1}), at places {:.1} \
             ({:.1} us each), write to memory {:.1}; headers {:.0} ns each",
            size / crc,
            size / checked,
            size / unchecked,
            size / random,
            random / count as f64 * 1e6,
            size / write,
            headers / count as f64 * 1e9,
        );
    }
}

#[test]
#[ignore = "a figure, no test"]
fn speed_of_examples() {
    let payload = example(110 << 10);
    // Many short rounds: whatever else the machine does misses some of them.
    let once = |work: &dyn Fn()| best(500, || (0..1000).for_each(|_| work())) * 1e6;
    let two = ["image/class/label", "image/encoded"];
    let find =
        once(&|| assert!(Example::new(black_box(&payload)).find(&two).unwrap()[0].is_some()));
    let few = Schema::of(&[Slot::Encoded, Slot::Label, Slot::Format]);
    let view = |schema: &Schema| once(&|| drop(black_box(View::read(black_box(&payload), schema))));
    let (few, all) = (view(&few), view(&Schema::default()));
    println!("ns an Example of 11 features: find 2 {find:.0}, view of 3 {few:.0}, of all {all:.0}");
    let read = View::read(&payload, &Schema::default()).unwrap();
    let mut out = Vec::new();
    let build = best(500, || {
        out.clear();
        read.write(&[], black_box(&mut out));
    });
    println!("build one of 110 KB: {:.0} ns", build * 1e9);
}
