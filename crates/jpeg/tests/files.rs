//! The crate alone, by small files of every kind: libjpeg-turbo's samples, parts, strips, coefficients,
//! and an error for every place a file can be cut at. `data/make.py` makes the files.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use pixfeed_jpeg::{
    Coefficients, Decoder, Isa, Jpeg, Kind, Layout, Limits, Plane, Region, Scale, Strip, StripSink,
};

const WIDTH: u32 = 21;
const HEIGHT: u32 = 19;

/// A file, and the samples libjpeg-turbo reads in it.
struct File {
    name: String,
    data: Vec<u8>,
    layout: Layout,
    samples: Vec<u8>,
}

fn files() -> Vec<File> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data");
    let mut found: Vec<File> =
        folder.read_dir().unwrap().filter_map(|entry| file(&entry.unwrap().path())).collect();
    found.sort_by(|a, b| a.name.cmp(&b.name));
    assert_eq!(found.len(), 13);
    found
}

fn file(samples: &PathBuf) -> Option<File> {
    let layout = match samples.extension()?.to_str()? {
        // A gray picture is asked for as RGB too, below.
        "gray" => Layout::Luma,
        "rgb" => Layout::Rgb,
        "inks" => Layout::Inks,
        _ => return None,
    };
    let name = samples.file_stem()?.to_str()?.to_owned();
    let data = fs::read(samples.with_extension("jpg")).unwrap();
    Some(File { name, data, layout, samples: fs::read(samples).unwrap() })
}

fn open(data: &[u8]) -> Jpeg<'_> {
    Jpeg::open(data, Limits::default()).unwrap()
}

fn part(decoder: &mut Decoder, file: &File, region: Region) -> Vec<u8> {
    let area = region.width as usize * region.height as usize;
    let mut out = vec![0; area * file.layout.channels()];
    decoder.pixels(&open(&file.data), region, file.layout, &mut out).unwrap();
    out
}

fn cropped(file: &File, region: Region) -> Vec<u8> {
    let channels = file.layout.channels();
    let row = |y: u32| {
        let start = (y * WIDTH + region.x) as usize * channels;
        &file.samples[start..start + region.width as usize * channels]
    };
    (region.y..region.y + region.height).flat_map(row).copied().collect()
}

#[test]
fn whole_pictures_are_libjpeg_turbos() {
    for isa in [Isa::Scalar, Isa::detect()] {
        let mut decoder = Decoder::new(isa);
        for file in files() {
            let whole = Region { x: 0, y: 0, width: WIDTH, height: HEIGHT };
            assert_eq!(part(&mut decoder, &file, whole), file.samples, "{} {isa:?}", file.name);
        }
    }
}

#[test]
fn every_part_is_the_crop_of_the_whole() {
    let mut decoder = Decoder::default();
    for file in files() {
        for (x, y) in (0..WIDTH).flat_map(|x| (0..HEIGHT).map(move |y| (x, y))) {
            let sizes = [(1, 1), (WIDTH - x, 1), (1, HEIGHT - y), (WIDTH - x, HEIGHT - y)];
            for (width, height) in sizes {
                let region = Region { x, y, width, height };
                let got = part(&mut decoder, &file, region);
                assert_eq!(got, cropped(&file, region), "{} {region:?}", file.name);
            }
        }
    }
}

#[test]
fn gray_is_repeated_in_rgb() {
    for file in files().into_iter().filter(|file| file.layout == Layout::Luma) {
        let mut out = vec![0; file.samples.len() * 3];
        let jpeg = open(&file.data);
        let whole = Region::whole(jpeg.header());
        Decoder::default().pixels(&jpeg, whole, Layout::Rgb, &mut out).unwrap();
        let repeated: Vec<u8> = file.samples.iter().flat_map(|&value| [value; 3]).collect();
        assert_eq!(out, repeated, "{}", file.name);
    }
}

/// Samples by component, row and column.
#[derive(Default)]
struct Collected(BTreeMap<(usize, u32, u32), i16>);

impl StripSink for Collected {
    fn strip(&mut self, strip: Strip<'_>) {
        for (column, samples) in strip.samples.chunks_exact(Strip::ROWS).enumerate() {
            for (row, &sample) in samples[..strip.rows].iter().enumerate() {
                let place = (strip.first_row + row as u32, strip.first_column + column as u32);
                let before = self.0.insert((strip.component, place.0, place.1), sample);
                assert_eq!(before, None, "handed out twice");
            }
        }
    }
}

fn strips(decoder: &mut Decoder, jpeg: &Jpeg<'_>, scale: Scale) -> Collected {
    let mut planes = [None; 4];
    for (plane, component) in planes.iter_mut().zip(jpeg.header().components()) {
        let (width, height) = (component.width, component.height);
        *plane = Some(Plane { region: Region { x: 0, y: 0, width, height }, scale });
    }
    let mut collected = Collected::default();
    decoder.strips(jpeg, &planes, &mut collected).unwrap();
    collected
}

#[test]
fn strips_of_a_gray_picture_are_its_pixels() {
    for file in files().into_iter().filter(|file| file.layout == Layout::Luma) {
        let collected = strips(&mut Decoder::default(), &open(&file.data), Scale::Full);
        for (at, &pixel) in file.samples.iter().enumerate() {
            let (row, column) = (at as u32 / WIDTH, at as u32 % WIDTH);
            let sample = f64::from(collected.0[&(0, row, column)]) / 256.0 + 128.0;
            assert!((sample - f64::from(pixel)).abs() < 0.6, "{} ({row}, {column})", file.name);
        }
    }
}

#[test]
fn every_scale_has_every_sample() {
    let mut decoder = Decoder::default();
    for file in files() {
        let jpeg = open(&file.data);
        for scale in Scale::ALL {
            let collected = strips(&mut decoder, &jpeg, scale);
            for (index, component) in jpeg.header().components().iter().enumerate() {
                let (wide, high) = (component.width, component.height);
                for y in 0..high.div_ceil(scale.divisor()) {
                    for x in 0..wide.div_ceil(scale.divisor()) {
                        assert!(
                            collected.0.contains_key(&(index, y, x)),
                            "{} {scale:?}",
                            file.name
                        );
                    }
                }
            }
        }
    }
}

fn coefficients(data: &[u8]) -> Coefficients {
    Decoder::default().coefficients(&open(data)).unwrap()
}

#[test]
fn coefficients_are_there_whole() {
    for file in files() {
        let jpeg = open(&file.data);
        let found = coefficients(&file.data);
        let scans = file.data.windows(2).filter(|pair| pair == b"\xFF\xDA").count();
        assert_eq!(found.scans as usize, scans, "{}", file.name);
        for (blocks, component) in found.components.iter().zip(jpeg.header().components()) {
            assert_eq!(blocks.blocks.len(), blocks.blocks_wide * blocks.blocks_high);
            assert!(blocks.blocks_wide * 8 >= component.width as usize);
            assert!(blocks.blocks_high * 8 >= component.height as usize);
            assert!(blocks.quant.iter().all(|&factor| factor > 0));
        }
    }
}

/// How a picture was written changes no coefficient.
#[test]
fn layouts_of_one_picture_have_the_same_coefficients() {
    let named = |name: &str| files().into_iter().find(|file| file.name == name).unwrap();
    for names in [["420", "420-apart"], ["420", "420-usual"], ["gray", "gray-usual"]] {
        let [one, other] = names.map(|name| coefficients(&named(name).data).components);
        for (one, other) in one.iter().zip(&other) {
            // Padding blocks are in interleaved scans only.
            for (at, (a, b)) in one.blocks.iter().zip(&other.blocks).enumerate() {
                let (x, y) = (at % one.blocks_wide, at / one.blocks_wide);
                assert!(a == b || x >= 3 || y >= 3, "{names:?}: block ({x}, {y})");
            }
        }
    }
}

#[test]
fn every_cut_is_an_error_with_its_place() {
    let mut decoder = Decoder::default();
    for file in files() {
        // Without its end-of-image marker a file is still complete.
        for length in 0..file.data.len() - 2 {
            let cut = &file.data[..length];
            let Err(error) = Jpeg::open(cut, Limits::default()).and_then(|jpeg| {
                let mut out = vec![0; file.samples.len()];
                decoder.pixels(&jpeg, Region::whole(jpeg.header()), file.layout, &mut out)
            }) else {
                panic!("{} cut to {length} of {} is read", file.name, file.data.len());
            };
            assert!(error.offset <= length, "{} cut to {length}: {error}", file.name);
            let cut_off = matches!(
                error.kind,
                Kind::NotJpeg | Kind::CutInHeaders | Kind::CutInScan { .. } | Kind::MissingScan
            );
            assert!(cut_off, "{} cut to {length}: {error}", file.name);
        }
    }
}

#[test]
fn limits_are_kept() {
    let progressive = files().into_iter().find(|file| file.name == "420-usual").unwrap().data;
    let pixels = Limits { pixels: u64::from(WIDTH * HEIGHT) - 1, ..Limits::default() };
    let error = Jpeg::open(&progressive, pixels).err().unwrap();
    assert!(matches!(error.kind, Kind::TooManyPixels { pixels: 399, limit: 398 }), "{error}");
    for (limits, memory) in [
        (Limits { scans: 9, ..Limits::default() }, false),
        (Limits { memory: 1000, ..Limits::default() }, true),
    ] {
        let jpeg = Jpeg::open(&progressive, limits).unwrap();
        let error = Decoder::default().coefficients(&jpeg).unwrap_err();
        match error.kind {
            Kind::TooManyScans { limit: 9 } => assert!(!memory),
            Kind::TooMuchMemory { limit: 1000, .. } => assert!(memory),
            _ => panic!("{error}"),
        }
    }
}

#[test]
fn a_region_outside_is_an_error() {
    let file = files().remove(0);
    for (x, y, width, height) in [
        (0, 0, 0, 1),
        (0, 0, WIDTH + 1, 1),
        (WIDTH, 0, 1, 1),
        (0, 1, 1, HEIGHT),
        (u32::MAX, 0, 2, 1),
    ] {
        let region = Region { x, y, width, height };
        let jpeg = open(&file.data);
        let error = Decoder::default().pixels(&jpeg, region, file.layout, &mut []).unwrap_err();
        assert_eq!(error.kind, Kind::RegionOutside, "{region:?}");
    }
}
