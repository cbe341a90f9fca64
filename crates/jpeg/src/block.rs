//! The entropy code of one block of a sequential scan: decode it, decode its first coefficients, or
//! step over it.

use crate::bits::{Bits, extend, signed};
use crate::error::Kind;
use crate::huff::{
    Differences, NARROW, SKIP_END, SKIP_SLOW, SKIP_WINDOW, Skips, Table, VALUE_END, Values, WINDOW,
    run_and_size,
};
use crate::zigzag::ZIGZAG;

/// Coefficients in natural order, not yet multiplied by the quantisation table.
pub(crate) type Block = [i16; 64];

/// The tables of one component in a scan.
#[derive(Clone, Copy)]
pub(crate) struct BlockTables<'a> {
    pub differences: &'a Differences,
    pub values: &'a Values,
    pub skips: &'a Skips,
    pub dc: &'a Table,
    pub ac: &'a Table,
}

impl<'a> BlockTables<'a> {
    pub fn new(dc: &'a Table, ac: &'a Table) -> Self {
        Self { differences: dc.differences(), values: ac.values(), skips: ac.skips(), dc, ac }
    }
}

/// The place of a zigzag position; positions a run pushed past the block all land on its last place.
#[inline(always)]
fn place(position: u32) -> usize {
    usize::from(ZIGZAG[(position & 255) as usize] & 63)
}

// The reader goes into and out of these functions by value: were its address to leave the hot loops,
// compilers would keep it in memory there.

/// A malformation, and what [`Bits::left`] said where it was found.
pub(crate) struct Bad {
    pub kind: Kind,
    pub left: u64,
}

impl Bad {
    #[cold]
    pub fn at(bits: &Bits<'_>, kind: Kind) -> Self {
        Self { kind, left: bits.left() }
    }
}

/// A reader and what it read.
pub(crate) type Read<'a, T> = Result<(Bits<'a>, T), Bad>;

/// Follows the DC value of a block. Leaves at least 36 bits.
#[inline(always)]
pub(crate) fn difference<'a>(
    mut bits: Bits<'a>,
    differences: &Differences,
    dc: &Table,
) -> Read<'a, i32> {
    bits.refill();
    let entry = u32::from(differences[(bits.ahead >> (64 - NARROW)) as usize]);
    if entry == 0 {
        return slow_difference(bits, dc);
    }
    let value = signed(bits.ahead, entry >> 6 & 15, entry >> 10);
    bits.drop(entry);
    Ok((bits, value))
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
    // As many bits as the lookup leaves, for the steps that follow.
    bits.refill();
    Ok((bits, value))
}

/// Decodes the coefficients before zigzag position `limit` (or a few more; all of them for `WHOLE`)
/// into a block of zeros. Returns the position of the last that may not be zero.
#[inline(always)]
pub(crate) fn decode<'a, const WHOLE: bool>(
    bits: Bits<'a>,
    tables: &BlockTables<'_>,
    predicted: &mut i32,
    limit: u32,
    block: &mut Block,
) -> Read<'a, u32> {
    let limit = if WHOLE { 64 } else { limit.min(64) };
    let (mut bits, difference) = difference(bits, tables.differences, tables.dc)?;
    *predicted = predicted.wrapping_add(difference);
    block[0] = *predicted as i16;
    let mut position = 1;
    while position < limit {
        let Left { before, entry, first, last } =
            walk(&mut bits, tables.values, &mut position, limit, block);
        if last & 127 < 63 && entry & 63 != 0 {
            if last < VALUE_END {
                break;
            }
            // An end of block on its own wrote a zero.
            return Ok((bits, last - VALUE_END - u32::from(entry >> 22 & 15 == 0)));
        }
        if last == 63 {
            return Ok((bits, 63));
        }
        bits = before;
        if entry & 63 == 0 || first > 63 {
            let step;
            (bits, step) = slow_symbol(bits, tables.ac, first, block)?;
            match step {
                Step::Next(next) => position = next,
                Step::End => return Ok((bits, first - 1)),
            }
        } else {
            // What follows the first coefficient may belong to the next block.
            bits.drop((entry >> 18 & 15) + (entry >> 22 & 15));
            position = first + 1;
        }
        bits.refill();
    }
    if WHOLE || position > 63 {
        return Ok((bits, 63));
    }
    bits.refill();
    Ok((skip_from(bits, tables, position)?, position - 1))
}

/// The step that left a walk: the reader before it, its entry, and the places it wrote to.
struct Left<'a> {
    before: Bits<'a>,
    entry: u32,
    first: u32,
    last: u32,
}

/// Steps from entry to entry until `limit`; 36 bits must be there.
#[inline(always)]
fn walk<'a>(
    bits: &mut Bits<'a>,
    values: &Values,
    position: &mut u32,
    limit: u32,
    block: &mut Block,
) -> Left<'a> {
    for _ in 0..2 {
        let left = step(bits, values, *position, block);
        *position = left.last + 1;
        if *position >= limit {
            return left;
        }
    }
    loop {
        bits.refill();
        // Three steps of at most 18 bits fit into one refill.
        for _ in 0..3 {
            let left = step(bits, values, *position, block);
            *position = left.last + 1;
            if *position >= limit {
                return left;
            }
        }
    }
}

#[inline(always)]
fn step<'a>(bits: &mut Bits<'a>, values: &Values, position: u32, block: &mut Block) -> Left<'a> {
    let before = *bits;
    let entry = values[(bits.ahead >> (64 - WINDOW)) as usize];
    bits.drop(entry);
    let last = position + (entry >> 6 & 0x9F);
    let first = position + (entry >> 14 & 15);
    // Where there is no second coefficient both places are one, and the first is written last.
    block[place(last)] = (entry as i32 >> 26) as i16;
    block[place(first)] = signed(before.ahead, entry >> 18 & 15, entry >> 22) as i16;
    Left { before, entry, first, last }
}

/// Steps over a block, following its DC value.
#[inline(always)]
pub(crate) fn skip<'a>(
    bits: Bits<'a>,
    tables: &BlockTables<'_>,
    predicted: &mut i32,
) -> Result<Bits<'a>, Bad> {
    let (bits, difference) = difference(bits, tables.differences, tables.dc)?;
    *predicted = predicted.wrapping_add(difference);
    skip_from(bits, tables, 1)
}

/// Steps over the coefficients from `position` on; 36 bits must be there.
#[inline(always)]
fn skip_from<'a>(
    mut bits: Bits<'a>,
    tables: &BlockTables<'_>,
    mut position: u32,
) -> Result<Bits<'a>, Bad> {
    loop {
        let (before, entry) = walk_over(&mut bits, tables.skips, &mut position);
        if position < SKIP_SLOW {
            let (end, reached) = (position & SKIP_END != 0, position & (SKIP_END - 1));
            if if end { reached < 64 } else { reached == 64 } {
                return Ok(bits);
            }
            return slowly(before, tables.ac, position - (entry >> 6)).map(|(bits, _)| bits);
        }
        let step;
        (bits, step) = slow_symbol(bits, tables.ac, position - SKIP_SLOW, &mut [0; 64])?;
        match step {
            Step::Next(next) if next < 64 => position = next,
            _ => return Ok(bits),
        }
        bits.refill();
    }
}

/// Steps from entry to entry until the block ends or an entry cannot say; the reader before the last
/// entry, and it.
#[inline(always)]
fn walk_over<'a>(bits: &mut Bits<'a>, skips: &Skips, position: &mut u32) -> (Bits<'a>, u32) {
    let mut left = 1;
    loop {
        while left > 0 {
            let before = *bits;
            let entry = u32::from(skips[(bits.ahead >> (64 - SKIP_WINDOW)) as usize]);
            bits.drop(entry);
            *position += entry >> 6;
            if *position >= 64 {
                return (before, entry);
            }
            left -= 1;
        }
        bits.refill();
        // An entry takes up to 27 bits, so two of them fit into one refill.
        left = 2;
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
fn slowly<'a>(mut bits: Bits<'a>, ac: &Table, mut at: u32) -> Read<'a, u32> {
    while at < 64 {
        let step;
        (bits, step) = slow_symbol(bits, ac, at, &mut [0; 64])?;
        match step {
            Step::Next(next) => at = next,
            Step::End => break,
        }
    }
    Ok((bits, at - 1))
}

#[cfg(test)]
mod tests {
    use super::{BlockTables, Step, decode, skip, slow_difference, slow_symbol};
    use crate::bits::{Bits, PADDING};
    use crate::huff::{Spec, Table};
    use crate::{error::Kind, standard};
    use proptest::prelude::*;
    use proptest::test_runner::TestCaseResult;

    /// A block symbol by symbol: its coefficients and the bits left, or where and why it is bad.
    fn naive(bits: Bits<'_>, dc: &Table, ac: &Table) -> Result<([i16; 64], u64), (Kind, u64)> {
        let mut block = [0; 64];
        let bad = |bad: super::Bad| (bad.kind, bad.left);
        let (mut bits, value) = {
            let mut bits = bits;
            bits.refill();
            slow_difference(bits, dc).map_err(bad)?
        };
        block[0] = value as i16;
        let mut at = 1;
        while at < 64 {
            let step;
            (bits, step) = slow_symbol(bits, ac, at, &mut block).map_err(bad)?;
            match step {
                Step::Next(next) => at = next,
                Step::End => break,
            }
        }
        Ok((block, bits.left()))
    }

    fn table(spec: Spec<'_>) -> Table {
        let mut table = Table::new();
        assert!(table.load(spec));
        table.build_values();
        table.build_skips();
        table.build_differences();
        table
    }

    /// Ends are rare, so that blocks are filled up to their last place; 0x0F takes 18 bits.
    const DENSE: Spec<'_> = Spec {
        counts: &[0, 1, 3, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 1],
        values: &[1, 2, 0x11, 0x0F, 5, 0, 0xF0, 0x18, 0xA9, 0x7F],
    };
    /// Differences that take more bits than their lookup sees.
    const FAR: Spec<'_> = Spec {
        counts: &[0, 1, 1, 1, 1, 0, 0, 0, 0, 0, 1, 0, 0, 1, 1, 1],
        values: &[15, 0, 3, 14, 11, 13, 12, 15],
    };

    fn agree(data: &[u8], start: u32, dc: &Table, ac: &Table, limit: u32) -> TestCaseResult {
        let padded = [data, &[0; 8 * PADDING]].concat();
        let mut bits = Bits::new(&padded, 0);
        bits.refill();
        bits.drop(start);
        let tables = BlockTables::new(dc, ac);
        let expected = naive(bits, dc, ac);
        let (mut predicted, mut block) = (0, [0; 64]);
        let read = decode::<true>(bits, &tables, &mut predicted, 64, &mut block);
        match (&expected, read) {
            (Ok((naive, left)), Ok((bits, last))) => {
                prop_assert_eq!(&block, naive);
                prop_assert_eq!(bits.left(), *left);
                let place = |at: u32| usize::from(crate::zigzag::ZIGZAG[at as usize]);
                prop_assert!((last + 1..64).all(|at| block[place(at)] == 0));
            }
            (Err(expected), Err(bad)) => prop_assert_eq!(expected, &(bad.kind, bad.left)),
            (Ok(_), Err(bad)) => prop_assert!(false, "refused: {}", bad.kind),
            (Err(expected), Ok(_)) => prop_assert!(false, "not refused: {}", expected.0),
        }
        let (mut predicted, mut part) = (0, [0; 64]);
        let read = decode::<false>(bits, &tables, &mut predicted, limit, &mut part);
        let skipped = skip(bits, &tables, &mut predicted);
        if let Ok((naive, left)) = &expected {
            for at in 0..limit as usize {
                let place = usize::from(crate::zigzag::ZIGZAG[at]);
                prop_assert_eq!(part[place], naive[place]);
            }
            prop_assert_eq!(read.map_or(0, |(bits, _)| bits.left()), *left);
            prop_assert_eq!(skipped.map_or(0, |bits| bits.left()), *left);
        } else {
            prop_assert!(read.is_err() && skipped.is_err());
        }
        Ok(())
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(3000))]
        #[test]
        fn blocks_are_what_their_symbols_say(
            data in prop::collection::vec(prop_oneof![4 => any::<u8>(), 1 => Just(0xFF)], 0..200),
            dense in any::<bool>(), far in any::<bool>(), limit in 1_u32..=64, start in 0_u32..8,
        ) {
            let dc = table(if far { FAR } else { standard::dc(0) });
            let ac = table(if dense { DENSE } else { standard::ac(0) });
            agree(&data, start, &dc, &ac, limit)?;
        }
    }

    #[test]
    fn the_longest_symbols_find_their_bits() {
        // 16 bits of code and 15 of difference; 3 and 15 twice; an end.
        let mut bits = String::from("0111100000100110") + &"1".repeat(15);
        bits += &(String::from("100") + &"1".repeat(15)).repeat(2);
        bits += "10110000";
        bits += &"0".repeat(80 - bits.len());
        let data = u128::from_str_radix(&bits, 2).expect("ones and zeros") << 48;
        let (dc, ac) = (table(FAR), table(DENSE));
        assert!(naive(Bits::new(&data.to_be_bytes(), 0), &dc, &ac).is_ok());
        agree(&data.to_be_bytes(), 0, &dc, &ac, 64).expect("the same block");
    }
}
