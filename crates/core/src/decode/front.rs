//! The front door of decoding: any format, a box of the picture as seen, any size.

use pixfeed_jpeg::{Decoder, Isa, Jpeg};

use super::raster::{Limits, Probe, Raster};
use super::sniff::{self, Format};
use super::{bmp, gif, jpeg, png, policy, tiff, webp};
use crate::fault::{Code, Fault};
use crate::ops::orient::{Rect, Turn};
use crate::ops::resize::{Blend, Filter, Geometry, Grid, PlaneGrid, Resizer};

/// How any picture is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Policy {
    /// 1 (gray) or 3 (RGB).
    pub channels: u8,
    /// Whether EXIF orientation is applied.
    pub exif: bool,
    /// What transparent pixels are laid on.
    pub background: [u8; 3],
    /// What must not be exceeded.
    pub limits: Limits,
}

impl Default for Policy {
    fn default() -> Self {
        Self { channels: 3, exif: true, background: [0; 3], limits: Limits::default() }
    }
}

/// What is wanted of one picture, in the picture as seen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct View {
    /// The part wanted; all of it for none.
    pub part: Option<Rect>,
    /// Width and height it is resized to; its own for none.
    pub size: Option<(u32, u32)>,
    /// What of the resized part is wanted; all of it for none.
    pub window: Option<Rect>,
    /// The filter of the resize.
    pub filter: Filter,
    /// Whether the result is mirrored left to right.
    pub mirrored: bool,
    /// Whether the result is mirrored top to bottom.
    pub flipped: bool,
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

/// A picture whose headers are read.
pub struct Opened<'a> {
    source: Source<'a>,
    policy: Policy,
    turn: Turn,
    /// Stored width and height.
    stored: (u32, u32),
}

impl<'a> Opened<'a> {
    /// Reads the headers.
    ///
    /// # Errors
    ///
    /// When the bytes are no image we read, or its headers are malformed or over a limit.
    pub fn read(data: &'a [u8], policy: Policy) -> Result<Self, Fault> {
        let (source, stored, orientation) = match sniff::format(data)? {
            Format::Jpeg => {
                let opened = Box::new(jpeg::open(data, &policy.limits)?);
                jpeg::check_length(&opened)?;
                let header = opened.header();
                let (stored, orientation) = ((header.width, header.height), header.orientation);
                (Source::Jpeg(opened), stored, orientation)
            }
            format => {
                let probe = probe(data, &policy.limits)?;
                (Source::Other(format, data), (probe.width, probe.height), probe.orientation)
            }
        };
        let turn = Turn::of_orientation(if policy.exif { orientation } else { 1 });
        Ok(Self { source, policy, turn, stored })
    }

    /// Width and height as seen.
    #[must_use]
    pub fn seen(&self) -> (u32, u32) {
        self.turn.size(self.stored)
    }

    /// The view of it, checked.
    ///
    /// # Errors
    ///
    /// When the view does not fit the picture.
    pub fn view(self, view: View) -> Result<Picture<'a>, Fault> {
        let Self { source, policy, turn, stored } = self;
        let seen = turn.size(stored);
        let whole = |(width, height): (u32, u32)| Rect { x: 0, y: 0, width, height };
        let part = view.part.unwrap_or(whole(seen));
        check_part(part, seen)?;
        let size = view.size.unwrap_or((part.width, part.height));
        check_size(size, &policy.limits)?;
        let window = view.window.unwrap_or(whole(size));
        check_part(window, size)?;
        let resizes = size != (part.width, part.height);
        // Without a resize a window is a smaller part.
        let (part, size, window) = if resizes {
            (part, size, window)
        } else {
            let (x, y) = (part.x + window.x, part.y + window.y);
            let size = (window.width, window.height);
            (Rect { x, y, ..window }, size, whole(size))
        };
        let window = turn.stored(window, turn.size(size));
        let part = turn.stored(part, stored);
        let target = turn.size(size);
        let turn = if view.mirrored { turn.mirrored() } else { turn };
        let turn = if view.flipped { turn.flipped() } else { turn };
        let filter = view.filter;
        Ok(Picture { source, policy, filter, turn, part, stored, target, window, resizes })
    }
}

/// A picture of which a view is wanted: the output's size is known.
pub struct Picture<'a> {
    source: Source<'a>,
    policy: Policy,
    filter: Filter,
    turn: Turn,
    /// The part wanted, in stored pixels.
    part: Rect,
    /// Stored width and height.
    stored: (u32, u32),
    /// Width and height the part is resized to, in stored orientation.
    target: (u32, u32),
    /// What of that is wanted.
    window: Rect,
    /// Whether it is resized at all.
    resizes: bool,
}

impl<'a> Picture<'a> {
    /// Reads the headers and checks the view against them.
    ///
    /// # Errors
    ///
    /// When the bytes are no image we read, or the view does not fit the picture.
    pub fn open(data: &'a [u8], policy: Policy, view: View) -> Result<Self, Fault> {
        Opened::read(data, policy)?.view(view)
    }

    /// Width and height of the output.
    #[must_use]
    pub fn size(&self) -> (u32, u32) {
        self.turn.size(self.window_size())
    }

    /// Channels of the output.
    #[must_use]
    pub fn channels(&self) -> usize {
        self.policy.channels.into()
    }

    /// Bytes of the output.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.window.width as usize * self.window.height as usize * self.channels()
    }

    fn window_size(&self) -> (u32, u32) {
        (self.window.width, self.window.height)
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
        let resizes = self.resizes;
        if !self.turn.swap && (resizes || self.turn == Turn::default()) {
            return self.stored_pixels(scratch, out);
        }
        // Turned by a quarter, or mirrored without a resize: decode as stored, then copy.
        let mut pixels = std::mem::take(&mut scratch.pixels);
        pixels.resize(self.bytes(), 0);
        let done = self.stored_pixels(scratch, &mut pixels);
        if done.is_ok() {
            let left =
                if resizes { Turn { swap: self.turn.swap, ..Turn::default() } } else { self.turn };
            left.copy(&pixels, self.window_size(), self.channels(), out);
        }
        scratch.pixels = pixels;
        done
    }

    /// The part in stored orientation; mirrors are included where it is resized.
    fn stored_pixels(&self, scratch: &mut Scratch, out: &mut [u8]) -> Result<(), Fault> {
        match &self.source {
            Source::Jpeg(opened) => self.jpeg_pixels(scratch, opened, out),
            Source::Other(format, data) => {
                let raster = self.raster(*format, data)?;
                self.raster_pixels(scratch, &raster, out);
                Ok(())
            }
        }
    }

    fn jpeg_pixels(
        &self,
        scratch: &mut Scratch,
        opened: &Jpeg<'_>,
        out: &mut [u8],
    ) -> Result<(), Fault> {
        let (decoder, channels) = (&mut scratch.jpeg, self.channels());
        if !self.resizes {
            return jpeg::pixels(decoder, opened, self.part, channels, out);
        }
        if jpeg::resizes_by_plane(opened.header(), channels) {
            let resize = jpeg::Resize {
                part: self.part,
                target: (self.target.0 as usize, self.target.1 as usize),
                window: self.wanted(),
                filter: self.filter,
                backwards: (self.turn.back_x, self.turn.back_y),
                channels,
            };
            return jpeg::resized(decoder, &mut scratch.resizer, opened, &resize, out);
        }
        let Rect { width, height, .. } = self.part;
        let mut pixels = vec![0; width as usize * height as usize * channels];
        jpeg::pixels(decoder, opened, self.part, channels, &mut pixels)?;
        let raster = Raster { width, height, channels: self.policy.channels, pixels };
        self.resize(scratch, &raster, Rect { x: 0, y: 0, width, height }, out);
        Ok(())
    }

    /// The whole picture of another format, with as many channels as asked for, or as it has fewer.
    fn raster(&self, format: Format, data: &[u8]) -> Result<Raster, Fault> {
        let (background, limits) = (self.policy.background, &self.policy.limits);
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
        if raster.channels == 3 && self.policy.channels == 1 {
            let mut gray = vec![0; raster.pixels.len() / 3];
            policy::luma(&raster.pixels, &mut gray);
            raster = Raster { channels: 1, pixels: gray, ..raster };
        }
        Ok(raster)
    }

    /// The window's columns and rows.
    fn wanted(&self) -> [(usize, usize); 2] {
        let Rect { x, y, width, height } = self.window;
        let span = |start: u32, size: u32| (start as usize, (start + size) as usize);
        [span(x, width), span(y, height)]
    }

    fn raster_pixels(&self, scratch: &mut Scratch, raster: &Raster, out: &mut [u8]) {
        if self.resizes {
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
        let blend = match (raster.channels, self.policy.channels) {
            (1, 1) => Blend::One,
            (1, _) => Blend::Repeated,
            _ => Blend::Three,
        };
        let span = |start: u32, size: u32| (f64::from(start), f64::from(start + size));
        let plane = PlaneGrid {
            span: [span(part.x, part.width), span(part.y, part.height)],
            grid: [Grid::Own; 2],
        };
        scratch.resizer.plan(&Geometry {
            blend,
            target: (self.target.0 as usize, self.target.1 as usize),
            window: self.wanted(),
            filter: self.filter,
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
        let found = format!("a resize to {pixels} pixels, limit {}", limits.pixels);
        return Err(Fault::new(Code::TooManyPixels, "", found));
    }
    Ok(())
}
