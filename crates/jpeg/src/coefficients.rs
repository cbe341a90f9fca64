//! All coefficients of a picture, gathered from as many scans as the file has.

use crate::block::{self, BlockTables};
use crate::error::{Error, Kind, Result, fail};
use crate::header::Header;
use crate::isa::Isa;
use crate::progressive::Refinement;
use crate::segments::{Event, QuantSpec, Scan, Segments};
use crate::sequential::Cursor;
use crate::tables::Tables;
use crate::unstuff::Unstuffed;

/// The coefficients of one component, block by block, rows padded to whole MCUs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ComponentBlocks {
    /// Blocks a row, padding included.
    pub blocks_wide: usize,
    /// Rows of blocks, padding included.
    pub blocks_high: usize,
    /// Coefficients in natural order, not multiplied by the quantisation table.
    pub blocks: Vec<[i16; 64]>,
    /// The quantisation table in force for this component, natural order.
    pub quant: [u16; 64],
    pub(crate) lasts: Vec<u8>,
}

/// The coefficients of a whole picture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Coefficients {
    /// One entry a component, in the frame's order.
    pub components: Vec<ComponentBlocks>,
    /// Scans the file had.
    pub scans: u32,
}

/// How far the gathering has to go.
#[derive(Clone, Copy)]
pub(crate) struct Extent {
    /// Rows of MCUs needed, from the top.
    pub mcu_rows: u32,
    /// Per component: coefficients needed of each block, 0 for none.
    pub limits: [u32; 4],
    pub scans: u32,
    pub memory: u64,
}

/// What stays from image to image.
pub(crate) struct Workspace<'w> {
    pub tables: &'w mut Tables,
    pub unstuffed: &'w mut Unstuffed,
    pub isa: Isa,
}

/// Reads every scan of a file.
pub(crate) fn gather(
    header: &Header,
    mut segments: Segments<'_>,
    first: Scan,
    extent: Extent,
    workspace: &mut Workspace<'_>,
) -> Result<Coefficients> {
    let mut gathered = allocate(header, &segments, &first, extent)?;
    // The bits of precision each coefficient still lacks; 255 where no scan has had it.
    let mut lacking = [[255_u8; 64]; 4];
    let mut scan = first;
    loop {
        gathered.scans += 1;
        if gathered.scans > extent.scans {
            return fail(Kind::TooManyScans { limit: extent.scans }, scan.data);
        }
        latch_quant(header, &segments, &scan, &lacking, &mut gathered.components)?;
        note_progress(&scan, &mut lacking)?;
        workspace.unstuffed.read(segments.data, scan.data, workspace.isa);
        if needed(&scan, extent) {
            read_scan(header, &segments, &scan, extent, workspace, &mut gathered)?;
        }
        segments.position = workspace.unstuffed.end;
        match segments.next()? {
            Event::Scan(next) => scan = next,
            Event::End => break,
        }
    }
    let complete = |index: usize| lacking[index].iter().all(|&bits| bits == 0);
    if (0..header.count).all(complete) {
        Ok(gathered)
    } else {
        fail(Kind::MissingScan, segments.position)
    }
}

/// Whether a scan must be read. One whose band lies behind the limit need not, unless bits of the band
/// are still to come: the scan that brings them may reach below the limit, and can only be followed by
/// who knows which coefficients are zero so far.
fn needed(scan: &Scan, extent: Extent) -> bool {
    let wanted = |c: &crate::segments::ScanComponent| {
        let limit = extent.limits[c.index];
        limit > 0 && (u32::from(scan.first) < limit || scan.low > 0)
    };
    scan.components().iter().any(wanted)
}

fn allocate(
    header: &Header,
    segments: &Segments<'_>,
    first: &Scan,
    extent: Extent,
) -> Result<Coefficients> {
    let (mcus_wide, mcus_high) = header.mcus();
    let high = u64::from(extent.mcu_rows.min(mcus_high));
    let sizes = header
        .components()
        .iter()
        .map(|c| (u64::from(mcus_wide) * u64::from(c.h), high * u64::from(c.v)));
    let blocks: u64 = sizes.clone().map(|(wide, high)| wide * high).sum();
    let bytes = blocks * 129;
    if bytes > extent.memory {
        return fail(Kind::TooMuchMemory { bytes, limit: extent.memory }, first.data);
    }
    plausible(blocks, segments.data, first.data)?;
    let component = |(wide, high): (u64, u64)| ComponentBlocks {
        blocks_wide: wide as usize,
        blocks_high: high as usize,
        blocks: vec![[0; 64]; (wide * high) as usize],
        quant: [0; 64],
        lasts: vec![0; (wide * high) as usize],
    };
    Ok(Coefficients { components: sizes.map(component).collect(), scans: 0 })
}

/// A block takes at least one bit of the file, so a short file cannot ask for much memory.
pub(crate) fn plausible(blocks: u64, data: &[u8], from: usize) -> Result<()> {
    let bits = (data.len() - from) as u64 * 8;
    if blocks > bits {
        return fail(Kind::CutInScan { done: 0, total: blocks }, data.len());
    }
    Ok(())
}

/// A component's table is the one in force when its first scan begins.
fn latch_quant(
    header: &Header,
    segments: &Segments<'_>,
    scan: &Scan,
    lacking: &[[u8; 64]; 4],
    components: &mut [ComponentBlocks],
) -> Result<()> {
    for component in scan.components() {
        if lacking[component.index].iter().all(|&bits| bits == 255) {
            components[component.index].quant = quant(header, segments, component.index)?.table();
        }
    }
    Ok(())
}

/// The table a component names.
pub(crate) fn quant<'a>(
    header: &Header,
    segments: &Segments<'a>,
    index: usize,
) -> Result<QuantSpec<'a>> {
    let slot = header.components[index].quant;
    segments.quant[usize::from(slot)]
        .ok_or_else(|| Error::new(Kind::MissingQuantTable(slot), segments.position))
}

fn note_progress(scan: &Scan, lacking: &mut [[u8; 64]; 4]) -> Result<()> {
    for component in scan.components() {
        for bits in &mut lacking[component.index][usize::from(scan.first)..=usize::from(scan.last)]
        {
            let expected = if scan.high == 0 { 255 } else { scan.high };
            if *bits != expected {
                let why = "it repeats or leaves out a step of the progression";
                return fail(Kind::BadScan(why), scan.data);
            }
            *bits = scan.low;
        }
    }
    Ok(())
}

/// Which blocks a scan walks over, in units of its MCUs.
struct Walk {
    wide: u64,
    /// Rows the scan has, and rows that are needed.
    high: u64,
    rows: u64,
}

impl Walk {
    fn new(header: &Header, scan: &Scan, extent: Extent) -> Self {
        let (mcus_wide, mcus_high) = header.mcus();
        if scan.count > 1 {
            let rows = extent.mcu_rows.min(mcus_high).into();
            return Self { wide: mcus_wide.into(), high: mcus_high.into(), rows };
        }
        let component = &header.components[scan.components[0].index];
        let high = component.height.div_ceil(8);
        let rows = extent.mcu_rows.saturating_mul(component.v.into()).min(high);
        Self { wide: component.width.div_ceil(8).into(), high: high.into(), rows: rows.into() }
    }
}

fn read_scan(
    header: &Header,
    segments: &Segments<'_>,
    scan: &Scan,
    extent: Extent,
    workspace: &mut Workspace<'_>,
    gathered: &mut Coefficients,
) -> Result<()> {
    workspace.tables.load(segments, scan, header.progressive)?;
    let walk = Walk::new(header, scan, extent);
    let total = walk.wide * walk.high;
    let cursor = Cursor::new(segments.data, workspace.unstuffed, segments.restart, total);
    let mut reader = ScanReader {
        cursor,
        tables: workspace.tables,
        scan,
        progressive: header.progressive,
        refinement: Refinement::new(scan),
    };
    match workspace.isa {
        #[cfg(target_arch = "x86_64")]
        // SAFETY: this value of Isa exists only where the instructions do.
        Isa::Avx2 => unsafe { reader.run_avx2(header, &walk, gathered) },
        _ => reader.run(header, &walk, gathered),
    }
}

struct ScanReader<'a> {
    cursor: Cursor<'a>,
    tables: &'a Tables,
    scan: &'a Scan,
    progressive: bool,
    refinement: Refinement,
}

impl ScanReader<'_> {
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt")]
    fn run_avx2(&mut self, header: &Header, walk: &Walk, into: &mut Coefficients) -> Result<()> {
        self.run(header, walk, into)
    }

    #[inline(always)]
    fn run(&mut self, header: &Header, walk: &Walk, into: &mut Coefficients) -> Result<()> {
        for row in 0..walk.rows as usize {
            for column in 0..walk.wide as usize {
                if self.cursor.cross()? {
                    self.refinement.restart();
                }
                if self.scan.count == 1 {
                    self.block(0, row, column, into)?;
                } else {
                    self.mcu(header, row, column, into)?;
                }
                self.cursor.arrive(self.cursor.bits)?;
            }
        }
        Ok(())
    }

    #[inline(always)]
    fn mcu(
        &mut self,
        header: &Header,
        row: usize,
        column: usize,
        into: &mut Coefficients,
    ) -> Result<()> {
        for slot in 0..self.scan.count {
            let component = header.components[self.scan.components[slot].index];
            let (h, v) = (usize::from(component.h), usize::from(component.v));
            for y in 0..v {
                for x in 0..h {
                    self.block(slot, row * v + y, column * h + x, into)?;
                }
            }
        }
        Ok(())
    }

    #[inline(always)]
    fn block(&mut self, slot: usize, y: usize, x: usize, into: &mut Coefficients) -> Result<()> {
        let component = self.scan.components[slot];
        let blocks = &mut into.components[component.index];
        let at = y * blocks.blocks_wide + x;
        let (block, last) = (&mut blocks.blocks[at], &mut blocks.lasts[at]);
        let dc = &self.tables.dc[usize::from(component.dc_table)];
        let ac = &self.tables.ac[usize::from(component.ac_table)];
        let predicted = &mut self.cursor.predicted[component.index];
        let bits = self.cursor.bits;
        let read = if self.progressive {
            self.refinement.block(bits, dc, ac, predicted, block)
        } else {
            block::decode::<true>(bits, &BlockTables::new(dc, ac), predicted, 64, block)
        };
        let (bits, reached) = read.map_err(|bad| self.cursor.bad(&bad))?;
        self.cursor.bits = bits;
        *last = (*last).max(reached as u8);
        Ok(())
    }
}
