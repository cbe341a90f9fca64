//! BMP: own reading of the header, the `image` crate unpacks the rows.

use std::io::{Cursor, ErrorKind};

use image::codecs::bmp::BmpDecoder;
use image::{ColorType, ImageDecoder, ImageError};

use super::policy::{Flattener, check_memory, check_pixels, check_ratio};
use super::raster::{Limits, Probe, Raster};
use crate::fault::{Code, Fault};

const NAME: &str = "BMP";

/// What the header says. No picture data is unpacked.
pub fn probe(data: &[u8], limits: &Limits) -> Result<Probe, Fault> {
    let header = Header::read(data)?;
    check_pixels(NAME, header.width, header.height, limits)?;
    Ok(header.probe())
}

/// The picture over `background`.
pub fn decode(data: &[u8], background: [u8; 3], limits: &Limits) -> Result<Raster, Fault> {
    let header = Header::read(data)?;
    check_pixels(NAME, header.width, header.height, limits)?;
    header.check_data(data, limits)?;
    let decoder = BmpDecoder::new(Cursor::new(data)).map_err(fault)?;
    if decoder.dimensions() != (header.width, header.height) {
        return Err(Fault::new(Code::BadHeader, NAME, "a size that can be read in two ways"));
    }
    let samples = if decoder.color_type() == ColorType::Rgba8 { 4 } else { 3 };
    let flattener = Flattener::new(samples, background);
    let mut raster = flattener.raster(header.width, header.height);
    if !flattener.has_alpha() {
        decoder.read_image(&mut raster.pixels).map_err(fault)?;
        return Ok(raster);
    }
    let mut straight = vec![0; header.width as usize * header.height as usize * 4];
    decoder.read_image(&mut straight).map_err(fault)?;
    flattener.flatten(&straight, &mut raster.pixels);
    Ok(raster)
}

struct Header {
    width: u32,
    height: u32,
    bits: u16,
    compression: u32,
    alpha: bool,
    icc: bool,
    /// Where the picture data begins.
    start: u32,
}

impl Header {
    fn read(data: &[u8]) -> Result<Self, Fault> {
        let cut = || {
            let found = "the data ends in the header";
            Fault::new(Code::Truncated, NAME, found).at(data.len() as u64)
        };
        let short = |at: usize| data.get(at..at + 2).map(|b| u16::from_le_bytes([b[0], b[1]]));
        let long =
            |at: usize| data.get(at..at + 4).map(|b| u32::from_le_bytes([b[0], b[1], b[2], b[3]]));
        let (start, size) = (long(10).ok_or_else(cut)?, long(14).ok_or_else(cut)?);
        if !matches!(size, 12 | 40 | 52 | 56 | 108 | 124) {
            let found = format!("a header of {size} bytes (OS/2 2.x or unknown)");
            return Err(Fault::new(Code::Unsupported, NAME, found).at(14));
        }
        data.get(..14 + size as usize).ok_or_else(cut)?;
        if size == 12 {
            let [width, height, bits] = [18, 20, 24].map(|at| short(at).unwrap_or(0));
            let (width, height) = (u32::from(width), u32::from(height));
            return Self { width, height, bits, compression: 0, alpha: false, icc: false, start }
                .checked();
        }
        let [width, height, compression] = [18, 22, 30].map(|at| long(at).unwrap_or(0));
        Self {
            width: width as i32 as u32,
            height: (height as i32).unsigned_abs(),
            bits: short(28).unwrap_or(0),
            compression,
            alpha: compression == 3 && size >= 56 && long(66) != Some(0),
            // The colour space field of the fifth header: "MBED" or "LINK" stands for a profile.
            icc: size == 124 && matches!(long(70), Some(0x4D42_4544 | 0x4C49_4E4B)),
            start,
        }
        .checked()
    }

    fn checked(self) -> Result<Self, Fault> {
        const LARGEST: u32 = 65_535;
        let refuse = |found: String| Err(Fault::new(Code::Unsupported, NAME, found));
        if self.width > i32::MAX as u32 {
            return Err(Fault::new(Code::BadHeader, NAME, "a negative width").at(18));
        }
        if self.width > LARGEST || self.height > LARGEST {
            return refuse(format!("{} x {}, over {LARGEST} on a side", self.width, self.height));
        }
        match (self.compression, self.bits) {
            (0, 1 | 2 | 4 | 8 | 16 | 24 | 32) | (1, 8) | (2, 4) | (3, 16 | 32) => Ok(self),
            (4, _) => refuse("JPEG data inside".into()),
            (5, _) => refuse("PNG data inside".into()),
            (11..=13, _) => refuse("CMYK colours".into()),
            (kind, bits) => refuse(format!("compression {kind} with {bits} bits")),
        }
    }

    fn probe(&self) -> Probe {
        let palette = self.bits <= 8;
        Probe {
            format: NAME,
            width: self.width,
            height: self.height,
            channels: 3 + u8::from(self.alpha),
            bits: if palette { self.bits as u8 } else { 8 },
            colorspace: if palette { "palette" } else { "rgb" },
            alpha: self.alpha,
            orientation: 1,
            progressive: false,
            animated: false,
            icc: self.icc,
            subsampling: String::new(),
        }
    }

    /// Refuses, before anything is allocated, what cannot be whole or would take too much.
    fn check_data(&self, data: &[u8], limits: &Limits) -> Result<(), Fault> {
        let pixels = u64::from(self.width) * u64::from(self.height);
        let packed = (data.len() as u64).saturating_sub(u64::from(self.start));
        if matches!(self.compression, 1 | 2) {
            // Runs give 255 pixels for two bytes. Jumps and early ends could skip more, but no
            // picture worth the name is that empty.
            check_ratio(NAME, pixels, packed, 1024)?;
        } else {
            let row = (u64::from(self.width) * u64::from(self.bits)).div_ceil(32) * 4;
            let need = row * u64::from(self.height);
            if need > packed {
                let found = format!("{packed} bytes of picture data where {need} are announced");
                return Err(Fault::new(Code::Truncated, NAME, found).at(data.len() as u64));
            }
        }
        let whole = if self.alpha { pixels * 4 } else { 0 };
        check_memory(NAME, whole + (1 << 20), limits)
    }
}

fn fault(error: ImageError) -> Fault {
    let code = match &error {
        ImageError::IoError(e) if e.kind() == ErrorKind::UnexpectedEof => Code::Truncated,
        ImageError::Unsupported(_) => Code::Unsupported,
        ImageError::Limits(_) => Code::TooMuchMemory,
        _ => Code::BadData,
    };
    match code {
        Code::Truncated => Fault::new(code, NAME, "the picture data ends before the picture does"),
        _ => Fault::new(code, NAME, error.to_string()),
    }
}
