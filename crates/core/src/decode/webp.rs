//! WebP: a walk over the chunks finds the first picture, the `image-webp` crate unpacks it.

use std::io::{Cursor, ErrorKind};

use image_webp::{DecodingError, WebPDecoder};

use super::policy::{Flattener, check_pixels, stride};
use super::raster::{Limits, Probe, Raster};
use crate::fault::{Code, Fault};

mod chunks;

use chunks::{Chunks, Picture};

const NAME: &str = "WEBP";

/// What the chunks say: format, size and metadata. No picture data is unpacked.
pub fn probe(data: &[u8], limits: &Limits) -> Result<Probe, Fault> {
    let chunks = Chunks::read(data)?;
    check_pixels(NAME, chunks.width, chunks.height, limits)?;
    Ok(chunks.probe())
}

/// The picture, or an animation's first frame on its canvas, over `background`.
pub fn decode(data: &[u8], background: [u8; 3], limits: &Limits) -> Result<Raster, Fault> {
    let chunks = Chunks::read(data)?;
    check_pixels(NAME, chunks.width, chunks.height, limits)?;
    let picture = chunks.picture.as_ref().map_err(Clone::clone)?;
    picture.check_data(data, limits)?;
    let frame = unpack(&picture.file(data), background, picture)?;
    match (picture.left, picture.top, picture.width, picture.height) {
        (0, 0, width, height) if (width, height) == (chunks.width, chunks.height) => Ok(frame),
        _ => Ok(place(&chunks, picture, &frame, background)),
    }
}

fn missing(data: &[u8]) -> Fault {
    let found = "the data ends before the picture does";
    Fault::new(Code::Truncated, NAME, found).at(data.len() as u64)
}

fn unpack(file: &[u8], background: [u8; 3], picture: &Picture) -> Result<Raster, Fault> {
    let mut decoder = WebPDecoder::new(Cursor::new(file)).map_err(fault)?;
    let (width, height) = decoder.dimensions();
    if (width, height) != (picture.width, picture.height) {
        let found = format!(
            "a bitstream of {width} x {height} in a frame of {} x {}",
            picture.width, picture.height
        );
        return Err(Fault::new(Code::BadHeader, NAME, found));
    }
    let flattener = Flattener::new(if decoder.has_alpha() { 4 } else { 3 }, background);
    let mut raster = flattener.raster(width, height);
    if !flattener.has_alpha() {
        decoder.read_image(&mut raster.pixels).map_err(fault)?;
        return Ok(raster);
    }
    let mut straight = vec![0; width as usize * height as usize * 4];
    decoder.read_image(&mut straight).map_err(fault)?;
    flattener.flatten(&straight, &mut raster.pixels);
    Ok(raster)
}

fn place(chunks: &Chunks, picture: &Picture, frame: &Raster, background: [u8; 3]) -> Raster {
    let size = chunks.width as usize * chunks.height as usize;
    let pixels = background.repeat(size);
    let mut canvas = Raster { width: chunks.width, height: chunks.height, channels: 3, pixels };
    let (from, to) = (stride(frame), stride(&canvas));
    let left = picture.left as usize * 3;
    let rows = canvas.pixels.chunks_exact_mut(to).skip(picture.top as usize);
    for (row, out) in frame.pixels.chunks_exact(from).zip(rows) {
        out[left..left + from].copy_from_slice(row);
    }
    canvas
}

fn fault(error: DecodingError) -> Fault {
    let code = match &error {
        DecodingError::IoError(e) if e.kind() == ErrorKind::UnexpectedEof => Code::Truncated,
        DecodingError::NotEnoughInitData => Code::Truncated,
        DecodingError::UnsupportedFeature(_) => Code::Unsupported,
        DecodingError::ImageTooLarge | DecodingError::MemoryLimitExceeded => Code::TooMuchMemory,
        DecodingError::InconsistentImageSizes => Code::BadHeader,
        _ => Code::BadData,
    };
    match code {
        Code::Truncated => Fault::new(code, NAME, "the picture data ends before the picture does"),
        _ => Fault::new(code, NAME, error.to_string()),
    }
}
