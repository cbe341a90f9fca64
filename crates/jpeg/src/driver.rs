//! Walks the MCUs of a region: a source fills chunks with blocks, a sink transforms them.

use crate::block::Block;
use crate::chunk::{CHUNK, Chunk};
use crate::coefficients::Coefficients;
use crate::error::Result;
use crate::header::Header;
use crate::idct::Dequant;
use crate::sequential::Sequential;
use crate::window::McuRect;

/// What takes up blocks, in the order of the file's MCUs.
pub(crate) trait BlockSink {
    /// Blocks of one component that lie side by side, from block row `row` and column `column` on.
    fn blocks(
        &mut self,
        component: usize,
        row: usize,
        column: usize,
        blocks: &[Block],
        lasts: &[u8],
        dequant: &Dequant,
    );
    /// All blocks of this row of MCUs have been handed over.
    fn row_done(&mut self, mcu_row: u32);
}

/// Where blocks come from.
pub(crate) trait Source {
    /// Fills the chunk with `count` MCUs from column `x` of row `y` on.
    fn fill(&mut self, y: u32, x: u32, count: usize, chunk: &mut Chunk) -> Result<()>;
}

/// Blocks straight from the entropy code.
pub(crate) struct Streamed<'a> {
    pub scan: Sequential<'a>,
    pub mcus_wide: u32,
}

impl Source for Streamed<'_> {
    fn fill(&mut self, y: u32, x: u32, count: usize, chunk: &mut Chunk) -> Result<()> {
        let start = u64::from(y) * u64::from(self.mcus_wide) + u64::from(x);
        self.scan.fill(start, count, chunk)
    }
}

/// Blocks that were gathered before.
pub(crate) struct Gathered<'a> {
    pub header: &'a Header,
    pub coefficients: &'a Coefficients,
}

impl Source for Gathered<'_> {
    fn fill(&mut self, y: u32, x: u32, count: usize, chunk: &mut Chunk) -> Result<()> {
        let limits = chunk.limits;
        let mut row_of = [0; 4];
        let (plan, blocks, lasts) = chunk.parts();
        // The plan lists each component's blocks of an MCU row by row, `h` to a row.
        for planned in plan {
            let component = &self.header.components[planned.component];
            let (h, v) = (usize::from(component.h), usize::from(component.v));
            let nth = row_of[planned.component];
            row_of[planned.component] += 1;
            if limits[planned.component] == 0 {
                continue;
            }
            let from = &self.coefficients.components[planned.component];
            let row = y as usize * v + nth / h;
            let column = x as usize * h + nth % h;
            for index in 0..count {
                let at = row * from.blocks_wide + column + index * h;
                let to = planned.first + index * planned.step;
                blocks[to] = from.blocks[at];
                lasts[to] = from.lasts[at];
            }
        }
        Ok(())
    }
}

/// Runs a source into a sink over a rectangle of MCUs.
pub(crate) fn run(
    header: &Header,
    rect: McuRect,
    dequant: [&Dequant; 4],
    source: &mut impl Source,
    chunk: &mut Chunk,
    sink: &mut impl BlockSink,
) -> Result<()> {
    for y in rect.y0..rect.y1 {
        let mut x = rect.x0;
        while x < rect.x1 {
            let count = CHUNK.min((rect.x1 - x) as usize);
            source.fill(y, x, count, chunk)?;
            for (index, component) in header.components().iter().enumerate() {
                if chunk.limits[index] == 0 {
                    continue;
                }
                let (h, v) = (usize::from(component.h), usize::from(component.v));
                for row in 0..v {
                    let (blocks, lasts) = chunk.row(index, h, row, count);
                    let (row, column) = (y as usize * v + row, x as usize * h);
                    sink.blocks(index, row, column, blocks, lasts, dequant[index]);
                }
            }
            x += count as u32;
        }
        sink.row_done(y);
    }
    Ok(())
}
