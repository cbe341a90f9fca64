//! What the headers say about a picture, as a plain struct made of hostile bytes.

use crate::error::{Kind, Result, fail};

/// How components become colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Colour {
    /// One component.
    Gray,
    /// Luma and two chroma components.
    YCbCr,
    /// Red, green and blue as stored.
    Rgb,
    /// Four inks as stored.
    Cmyk,
    /// Luma and chroma of the inverted inks, and black.
    Ycck,
}

/// One component of the frame.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Component {
    /// The number scans name it by.
    pub id: u8,
    /// Horizontal sampling factor.
    pub h: u8,
    /// Vertical sampling factor.
    pub v: u8,
    /// The quantisation table it names.
    pub quant: u8,
    /// Samples a row (before padding to whole blocks).
    pub width: u32,
    /// Rows of samples.
    pub height: u32,
}

/// What the headers say.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    /// Width in pixels, as stored.
    pub width: u32,
    /// Height in pixels, as stored.
    pub height: u32,
    /// Progressive (SOF2), else sequential.
    pub progressive: bool,
    /// How components become colours.
    pub colour: Colour,
    /// EXIF orientation, 1 where absent or broken.
    pub orientation: u8,
    /// Whether an ICC profile is embedded.
    pub icc: bool,
    /// The transform an Adobe segment names, where there is one.
    pub adobe: Option<u8>,
    pub(crate) components: [Component; 4],
    pub(crate) count: usize,
    pub(crate) h_max: u8,
    pub(crate) v_max: u8,
}

impl Header {
    /// The components, in the frame's order.
    #[must_use]
    pub fn components(&self) -> &[Component] {
        &self.components[..self.count]
    }

    /// MCU width and height in pixels.
    pub(crate) fn mcu_size(&self) -> (u32, u32) {
        (8 * u32::from(self.h_max), 8 * u32::from(self.v_max))
    }

    /// MCUs a row and rows of MCUs of an interleaved scan.
    pub(crate) fn mcus(&self) -> (u32, u32) {
        let (width, height) = self.mcu_size();
        (self.width.div_ceil(width), self.height.div_ceil(height))
    }

    /// The chroma subsampling in the usual notation ("4:2:0"), or the factors where it has no name.
    #[must_use]
    pub fn subsampling(&self) -> String {
        let first = self.components[0];
        if self.count < 3 {
            return "4:0:0".into();
        }
        let chroma = &self.components[1..3];
        let plain = chroma.iter().all(|c| (c.h, c.v) == (1, 1)) && self.inks_follow_luma();
        match (first.h, first.v) {
            (1, 1) if plain => "4:4:4".into(),
            (2, 1) if plain => "4:2:2".into(),
            (2, 2) if plain => "4:2:0".into(),
            (1, 2) if plain => "4:4:0".into(),
            (4, 1) if plain => "4:1:1".into(),
            (4, 2) if plain => "4:1:0".into(),
            (1, 4) if plain => "4:4:1".into(),
            _ if chroma.iter().all(|c| (c.h, c.v) == (first.h, first.v)) => "4:4:4".into(),
            _ => self.factors(),
        }
    }

    fn inks_follow_luma(&self) -> bool {
        let (first, last) = (self.components[0], self.components[3]);
        self.count < 4 || (last.h, last.v) == (first.h, first.v)
    }

    fn factors(&self) -> String {
        let parts: Vec<String> =
            self.components().iter().map(|c| format!("{}x{}", c.h, c.v)).collect();
        parts.join(",")
    }
}

/// What the application segments said, as far as it changes pixels.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Applications {
    pub jfif: bool,
    pub adobe: Option<u8>,
    pub orientation: Option<u8>,
    pub icc: bool,
}

/// The frame header alone.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Frame {
    pub width: u32,
    pub height: u32,
    pub progressive: bool,
    pub components: [Component; 4],
    pub count: usize,
    pub h_max: u8,
    pub v_max: u8,
}

impl Frame {
    /// Reads the payload of an SOF0, SOF1 or SOF2 segment that began at `offset`.
    pub fn parse(marker: u8, payload: &[u8], offset: usize) -> Result<Self> {
        let bad_length = Kind::BadSegmentLength { marker };
        let &[precision, y1, y0, x1, x0, count, ref rest @ ..] = payload else {
            return fail(bad_length, offset);
        };
        if precision != 8 {
            let what = if precision == 12 { "12 bit" } else { "a precision other than 8 bit" };
            return fail(Kind::Unsupported(what), offset);
        }
        let (width, height) = (u16::from_be_bytes([x1, x0]), u16::from_be_bytes([y1, y0]));
        if width == 0 {
            return fail(Kind::EmptyPicture, offset);
        }
        if height == 0 {
            return fail(Kind::Unsupported("height given after the first scan (DNL)"), offset);
        }
        if !matches!(count, 1 | 3 | 4) {
            return fail(Kind::BadComponentCount(count), offset);
        }
        if rest.len() != 3 * usize::from(count) {
            return fail(bad_length, offset);
        }
        let mut frame = Self {
            width: width.into(),
            height: height.into(),
            progressive: marker == 0xC2,
            components: [Component::default(); 4],
            count: count.into(),
            h_max: 1,
            v_max: 1,
        };
        frame.read_components(rest, offset)?;
        Ok(frame)
    }

    fn read_components(&mut self, bytes: &[u8], offset: usize) -> Result<()> {
        for (index, spec) in bytes.chunks_exact(3).enumerate() {
            let (h, v) = (spec[1] >> 4, spec[1] & 15);
            if !(1..=4).contains(&h) || !(1..=4).contains(&v) {
                return fail(Kind::BadSampling, offset);
            }
            if spec[2] > 3 {
                return fail(Kind::MissingQuantTable(spec[2]), offset);
            }
            if self.components[..index].iter().any(|c| c.id == spec[0]) {
                return fail(Kind::DuplicateComponent(spec[0]), offset);
            }
            // The factors of a lone component have no meaning: its MCU is one block.
            let (h, v) = if self.count == 1 { (1, 1) } else { (h, v) };
            self.h_max = self.h_max.max(h);
            self.v_max = self.v_max.max(v);
            self.components[index] =
                Component { id: spec[0], h, v, quant: spec[2], width: 0, height: 0 };
        }
        let (h_max, v_max) = (u32::from(self.h_max), u32::from(self.v_max));
        for component in &mut self.components[..self.count] {
            component.width = (self.width * u32::from(component.h)).div_ceil(h_max);
            component.height = (self.height * u32::from(component.v)).div_ceil(v_max);
        }
        Ok(())
    }

    /// The header, once the application segments before the first scan are known.
    pub fn header(&self, applications: &Applications) -> Header {
        Header {
            width: self.width,
            height: self.height,
            progressive: self.progressive,
            colour: self.colour(applications),
            orientation: applications.orientation.unwrap_or(1),
            icc: applications.icc,
            adobe: applications.adobe,
            components: self.components,
            count: self.count,
            h_max: self.h_max,
            v_max: self.v_max,
        }
    }

    /// The colour model, by the rules every common reader follows.
    fn colour(&self, applications: &Applications) -> Colour {
        let ids = [self.components[0].id, self.components[1].id, self.components[2].id];
        match (self.count, applications.adobe) {
            (1, _) => Colour::Gray,
            (3, _) if applications.jfif => Colour::YCbCr,
            (3, Some(0)) => Colour::Rgb,
            (3, None) if ids == *b"RGB" => Colour::Rgb,
            (3, _) => Colour::YCbCr,
            (_, Some(0) | None) => Colour::Cmyk,
            (_, Some(_)) => Colour::Ycck,
        }
    }
}
