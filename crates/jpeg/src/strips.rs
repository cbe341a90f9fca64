//! Blocks to strips of planes: what resizing wants. Sixteen rows of a component, column by column, so
//! that a filter across them is plain vertical arithmetic.

use crate::block::Block;
use crate::driver::BlockSink;
use crate::header::Header;
use crate::idct::{self, Dequant, STRIP_ROWS, Scale};
use crate::isa::Isa;
use crate::window::{McuRect, Region};

/// Up to sixteen rows of one component of a region.
#[derive(Clone, Copy, Debug)]
pub struct Strip<'a> {
    /// Which component, in the frame's order.
    pub component: usize,
    /// Its first row, in samples of the (reduced) component.
    pub first_row: u32,
    /// Rows that are filled, 1 to 16.
    pub rows: usize,
    /// Its first column.
    pub first_column: u32,
    /// For each column sixteen samples, from the top: value minus 128, with eight fraction bits.
    /// Columns and rows outside the region (and the picture) may be there; they hold the rest of
    /// their blocks.
    pub samples: &'a [i16],
}

impl Strip<'_> {
    /// Samples each column has.
    pub const ROWS: usize = STRIP_ROWS;
}

/// What takes up strips, each component's from top to bottom.
pub trait StripSink {
    /// Takes up one strip.
    fn strip(&mut self, strip: Strip<'_>);
}

/// What is wanted of one component.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Plane {
    /// The samples needed, at full scale.
    pub region: Region,
    /// The scale they are decoded at.
    pub scale: Scale,
}

/// One component's strips of the present MCU row.
#[derive(Default)]
struct Part {
    samples: Vec<i16>,
    /// Samples of one strip.
    size: usize,
    /// Samples of a block's side, rows an MCU row gives, rows filled so far.
    block: usize,
    rows: usize,
    filled: usize,
    first_column: usize,
    first_row: usize,
    scale: Scale,
    wanted: bool,
}

/// Buffers kept from image to image.
#[derive(Default)]
pub(crate) struct StripScratch {
    parts: [Part; 4],
}

pub(crate) struct Strips<'a, S> {
    isa: Isa,
    rect: McuRect,
    scratch: &'a mut StripScratch,
    sink: &'a mut S,
}

/// The MCUs that hold what is wanted.
pub(crate) fn reach(header: &Header, planes: &[Option<Plane>; 4]) -> McuRect {
    let wanted = header.components().iter().zip(planes);
    McuRect::around(wanted.filter_map(|(c, plane)| plane.map(|plane| (c, plane.region))))
}

impl<'a, S: StripSink> Strips<'a, S> {
    pub fn new(
        isa: Isa,
        header: &Header,
        planes: &[Option<Plane>; 4],
        scratch: &'a mut StripScratch,
        sink: &'a mut S,
    ) -> Self {
        let rect = reach(header, planes);
        for (index, part) in scratch.parts.iter_mut().enumerate() {
            part.wanted = planes[index].is_some();
            let Some(plane) = planes[index] else { continue };
            let component = &header.components[index];
            let (h, v) = (usize::from(component.h), usize::from(component.v));
            part.scale = plane.scale;
            part.block = plane.scale.block();
            part.rows = v * part.block;
            part.filled = 0;
            part.first_column = rect.x0 as usize * h * part.block;
            part.first_row = rect.y0 as usize * part.rows;
            part.size = (rect.x1 - rect.x0) as usize * h * part.block * STRIP_ROWS;
            let size = part.size * part.rows.div_ceil(STRIP_ROWS);
            if part.samples.len() < size {
                part.samples.resize(size, 0);
            }
        }
        Self { isa, rect, scratch, sink }
    }
}

impl Part {
    /// Whether the next MCU row's rows still fit into the strip that is being filled.
    fn fits_more(&self) -> bool {
        STRIP_ROWS.is_multiple_of(self.rows) && self.filled + self.rows <= STRIP_ROWS
    }
}

impl<S: StripSink> BlockSink for Strips<'_, S> {
    fn blocks(
        &mut self,
        component: usize,
        row: usize,
        column: usize,
        blocks: &[Block],
        lasts: &[u8],
        dequant: &Dequant,
    ) {
        let part = &mut self.scratch.parts[component];
        if !part.wanted {
            return;
        }
        let row = row * part.block - part.first_row;
        let column = column * part.block - part.first_column;
        let start = row / STRIP_ROWS * part.size + column * STRIP_ROWS;
        let out = &mut part.samples[start..];
        idct::columns(self.isa, part.scale, blocks, lasts, dequant, out, row % STRIP_ROWS);
    }

    fn row_done(&mut self, mcu_row: u32) {
        let last = mcu_row + 1 == self.rect.y1;
        for (component, part) in self.scratch.parts.iter_mut().enumerate() {
            if !part.wanted {
                continue;
            }
            part.filled += part.rows;
            if !last && part.fits_more() {
                continue;
            }
            for (index, samples) in part.samples.chunks_exact(part.size).enumerate() {
                let done = index * STRIP_ROWS;
                if done >= part.filled {
                    break;
                }
                self.sink.strip(Strip {
                    component,
                    first_row: (part.first_row + done) as u32,
                    rows: (part.filled - done).min(STRIP_ROWS),
                    first_column: part.first_column as u32,
                    samples,
                });
            }
            part.first_row += part.filled;
            part.filled = 0;
        }
    }
}
