//! Files that are refused, and for what reason.

use pixfeed_core::decode::raster::Limits;
use pixfeed_core::fault::Code;

use crate::files::{BACKGROUND, decode, goldens};

fn named(name: &str) -> Vec<u8> {
    goldens().into_iter().find(|golden| golden.name == name).unwrap().data
}

fn refusal(data: &[u8], limits: &Limits) -> (Code, String) {
    let fault = decode(data, BACKGROUND, limits).unwrap_err();
    (fault.code, fault.to_string())
}

/// A little-endian TIFF golden with another value in a SHORT tag.
fn retagged(name: &str, tag: u16, value: u16) -> Vec<u8> {
    let mut data = named(name);
    let entry = [&tag.to_le_bytes()[..], &[3, 0]].concat();
    let at = data.windows(4).rposition(|w| w == entry).unwrap();
    data[at + 8..at + 10].copy_from_slice(&value.to_le_bytes());
    data
}

#[test]
fn too_many_pixels_are_refused_in_every_format() {
    let limits = Limits { pixels: 200, ..Limits::default() };
    for golden in goldens() {
        let (code, found) = refusal(&golden.data, &limits);
        assert_eq!(code, Code::TooManyPixels, "{}", golden.name);
        assert!(found.contains("limit is 200"), "{found}");
    }
}

#[test]
fn too_much_memory_is_refused_in_every_format() {
    let limits = Limits { memory: 100, ..Limits::default() };
    for golden in goldens() {
        assert_eq!(refusal(&golden.data, &limits).0, Code::TooMuchMemory, "{}", golden.name);
    }
}

#[test]
fn tiff_variants_that_are_not_read_are_named() {
    let plain = "tiff-one-strip.tif";
    let cases = [
        (retagged(plain, 259, 7), "JPEG"),
        (retagged(plain, 259, 6), "JPEG"),
        (retagged(plain, 259, 4), "fax"),
        (retagged(plain, 259, 50_000), "Zstandard"),
        (retagged(plain, 259, 999), "compression 999"),
        (retagged(plain, 262, 6), "YCbCr"),
        (retagged(plain, 262, 8), "Lab"),
        (retagged(plain, 262, 32_803), "raw camera"),
        (retagged(plain, 262, 4), "mask"),
        (retagged("tiff-gray8.tif", 258, 12), "12 bit"),
        (retagged("tiff-gray8.tif", 258, 32), "32 bit"),
    ];
    for (data, word) in cases {
        let (code, found) = refusal(&data, &Limits::default());
        assert_eq!(code, Code::Unsupported, "{found}");
        assert!(found.contains(word), "{word}: {found}");
    }
}

#[test]
fn bitmap_variants_that_are_not_read_are_named() {
    for (compression, word) in [(4, "JPEG"), (5, "PNG"), (11, "CMYK"), (77, "compression 77")] {
        let mut data = named("bmp-rgb24.bmp");
        data[30] = compression;
        let (code, found) = refusal(&data, &Limits::default());
        assert_eq!(code, Code::Unsupported, "{found}");
        assert!(found.contains(word), "{word}: {found}");
    }
    let mut data = named("bmp-rgb24.bmp");
    data[14] = 64;
    assert_eq!(refusal(&data, &Limits::default()).0, Code::Unsupported);
}

#[test]
fn contradictions_have_their_codes() {
    let mut no_palette = named("png-palette8.png");
    let at = no_palette.windows(4).position(|w| w == b"PLTE").unwrap();
    no_palette[at] = b'p';
    assert_eq!(refusal(&no_palette, &Limits::default()).0, Code::BadTable);
    let mut bad_kind = named("png-rgb8.png");
    bad_kind[25] = 5;
    assert_eq!(refusal(&bad_kind, &Limits::default()).0, Code::BadHeader);
    let mut text_mode = named("png-rgb8.png");
    text_mode.remove(4);
    assert_eq!(refusal(&text_mode, &Limits::default()).0, Code::BadHeader);
    let mut flat = named("gif-plain.gif");
    let at = flat.len() - 1;
    flat.truncate(at);
    let descriptor = flat.iter().position(|byte| *byte == b',').unwrap();
    flat[descriptor] = b';';
    assert_eq!(refusal(&flat, &Limits::default()).0, Code::Truncated);
    let mut far = named("webp-part.webp");
    let at = far.windows(4).position(|w| w == b"ANMF").unwrap();
    far[at + 8] = 200;
    assert_eq!(refusal(&far, &Limits::default()).0, Code::BadSegment);
}

/// CRC-32 as PNG's chunks carry it.
fn crc32(data: &[u8]) -> u32 {
    !data.iter().fold(u32::MAX, |sum, byte| {
        (0..8).fold(sum ^ u32::from(*byte), |sum, _| (sum >> 1) ^ (0xEDB8_8320 * (sum & 1)))
    })
}

#[test]
fn an_animation_whose_first_frame_is_smaller_is_refused() {
    let mut data = named("png-animated.png");
    let at = data.windows(4).position(|w| w == b"fcTL").unwrap();
    data[at + 11] -= 1;
    let sum = crc32(&data[at..at + 30]).to_be_bytes();
    data[at + 30..at + 34].copy_from_slice(&sum);
    let (code, found) = refusal(&data, &Limits::default());
    assert_eq!(code, Code::BadSegment, "{found}");
    assert!(found.contains("Sub frame"), "{found}");
}
