//! Every format x every mode: pixels and probes equal the golden files made by `goldens/make.py`.

use pixfeed_core::decode::raster::{Limits, Raster};

use crate::files::{BACKGROUND, GRAY_BACKGROUND, Golden, decode, expected, goldens, probe};

fn assert_same(name: &str, seen: &Raster, expected: &Raster) {
    let shape = |r: &Raster| (r.width, r.height, r.channels, r.pixels.len());
    assert_eq!(shape(seen), shape(expected), "{name}");
    let wrong = seen.pixels.iter().zip(&expected.pixels).position(|(a, b)| a != b);
    if let Some(at) = wrong {
        let (a, b) = (seen.pixels[at], expected.pixels[at]);
        panic!("{name}: byte {at} of {} is {a}, not {b}", seen.pixels.len());
    }
}

#[test]
fn pixels_equal_the_goldens() {
    let goldens = goldens();
    assert!(goldens.len() > 100, "only {} goldens", goldens.len());
    for Golden { name, data, .. } in goldens {
        let gray = name.contains("-on-gray");
        let background = if gray { GRAY_BACKGROUND } else { BACKGROUND };
        let seen = decode(&data, background, &Limits::default());
        let seen = seen.unwrap_or_else(|fault| panic!("{name}: {fault}"));
        assert_same(&name, &seen, &expected(&name));
    }
}

#[test]
fn probes_equal_the_goldens() {
    for Golden { name, data, probe: line } in goldens() {
        let seen = probe(&data).unwrap_or_else(|fault| panic!("{name}: {fault}"));
        let flags = [seen.alpha, seen.progressive, seen.animated, seen.icc].map(u8::from);
        let words = [
            seen.format.to_owned(),
            seen.width.to_string(),
            seen.height.to_string(),
            seen.channels.to_string(),
            seen.bits.to_string(),
            seen.colorspace.to_owned(),
            flags[0].to_string(),
            seen.orientation.to_string(),
            flags[1].to_string(),
            flags[2].to_string(),
            flags[3].to_string(),
        ];
        assert_eq!(words.to_vec(), line, "{name}");
    }
}

#[test]
fn the_background_shows_only_where_alpha_is() {
    for Golden { name, data, probe: line } in goldens() {
        let [a, b] = [[0, 0, 0], [255, 255, 255]]
            .map(|background| decode(&data, background, &Limits::default()).unwrap());
        // A frame that leaves a part of its canvas free shows it without any alpha of its own, and
        // an animation may have alpha in later frames only.
        match name.as_str() {
            "webp-part.webp" => assert_ne!(a.pixels, b.pixels, "{name}"),
            _ if line[9] == "1" && line[6] == "1" => {}
            _ => assert_eq!(a.pixels != b.pixels, line[6] == "1", "{name}"),
        }
    }
}
