//! A sequential scan of all components: decodes the MCUs that are asked for, steps over those before
//! them, jumps by restart markers, and never looks at what comes after.

use crate::bits::Bits;
use crate::block::{self, Bad, BlockTables};
use crate::chunk::{CHUNK, Chunk, Planned};
use crate::error::{Error, Kind, Result};
use crate::isa::Isa;
use crate::unstuff::Unstuffed;

/// Where in a scan a reader is: the bits, the DC predictions, the restart stretch.
pub(crate) struct Cursor<'a> {
    pub data: &'a [u8],
    pub scan: &'a Unstuffed,
    pub bits: Bits<'a>,
    pub predicted: [i32; 4],
    /// MCUs between restart markers, 0 for none.
    restart: u64,
    /// MCUs of the scan.
    total: u64,
    /// The MCU that comes next.
    pub next: u64,
    stretch: usize,
    /// Bits that are left at the stretch's end.
    end: u64,
    /// The MCU at which the next stretch begins.
    boundary: u64,
}

impl<'a> Cursor<'a> {
    pub fn new(data: &'a [u8], scan: &'a Unstuffed, restart: u32, total: u64) -> Self {
        let restart = u64::from(restart);
        Self {
            data,
            scan,
            bits: Bits::new(scan.padded(), 0),
            predicted: [0; 4],
            restart,
            total,
            next: 0,
            stretch: 0,
            end: left_at(scan, scan.stretches[0].end),
            boundary: if restart == 0 { u64::MAX } else { restart },
        }
    }

    /// Goes to the stretch `target` lies in, where that lies ahead.
    fn jump(&mut self, target: u64) -> Result<()> {
        if target >= self.boundary {
            self.enter((target / self.restart) as usize)?;
        }
        Ok(())
    }

    /// Takes up the stretch that begins with the next MCU, where one does.
    #[inline(always)]
    pub fn cross(&mut self) -> Result<bool> {
        if self.next < self.boundary {
            return Ok(false);
        }
        self.enter(self.stretch + 1)?;
        Ok(true)
    }

    #[cold]
    fn enter(&mut self, stretch: usize) -> Result<()> {
        let expected = ((stretch + 7) % 8) as u8;
        let Some(found) = self.scan.stretches.get(stretch) else {
            if self.scan.end >= self.data.len() {
                return Err(self.cut());
            }
            let kind = Kind::BadRestart { expected, found: None };
            return Err(Error::new(kind, self.scan.end));
        };
        if found.marker != Some(expected) {
            let kind = Kind::BadRestart { expected, found: found.marker };
            return Err(Error::new(kind, found.origin));
        }
        self.stretch = stretch;
        self.next = stretch as u64 * self.restart;
        self.boundary = self.next + self.restart;
        self.end = left_at(self.scan, found.end);
        self.bits = Bits::new(self.scan.padded(), found.start);
        self.predicted = [0; 4];
        Ok(())
    }

    /// Goes behind an MCU that was read; an error where it took more than there was.
    #[inline(always)]
    pub fn arrive(&mut self, bits: Bits<'a>) -> Result<()> {
        self.bits = bits;
        if bits.left() < self.end {
            return Err(self.overran());
        }
        self.next += 1;
        Ok(())
    }

    #[cold]
    fn overran(&self) -> Error {
        if self.stretch + 1 < self.scan.stretches.len() {
            let origin = self.scan.stretches[self.stretch + 1].origin - 2;
            let why = "a restart marker stands before its blocks are complete";
            return Error::new(Kind::BadScan(why), origin);
        }
        self.cut()
    }

    fn cut(&self) -> Error {
        let kind = Kind::CutInScan { done: self.next, total: self.total };
        Error::new(kind, self.scan.end)
    }

    /// The error for a malformation.
    #[cold]
    pub fn bad(&self, bad: &Bad) -> Error {
        // Bits that are no code, or the zeros behind the end?
        if bad.left < self.end + 16 {
            return self.overran();
        }
        let bit = left_at(self.scan, 0) - bad.left;
        let at = self.scan.origin(self.data, (bit / 8) as usize);
        Error::new(bad.kind.clone(), at)
    }
}

/// What [`Bits::left`] says at byte `at` of a scan.
fn left_at(scan: &Unstuffed, at: usize) -> u64 {
    (scan.padded().len() - at) as u64 * 8
}

/// The reader of one sequential scan.
pub(crate) struct Sequential<'a> {
    cursor: Cursor<'a>,
    /// The blocks of an MCU, each with its tables: no detour lies between a block and the next.
    plan: Vec<(Planned, BlockTables<'a>)>,
    isa: Isa,
}

impl<'a> Sequential<'a> {
    /// A reader of MCUs as the chunk has them, with the tables of each component.
    pub fn new(cursor: Cursor<'a>, tables: [BlockTables<'a>; 4], chunk: &Chunk, isa: Isa) -> Self {
        let with_tables = |planned: &Planned| (*planned, tables[planned.component]);
        Self { cursor, plan: chunk.plan().iter().map(with_tables).collect(), isa }
    }

    /// Decodes `count` MCUs from `start` on into the chunk.
    pub fn fill(&mut self, start: u64, count: usize, chunk: &mut Chunk) -> Result<()> {
        debug_assert!(count <= CHUNK && start >= self.cursor.next);
        self.cursor.jump(start)?;
        match self.isa {
            #[cfg(target_arch = "x86_64")]
            // SAFETY: this value of Isa exists only where the instructions do.
            Isa::Avx2 => unsafe { self.fill_avx2(start, count, chunk) },
            _ => self.work(start, count, chunk),
        }
    }

    /// The same code, compiled for shifts that need no flags.
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt")]
    fn fill_avx2(&mut self, start: u64, count: usize, chunk: &mut Chunk) -> Result<()> {
        self.work(start, count, chunk)
    }

    #[inline(always)]
    fn work(&mut self, start: u64, count: usize, chunk: &mut Chunk) -> Result<()> {
        self.step_over(start)?;
        if chunk.limits.iter().all(|&limit| limit == 64) {
            self.decode::<true>(count, chunk)
        } else {
            self.decode::<false>(count, chunk)
        }
    }

    #[inline(always)]
    fn decode<const WHOLE: bool>(&mut self, count: usize, chunk: &mut Chunk) -> Result<()> {
        let limits = chunk.limits;
        let (_, blocks, lasts) = chunk.parts();
        let Self { cursor, plan, .. } = self;
        for index in 0..count {
            cursor.cross()?;
            let mut bits = cursor.bits;
            for (planned, tables) in &*plan {
                let at = planned.first + index * planned.step;
                let component = planned.component;
                let predicted = &mut cursor.predicted[component];
                let limit = limits[component];
                let read = if !WHOLE && limit == 0 {
                    block::skip(bits, tables, predicted).map(|bits| (bits, 0))
                } else {
                    let block = &mut blocks[at];
                    *block = [0; 64];
                    block::decode::<WHOLE>(bits, tables, predicted, limit, block)
                };
                match read {
                    Ok((after, last)) => {
                        bits = after;
                        lasts[at] = last as u8;
                    }
                    Err(bad) => return Err(cursor.bad(&bad)),
                }
            }
            cursor.arrive(bits)?;
        }
        Ok(())
    }

    #[inline(always)]
    fn step_over(&mut self, start: u64) -> Result<()> {
        let Self { cursor, plan, .. } = self;
        while cursor.next < start {
            cursor.cross()?;
            let mut bits = cursor.bits;
            for (planned, tables) in &*plan {
                let predicted = &mut cursor.predicted[planned.component];
                match block::skip(bits, tables, predicted) {
                    Ok(after) => bits = after,
                    Err(bad) => return Err(cursor.bad(&bad)),
                }
            }
            cursor.arrive(bits)?;
        }
        Ok(())
    }
}
