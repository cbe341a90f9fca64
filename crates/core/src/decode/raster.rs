//! What a format's decoder yields and is told: a whole picture under one policy.

/// What a decoder must not exceed; checked before anything is allocated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Most pixels (width x height of the stored picture or canvas).
    pub pixels: u64,
    /// Most scans of a progressive JPEG.
    pub scans: u32,
    /// Most bytes the decoder may hold at once besides the input and the final output.
    pub memory: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self { pixels: 178_000_000, scans: 100, memory: 2 << 30 }
    }
}

/// What the headers say, without decoding. Width and height are as stored, before orientation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Probe {
    /// "JPEG", "PNG", "WEBP", "GIF", "BMP" or "TIFF".
    pub format: &'static str,
    /// Stored width.
    pub width: u32,
    /// Stored height.
    pub height: u32,
    /// Channels as stored, alpha included; a palette counts as what it expands to (3 or 4).
    pub channels: u8,
    /// Bits per channel as stored (1, 2, 4, 8, 16, 32).
    pub bits: u8,
    /// "gray", "rgb", "ycbcr", "cmyk", "ycck", "palette".
    pub colorspace: &'static str,
    /// Whether an alpha channel or transparent colour is present.
    pub alpha: bool,
    /// EXIF orientation 1..=8 (1 where absent or broken).
    pub orientation: u8,
    /// Progressive JPEG, interlaced PNG or GIF.
    pub progressive: bool,
    /// Whether the header says there is more than one frame or page.
    pub animated: bool,
    /// Whether an ICC profile is embedded (it is ignored).
    pub icc: bool,
    /// JPEG's chroma subsampling like "4:2:0", empty for others.
    pub subsampling: String,
}

/// A whole decoded picture in stored orientation: 8 bits, alpha already composited, palette expanded,
/// CMYK converted, 16 bit scaled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Raster {
    /// Width in pixels.
    pub width: u32,
    /// Height in pixels.
    pub height: u32,
    /// 1 (gray) or 3 (RGB), whichever the picture itself is.
    pub channels: u8,
    /// Row-major, interleaved, `width * height * channels` bytes.
    pub pixels: Vec<u8>,
}

impl Raster {
    /// No picture yet: a buffer to decode into.
    pub const EMPTY: Self = Self { width: 0, height: 0, channels: 3, pixels: Vec::new() };

    /// The picture, lent.
    #[must_use]
    pub fn lent(&self) -> Pixels<'_> {
        let Self { width, height, channels, pixels } = self;
        Pixels { width: *width, height: *height, channels: *channels, pixels }
    }
}

/// A picture like a [`Raster`], whose pixels are somebody else's.
#[derive(Clone, Copy, Debug)]
pub struct Pixels<'a> {
    /// Width in pixels.
    pub width: u32,
    /// Height in pixels.
    pub height: u32,
    /// 1 (gray) or 3 (RGB).
    pub channels: u8,
    /// Row-major, interleaved, `width * height * channels` bytes.
    pub pixels: &'a [u8],
}
