//! GIF: the first frame on its screen; the `gif` crate unpacks the indices.

use std::num::NonZeroU64;

use gif::{ColorOutput, DecodeOptions, DecodingError, MemoryLimit};

use super::policy::{LZW_RATIO, check_memory, check_pixels, check_ratio};
use super::raster::{Limits, Probe, Raster};
use crate::fault::{Code, Fault};

mod blocks;

use blocks::Blocks;

const NAME: &str = "GIF";

/// What the blocks up to the second frame say. No picture data is unpacked.
pub fn probe(data: &[u8], limits: &Limits) -> Result<Probe, Fault> {
    let blocks = Blocks::read(data)?;
    check_pixels(NAME, blocks.width, blocks.height, limits)?;
    Ok(blocks.probe())
}

/// The first frame on its screen; what it does not cover is `background`.
///
/// A frame that reaches over the screen's edge enlarges the screen.
pub fn decode(data: &[u8], background: [u8; 3], limits: &Limits) -> Result<Raster, Fault> {
    let blocks = Blocks::read(data)?;
    check_pixels(NAME, blocks.width, blocks.height, limits)?;
    let area = u64::from(blocks.frame.width) * u64::from(blocks.frame.height);
    check_ratio(NAME, area, blocks.packed, LZW_RATIO)?;
    check_memory(NAME, area + (128 << 10), limits)?;
    let (indices, palette) = unpack(data, &blocks, limits)?;
    let colours = colours(&palette, blocks.frame.transparent, background);
    let mut raster = screen(&blocks, background);
    blocks.frame.paint(&indices, &colours, &mut raster);
    Ok(raster)
}

fn unpack(data: &[u8], blocks: &Blocks, limits: &Limits) -> Result<(Vec<u8>, Vec<u8>), Fault> {
    let mut options = DecodeOptions::new();
    options.set_color_output(ColorOutput::Indexed);
    options.allow_unknown_blocks(true);
    options.set_memory_limit(match NonZeroU64::new(limits.memory) {
        Some(limit) => MemoryLimit::Bytes(limit),
        None => MemoryLimit::Unlimited,
    });
    let mut decoder = options.read_info(data).map_err(fault)?;
    let missing = || Fault::new(Code::BadData, NAME, "no frame");
    let frame = decoder.next_frame_info().map_err(fault)?.ok_or_else(missing)?;
    let size = (u32::from(frame.width), u32::from(frame.height));
    if size != (blocks.frame.width, blocks.frame.height) {
        return Err(Fault::new(Code::BadData, NAME, "blocks that can be read in two ways"));
    }
    let palette = decoder.palette().map_err(fault)?.to_vec();
    let mut indices = vec![0; size.0 as usize * size.1 as usize];
    decoder.read_into_buffer(&mut indices).map_err(fault)?;
    Ok((indices, palette))
}

/// All 256 colours: missing ones are black, the transparent one is the background.
fn colours(palette: &[u8], transparent: Option<u8>, background: [u8; 3]) -> [[u8; 3]; 256] {
    let mut colours = [[0; 3]; 256];
    for (colour, stored) in colours.iter_mut().zip(palette.chunks_exact(3)) {
        colour.copy_from_slice(stored);
    }
    if let Some(index) = transparent {
        colours[usize::from(index)] = background;
    }
    colours
}

fn screen(blocks: &Blocks, background: [u8; 3]) -> Raster {
    let size = blocks.width as usize * blocks.height as usize;
    let pixels = match background {
        // Zeroed memory costs nothing until it is written.
        [0, 0, 0] => vec![0; size * 3],
        _ => background.repeat(size),
    };
    Raster { width: blocks.width, height: blocks.height, channels: 3, pixels }
}

fn fault(error: DecodingError) -> Fault {
    let found = error.to_string();
    let code = match &error {
        DecodingError::UnexpectedEof => Code::Truncated,
        DecodingError::Format(_) if found == "image truncated" => Code::Truncated,
        DecodingError::MemoryLimit | DecodingError::OutOfMemory => Code::TooMuchMemory,
        _ if found.contains("color table") => Code::BadTable,
        _ => Code::BadData,
    };
    match code {
        Code::Truncated => Fault::new(code, NAME, "the picture data ends before the picture does"),
        _ => Fault::new(code, NAME, found),
    }
}
