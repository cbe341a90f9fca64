//! A shard walked in every way, and each payload taken for an Example of an image.
#![no_main]

use libfuzzer_sys::fuzz_target;
use pixfeed_core::record::{Example, Limits, Scan, Schema, View, frame};

/// Enough for any input; a claim beyond it is refused, whether the bytes are there or not.
const LIMITS: Limits = Limits { payload: 1 << 20, checked: true };

fuzz_target!(|data: &[u8]| {
    let sound = walk(data, LIMITS);
    let all = walk(data, Limits { checked: false, ..LIMITS });
    assert!(sound.len() <= all.len(), "checksums bring no records");
    // Almost no mutation is a sound shard: the input is taken for a payload, too.
    for payload in all.into_iter().chain([data.to_vec()]) {
        ask(&payload);
    }
    let mut framed = Vec::new();
    frame::write(&mut framed, data).expect("memory takes everything");
    assert!(walk(&framed, LIMITS) == [data], "what is framed is read");
});

fn walk(data: &[u8], limits: Limits) -> Vec<Vec<u8>> {
    let (mut scan, mut all) = (Scan::of_stream(data, limits), Vec::new());
    while let Some(record) = scan.next() {
        match record {
            Ok(record) => all.push(record.payload.to_vec()),
            Err(error) => {
                let damage = error.damage().expect("memory has no errors of its own");
                assert!(damage.fault.offset <= Some(data.len() as u64));
            }
        }
    }
    all
}

fn ask(payload: &[u8]) {
    let example = Example::new(payload);
    let listed: Result<Vec<_>, _> = example.features().collect();
    let found = example.find(&["image/class/label", "image/encoded"]);
    match (&listed, found) {
        (Ok(listed), Ok([label, encoded])) => {
            for (name, found) in [("image/class/label", label), ("image/encoded", encoded)] {
                let last = listed.iter().rev().find(|(other, _)| *other == name);
                let same = last.map(|(_, feature)| feature.raw()) == found.map(|f| f.raw());
                assert!(same, "{name} is found as it is listed");
            }
        }
        (Ok(_), Err(fault)) => panic!("listed without a fault, found with {fault}"),
        (Err(fault), _) => assert!(fault.offset <= Some(payload.len() as u64)),
    }
    let Ok(view) = View::read(payload, &Schema::default()) else { return };
    let (mut first, mut second) = (Vec::new(), Vec::new());
    view.write(&[], &mut first);
    View::read(&first, &Schema::default())
        .expect("what is written is read")
        .write(&[], &mut second);
    assert!(first == second, "written twice, it is another");
}
