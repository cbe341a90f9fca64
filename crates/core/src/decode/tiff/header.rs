//! The first directory of a TIFF file: what the picture is and whether it can be read.

use super::super::ifd::{Directories, Entry};
use super::super::policy::{DEFLATE_RATIO, LZW_RATIO, check_ratio};
use super::super::raster::Probe;
use crate::fault::{Code, Fault};

pub(super) const NAME: &str = "TIFF";

/// What the crate reads besides the tables of strips and tiles: one value, or one a sample.
const SHORT_TAGS: [u16; 15] =
    [256, 257, 258, 259, 262, 266, 277, 278, 284, 317, 322, 323, 338, 339, 530];

/// What an extra sample after the colours means.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Alpha {
    /// No alpha: extra samples, if any, are left out.
    None,
    /// Colours are as they are without it.
    Straight,
    /// Colours were multiplied by it.
    Associated,
}

/// The picture the first directory describes.
pub(super) struct Header {
    pub(super) width: u32,
    pub(super) height: u32,
    pub(super) bits: u8,
    /// Samples of a pixel, extra ones among them.
    pub(super) samples: u16,
    /// The photometric interpretation by its number.
    pub(super) photometric: u64,
    /// Where the photometric interpretation's value stands.
    pub(super) photometric_field: usize,
    pub(super) planar: bool,
    pub(super) alpha: Alpha,
    /// Red, green and blue of each palette entry.
    pub(super) palette: Vec<[u8; 3]>,
    pub(super) big_endian: bool,
    compression: u64,
    fill_order: u64,
    sample_format: u64,
    mixed: bool,
    orientation: u8,
    pages: bool,
    icc: bool,
}

impl Header {
    pub(super) fn read(data: &[u8]) -> Result<Self, Fault> {
        let cut = |found: &str| Fault::new(Code::Truncated, NAME, found).at(data.len() as u64);
        let (directories, first) =
            Directories::open(data).ok_or_else(|| cut("the data ends in the header"))?;
        let (entries, next) = directories
            .read(first)
            .ok_or_else(|| cut("the first directory lies behind the end of the data"))?;
        let tags = Tags { directories, entries };
        let this = Self::from_tags(&tags, next != 0)?;
        tags.check_short()?;
        this.check_chunks(&tags, data.len())?;
        Ok(this)
    }

    fn from_tags(tags: &Tags<'_>, pages: bool) -> Result<Self, Fault> {
        let photometric = tags.find(262).ok_or_else(|| lacking("photometric interpretation"))?;
        let bits = tags.all(258).unwrap_or_else(|| vec![1]);
        let samples = tags.one(277).unwrap_or(1);
        let size = |tag, name| {
            let value = tags.one(tag).ok_or_else(|| lacking(name))?;
            u32::try_from(value).map_err(|_| lacking(name))
        };
        let mut this = Self {
            width: size(256, "width")?,
            height: size(257, "height")?,
            bits: u8::try_from(bits.first().copied().unwrap_or(1)).unwrap_or(u8::MAX),
            samples: u16::try_from(samples).map_err(|_| lacking("number of samples"))?,
            photometric: tags.one(262).unwrap_or(u64::MAX),
            photometric_field: photometric.field,
            planar: tags.one(284) == Some(2),
            alpha: Alpha::None,
            palette: tags.all(320).map_or_else(Vec::new, |map| palette(&map)),
            big_endian: tags.directories.big_endian(),
            compression: tags.one(259).unwrap_or(1),
            fill_order: tags.one(266).unwrap_or(1),
            sample_format: tags.one(339).unwrap_or(1),
            mixed: bits.iter().any(|other| Some(other) != bits.first()),
            orientation: tags.one(274).filter(|v| (1..=8).contains(v)).unwrap_or(1) as u8,
            pages,
            icc: tags.find(34_675).is_some(),
        };
        this.alpha = this.meaning_of_extra(tags);
        Ok(this)
    }

    /// Colours of a pixel before extra samples; None for interpretations that are not read.
    pub(super) fn colours(&self) -> Option<u16> {
        match self.photometric {
            0 | 1 | 3 => Some(1),
            2 | 6 => Some(3),
            5 => Some(4),
            _ => None,
        }
    }

    /// Files that do not say what their extra sample is mean alpha, except among inks.
    fn meaning_of_extra(&self, tags: &Tags<'_>) -> Alpha {
        let Some(colours) = self.colours().filter(|colours| *colours < self.samples) else {
            return Alpha::None;
        };
        match tags.one(338) {
            Some(1) => Alpha::Associated,
            Some(2) => Alpha::Straight,
            None if colours < 4 && self.samples == colours + 1 => Alpha::Straight,
            _ => Alpha::None,
        }
    }

    /// More strips or tiles than samples exist cannot be meant and would only fill memory.
    fn check_chunks(&self, tags: &Tags<'_>, length: usize) -> Result<(), Fault> {
        let pixels = u64::from(self.width) * u64::from(self.height);
        let most = pixels.saturating_mul(u64::from(self.samples));
        for tag in [273, 279, 324, 325] {
            let Some(entry) = tags.find(tag) else { continue };
            if entry.count > most {
                let found = format!("{} strips or tiles", entry.count);
                return Err(Fault::new(Code::BadSegment, NAME, found).at(entry.field as u64));
            }
            if tags.directories.values(entry).is_none() {
                let found = "the table of strips or tiles lies behind the end of the data";
                return Err(Fault::new(Code::Truncated, NAME, found).at(length as u64));
            }
        }
        Ok(())
    }

    /// Names what is legal but not read.
    pub(super) fn check_supported(&self) -> Result<(), Fault> {
        let found = match self {
            Self { compression: 1 | 5 | 8 | 32_773 | 32_946, .. } => self.unsupported_samples(),
            _ => Some(compression(self.compression)),
        };
        match found {
            Some(found) => Err(Fault::new(Code::Unsupported, NAME, found)),
            None => self.check_table(),
        }
    }

    fn unsupported_samples(&self) -> Option<String> {
        match (self.sample_format, self.photometric) {
            (2, _) => return Some("signed samples".into()),
            (3, _) => return Some("floating-point samples".into()),
            (1, 0..=3 | 5) => {}
            (1, 4) => return Some("a transparency mask as the first page".into()),
            (1, 6) => return Some("uncompressed YCbCr colours".into()),
            (1, 8..=10) => return Some("Lab colours".into()),
            (1, 32_803 | 34_892) => return Some("raw camera data".into()),
            (1, kind) => return Some(format!("photometric interpretation {kind}")),
            (format, _) => return Some(format!("sample format {format}")),
        }
        let deepest = if self.photometric == 3 { 8 } else { 16 };
        match self.bits {
            _ if self.mixed => Some("samples of different depths".into()),
            _ if self.fill_order != 1 => Some("bits in reversed order".into()),
            1 | 2 | 4 | 8 | 16 if self.bits <= deepest => None,
            bits => Some(format!("{bits} bit samples")),
        }
    }

    fn check_table(&self) -> Result<(), Fault> {
        let colours = self.colours().unwrap_or(1);
        if self.samples < colours {
            let found = format!("{} samples where the colours take {colours}", self.samples);
            return Err(Fault::new(Code::BadHeader, NAME, found));
        }
        if self.photometric == 3 && self.palette.is_empty() {
            return Err(Fault::new(Code::BadTable, NAME, "palette colours without a palette"));
        }
        Ok(())
    }

    /// Refuses, before anything is allocated, what cannot be whole.
    pub(super) fn check_data(&self, data: &[u8]) -> Result<(), Fault> {
        let ratio = match self.compression {
            5 => LZW_RATIO,
            8 | 32_946 => DEFLATE_RATIO,
            // PackBits: two bytes give at most 128.
            32_773 => 64,
            _ => 1,
        };
        let row = u64::from(self.width) * u64::from(self.samples) * u64::from(self.bits);
        check_ratio(NAME, row.div_ceil(8) * u64::from(self.height), data.len() as u64, ratio)
    }

    pub(super) fn probe(&self) -> Result<Probe, Fault> {
        let colorspace = match self.photometric {
            0 | 1 => "gray",
            2 => "rgb",
            3 => "palette",
            5 => "cmyk",
            6 => "ycbcr",
            kind => {
                let found = format!("photometric interpretation {kind}");
                return Err(Fault::new(Code::Unsupported, NAME, found));
            }
        };
        let expanded = if self.photometric == 3 { 2 } else { 0 };
        Ok(Probe {
            format: NAME,
            width: self.width,
            height: self.height,
            channels: u8::try_from(self.samples.saturating_add(expanded)).unwrap_or(u8::MAX),
            bits: self.bits,
            colorspace,
            alpha: self.alpha != Alpha::None,
            orientation: self.orientation,
            progressive: false,
            animated: self.pages,
            icc: self.icc,
            subsampling: String::new(),
        })
    }
}

struct Tags<'a> {
    directories: Directories<'a>,
    entries: Vec<Entry>,
}

impl Tags<'_> {
    /// The last entry of a tag: where tags are repeated, the crate takes the last as well.
    fn find(&self, tag: u16) -> Option<&Entry> {
        self.entries.iter().rfind(|entry| entry.tag == tag)
    }

    /// The crate allocates what a tag announces before it looks for the values.
    fn check_short(&self) -> Result<(), Fault> {
        let long =
            |entry: &&Entry| SHORT_TAGS.contains(&entry.tag) && entry.count > u64::from(u16::MAX);
        let Some(entry) = self.entries.iter().find(long) else { return Ok(()) };
        let found = format!("{} values of tag {}", entry.count, entry.tag);
        Err(Fault::new(Code::BadSegment, NAME, found).at(entry.field as u64))
    }

    fn one(&self, tag: u16) -> Option<u64> {
        self.directories.values(self.find(tag)?)?.next()
    }

    /// All values of a tag that has at most as many as the largest palette.
    fn all(&self, tag: u16) -> Option<Vec<u64>> {
        let entry = self.find(tag).filter(|entry| entry.count <= 3 << 16)?;
        Some(self.directories.values(entry)?.collect())
    }
}

/// All reds, then all greens, then all blues of 16 bits, to entries of 8.
///
/// Writers scale 8 bits up by 256 or by 257: the high byte is right for both. Some wrote 8 bits
/// only, so that every value is small.
fn palette(map: &[u64]) -> Vec<[u8; 3]> {
    let shift = if map.iter().all(|value| *value < 256) { 0 } else { 8 };
    let third = map.len() / 3;
    (0..third).map(|i| [i, third + i, 2 * third + i].map(|at| (map[at] >> shift) as u8)).collect()
}

fn compression(kind: u64) -> String {
    match kind {
        2..=4 => "fax compression".into(),
        6 | 7 => "JPEG data inside".into(),
        34_712 => "JPEG 2000 data inside".into(),
        34_925 => "LZMA compression".into(),
        50_000 => "Zstandard compression".into(),
        50_001 => "WebP data inside".into(),
        _ => format!("compression {kind}"),
    }
}

fn lacking(name: &str) -> Fault {
    Fault::new(Code::BadHeader, NAME, format!("a first directory without a usable {name}"))
}
