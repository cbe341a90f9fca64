//! The entropy code of one block of a sequential scan: decode it, decode its first coefficients, or
//! step over it.

use crate::bits::{Bits, extend};
use crate::error::Kind;
use crate::huff::{SKIP_END, SKIP_SLOW, Table, VALUE_END, run_and_size};
use crate::zigzag::ZIGZAG;

/// Coefficients in natural order, not yet multiplied by the quantisation table.
pub(crate) type Block = [i16; 64];

/// The tables of one component in a scan.
#[derive(Clone, Copy)]
pub(crate) struct BlockTables<'a> {
    pub dc: &'a Table,
    pub ac: &'a Table,
}

/// The place of a zigzag position; positions a run pushed past the block all land on its last place.
#[inline(always)]
fn place(position: u32) -> usize {
    usize::from(ZIGZAG[(position & 127) as usize] & 63)
}

// The reader goes into and out of these functions by value: were its address to leave the hot loops,
// compilers would keep it in memory there.

/// A malformation and the bit it was found at.
pub(crate) struct Bad {
    pub kind: Kind,
    pub bit: u64,
}

impl Bad {
    #[cold]
    pub fn at(bits: &Bits<'_>, kind: Kind) -> Self {
        Self { kind, bit: bits.consumed() }
    }
}

/// A reader and what it read.
pub(crate) type Read<'a, T> = Result<(Bits<'a>, T), Bad>;

/// Follows the DC value of a block.
#[inline(always)]
pub(crate) fn difference<'a>(mut bits: Bits<'a>, dc: &Table) -> Read<'a, i32> {
    bits.refill();
    let entry = u32::from(dc.differences()[(bits.ahead >> 54) as usize]);
    if entry == 0 {
        return slow_difference(bits, dc);
    }
    let (code, size) = (entry >> 6 & 15, entry >> 10);
    let value = (((bits.ahead << code) >> 1) >> (63 - size)) as u32;
    bits.drop(entry);
    Ok((bits, extend(value, size)))
}

#[cold]
fn slow_difference<'a>(mut bits: Bits<'a>, dc: &Table) -> Read<'a, i32> {
    let Some(size) = dc.canonical.symbol(&mut bits) else {
        return Err(Bad::at(&bits, Kind::BadCode));
    };
    if size > 15 {
        return Err(Bad::at(&bits, Kind::BadCoefficient));
    }
    let value = extend(bits.take(size.into()), size.into());
    Ok((bits, value))
}

/// Decodes the coefficients before zigzag position `limit` (or a few more) into a block of zeros.
/// Returns the position of the last that may not be zero.
#[inline(always)]
pub(crate) fn decode<'a>(
    bits: Bits<'a>,
    tables: BlockTables<'_>,
    predicted: &mut i32,
    limit: u32,
    block: &mut Block,
) -> Read<'a, u32> {
    let (mut bits, difference) = difference(bits, tables.dc)?;
    *predicted = predicted.wrapping_add(difference);
    block[0] = *predicted as i16;
    if limit <= 1 {
        return rest(bits, tables.ac, 1);
    }
    let values = tables.ac.values();
    let mut position = 1;
    loop {
        bits.refill();
        // Four steps of at most 12 bits fit into one refill.
        for _ in 0..4 {
            let entry = values[(bits.ahead >> 52) as usize];
            bits.drop(entry);
            let first = position + (entry >> 6 & 15);
            let second = first + (entry >> 10 & 31);
            // Where there is no second coefficient both places are one, and the first is written last.
            block[place(second)] = i16::from((entry >> 16) as i8);
            block[place(first)] = (entry as i32 >> 24) as i16;
            position = second + 1 + (entry >> 8 & VALUE_END);
            if position < limit {
                continue;
            }
            if entry & 63 == 0 {
                block[place(first)] = 0;
                let step;
                (bits, step) = large(bits, tables.ac, entry, first, block)?;
                match step {
                    Step::Next(next) if next < limit => position = next,
                    Step::Next(next) if next < 64 => return rest(bits, tables.ac, next),
                    Step::Next(_) => return Ok((bits, 63)),
                    Step::End => return Ok((bits, first - 1)),
                }
                break;
            }
            if second >= 63 {
                block[place(first)] = 0;
                block[place(second)] = 0;
                bits = bits.rewound(entry & 63);
                return slowly(bits, tables.ac, first - (entry >> 6 & 15), block);
            }
            if position >= VALUE_END {
                // An end of block on its own wrote a zero.
                return Ok((bits, second - u32::from(entry >> 24 == 0)));
            }
            return rest(bits, tables.ac, position);
        }
    }
}

/// A symbol whose value is too large for the lookup, or whose code is too long.
#[inline(always)]
fn large<'a>(
    mut bits: Bits<'a>,
    ac: &Table,
    entry: u32,
    at: u32,
    block: &mut Block,
) -> Read<'a, Step> {
    let code = entry >> 24;
    if code == 0 {
        return slow_symbol(bits, ac, at, block);
    }
    bits.refill();
    bits.drop(code);
    let at = at + (entry >> 20 & 15);
    if at > 63 {
        return Err(Bad::at(&bits, Kind::BadCoefficient));
    }
    let size = entry >> 16 & 15;
    block[place(at)] = extend(bits.take(size), size) as i16;
    Ok((bits, Step::Next(at + 1)))
}

fn rest<'a>(bits: Bits<'a>, ac: &Table, position: u32) -> Read<'a, u32> {
    Ok((skip_from(bits, ac, position)?, position - 1))
}

/// Steps over a block, following its DC value.
#[inline(always)]
pub(crate) fn skip<'a>(
    bits: Bits<'a>,
    tables: BlockTables<'_>,
    predicted: &mut i32,
) -> Result<Bits<'a>, Bad> {
    let (bits, difference) = difference(bits, tables.dc)?;
    *predicted = predicted.wrapping_add(difference);
    skip_from(bits, tables.ac, 1)
}

/// Steps over the coefficients from `position` on.
#[inline(always)]
fn skip_from<'a>(mut bits: Bits<'a>, ac: &Table, mut position: u32) -> Result<Bits<'a>, Bad> {
    let skips = ac.skips();
    loop {
        bits.refill();
        // An entry takes up to 27 bits, so two of them fit into one refill.
        for _ in 0..2 {
            let entry = u32::from(skips[(bits.ahead >> 52) as usize]);
            bits.drop(entry);
            position += entry >> 6;
            if position < 64 {
                continue;
            }
            if position >= SKIP_SLOW {
                let step;
                (bits, step) = slow_symbol(bits, ac, position - SKIP_SLOW, &mut [0; 64])?;
                match step {
                    Step::Next(next) if next < 64 => position = next,
                    _ => return Ok(bits),
                }
                break;
            }
            let (end, reached) = (position & SKIP_END != 0, position & (SKIP_END - 1));
            if if end { reached < 64 } else { reached == 64 } {
                return Ok(bits);
            }
            bits = bits.rewound(entry & 63);
            return slowly(bits, ac, position - (entry >> 6), &mut [0; 64]).map(|(bits, _)| bits);
        }
    }
}

enum Step {
    Next(u32),
    End,
}

/// One symbol by the canonical decoder.
#[cold]
#[inline(never)]
fn slow_symbol<'a>(mut bits: Bits<'a>, ac: &Table, at: u32, block: &mut Block) -> Read<'a, Step> {
    bits.refill();
    let Some(symbol) = ac.canonical.symbol(&mut bits) else {
        return Err(Bad::at(&bits, Kind::BadCode));
    };
    let Some((run, size)) = run_and_size(symbol) else { return Ok((bits, Step::End)) };
    let at = at + run;
    if at > 63 {
        return Err(Bad::at(&bits, Kind::BadCoefficient));
    }
    block[place(at)] = extend(bits.take(size), size) as i16;
    Ok((bits, Step::Next(at + 1)))
}

/// The rest of a block symbol by symbol: the last entry of a lookup may belong to the next block.
#[cold]
#[inline(never)]
fn slowly<'a>(mut bits: Bits<'a>, ac: &Table, mut at: u32, block: &mut Block) -> Read<'a, u32> {
    while at < 64 {
        let step;
        (bits, step) = slow_symbol(bits, ac, at, block)?;
        match step {
            Step::Next(next) => at = next,
            Step::End => break,
        }
    }
    Ok((bits, at - 1))
}
