//! The one pixel policy of all formats: limits first, then depth, alpha and ink brought to 8 bit gray or RGB.

use super::raster::{Limits, Raster};
use crate::fault::{Code, Fault};

/// RGB to gray with Pillow's weights.
pub(crate) fn luma(rgb: &[u8], gray: &mut [u8]) {
    for (gray, rgb) in gray.iter_mut().zip(rgb.chunks_exact(3)) {
        let [r, g, b] = [rgb[0], rgb[1], rgb[2]].map(u32::from);
        *gray = ((19_595 * r + 38_470 * g + 7_471 * b + 0x8000) >> 16) as u8;
    }
}

/// Refuses pictures without pixels and pictures over the pixel limit.
pub(super) fn check_pixels(
    format: &'static str,
    width: u32,
    height: u32,
    limits: &Limits,
) -> Result<(), Fault> {
    if width == 0 || height == 0 {
        let found = format!("a picture of {width} x {height} pixels");
        return Err(Fault::new(Code::BadHeader, format, found));
    }
    let pixels = u64::from(width) * u64::from(height);
    if pixels <= limits.pixels {
        return Ok(());
    }
    let found = format!("{width} x {height} = {pixels} pixels, the limit is {}", limits.pixels);
    Err(Fault::new(Code::TooManyPixels, format, found))
}

/// Refuses a decode that would hold more than the limit besides input and output.
pub(super) fn check_memory(format: &'static str, need: u64, limits: &Limits) -> Result<(), Fault> {
    if need <= limits.memory {
        return Ok(());
    }
    let found = format!("decoding needs {need} bytes, the limit is {}", limits.memory);
    Err(Fault::new(Code::TooMuchMemory, format, found))
}

/// Refuses data too short to unpack to `raw` bytes, whatever it holds, before anything is allocated.
///
/// `ratio` is the most bytes one byte of compressed data can become; `slack` forgives headers.
pub(super) fn check_ratio(
    format: &'static str,
    raw: u64,
    packed: u64,
    ratio: u64,
) -> Result<(), Fault> {
    const SLACK: u64 = 4096;
    if raw <= packed.saturating_mul(ratio).saturating_add(SLACK) {
        return Ok(());
    }
    let found =
        format!("{packed} bytes of picture data, which cannot hold the {raw} bytes announced");
    Err(Fault::new(Code::Truncated, format, found))
}

/// The most deflate can expand: one length/distance pair of two bits gives 258 bytes.
pub(super) const DEFLATE_RATIO: u64 = 1032;

/// The most LZW with 12 bit codes can expand: code n stands for at most n bytes and takes at least
/// log2(n) bits, which is best at 4095 bytes for 12 bits, or 2730 bytes for each byte.
pub(super) const LZW_RATIO: u64 = 2731;

/// 0..=65535 to 0..=255, rounded to the nearest.
pub(super) fn narrow(value: u16) -> u8 {
    ((u32::from(value) * 255 + 32_767) / 65_535) as u8
}

/// The factor that brings samples of 1, 2 or 4 bits to 0..=255 exactly.
pub(super) fn stretch(bits: u8) -> u8 {
    match bits {
        1 => 255,
        2 => 85,
        4 => 17,
        _ => 1,
    }
}

/// One straight-alpha sample over a background, rounded to the nearest.
pub(super) fn over(sample: u8, alpha: u8, background: u8) -> u8 {
    let (s, a, b) = (u32::from(sample), u32::from(alpha), u32::from(background));
    ((s * a + b * (255 - a) + 127) / 255) as u8
}

/// One sample that was multiplied by its alpha already, over a background.
pub(super) fn over_associated(sample: u8, alpha: u8, background: u8) -> u8 {
    sample.saturating_add(over(0, alpha, background))
}

/// Ink (0 = none) to light by Pillow's integer formula.
pub(super) fn cmyk(ink: [u8; 4]) -> [u8; 3] {
    let white = 255 - ink[3];
    [0, 1, 2].map(|i| white.saturating_sub(multiply(ink[i], white)))
}

/// a * b / 255 in the rounding Pillow uses.
fn multiply(a: u8, b: u8) -> u8 {
    let t = u32::from(a) * u32::from(b) + 128;
    (((t >> 8) + t) >> 8) as u8
}

/// Bytes in one row of a raster.
pub(super) fn stride(raster: &Raster) -> usize {
    raster.width as usize * usize::from(raster.channels)
}

/// Brings rows of 8 bit gray (1 sample), gray and alpha (2), RGB (3) or RGBA (4) to a raster's rows.
pub(super) struct Flattener {
    samples: usize,
    background: [u8; 3],
    over: fn(u8, u8, u8) -> u8,
}

impl Flattener {
    /// For straight alpha, as every format but TIFF has it.
    pub(super) fn new(samples: usize, background: [u8; 3]) -> Self {
        Self { samples, background, over }
    }

    /// For alpha the samples were multiplied by already.
    pub(super) fn associated(samples: usize, background: [u8; 3]) -> Self {
        Self { samples, background, over: over_associated }
    }

    /// Whether the samples hold alpha.
    pub(super) fn has_alpha(&self) -> bool {
        self.samples.is_multiple_of(2)
    }

    /// Channels of the raster: gray stays gray unless a coloured background shows through.
    pub(super) fn channels(&self) -> u8 {
        let [r, g, b] = self.background;
        match self.samples {
            1 => 1,
            2 if r == g && g == b => 1,
            _ => 3,
        }
    }

    /// An empty raster of the right shape. Zeroed memory costs nothing until it is written.
    pub(super) fn raster(&self, width: u32, height: u32) -> Raster {
        let channels = self.channels();
        let size = width as usize * height as usize * usize::from(channels);
        Raster { width, height, channels, pixels: vec![0; size] }
    }

    /// Any whole number of pixels.
    pub(super) fn flatten(&self, from: &[u8], to: &mut [u8]) {
        match (self.samples, self.channels()) {
            (2, 1) => self.gray(from, to),
            (2, _) => self.tinted(from, to),
            (4, _) => self.colour(from, to),
            _ => to.copy_from_slice(from),
        }
    }

    fn gray(&self, from: &[u8], to: &mut [u8]) {
        for (pixel, out) in from.chunks_exact(2).zip(to) {
            *out = (self.over)(pixel[0], pixel[1], self.background[0]);
        }
    }

    fn tinted(&self, from: &[u8], to: &mut [u8]) {
        for (pixel, out) in from.chunks_exact(2).zip(to.chunks_exact_mut(3)) {
            for (value, background) in out.iter_mut().zip(self.background) {
                *value = (self.over)(pixel[0], pixel[1], background);
            }
        }
    }

    fn colour(&self, from: &[u8], to: &mut [u8]) {
        for (pixel, out) in from.chunks_exact(4).zip(to.chunks_exact_mut(3)) {
            for i in 0..3 {
                out[i] = (self.over)(pixel[i], pixel[3], self.background[i]);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn narrowing_is_the_nearest_for_every_value() {
        for value in 0..=u16::MAX {
            let nearest = (f64::from(value) * 255.0 / 65_535.0).round();
            assert_eq!(f64::from(narrow(value)), nearest, "{value}");
        }
    }

    #[test]
    fn compositing_is_the_nearest_for_every_triple() {
        for a in 0..=255u8 {
            for s in (0..=255u8).step_by(5) {
                for b in [0, 1, 127, 128, 254, 255u8] {
                    let exact =
                        (f64::from(s) * f64::from(a) + f64::from(b) * f64::from(255 - a)) / 255.0;
                    assert_eq!(f64::from(over(s, a, b)), exact.round(), "{s} {a} {b}");
                }
            }
        }
    }

    #[test]
    fn associated_alpha_equals_straight_alpha_up_to_one() {
        for a in 0..=255u8 {
            for s in (0..=255u8).step_by(3) {
                let multiplied = over(s, a, 0);
                assert!(over_associated(multiplied, a, 77).abs_diff(over(s, a, 77)) <= 1);
            }
        }
    }

    #[test]
    fn ink_follows_pillow() {
        assert_eq!(cmyk([0, 0, 0, 0]), [255, 255, 255]);
        assert_eq!(cmyk([255, 255, 255, 255]), [0, 0, 0]);
        assert_eq!(cmyk([10, 100, 200, 50]), [197, 125, 44]);
    }

    #[test]
    fn limits_name_what_was_found() {
        let limits = Limits { pixels: 100, memory: 10, ..Limits::default() };
        assert!(check_pixels("PNG", 10, 10, &limits).is_ok());
        let fault = check_pixels("PNG", 101, 1, &limits).unwrap_err();
        assert_eq!(fault.code, Code::TooManyPixels);
        assert!(fault.found.contains("101 x 1"), "{fault}");
        assert_eq!(check_pixels("PNG", 0, 5, &limits).unwrap_err().code, Code::BadHeader);
        assert!(check_memory("PNG", 10, &limits).is_ok());
        assert_eq!(check_memory("PNG", 11, &limits).unwrap_err().code, Code::TooMuchMemory);
        assert_eq!(check_ratio("PNG", 5000, 0, 1032).unwrap_err().code, Code::Truncated);
        assert!(check_ratio("PNG", 5000, 1, 1032).is_ok());
    }
}
