//! PNG's chunks: what the picture is and whether it can be whole, without unpacking any of it.

use png::ColorType;

use super::super::exif;
use super::super::policy::{DEFLATE_RATIO, check_memory, check_ratio};
use super::super::raster::{Limits, Probe};
use super::NAME;
use crate::fault::{Code, Fault};

const SIGNATURE: &[u8] = b"\x89PNG\r\n\x1A\n";

/// What a walk over the chunks finds.
pub(super) struct Chunks {
    pub(super) width: u32,
    pub(super) height: u32,
    bits: u8,
    color: ColorType,
    pub(super) interlaced: bool,
    palette: bool,
    transparent: bool,
    icc: bool,
    animated: bool,
    orientation: u8,
    /// Bytes of compressed picture data.
    packed: u64,
    /// Where the data ends inside a chunk of the picture or before one.
    cut: Option<u64>,
}

impl Chunks {
    pub(super) fn read(data: &[u8]) -> Result<Self, Fault> {
        let signature = &data[..data.len().min(8)];
        if signature != SIGNATURE {
            return Err(match SIGNATURE.starts_with(signature) {
                true => Fault::new(Code::Truncated, NAME, "the data ends in the signature"),
                false => Fault::new(
                    Code::BadHeader,
                    NAME,
                    "a damaged signature, as transfers in text mode leave it",
                ),
            });
        }
        let mut this = Self::header(data)?;
        this.walk(data);
        Ok(this)
    }

    fn header(data: &[u8]) -> Result<Self, Fault> {
        let Some(chunk) = data.get(8..29) else {
            let found = "the data ends in the header";
            return Err(Fault::new(Code::Truncated, NAME, found).at(data.len() as u64));
        };
        if &chunk[..8] != b"\0\0\0\x0DIHDR" {
            let found = "another chunk where the header should be";
            return Err(Fault::new(Code::BadHeader, NAME, found).at(8));
        }
        let (bits, kind) = (chunk[16], chunk[17]);
        let color = match (kind, bits) {
            (0, 1 | 2 | 4 | 8 | 16) => ColorType::Grayscale,
            (2, 8 | 16) => ColorType::Rgb,
            (3, 1 | 2 | 4 | 8) => ColorType::Indexed,
            (4, 8 | 16) => ColorType::GrayscaleAlpha,
            (6, 8 | 16) => ColorType::Rgba,
            _ => {
                let found = format!("colour type {kind} with {bits} bits, which PNG does not have");
                return Err(Fault::new(Code::BadHeader, NAME, found).at(24));
            }
        };
        Ok(Self {
            width: u32::from_be_bytes([chunk[8], chunk[9], chunk[10], chunk[11]]),
            height: u32::from_be_bytes([chunk[12], chunk[13], chunk[14], chunk[15]]),
            bits,
            color,
            interlaced: chunk[20] != 0,
            palette: false,
            transparent: false,
            icc: false,
            animated: false,
            orientation: 1,
            packed: 0,
            cut: None,
        })
    }

    fn walk(&mut self, data: &[u8]) {
        let mut at = 33;
        loop {
            let Some(head) = data.get(at..at + 8) else {
                self.cut = (self.packed == 0).then_some(data.len() as u64);
                return;
            };
            let length = u32::from_be_bytes([head[0], head[1], head[2], head[3]]) as usize;
            let kind = [head[4], head[5], head[6], head[7]];
            let end = at + 8 + length;
            let Some(body) = data.get(at + 8..end).filter(|_| end + 4 <= data.len()) else {
                let whole = self.packed > 0 && &kind != b"IDAT";
                self.cut = (!whole).then_some(data.len() as u64);
                return;
            };
            self.chunk(kind, body);
            if &kind == b"IEND" {
                return;
            }
            at = end + 4;
        }
    }

    fn chunk(&mut self, kind: [u8; 4], body: &[u8]) {
        match &kind {
            b"IDAT" => self.packed += body.len() as u64,
            // The crate that reads it trusts its length.
            b"PLTE" => self.palette = matches!(body.len(), 3..=768) && body.len().is_multiple_of(3),
            b"tRNS" => self.transparent = self.packed == 0,
            b"iCCP" => self.icc = true,
            b"acTL" => self.animated = body.get(..4).is_some_and(|n| n > &[0, 0, 0, 1]),
            b"eXIf" => self.orientation = exif::orientation(body).unwrap_or(1),
            _ => {}
        }
    }

    pub(super) fn probe(&self) -> Probe {
        let stored = self.color.samples() as u8;
        let colours = if self.color == ColorType::Indexed { 3 } else { stored };
        let alpha = self.transparent || matches!(stored, 2 | 4);
        Probe {
            format: NAME,
            width: self.width,
            height: self.height,
            channels: colours + u8::from(self.transparent && !matches!(stored, 2 | 4)),
            bits: self.bits,
            colorspace: match self.color {
                ColorType::Indexed => "palette",
                ColorType::Grayscale | ColorType::GrayscaleAlpha => "gray",
                ColorType::Rgb | ColorType::Rgba => "rgb",
            },
            alpha,
            orientation: self.orientation,
            progressive: self.interlaced,
            animated: self.animated,
            icc: self.icc,
            subsampling: String::new(),
        }
    }

    /// Refuses, before anything is allocated, what cannot be whole or would take too much.
    pub(super) fn check_data(&self, limits: &Limits) -> Result<(), Fault> {
        if let Some(end) = self.cut {
            let found = "the data ends before the picture does";
            return Err(Fault::new(Code::Truncated, NAME, found).at(end));
        }
        if self.color == ColorType::Indexed && !self.palette {
            return Err(Fault::new(Code::BadTable, NAME, "palette colours without a palette"));
        }
        let samples = u64::from(self.width) * self.color.samples() as u64;
        let stored = (samples * u64::from(self.bits)).div_ceil(8) * u64::from(self.height);
        check_ratio(NAME, stored, self.packed, DEFLATE_RATIO)?;
        // Rows after expansion have at most 4 samples; whole pictures are held only when interlaced.
        let row = u64::from(self.width) * 4 * u64::from(self.bits.div_ceil(8));
        let rows = if self.interlaced { u64::from(self.height) + 4 } else { 4 };
        check_memory(NAME, row * rows + (256 << 10), limits)
    }
}
