//! Rows of raw TIFF samples to rows of the raster: depth, planes, colours, alpha, in this order.

use super::super::policy::{Flattener, cmyk, narrow, stretch};
use super::super::raster::Raster;
use super::header::{Alpha, Header};

/// Converts one row after another; holds the scratch memory they share.
pub(super) struct Rows<'a> {
    header: &'a Header,
    flattener: Flattener,
    samples: Vec<u8>,
    pixels: Vec<u8>,
}

impl<'a> Rows<'a> {
    pub(super) fn new(header: &'a Header, background: [u8; 3]) -> Self {
        let colours = if matches!(header.photometric, 0 | 1) { 1 } else { 3 };
        let flattener = match header.alpha {
            Alpha::None => Flattener::new(colours, background),
            Alpha::Straight => Flattener::new(colours + 1, background),
            Alpha::Associated => Flattener::associated(colours + 1, background),
        };
        Self { header, flattener, samples: Vec::new(), pixels: Vec::new() }
    }

    pub(super) fn raster(&self) -> Raster {
        self.flattener.raster(self.header.width, self.header.height)
    }

    /// How many planes a chunk is stored in.
    pub(super) fn planes(&self) -> usize {
        if self.header.planar { usize::from(self.header.samples) } else { 1 }
    }

    /// Bytes of one plane's line of `width` pixels.
    pub(super) fn line(&self, width: u32) -> usize {
        let samples = usize::from(self.header.samples) / self.planes();
        (width as usize * samples * usize::from(self.header.bits)).div_ceil(8)
    }

    /// One row, given as one line of each plane.
    pub(super) fn convert<'b>(&mut self, lines: impl Iterator<Item = &'b [u8]>, out: &mut [u8]) {
        let width = out.len() / usize::from(self.flattener.channels());
        let planes = self.planes();
        let count = usize::from(self.header.samples);
        if self.ready() {
            lines.for_each(|line| self.flattener.flatten(&line[..width * count], out));
            return;
        }
        self.samples.resize(width * count, 0);
        for (plane, line) in lines.enumerate() {
            self.unpack(line, plane, planes);
        }
        self.colour();
        self.flattener.flatten(&self.pixels, out);
    }

    /// Whether stored bytes are the raster's already, as in most files.
    fn ready(&self) -> bool {
        let plain = matches!((self.header.photometric, self.header.samples), (1, 1) | (2, 3));
        plain && self.header.bits == 8 && self.planes() == 1
    }

    /// Samples of any depth to 8 bits (to indices, for a palette), every `step`th from `first`.
    fn unpack(&mut self, line: &[u8], first: usize, step: usize) {
        let to = self.samples[first..].iter_mut().step_by(step);
        match self.header.bits {
            8 => to.zip(line).for_each(|(out, value)| *out = *value),
            16 => to.zip(line.chunks_exact(2)).for_each(|(out, pair)| {
                *out = narrow(u16::from_ne_bytes([pair[0], pair[1]]));
            }),
            bits => {
                let scale = if self.header.photometric == 3 { 1 } else { stretch(bits) };
                let mask = (1u8 << bits) - 1;
                // Depths are powers of two, so the byte and the place in it come without division.
                let (halvings, last) = (3 - bits.trailing_zeros(), 8 / usize::from(bits) - 1);
                to.enumerate().for_each(|(i, out)| {
                    let shift = 8 - bits - (i & last) as u8 * bits;
                    *out = ((line[i >> halvings] >> shift) & mask) * scale;
                });
            }
        }
    }

    /// Samples to gray or RGB, with the alpha beside them where there is one.
    fn colour(&mut self) {
        let alpha =
            (self.header.alpha != Alpha::None).then_some(self.header.colours().unwrap_or(1));
        self.pixels.clear();
        for pixel in self.samples.chunks_exact(usize::from(self.header.samples)) {
            match self.header.photometric {
                0 => self.pixels.push(255 - pixel[0]),
                1 => self.pixels.push(pixel[0]),
                2 => self.pixels.extend_from_slice(&pixel[..3]),
                3 => {
                    let index = usize::from(pixel[0]);
                    // Indices beyond a short palette are black, as in other formats.
                    let colour = self.header.palette.get(index).copied().unwrap_or_default();
                    self.pixels.extend_from_slice(&colour);
                }
                _ => {
                    let ink = [pixel[0], pixel[1], pixel[2], pixel[3]];
                    self.pixels.extend_from_slice(&cmyk(ink));
                }
            }
            if let Some(at) = alpha {
                let value = pixel[usize::from(at)];
                // An index's neighbour is stored in the palette's depth but means a fraction.
                let scale =
                    if self.header.photometric == 3 { stretch(self.header.bits) } else { 1 };
                self.pixels.push(value * scale);
            }
        }
    }
}
