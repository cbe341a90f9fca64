//! The entropy code of one block of a progressive scan, in its four kinds.

use crate::bits::{Bits, extend};
use crate::block::{Bad, Block, Read, difference};
use crate::error::Kind;
use crate::huff::Table;
use crate::segments::Scan;
use crate::zigzag::ZIGZAG;

/// What a progressive scan adds to each block, and the run of blocks without new coefficients.
pub(crate) struct Refinement {
    first: u32,
    last: u32,
    refine: bool,
    low: u32,
    /// Blocks (this one included) in which the band ends before it begins.
    ended: u32,
}

impl Refinement {
    pub fn new(scan: &Scan) -> Self {
        Self {
            first: scan.first.into(),
            last: scan.last.into(),
            refine: scan.high > 0,
            low: scan.low.into(),
            ended: 0,
        }
    }

    pub fn restart(&mut self) {
        self.ended = 0;
    }

    /// Reads one block; returns the last position that may not be zero.
    #[inline(always)]
    pub fn block<'a>(
        &mut self,
        mut bits: Bits<'a>,
        dc: &Table,
        ac: &Table,
        predicted: &mut i32,
        block: &mut Block,
    ) -> Read<'a, u32> {
        match (self.first, self.refine) {
            (0, false) => {
                let (bits, difference) = difference(bits, dc.differences(), dc)?;
                *predicted = predicted.wrapping_add(difference);
                block[0] = (*predicted << self.low) as i16;
                Ok((bits, 0))
            }
            (0, true) => {
                bits.refill();
                block[0] |= (bits.take(1) << self.low) as i16;
                Ok((bits, 0))
            }
            (_, false) => self.band(bits, ac, block),
            (_, true) => self.refine_band(bits, ac, block),
        }
    }

    /// A run of blocks that end: `2^size` and as many more as the next `size` bits say.
    #[inline(always)]
    fn end_run(bits: &mut Bits<'_>, size: u32) -> u32 {
        (1 << size) + bits.take(size)
    }

    #[inline(always)]
    fn band<'a>(&mut self, mut bits: Bits<'a>, ac: &Table, block: &mut Block) -> Read<'a, u32> {
        if self.ended > 0 {
            self.ended -= 1;
            return Ok((bits, 0));
        }
        let (mut at, mut last) = (self.first, 0);
        while at <= self.last {
            bits.refill();
            let Some(symbol) = ac.symbol(&mut bits).map(u32::from) else {
                return Err(Bad::at(&bits, Kind::BadCode));
            };
            let (run, size) = (symbol >> 4, symbol & 15);
            if size == 0 && run < 15 {
                self.ended = Self::end_run(&mut bits, run) - 1;
                break;
            }
            at += run;
            if at > self.last {
                return Err(Bad::at(&bits, Kind::BadCoefficient));
            }
            if size > 0 {
                let value = extend(bits.take(size), size) << self.low;
                block[usize::from(ZIGZAG[at as usize])] = value as i16;
                last = at;
            }
            at += 1;
        }
        Ok((bits, last))
    }

    fn refine_band<'a>(
        &mut self,
        mut bits: Bits<'a>,
        ac: &Table,
        block: &mut Block,
    ) -> Read<'a, u32> {
        let (mut at, mut last) = (self.first, 0);
        while self.ended == 0 && at <= self.last {
            bits.refill();
            let Some(symbol) = ac.symbol(&mut bits).map(u32::from) else {
                return Err(Bad::at(&bits, Kind::BadCode));
            };
            let (run, size) = (symbol >> 4, symbol & 15);
            let value = match size {
                0 if run < 15 => {
                    self.ended = Self::end_run(&mut bits, run);
                    break;
                }
                0 => 0,
                1 if bits.take(1) == 1 => 1 << self.low,
                1 => -1 << self.low,
                _ => return Err(Bad::at(&bits, Kind::BadCoefficient)),
            };
            at = self.correct(&mut bits, block, at, Some(run));
            if at > self.last {
                // A run of sixteen zeros may end with the band; a value must lie inside it.
                if value != 0 {
                    return Err(Bad::at(&bits, Kind::BadCoefficient));
                }
                break;
            }
            if value != 0 {
                block[usize::from(ZIGZAG[at as usize])] = value;
                last = at;
            }
            at += 1;
        }
        if self.ended > 0 {
            self.correct(&mut bits, block, at, None);
            self.ended -= 1;
        }
        Ok((bits, last))
    }

    /// Reads a correction bit for each coefficient already known, until `zeros` unknown ones are
    /// passed (all of the band for `None`); returns the place of the next unknown one.
    #[inline(always)]
    fn correct(
        &self,
        bits: &mut Bits<'_>,
        block: &mut Block,
        mut at: u32,
        zeros: Option<u32>,
    ) -> u32 {
        let mut left = zeros.unwrap_or(64);
        while at <= self.last {
            let value = &mut block[usize::from(ZIGZAG[at as usize])];
            if *value == 0 {
                if left == 0 {
                    break;
                }
                left -= 1;
            } else {
                if bits.count() < 8 {
                    bits.refill();
                }
                let step = (bits.take(1) << self.low) as i16;
                if step != 0 && *value & step == 0 {
                    *value = value.wrapping_add(if *value > 0 { step } else { -step });
                }
            }
            at += 1;
        }
        at
    }
}
