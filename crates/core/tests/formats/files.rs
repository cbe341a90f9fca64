//! The golden files and one way into all formats.

use std::fs;
use std::path::{Path, PathBuf};

use pixfeed_core::decode::raster::{Limits, Probe, Raster};
use pixfeed_core::decode::sniff::{self, Format};
use pixfeed_core::decode::{bmp, gif, png, tiff, webp};
use pixfeed_core::fault::Fault;

pub const BACKGROUND: [u8; 3] = [10, 200, 30];
pub const GRAY_BACKGROUND: [u8; 3] = [90, 90, 90];

pub fn decode(data: &[u8], background: [u8; 3], limits: &Limits) -> Result<Raster, Fault> {
    match sniff::format(data)? {
        Format::Jpeg => panic!("no golden is a JPEG"),
        Format::Png => png::decode(data, background, limits),
        Format::WebP => webp::decode(data, background, limits),
        Format::Gif => gif::decode(data, background, limits),
        Format::Bmp => bmp::decode(data, background, limits),
        Format::Tiff => tiff::decode(data, background, limits),
    }
}

pub fn probe(data: &[u8]) -> Result<Probe, Fault> {
    let limits = Limits::default();
    match sniff::format(data)? {
        Format::Jpeg => panic!("no golden is a JPEG"),
        Format::Png => png::probe(data, &limits),
        Format::WebP => webp::probe(data, &limits),
        Format::Gif => gif::probe(data, &limits),
        Format::Bmp => bmp::probe(data, &limits),
        Format::Tiff => tiff::probe(data, &limits),
    }
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/goldens")
}

/// A golden file.
pub struct Golden {
    pub name: String,
    pub data: Vec<u8>,
    /// What a probe must say, in the order of `probes.txt`.
    pub probe: Vec<String>,
}

/// All golden files.
pub fn goldens() -> Vec<Golden> {
    let lines = fs::read_to_string(folder().join("probes.txt")).unwrap();
    let split = |line: &str| {
        let mut words = line.split(' ').map(str::to_owned);
        let name = words.next().unwrap();
        let data = fs::read(folder().join(&name)).unwrap();
        Golden { name, data, probe: words.collect() }
    };
    lines.lines().map(split).collect()
}

pub fn expected(name: &str) -> Raster {
    let data = fs::read(folder().join(format!("{name}.pnm"))).unwrap();
    let mut parts = data.splitn(4, |byte| *byte == b'\n');
    let channels = if parts.next() == Some(b"P5") { 1 } else { 3 };
    let size = String::from_utf8(parts.next().unwrap().to_vec()).unwrap();
    let (width, height) = size.split_once(' ').unwrap();
    let pixels = parts.nth(1).unwrap().to_vec();
    Raster { width: width.parse().unwrap(), height: height.parse().unwrap(), channels, pixels }
}
