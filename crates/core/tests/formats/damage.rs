//! Cut and mutated files: a fault or the same pixels, never a panic.

use std::panic::{AssertUnwindSafe, catch_unwind};

use pixfeed_core::decode::raster::{Limits, Raster};
use pixfeed_core::fault::{Code, Fault};
use proptest::prelude::*;

use crate::files::{BACKGROUND, Golden, decode, expected, goldens, probe};

/// Limits a mutated header cannot take far.
const SMALL: Limits = Limits { pixels: 100_000, scans: 100, memory: 8 << 20 };

fn quietly(golden: &Golden, data: &[u8]) -> Result<Raster, Fault> {
    let both = || {
        let probed = probe(data);
        let decoded = decode(data, BACKGROUND, &SMALL);
        if let (Ok(probe), Ok(raster)) = (&probed, &decoded) {
            assert_eq!((probe.width, probe.height), (raster.width, raster.height));
        }
        decoded
    };
    catch_unwind(AssertUnwindSafe(both))
        .unwrap_or_else(|_| panic!("{}: panicked over {data:02X?}", golden.name))
}

#[test]
fn every_cut_is_a_fault_or_the_same_pixels() {
    for golden in goldens() {
        let whole = decode(&golden.data, BACKGROUND, &SMALL).unwrap();
        for length in 0..golden.data.len() {
            match quietly(&golden, &golden.data[..length]) {
                Ok(raster) => assert!(raster == whole, "{} cut to {length}", golden.name),
                Err(fault) => assert!(!fault.found.is_empty(), "{} cut to {length}", golden.name),
            }
        }
    }
}

/// Cuts through the picture itself are told apart from other damage.
#[test]
fn a_cut_in_half_is_called_truncated() {
    // The first frame of an animation may be whole.
    for golden in goldens().into_iter().filter(|golden| golden.probe[9] == "0") {
        let half = &golden.data[..golden.data.len() / 2];
        let fault = quietly(&golden, half).expect_err(&golden.name);
        assert_eq!(fault.code, Code::Truncated, "{}: {fault}", golden.name);
    }
}

#[test]
fn garbage_after_the_end_changes_nothing() {
    for golden in goldens() {
        let mut data = golden.data.clone();
        data.extend_from_slice(b"\0\xFFgarbage after the end, as some servers add it");
        let raster = quietly(&golden, &data).unwrap_or_else(|f| panic!("{}: {f}", golden.name));
        if !golden.name.contains("-on-gray") {
            assert!(raster == expected(&golden.name), "{}", golden.name);
        }
    }
}

/// PNG's checksums find every single flipped bit in the picture data.
#[test]
fn a_flipped_bit_in_png_data_is_found() {
    for golden in goldens().into_iter().filter(|g| g.name.ends_with(".png")) {
        let start = golden.data.windows(4).position(|w| w == b"IDAT").unwrap() + 4;
        let end = golden.data.windows(4).rposition(|w| w == b"IDAT").unwrap() + 8;
        for at in (start..end.max(start + 20)).step_by(3) {
            let mut data = golden.data.clone();
            data[at] ^= 0x10;
            assert!(quietly(&golden, &data).is_err(), "{} byte {at}", golden.name);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 20_000, ..ProptestConfig::default() })]

    #[test]
    fn mutations_never_panic(
        which in 0..1000usize,
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..6),
        near_the_start in any::<bool>(),
        cut in prop::option::weighted(0.2, any::<prop::sample::Index>()),
    ) {
        thread_local! {
            static GOLDENS: Vec<Golden> = goldens();
        }
        GOLDENS.with(|goldens| {
            let golden = &goldens[which % goldens.len()];
            let mut data = golden.data.clone();
            for (place, value) in changes {
                let range = if near_the_start { data.len().min(64) } else { data.len() };
                data[place.index(range)] = value;
            }
            if let Some(place) = cut {
                data.truncate(place.index(data.len()));
            }
            let _ = quietly(golden, &data);
        });
    }
}
