//! The front door of decoding: any format, a box of the picture as seen, any size.

use pixfeed_jpeg::{Decoder, Isa, Jpeg};

use super::raster::{Limits, Probe, Raster};
use super::sniff::{self, Format};
use super::{bmp, gif, jpeg, png, policy, tiff, webp};
use crate::fault::{Code, Fault};
use crate::ops::orient::{Rect, Turn};
use crate::ops::resize::{Blend, Filter, Geometry, Grid, PlaneGrid, Resizer};

/// What is asked of a picture.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Request {
    /// The part wanted, in the picture as seen; all of it for none.
    pub part: Option<Rect>,
    /// Width and height it is resized to; its own for none.
    pub size: Option<(u32, u32)>,
    /// 1 (gray) or 3 (RGB).
    pub channels: u8,
    /// The filter of the resize.
    pub filter: Filter,
    /// Whether EXIF orientation is applied.
    pub exif: bool,
    /// What transparent pixels are laid on.
    pub background: [u8; 3],
    /// What must not be exceeded.
    pub limits: Limits,
}

impl Default for Request {
    fn default() -> Self {
        Self {
            part: None,
            size: None,
            channels: 3,
            filter: Filter::default(),
            exif: true,
            background: [0; 3],
            limits: Limits::default(),
        }
    }
}

/// What the headers of any format say.
///
/// # Errors
///
/// When the bytes are no image we read, or its headers are malformed or over a limit.
pub fn probe(data: &[u8], limits: &Limits) -> Result<Probe, Fault> {
    match sniff::format(data)? {
        Format::Jpeg => Ok(jpeg::probe(jpeg::open(data, limits)?.header())),
        Format::Png => png::probe(data, limits),
        Format::WebP => webp::probe(data, limits),
        Format::Gif => gif::probe(data, limits),
        Format::Bmp => bmp::probe(data, limits),
        Format::Tiff => tiff::probe(data, limits),
    }
}

/// Decoders and buffers of one thread, kept from image to image.
pub struct Scratch {
    jpeg: Decoder,
    resizer: Resizer,
    pixels: Vec<u8>,
}

impl Default for Scratch {
    fn default() -> Self {
        Self::new(Isa::detect())
    }
}

impl Scratch {
    /// Buffers whose kernels use an instruction set (or what the machine has of it).
    #[must_use]
    pub fn new(isa: Isa) -> Self {
        Self { jpeg: Decoder::new(isa), resizer: Resizer::new(isa), pixels: Vec::new() }
    }
}

enum Source<'a> {
    Jpeg(Box<Jpeg<'a>>),
    Other(Format, &'a [u8]),
}

/// A picture whose headers are read and whose request is checked: the output's size is known.
pub struct Picture<'a> {
    source: Source<'a>,
    request: Request,
    turn: Turn,
    /// The part wanted, in stored pixels.
    part: Rect,
    /// Stored width and height.
    stored: (u32, u32),
    /// Width and height of the output as seen.
    size: (u32, u32),
}

impl<'a> Picture<'a> {
    /// Reads the headers and checks the request against them.
    ///
    /// # Errors
    ///
    /// When the bytes are no image we read, or the request does not fit the picture.
    pub fn open(data: &'a [u8], request: Request) -> Result<Self, Fault> {
        let (source, probe) = match sniff::format(data)? {
            Format::Jpeg => {
                let opened = jpeg::open(data, &request.limits)?;
                jpeg::check_length(&opened)?;
                let probe = jpeg::probe(opened.header());
                (Source::Jpeg(Box::new(opened)), probe)
            }
            format => (Source::Other(format, data), probe(data, &request.limits)?),
        };
        let orientation = if request.exif { probe.orientation } else { 1 };
        let turn = Turn::of_orientation(orientation);
        let stored = (probe.width, probe.height);
        let seen = turn.size(stored);
        let part = request.part.unwrap_or(Rect { x: 0, y: 0, width: seen.0, height: seen.1 });
        check_part(part, seen)?;
        let size = request.size.unwrap_or((part.width, part.height));
        check_size(size, &request.limits)?;
        Ok(Self { source, request, turn, part: turn.stored(part, stored), stored, size })
    }

    /// Width and height of the output.
    #[must_use]
    pub fn size(&self) -> (u32, u32) {
        self.size
    }

    /// Channels of the output.
    #[must_use]
    pub fn channels(&self) -> usize {
        self.request.channels.into()
    }

    /// Bytes of the output.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.size.0 as usize * self.size.1 as usize * self.channels()
    }

    /// Decodes into `out`, row by row, channels interleaved.
    ///
    /// # Errors
    ///
    /// When the data is malformed or cut short.
    ///
    /// # Panics
    ///
    /// When `out` is not [`Picture::bytes`] long.
    pub fn decode(&self, scratch: &mut Scratch, out: &mut [u8]) -> Result<(), Fault> {
        assert_eq!(out.len(), self.bytes(), "length of the output");
        let target = self.turn.size(self.size);
        let resizes = target != (self.part.width, self.part.height);
        if !self.turn.swap && (resizes || self.turn == Turn::default()) {
            return self.stored_pixels(scratch, resizes, out);
        }
        // Turned by a quarter, or mirrored without a resize: decode as stored, then copy.
        let mut pixels = std::mem::take(&mut scratch.pixels);
        pixels.resize(self.bytes(), 0);
        let done = self.stored_pixels(scratch, resizes, &mut pixels);
        if done.is_ok() {
            let left =
                if resizes { Turn { swap: self.turn.swap, ..Turn::default() } } else { self.turn };
            left.copy(&pixels, target, self.channels(), out);
        }
        scratch.pixels = pixels;
        done
    }

    /// The part in stored orientation; mirrors are included where it is resized.
    fn stored_pixels(
        &self,
        scratch: &mut Scratch,
        resizes: bool,
        out: &mut [u8],
    ) -> Result<(), Fault> {
        match &self.source {
            Source::Jpeg(opened) => self.jpeg_pixels(scratch, opened, resizes, out),
            Source::Other(format, data) => {
                let raster = self.raster(*format, data)?;
                self.raster_pixels(scratch, &raster, resizes, out);
                Ok(())
            }
        }
    }

    fn jpeg_pixels(
        &self,
        scratch: &mut Scratch,
        opened: &Jpeg<'_>,
        resizes: bool,
        out: &mut [u8],
    ) -> Result<(), Fault> {
        let (decoder, channels) = (&mut scratch.jpeg, self.channels());
        if !resizes {
            return jpeg::pixels(decoder, opened, self.part, channels, out);
        }
        if jpeg::resizes_by_plane(opened.header(), channels) {
            let (width, height) = self.turn.size(self.size);
            let resize = jpeg::Resize {
                part: self.part,
                target: (width as usize, height as usize),
                filter: self.request.filter,
                backwards: (self.turn.back_x, self.turn.back_y),
                channels,
            };
            return jpeg::resized(decoder, &mut scratch.resizer, opened, &resize, out);
        }
        let Rect { width, height, .. } = self.part;
        let mut pixels = vec![0; width as usize * height as usize * channels];
        jpeg::pixels(decoder, opened, self.part, channels, &mut pixels)?;
        let raster = Raster { width, height, channels: self.request.channels, pixels };
        self.resize(scratch, &raster, Rect { x: 0, y: 0, width, height }, out);
        Ok(())
    }

    /// The whole picture of another format, with as many channels as asked for, or as it has fewer.
    fn raster(&self, format: Format, data: &[u8]) -> Result<Raster, Fault> {
        let (background, limits) = (self.request.background, &self.request.limits);
        let mut raster = match format {
            Format::Jpeg | Format::Png => png::decode(data, background, limits),
            Format::WebP => webp::decode(data, background, limits),
            Format::Gif => gif::decode(data, background, limits),
            Format::Bmp => bmp::decode(data, background, limits),
            Format::Tiff => tiff::decode(data, background, limits),
        }?;
        if (raster.width, raster.height) != self.stored {
            let found = format!("{} x {} pixels, announced otherwise", raster.width, raster.height);
            return Err(Fault::new(Code::BadHeader, format.name(), found));
        }
        if raster.channels == 3 && self.request.channels == 1 {
            let mut gray = vec![0; raster.pixels.len() / 3];
            policy::luma(&raster.pixels, &mut gray);
            raster = Raster { channels: 1, pixels: gray, ..raster };
        }
        Ok(raster)
    }

    fn raster_pixels(&self, scratch: &mut Scratch, raster: &Raster, resizes: bool, out: &mut [u8]) {
        if resizes {
            return self.resize(scratch, raster, self.part, out);
        }
        let (from, to) = (usize::from(raster.channels), self.channels());
        let width = self.part.width as usize;
        for (row, line) in out.chunks_exact_mut((width * to).max(1)).enumerate() {
            let start = ((self.part.y as usize + row) * raster.width as usize
                + self.part.x as usize)
                * from;
            let source = &raster.pixels[start..start + width * from];
            if from == to {
                line.copy_from_slice(source);
            } else {
                for (pixel, &value) in line.chunks_exact_mut(3).zip(source) {
                    pixel.fill(value);
                }
            }
        }
    }

    fn resize(&self, scratch: &mut Scratch, raster: &Raster, part: Rect, out: &mut [u8]) {
        let blend = match (raster.channels, self.request.channels) {
            (1, 1) => Blend::One,
            (1, _) => Blend::Repeated,
            _ => Blend::Three,
        };
        let (width, height) = self.turn.size(self.size);
        let span = |start: u32, size: u32| (f64::from(start), f64::from(start + size));
        let plane = PlaneGrid {
            span: [span(part.x, part.width), span(part.y, part.height)],
            grid: [Grid::Own; 2],
        };
        scratch.resizer.plan(&Geometry {
            blend,
            target: (width as usize, height as usize),
            filter: self.request.filter,
            backwards: (self.turn.back_x, self.turn.back_y),
            planes: [plane; 3],
        });
        let channels = usize::from(raster.channels);
        scratch.resizer.raster(&raster.pixels, raster.width as usize, channels, out);
    }
}

fn check_part(part: Rect, seen: (u32, u32)) -> Result<(), Fault> {
    let inside = |start: u32, size: u32, limit: u32| {
        size > 0 && start.checked_add(size).is_some_and(|end| end <= limit)
    };
    if inside(part.x, part.width, seen.0) && inside(part.y, part.height, seen.1) {
        return Ok(());
    }
    let Rect { x, y, width, height } = part;
    let found = format!(
        "box ({x}, {y}, {width}, {height}) does not lie in the image of {} x {} pixels",
        seen.0, seen.1
    );
    Err(Fault::new(Code::BoxOutside, "", found))
}

fn check_size(size: (u32, u32), limits: &Limits) -> Result<(), Fault> {
    let pixels = u64::from(size.0) * u64::from(size.1);
    if pixels == 0 {
        return Err(Fault::new(Code::BadRequest, "", "size has a zero in it"));
    }
    if pixels > limits.pixels {
        let found = format!("size of {pixels} pixels, limit {}", limits.pixels);
        return Err(Fault::new(Code::BadRequest, "", found));
    }
    Ok(())
}
