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

/// Follows the DC value of a block.
#[inline(always)]
pub(crate) fn difference(bits: &mut Bits<'_>, dc: &Table) -> Result<i32, Kind> {
    bits.refill();
    let entry = u32::from(dc.differences()[(bits.ahead >> 54) as usize]);
    if entry == 0 {
        return slow_difference(bits, dc);
    }
    let (code, size) = (entry >> 6 & 15, entry >> 10);
    let value = (((bits.ahead << code) >> 1) >> (63 - size)) as u32;
    bits.drop(entry & 63);
    Ok(extend(value, size))
}

#[cold]
fn slow_difference(bits: &mut Bits<'_>, dc: &Table) -> Result<i32, Kind> {
    let size = dc.canonical.symbol(bits).ok_or(Kind::BadCode)?;
    if size > 15 {
        return Err(Kind::BadCoefficient);
    }
    Ok(extend(bits.take(size.into()), size.into()))
}

/// Decodes the coefficients before zigzag position `limit` (or a few more) into a block of zeros.
/// Returns the position of the last that may not be zero.
#[inline(always)]
pub(crate) fn decode(
    bits: &mut Bits<'_>,
    tables: BlockTables<'_>,
    predicted: &mut i32,
    limit: u32,
    block: &mut Block,
) -> Result<u32, Kind> {
    *predicted = predicted.wrapping_add(difference(bits, tables.dc)?);
    block[0] = *predicted as i16;
    if limit <= 1 {
        skip_from(bits, tables.ac, 1)?;
        return Ok(0);
    }
    let values = tables.ac.values();
    let mut position = 1;
    loop {
        bits.refill();
        // Four steps of at most 12 bits fit into one refill.
        for _ in 0..4 {
            let entry = values[(bits.ahead >> 52) as usize];
            bits.drop(entry & 63);
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
                match slow_symbol(bits, tables.ac, first, block)? {
                    Step::Next(next) if next < limit => position = next,
                    Step::Next(next) if next < 64 => return rest(bits, tables.ac, next),
                    Step::Next(_) => return Ok(63),
                    Step::End => return Ok(first - 1),
                }
                break;
            }
            if second >= 63 {
                block[place(first)] = 0;
                block[place(second)] = 0;
                bits.rewind(entry & 63);
                return slowly(bits, tables.ac, first - (entry >> 6 & 15), block);
            }
            if position >= VALUE_END {
                // An end of block on its own wrote a zero.
                return Ok(second - u32::from(entry >> 24 == 0));
            }
            return rest(bits, tables.ac, position);
        }
    }
}

fn rest(bits: &mut Bits<'_>, ac: &Table, position: u32) -> Result<u32, Kind> {
    skip_from(bits, ac, position)?;
    Ok(position - 1)
}

/// Steps over a block, following its DC value.
#[inline(always)]
pub(crate) fn skip(
    bits: &mut Bits<'_>,
    tables: BlockTables<'_>,
    predicted: &mut i32,
) -> Result<(), Kind> {
    *predicted = predicted.wrapping_add(difference(bits, tables.dc)?);
    skip_from(bits, tables.ac, 1)
}

/// Steps over the coefficients from `position` on.
#[inline(always)]
fn skip_from(bits: &mut Bits<'_>, ac: &Table, mut position: u32) -> Result<(), Kind> {
    let skips = ac.skips();
    loop {
        bits.refill();
        // An entry takes up to 27 bits, so two of them fit into one refill.
        for _ in 0..2 {
            let entry = u32::from(skips[(bits.ahead >> 52) as usize]);
            bits.drop(entry & 63);
            position += entry >> 6;
            if position < 64 {
                continue;
            }
            if position >= SKIP_SLOW {
                match slow_symbol(bits, ac, position - SKIP_SLOW, &mut [0; 64])? {
                    Step::Next(next) if next < 64 => position = next,
                    _ => return Ok(()),
                }
                break;
            }
            let (end, reached) = (position & SKIP_END != 0, position & (SKIP_END - 1));
            if if end { reached < 64 } else { reached == 64 } {
                return Ok(());
            }
            bits.rewind(entry & 63);
            return slowly(bits, ac, position - (entry >> 6), &mut [0; 64]).map(drop);
        }
    }
}

enum Step {
    Next(u32),
    End,
}

/// One symbol by the canonical decoder.
#[cold]
fn slow_symbol(bits: &mut Bits<'_>, ac: &Table, at: u32, block: &mut Block) -> Result<Step, Kind> {
    bits.refill();
    let symbol = ac.canonical.symbol(bits).ok_or(Kind::BadCode)?;
    let Some((run, size)) = run_and_size(symbol) else { return Ok(Step::End) };
    let at = at + run;
    if at > 63 {
        return Err(Kind::BadCoefficient);
    }
    block[place(at)] = extend(bits.take(size), size) as i16;
    Ok(Step::Next(at + 1))
}

/// The rest of a block symbol by symbol: the last entry of a lookup may belong to the next block.
#[cold]
fn slowly(bits: &mut Bits<'_>, ac: &Table, mut at: u32, block: &mut Block) -> Result<u32, Kind> {
    while at < 64 {
        match slow_symbol(bits, ac, at, block)? {
            Step::Next(next) => at = next,
            Step::End => break,
        }
    }
    Ok(at - 1)
}
