//! GIF's blocks up to the second frame: what the picture is, without unpacking any of it.

use super::super::policy::stride;
use super::super::raster::{Probe, Raster};
use super::NAME;
use crate::fault::{Code, Fault};

/// The first frame's place on the screen.
pub(super) struct Frame {
    left: u32,
    top: u32,
    pub(super) width: u32,
    pub(super) height: u32,
    interlaced: bool,
    pub(super) transparent: Option<u8>,
}

impl Frame {
    pub(super) fn paint(&self, indices: &[u8], colours: &[[u8; 3]; 256], raster: &mut Raster) {
        let (left, width) = (self.left as usize * 3, self.width as usize);
        let stride = stride(raster);
        let rows = raster.pixels.chunks_exact_mut(stride).skip(self.top as usize);
        for (row, out) in indices.chunks_exact(width).zip(rows) {
            for (index, pixel) in row.iter().zip(out[left..].chunks_exact_mut(3)) {
                pixel.copy_from_slice(&colours[usize::from(*index)]);
            }
        }
    }
}

/// What a walk over the blocks up to the second frame finds.
pub(super) struct Blocks {
    pub(super) width: u32,
    pub(super) height: u32,
    pub(super) frame: Frame,
    icc: bool,
    animated: bool,
    /// Bytes of the first frame's compressed data.
    pub(super) packed: u64,
}

impl Blocks {
    pub(super) fn read(data: &[u8]) -> Result<Self, Fault> {
        let mut walk = Walk { data, at: 6 };
        if data.len() >= 6 && !data.starts_with(b"GIF87a") && !data.starts_with(b"GIF89a") {
            let found = "a version other than 87a and 89a";
            return Err(Fault::new(Code::BadHeader, NAME, found).at(3));
        }
        let screen = walk.take(7)?;
        walk.skip_table(screen[4])?;
        let (mut transparent, mut icc) = (None, false);
        loop {
            let start = walk.at;
            match walk.take(1)?[0] {
                0x21 => walk.extension(&mut transparent, &mut icc)?,
                0x2C => return Self::frame(walk, screen, transparent, icc),
                0x3B => return Err(Fault::new(Code::Truncated, NAME, "no frame").at(start as u64)),
                byte => {
                    let found = format!("a block of unknown kind 0x{byte:02X}");
                    return Err(Fault::new(Code::BadSegment, NAME, found).at(start as u64));
                }
            }
        }
    }

    fn frame(
        mut walk: Walk<'_>,
        screen: &[u8],
        transparent: Option<u8>,
        icc: bool,
    ) -> Result<Self, Fault> {
        let head = walk.take(9)?;
        let [left, top, width, height] =
            [0, 2, 4, 6].map(|i| u32::from(u16::from_le_bytes([head[i], head[i + 1]])));
        if width == 0 || height == 0 {
            let found = format!("a first frame of {width} x {height} pixels");
            return Err(Fault::new(Code::BadHeader, NAME, found));
        }
        walk.skip_table(head[8])?;
        walk.take(1)?;
        let before = walk.at;
        // Cut picture data is left to the decoder, which says so unless all pixels are there.
        let whole = walk.skip_parts();
        let packed = (walk.at - before) as u64;
        let screen = [0, 2].map(|i| u32::from(u16::from_le_bytes([screen[i], screen[i + 1]])));
        Ok(Self {
            width: screen[0].max(left + width),
            height: screen[1].max(top + height),
            frame: Frame { left, top, width, height, interlaced: head[8] & 0x40 != 0, transparent },
            icc,
            animated: whole.is_ok() && walk.another_frame(),
            packed,
        })
    }

    pub(super) fn probe(&self) -> Probe {
        let covered = (self.frame.width, self.frame.height) == (self.width, self.height);
        let alpha = self.frame.transparent.is_some() || !covered;
        Probe {
            format: NAME,
            width: self.width,
            height: self.height,
            channels: 3 + u8::from(alpha),
            bits: 8,
            colorspace: "palette",
            alpha,
            orientation: 1,
            progressive: self.frame.interlaced,
            animated: self.animated,
            icc: self.icc,
            subsampling: String::new(),
        }
    }
}

/// Steps over GIF's blocks.
struct Walk<'a> {
    data: &'a [u8],
    at: usize,
}

impl<'a> Walk<'a> {
    fn take(&mut self, length: usize) -> Result<&'a [u8], Fault> {
        let bytes = self.data.get(self.at..self.at + length).ok_or_else(|| {
            let found = "the data ends before the first frame does";
            Fault::new(Code::Truncated, NAME, found).at(self.data.len() as u64)
        })?;
        self.at += length;
        Ok(bytes)
    }

    fn skip_table(&mut self, flags: u8) -> Result<(), Fault> {
        if flags & 0x80 != 0 {
            self.take(3 << ((flags & 7) + 1))?;
        }
        Ok(())
    }

    /// Skips parts of at most 255 bytes up to the empty one; stops at the end of cut data.
    fn skip_parts(&mut self) -> Result<(), Fault> {
        loop {
            let length = usize::from(self.take(1)?[0]);
            if length == 0 {
                return Ok(());
            }
            if self.at + length > self.data.len() {
                self.at = self.data.len();
            }
            self.take(length)?;
        }
    }

    fn extension(&mut self, transparent: &mut Option<u8>, icc: &mut bool) -> Result<(), Fault> {
        let label = self.take(1)?[0];
        let rest = &self.data[self.at..];
        match (label, rest) {
            (0xF9, [4, flags, _, _, index, ..]) => {
                *transparent = (flags & 1 == 1).then_some(*index)
            }
            (0xFF, _) => *icc |= rest.get(1..12) == Some(b"ICCRGBG1012"),
            _ => {}
        }
        self.skip_parts()
    }

    fn another_frame(&mut self) -> bool {
        while let Ok(kind) = self.take(1) {
            match kind[0] {
                0x21 => {
                    if self.take(1).is_err() || self.skip_parts().is_err() {
                        return false;
                    }
                }
                kind => return kind == 0x2C,
            }
        }
        false
    }
}
