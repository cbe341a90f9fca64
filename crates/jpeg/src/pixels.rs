//! Blocks to the pixels libjpeg-turbo would give, for any region: the rows of three MCU rows are kept,
//! since upsampling looks at the row above and the row below.

use crate::block::Block;
use crate::colour;
use crate::driver::BlockSink;
use crate::header::{Colour, Component, Header};
use crate::idct::{self, Dequant};
use crate::isa::Isa;
use crate::upsample::{self, Form, Sums};
use crate::window::{McuRect, Region};

/// What the pixels of a picture are to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layout {
    /// One byte: luma (of gray and YCbCr pictures).
    Luma,
    /// Three bytes: red, green, blue (of all but CMYK and YCCK pictures).
    Rgb,
    /// Four bytes: the inks as stored (of CMYK and YCCK pictures).
    Inks,
}

impl Layout {
    /// Bytes a pixel.
    #[must_use]
    pub fn channels(self) -> usize {
        match self {
            Self::Luma => 1,
            Self::Rgb => 3,
            Self::Inks => 4,
        }
    }
}

/// Rows of three MCU rows of one component.
#[derive(Default)]
struct Plane {
    samples: Vec<u8>,
    stride: usize,
    /// Rows an MCU row has.
    rows: usize,
    /// The first row of the present round of three MCU rows.
    round: usize,
    /// The sample its first column holds.
    start: usize,
    /// First and one past the last sample that is needed of each row.
    needed: (usize, usize),
    height: usize,
    form: Option<Form>,
}

impl Plane {
    /// Where a row of the present or the last round begins.
    #[inline(always)]
    fn slot(&self, row: usize) -> usize {
        let above = if row < self.round { 3 * self.rows } else { 0 };
        (row + above - self.round) * self.stride
    }

    fn row(&self, row: usize) -> &[u8] {
        let at = self.slot(row);
        &self.samples[at + self.needed.0 - self.start..at + self.needed.1 - self.start]
    }
}

/// Buffers kept from image to image.
#[derive(Default)]
pub(crate) struct PixelScratch {
    planes: [Plane; 4],
    lines: [Vec<u8>; 4],
    sums: Sums,
}

/// The sink itself.
pub(crate) struct PixelSink<'a> {
    isa: Isa,
    header: &'a Header,
    region: Region,
    layout: Layout,
    rect: McuRect,
    scratch: &'a mut PixelScratch,
    out: &'a mut [u8],
    /// Components the layout needs.
    count: usize,
    /// Whether the transform can write where the pixels belong: one plane, whole MCUs of it.
    direct: bool,
    /// Whether the picture is 4:2:0 and the region as wide as it is.
    between: bool,
    /// Whether a row waits for the MCU row below it.
    waits: bool,
    /// The next row of the picture to be written.
    next: u32,
}

/// The components a layout needs, and the MCUs that hold them.
pub(crate) fn reach(header: &Header, region: Region, layout: Layout) -> (usize, McuRect) {
    let count = if layout == Layout::Luma { 1 } else { header.count };
    let parts = header.components()[..count].iter();
    let rect = McuRect::around(parts.map(|c| (c, Form::of(header, c).source(header, c, region))));
    (count, rect)
}

/// Wider rows are faster step by step.
const NARROW: u32 = 96;

impl<'a> PixelSink<'a> {
    pub fn new(
        isa: Isa,
        header: &'a Header,
        region: Region,
        layout: Layout,
        (count, rect): (usize, McuRect),
        scratch: &'a mut PixelScratch,
        out: &'a mut [u8],
    ) -> Self {
        let mut waits = false;
        for (plane, component) in scratch.planes.iter_mut().zip(&header.components()[..count]) {
            let form = Form::of(header, component);
            waits |= form.looks_down();
            let needed = form.source(header, component, region);
            let wide = 8 * usize::from(component.h);
            plane.stride = (rect.x1 - rect.x0) as usize * wide;
            plane.rows = 8 * usize::from(component.v);
            plane.round = (rect.y0 - rect.y0 % 3) as usize * plane.rows;
            plane.start = rect.x0 as usize * wide;
            plane.needed = (needed.x as usize, (needed.x + needed.width) as usize);
            plane.height = component.height as usize;
            plane.form = Some(form);
            let size = 3 * plane.rows * plane.stride;
            if plane.samples.len() < size {
                plane.samples.resize(size, 0);
            }
        }
        let direct = layout == Layout::Luma && rect.covers(&header.components[0], region);
        let forms = scratch.planes.each_ref().map(|plane| plane.form);
        let between = (layout, header.colour) == (Layout::Rgb, Colour::YCbCr)
            && region.width == header.width
            && region.width <= NARROW
            && forms[..3] == [Some(Form::Same), Some(Form::Both), Some(Form::Both)];
        let next = region.y;
        Self {
            isa,
            header,
            region,
            layout,
            rect,
            scratch,
            out,
            count,
            direct,
            between,
            waits,
            next,
        }
    }

    fn emit_before(&mut self, end: u32) {
        match self.isa {
            #[cfg(target_arch = "x86_64")]
            // SAFETY: this value of Isa exists only where the instructions do.
            Isa::Avx2 => unsafe { self.emit_avx2(end) },
            _ => self.emit(end),
        }
    }

    /// The same code, compiled so that the kernels are part of it.
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2")]
    fn emit_avx2(&mut self, end: u32) {
        self.emit(end);
    }

    #[inline(always)]
    fn emit(&mut self, end: u32) {
        while self.next < end.min(self.region.y + self.region.height) {
            if self.between && self.write_between() {
                self.next += 1;
                continue;
            }
            let PixelScratch { planes, lines, sums } = &mut *self.scratch;
            for index in 0..self.count {
                let component = &self.header.components()[index];
                let plane = &planes[index];
                let at = (self.region, self.next);
                fill_line(self.isa, self.header, component, plane, at, &mut lines[index], sums);
            }
            self.write_line();
            self.next += 1;
        }
    }

    /// The part of a component's line that belongs to the region.
    #[inline(always)]
    fn line(&self, index: usize) -> &[u8] {
        let plane = &self.scratch.planes[index];
        let width = self.region.width as usize;
        let row = self.next as usize;
        match plane.form {
            Some(Form::Same) => &plane.row(row)[..width],
            Some(form) if form.looks_across() => {
                let skipped = self.region.x as usize - 2 * plane.needed.0;
                &self.scratch.lines[index][skipped..skipped + width]
            }
            _ => &self.scratch.lines[index][..width],
        }
    }

    /// A row of a 4:2:0 picture in one go, where that can be.
    #[inline(always)]
    fn write_between(&mut self) -> bool {
        let [luma, cb, cr, _] = &self.scratch.planes;
        let row = self.next as usize;
        let half = row / 2;
        let far = if row.is_multiple_of(2) {
            half.saturating_sub(1)
        } else {
            (half + 1).min(cb.height - 1)
        };
        let bytes = 3 * self.region.width as usize;
        let start = (row - self.region.y as usize) * bytes;
        let out = &mut self.out[start..start + bytes];
        let (cb, cr) = ([cb.row(half), cb.row(far)], [cr.row(half), cr.row(far)]);
        colour::rgb_between(self.isa, luma.row(row), cb, cr, out)
    }

    #[inline(always)]
    fn write_line(&mut self) {
        let bytes = self.region.width as usize * self.layout.channels();
        let start = (self.next - self.region.y) as usize * bytes;
        let out = std::mem::take(&mut self.out);
        let row = &mut out[start..start + bytes];
        match (self.layout, self.header.colour) {
            (Layout::Luma, _) => row.copy_from_slice(self.line(0)),
            (Layout::Rgb, Colour::Gray) => colour::three(self.isa, [self.line(0); 3], row),
            (Layout::Rgb, Colour::YCbCr) => {
                colour::rgb(self.isa, self.line(0), self.line(1), self.line(2), row);
            }
            (Layout::Rgb, _) => {
                colour::three(self.isa, [self.line(0), self.line(1), self.line(2)], row);
            }
            (Layout::Inks, colour) => {
                let rows = [self.line(0), self.line(1), self.line(2), self.line(3)];
                if colour == Colour::Ycck {
                    colour::cmyk(rows, row);
                } else {
                    colour::interleave(rows, row);
                }
            }
        }
        self.out = out;
    }
}

#[inline(always)]
fn fill_line(
    isa: Isa,
    header: &Header,
    component: &Component,
    plane: &Plane,
    (region, y): (Region, u32),
    line: &mut Vec<u8>,
    sums: &mut Sums,
) {
    let (row, half) = (y as usize, y as usize / 2);
    let far = || {
        let other = if y % 2 == 0 { half.saturating_sub(1) } else { half + 1 };
        plane.row(other.min(plane.height - 1))
    };
    match plane.form {
        None | Some(Form::Same) => {}
        Some(Form::Across) => upsample::across(isa, plane.row(row), line, sums),
        Some(Form::Down) => upsample::down(plane.row(half), far(), y % 2 == 0, line),
        Some(Form::Both) => upsample::both(isa, plane.row(half), far(), line, sums),
        Some(Form::Repeat) => {
            let row = row * usize::from(component.v) / usize::from(header.v_max);
            repeat(header, component, plane.row(row), plane.needed.0, region, line);
        }
    }
}

/// Fills a line by repeating samples; it begins with the region's first pixel.
fn repeat(
    header: &Header,
    component: &Component,
    samples: &[u8],
    first: usize,
    region: Region,
    line: &mut Vec<u8>,
) {
    let (part, whole) = (u32::from(component.h), u32::from(header.h_max));
    let sample = |x: u32| samples[(x * part / whole) as usize - first];
    line.clear();
    line.extend((region.x..region.x + region.width).map(sample));
}

impl BlockSink for PixelSink<'_> {
    fn blocks(
        &mut self,
        component: usize,
        row: usize,
        column: usize,
        blocks: &[Block],
        lasts: &[u8],
        dequant: &Dequant,
    ) {
        if component >= self.count {
            return;
        }
        if self.direct {
            let (width, top) = (self.region.width as usize, row * 8 - self.region.y as usize);
            let at = top * width + column * 8 - self.region.x as usize;
            return idct::rows(self.isa, blocks, lasts, dequant, &mut self.out[at..], width);
        }
        let plane = &mut self.scratch.planes[component];
        let at = plane.slot(row * 8) + column * 8 - plane.start;
        let out = &mut plane.samples[at..];
        idct::rows(self.isa, blocks, lasts, dequant, out, plane.stride);
    }

    fn row_done(&mut self, mcu_row: u32) {
        if self.direct {
            return;
        }
        let (_, height) = self.header.mcu_size();
        let last = mcu_row + 1 == self.rect.y1;
        let complete = if last || !self.waits { mcu_row + 1 } else { mcu_row };
        self.emit_before(if last { u32::MAX } else { complete * height });
        if (mcu_row + 1).is_multiple_of(3) {
            for plane in &mut self.scratch.planes[..self.count] {
                plane.round = (mcu_row as usize + 1) * plane.rows;
            }
        }
    }
}
