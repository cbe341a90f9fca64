//! TIFF: the `tiff` crate unpacks strips and tiles to raw samples, colours are made here.

use std::io::{ErrorKind, Read, Result as IoResult, Seek, SeekFrom};

use tiff::TiffError;
use tiff::decoder::{ChunkType, Decoder};

use super::policy::{check_memory, check_pixels, stride};
use super::raster::{Limits, Probe, Raster};
use crate::fault::{Code, Fault};

mod header;
mod rows;

use header::{Header, NAME};
use rows::Rows;

/// What the first page's directory says. No picture data is unpacked.
pub fn probe(data: &[u8], limits: &Limits) -> Result<Probe, Fault> {
    let header = Header::read(data)?;
    check_pixels(NAME, header.width, header.height, limits)?;
    header.probe()
}

/// The first page over `background`.
pub fn decode(data: &[u8], background: [u8; 3], limits: &Limits) -> Result<Raster, Fault> {
    let header = Header::read(data)?;
    check_pixels(NAME, header.width, header.height, limits)?;
    header.check_supported()?;
    header.check_data(data)?;
    let mut decoder = Decoder::new(Gray::new(data, &header)).map_err(fault)?;
    decoder = decoder.with_limits(crate_limits(limits));
    if decoder.dimensions().map_err(fault)? != (header.width, header.height) {
        return Err(Fault::new(Code::BadSegment, NAME, "sizes that can be read in two ways"));
    }
    let grid = Grid::of(&decoder, &header);
    check_memory(NAME, grid.bytes(&header) + (1 << 20), limits)?;
    let mut rows = Rows::new(&header, background);
    let mut raster = rows.raster();
    let mut unit = Unit { planes: vec![Vec::new(); rows.planes()], strides: Vec::new() };
    for number in 0..grid.count() {
        let (width, height) = decoder.chunk_data_dimensions(number);
        unit.read(&mut decoder, number, &grid).map_err(fault)?;
        if !unit.holds(rows.line(width), height) {
            return Err(Fault::new(Code::BadSegment, NAME, "tags that can be read in two ways"));
        }
        let (left, top) = grid.place(number);
        unit.put(&mut rows, (left, top, width, height), &mut raster);
    }
    Ok(raster)
}

/// The strips or tiles of all planes that cover one part of the picture.
struct Unit {
    planes: Vec<Vec<u8>>,
    strides: Vec<usize>,
}

impl Unit {
    fn read<R: Read + Seek>(
        &mut self,
        decoder: &mut Decoder<R>,
        number: u32,
        grid: &Grid,
    ) -> Result<(), TiffError> {
        self.strides.clear();
        for (index, plane) in self.planes.iter_mut().enumerate() {
            // Each plane by itself: for the lowest tiles of all but the first plane the crate
            // hands out whole tiles, where its reading of all planes at once would panic.
            let chunk = number + index as u32 * grid.count();
            let layout = decoder.image_chunk_buffer_layout(chunk)?;
            plane.resize(layout.len, 0);
            decoder.read_chunk_bytes(chunk, plane)?;
            let height = decoder.chunk_data_dimensions(chunk).1;
            self.strides.push(layout.len / height as usize);
        }
        Ok(())
    }

    /// Whether the crate read the tags as we did and each plane has all its lines.
    fn holds(&self, line: usize, height: u32) -> bool {
        let enough = |(plane, stride): (&Vec<u8>, &usize)| {
            *stride >= line && plane.len() >= stride * height as usize
        };
        self.planes.iter().zip(&self.strides).all(enough)
    }

    fn put(&self, rows: &mut Rows<'_>, place: (u32, u32, u32, u32), raster: &mut Raster) {
        let (left, top, width, height) = place;
        let (stride, channels) = (stride(raster), usize::from(raster.channels));
        for y in 0..height as usize {
            let start = (top as usize + y) * stride + left as usize * channels;
            let out = &mut raster.pixels[start..start + width as usize * channels];
            let lines = self.planes.iter().zip(&self.strides);
            rows.convert(lines.map(|(plane, line)| &plane[y * line..][..*line]), out);
        }
    }
}

fn crate_limits(limits: &Limits) -> tiff::decoder::Limits {
    let memory = usize::try_from(limits.memory).unwrap_or(usize::MAX);
    let mut all = tiff::decoder::Limits::default();
    all.decoding_buffer_size = memory;
    all.intermediate_buffer_size = memory;
    all
}

/// How strips or tiles cover the picture.
struct Grid {
    size: (u32, u32),
    across: u32,
    down: u32,
}

impl Grid {
    fn of<R: Read + Seek>(decoder: &Decoder<R>, header: &Header) -> Self {
        let (width, height) = decoder.chunk_dimensions();
        let across = match decoder.get_chunk_type() {
            ChunkType::Strip => 1,
            ChunkType::Tile => header.width.div_ceil(width),
        };
        Self { size: (width, height), across, down: header.height.div_ceil(height) }
    }

    fn count(&self) -> u32 {
        self.across * self.down
    }

    fn place(&self, unit: u32) -> (u32, u32) {
        (unit % self.across * self.size.0, unit / self.across * self.size.1)
    }

    /// What one unpacked chunk takes at most.
    fn bytes(&self, header: &Header) -> u64 {
        let (width, height) = (self.size.0.min(header.width), self.size.1.min(header.height));
        u64::from(width) * u64::from(height) * u64::from(header.samples) * 2
    }
}

/// The file, with its colours announced as plain gray samples: the crate then hands out all samples
/// of any kind of picture as they are stored, palettes, inks and extra samples among them.
struct Gray<'a> {
    data: &'a [u8],
    at: u64,
    field: usize,
    value: [u8; 2],
}

impl<'a> Gray<'a> {
    fn new(data: &'a [u8], header: &Header) -> Self {
        let value = if header.big_endian { [0, 1] } else { [1, 0] };
        Self { data, at: 0, field: header.photometric_field, value }
    }
}

impl Read for Gray<'_> {
    fn read(&mut self, out: &mut [u8]) -> IoResult<usize> {
        let start = usize::try_from(self.at).unwrap_or(usize::MAX).min(self.data.len());
        let count = out.len().min(self.data.len() - start);
        out[..count].copy_from_slice(&self.data[start..start + count]);
        for (at, value) in (self.field..).zip(self.value) {
            if let Some(byte) = at.checked_sub(start).and_then(|i| out[..count].get_mut(i)) {
                *byte = value;
            }
        }
        self.at += count as u64;
        Ok(count)
    }
}

impl Seek for Gray<'_> {
    fn seek(&mut self, to: SeekFrom) -> IoResult<u64> {
        let target = match to {
            SeekFrom::Start(at) => Some(at),
            SeekFrom::Current(by) => self.at.checked_add_signed(by),
            SeekFrom::End(by) => (self.data.len() as u64).checked_add_signed(by),
        };
        self.at = target.ok_or(ErrorKind::InvalidInput)?;
        Ok(self.at)
    }
}

fn fault(error: TiffError) -> Fault {
    let code = match &error {
        TiffError::IoError(e) if e.kind() == ErrorKind::UnexpectedEof => Code::Truncated,
        TiffError::IoError(_) => Code::BadData,
        TiffError::FormatError(_) => Code::BadSegment,
        TiffError::UnsupportedError(_) => Code::Unsupported,
        TiffError::LimitsExceeded => Code::TooMuchMemory,
        TiffError::IntSizeError | TiffError::UsageError(_) => Code::BadHeader,
    };
    match code {
        Code::Truncated => Fault::new(code, NAME, "the picture data ends before the picture does"),
        _ => Fault::new(code, NAME, error.to_string()),
    }
}
