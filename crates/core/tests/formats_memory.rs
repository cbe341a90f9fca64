//! What is refused is refused before memory is taken: the allocator is counted.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

use pixfeed_core::decode::raster::{Limits, Raster};
use pixfeed_core::decode::{bmp, gif, png, tiff, webp};
use pixfeed_core::fault::{Code, Fault};

thread_local! {
    static LIVE: Cell<isize> = const { Cell::new(0) };
    static MOST: Cell<isize> = const { Cell::new(0) };
}

struct Counting;

fn count(change: isize) {
    // A thread that is ending has no counters any more; nothing is measured there.
    let _ = LIVE.try_with(|live| {
        live.set(live.get() + change);
        let _ = MOST.try_with(|most| most.set(most.get().max(live.get())));
    });
}

// SAFETY: every call is handed to the system allocator unchanged; counting allocates nothing.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size() as isize);
        // SAFETY: the caller keeps `alloc`'s contract.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        count(layout.size() as isize);
        // SAFETY: the caller keeps `alloc_zeroed`'s contract.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        count(-(layout.size() as isize));
        // SAFETY: the caller keeps `dealloc`'s contract.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

type Decode = fn(&[u8], [u8; 3], &Limits) -> Result<Raster, Fault>;

/// The fault and the most bytes held on the way to it.
fn refuse(decode: Decode, data: &[u8]) -> (Code, isize) {
    let before = LIVE.with(Cell::get);
    MOST.with(|most| most.set(before));
    let fault = decode(data, [0; 3], &Limits::default()).unwrap_err();
    (fault.code, MOST.with(Cell::get) - before)
}

fn golden(name: &str) -> Vec<u8> {
    std::fs::read(format!("{}/tests/goldens/{name}", env!("CARGO_MANIFEST_DIR"))).unwrap()
}

fn with(mut data: Vec<u8>, changes: &[(usize, &[u8])]) -> Vec<u8> {
    for (at, bytes) in changes {
        data[*at..*at + bytes.len()].copy_from_slice(bytes);
    }
    data
}

/// The place of a SHORT or LONG tag's value in a little-endian TIFF golden.
fn value(data: &[u8], tag: u16, kind: u8) -> usize {
    let entry = [&tag.to_le_bytes()[..], &[kind, 0]].concat();
    data.windows(4).rposition(|w| w == entry).unwrap() + 8
}

fn resized_tiff(name: &str) -> Vec<u8> {
    let data = golden(name);
    // Pillow writes LONG widths or SHORT ones as it likes.
    let place = |tag| {
        let kind = if data.windows(4).any(|w| w == [tag, 1, 4, 0]) { 4 } else { 3 };
        value(&data, u16::from_le_bytes([tag, 1]), kind)
    };
    let (width, height) = (place(0), place(1));
    let thirteen_thousand = 13_000u16.to_le_bytes();
    with(data, &[(width, &thirteen_thousand), (height, &thirteen_thousand)])
}

#[test]
fn tiny_files_that_claim_huge_pictures_take_no_memory() {
    let side = 13_000u16;
    let [wide, narrow] = [side.to_be_bytes(), side.to_le_bytes()];
    let png_size = [0, 0, wide[0], wide[1], 0, 0, wide[0], wide[1]];
    let screen = [narrow[0], narrow[1], narrow[0], narrow[1]];
    let gif_at = golden("gif-plain.gif").iter().position(|byte| *byte == b',').unwrap() + 5;
    let bmp_size = [narrow[0], narrow[1], 0, 0, narrow[0], narrow[1], 0, 0];
    let cases: Vec<(&str, Decode, Vec<u8>)> = vec![
        ("png", png::decode, with(golden("png-rgb8.png"), &[(16, &png_size)])),
        ("png16", png::decode, with(golden("png-rgba16-interlaced.png"), &[(16, &png_size)])),
        ("gif", gif::decode, with(golden("gif-plain.gif"), &[(6, &screen), (gif_at, &screen)])),
        ("bmp", bmp::decode, with(golden("bmp-rgb24.bmp"), &[(18, &bmp_size)])),
        ("rle", bmp::decode, with(golden("bmp-rle8.bmp"), &[(18, &bmp_size)])),
        ("webp", webp::decode, with(golden("webp-lossy.webp"), &[(26, &screen)])),
        ("tiff", tiff::decode, resized_tiff("tiff-one-strip.tif")),
        ("lzw", tiff::decode, resized_tiff("tiff-lzw.tif")),
        ("deflate", tiff::decode, resized_tiff("tiff-adobe-deflate.tif")),
        ("packbits", tiff::decode, resized_tiff("tiff-packbits.tif")),
    ];
    for (name, decode, data) in cases {
        let (code, most) = refuse(decode, &data);
        assert_eq!(code, Code::Truncated, "{name}");
        assert!(most < 64 << 10, "{name}: {most} bytes");
    }
}

#[test]
fn pictures_over_the_limit_take_no_memory() {
    let most = [0xFF; 4];
    let png_size = [0, 0, 0xFF, 0xDC, 0, 0, 0xFF, 0xDC];
    let tiff_width = value(&golden("tiff-one-strip.tif"), 257, 4);
    let canvas = golden("webp-part.webp").windows(4).position(|w| w == b"VP8X").unwrap() + 12;
    let cases: Vec<(&str, Decode, Vec<u8>)> = vec![
        ("png", png::decode, with(golden("png-rgb8.png"), &[(16, &png_size)])),
        ("gif", gif::decode, with(golden("gif-plain.gif"), &[(6, &most)])),
        ("tiff", tiff::decode, with(golden("tiff-one-strip.tif"), &[(tiff_width, &most)])),
        ("webp", webp::decode, with(golden("webp-part.webp"), &[(canvas, &[0xFF; 6])])),
    ];
    for (name, decode, data) in cases {
        let (code, most) = refuse(decode, &data);
        assert_eq!(code, Code::TooManyPixels, "{name}");
        assert!(most < 64 << 10, "{name}: {most} bytes");
    }
}

#[test]
fn tables_larger_than_the_picture_are_refused() {
    let data = golden("tiff-one-strip.tif");
    for tag in [273, 279] {
        let count = value(&data, tag, 4) - 4;
        let (code, most) = refuse(tiff::decode, &with(data.clone(), &[(count, &[0xFF; 4])]));
        assert_eq!(code, Code::BadSegment);
        assert!(most < 64 << 10, "{most} bytes");
    }
}

/// Found by fuzzing: the crate took 128 MiB for the values of a tag that has one.
#[test]
fn tags_with_too_many_values_are_refused() {
    let data = golden("tiff-lzw-predictor.tif");
    let count = value(&data, 317, 3) - 4;
    let claim = 0x40_0001_u32.to_le_bytes();
    let (code, most) = refuse(tiff::decode, &with(data, &[(count, &claim)]));
    assert_eq!(code, Code::BadSegment);
    assert!(most < 64 << 10, "{most} bytes");
}
