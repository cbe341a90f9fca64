//! PNG: the `png` crate unpacks rows, the policy makes them 8 bit gray or RGB.

use std::io::{Cursor, ErrorKind};

use png::{BitDepth, DecodeOptions, DecodingError, Reader, Transformations};

use super::policy::{Flattener, check_pixels, narrow, stride};
use super::raster::{Limits, Probe, Raster};
use crate::fault::{Code, Fault};

mod chunks;

use chunks::Chunks;

const NAME: &str = "PNG";

/// What the chunks say: format, size and metadata. No picture data is unpacked.
pub fn probe(data: &[u8], limits: &Limits) -> Result<Probe, Fault> {
    let chunks = Chunks::read(data)?;
    check_pixels(NAME, chunks.width, chunks.height, limits)?;
    Ok(chunks.probe())
}

/// The picture (an APNG's default one) over `background`.
pub fn decode(data: &[u8], background: [u8; 3], limits: &Limits) -> Result<Raster, Fault> {
    let chunks = Chunks::read(data)?;
    check_pixels(NAME, chunks.width, chunks.height, limits)?;
    chunks.check_data(limits)?;
    let mut reader = open(data, limits)?;
    let (color, depth) = reader.output_color_type();
    let flattener = Flattener::new(color.samples(), background);
    let mut raster = flattener.raster(chunks.width, chunks.height);
    let rows = Rows { flattener, wide: depth == BitDepth::Sixteen };
    match () {
        () if rows.as_they_are() => {
            reader.next_frame(&mut raster.pixels).map_err(fault)?;
        }
        () if chunks.interlaced => rows.interlaced(&mut reader, &mut raster)?,
        () => rows.one_by_one(&mut reader, &mut raster)?,
    }
    Ok(raster)
}

fn open<'a>(data: &'a [u8], limits: &Limits) -> Result<Reader<Cursor<&'a [u8]>>, Fault> {
    let mut options = DecodeOptions::default();
    options.set_ignore_text_chunk(true);
    options.set_ignore_iccp_chunk(true);
    let mut decoder = png::Decoder::new_with_options(Cursor::new(data), options);
    let bytes = usize::try_from(limits.memory).unwrap_or(usize::MAX);
    decoder.set_limits(png::Limits { bytes });
    decoder.set_transformations(Transformations::EXPAND);
    decoder.read_info().map_err(fault)
}

/// How unpacked rows become rows of the raster.
struct Rows {
    flattener: Flattener,
    wide: bool,
}

impl Rows {
    fn as_they_are(&self) -> bool {
        !self.wide && !self.flattener.has_alpha()
    }

    fn one_by_one(
        &self,
        reader: &mut Reader<Cursor<&[u8]>>,
        raster: &mut Raster,
    ) -> Result<(), Fault> {
        let mut row = vec![0; reader.output_line_size(raster.width).unwrap_or(0)];
        let stride = stride(raster);
        for out in raster.pixels.chunks_exact_mut(stride) {
            reader.read_row(&mut row).map_err(fault)?;
            self.convert(&mut row, out);
        }
        // Reads past the picture data, so that damage at its end is found too.
        reader.read_row(&mut row).map_err(fault)?;
        Ok(())
    }

    fn interlaced(
        &self,
        reader: &mut Reader<Cursor<&[u8]>>,
        raster: &mut Raster,
    ) -> Result<(), Fault> {
        let mut whole = vec![0; reader.output_buffer_size().unwrap_or(0)];
        let line = reader.next_frame(&mut whole).map_err(fault)?.line_size;
        let stride = stride(raster);
        let rows = raster.pixels.chunks_exact_mut(stride);
        for (row, out) in whole.chunks_exact_mut(line).zip(rows) {
            self.convert(row, out);
        }
        Ok(())
    }

    fn convert(&self, row: &mut [u8], out: &mut [u8]) {
        if !self.wide {
            return self.flattener.flatten(row, out);
        }
        let half = row.len() / 2;
        for i in 0..half {
            row[i] = narrow(u16::from_be_bytes([row[2 * i], row[2 * i + 1]]));
        }
        self.flattener.flatten(&row[..half], out);
    }
}

fn fault(error: DecodingError) -> Fault {
    let found = error.to_string();
    let code = match &error {
        DecodingError::IoError(e) if e.kind() == ErrorKind::UnexpectedEof => Code::Truncated,
        DecodingError::LimitsExceeded => Code::TooMuchMemory,
        // The crate keeps its kinds of malformation to itself: its words are all there is.
        _ if found.contains("have enough data") => Code::Truncated,
        _ if found.contains("CRC") || found.contains("Sub frame") => Code::BadSegment,
        _ => Code::BadData,
    };
    match code {
        Code::Truncated => Fault::new(code, NAME, "the picture data ends before the picture does"),
        _ => Fault::new(code, NAME, found),
    }
}
