//! Times whole decodes and centre crops of the files of a folder, and says where the answer went.
//!
//! `cargo bench -p pixfeed-jpeg -- FOLDER [ROUNDS]`; without a folder, the crate's own test file.

use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::time::Instant;

use pixfeed_jpeg::{Colour, Decoder, Isa, Jpeg, Layout, Limits, Region};

fn files(path: &Path, into: &mut Vec<PathBuf>) {
    if path.is_file() {
        into.push(path.to_owned());
    } else if let Ok(entries) = path.read_dir() {
        entries.flatten().for_each(|entry| files(&entry.path(), into));
    }
}

/// The mean over files of each file's best time, in microseconds.
fn best(rounds: u32, data: &[Vec<u8>], mut work: impl FnMut(&[u8])) -> f64 {
    let mut times = vec![f64::MAX; data.len()];
    for _ in 0..rounds {
        for (time, file) in times.iter_mut().zip(data) {
            let start = Instant::now();
            work(file);
            *time = time.min(start.elapsed().as_secs_f64());
        }
    }
    times.iter().sum::<f64>() / times.len() as f64 * 1e6
}

fn decode(decoder: &mut Decoder, out: &mut Vec<u8>, file: &[u8], crop: bool) {
    let Ok(jpeg) = Jpeg::open(file, Limits::default()) else { return };
    let header = jpeg.header();
    let mut region = Region::whole(header);
    if crop {
        region.x = region.width / 4;
        region.y = region.height / 4;
        region.width = (region.width / 2).max(1);
        region.height = (region.height / 2).max(1);
    }
    let inks = matches!(header.colour, Colour::Cmyk | Colour::Ycck);
    let layout = if inks { Layout::Inks } else { Layout::Rgb };
    out.resize(region.width as usize * region.height as usize * layout.channels(), 0);
    let done = decoder.pixels(&jpeg, region, layout, out);
    done.expect("the files of a benchmark are whole");
    black_box(&out);
}

fn main() {
    let mut arguments = std::env::args().skip(1).filter(|argument| !argument.starts_with("--"));
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data");
    let folder = arguments.next().map_or(own, PathBuf::from);
    let rounds = arguments.next().and_then(|rounds| rounds.parse().ok()).unwrap_or(5);
    let mut paths = Vec::new();
    files(&folder, &mut paths);
    paths.sort();
    let data: Vec<Vec<u8>> = paths.iter().flat_map(std::fs::read).collect();
    for isa in [Isa::Scalar, Isa::detect()] {
        let (mut decoder, mut out) = (Decoder::new(isa), Vec::new());
        for (name, crop) in [("whole", false), ("centre crop", true)] {
            let time = best(rounds, &data, |file| decode(&mut decoder, &mut out, file, crop));
            println!("{isa:?} {name}: {time:.1} us an image, {} images", data.len());
        }
    }
}
