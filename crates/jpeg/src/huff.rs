//! Huffman tables: a canonical decoder that is plainly right, and lookups that swallow several symbols.

use crate::bits::{Bits, extend};

/// A table as the file gives it: how many codes of each length, and their symbols.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Spec<'a> {
    pub counts: &'a [u8; 16],
    pub values: &'a [u8],
}

/// Bits the AC lookups see at once.
const WINDOW: u32 = 12;
/// Bits the DC and symbol lookups see at once.
const NARROW: u32 = 10;

/// The decoder of the standard's own description: first and last code of each length.
#[derive(Clone, Debug)]
pub(crate) struct Canonical {
    /// One past the last code of each length, left-aligned in 16 bits.
    limits: [u32; 17],
    /// What to add to a code of each length to get its place in `values`.
    shifts: [i32; 17],
    values: [u8; 256],
    /// (code, length) of each symbol, in the order of `values`.
    codes: Vec<(u32, u32)>,
}

impl Canonical {
    fn new() -> Self {
        Self { limits: [0; 17], shifts: [0; 17], values: [0; 256], codes: Vec::new() }
    }

    /// Fills it; false where the code lengths overflow the code space.
    fn fill(&mut self, spec: Spec<'_>) -> bool {
        self.codes.clear();
        self.values = [0; 256];
        self.values[..spec.values.len()].copy_from_slice(spec.values);
        let (mut code, mut index) = (0_u32, 0_i32);
        for length in 1..=16_u32 {
            let count = u32::from(spec.counts[length as usize - 1]);
            self.shifts[length as usize] = index - code as i32;
            self.codes.extend((code..code + count).map(|code| (code, length)));
            code += count;
            index += count as i32;
            if code > 1 << length {
                return false;
            }
            self.limits[length as usize] = code << (16 - length);
            code <<= 1;
        }
        true
    }

    /// The next symbol, or none where the bits are no code. Needs 16 bits ahead.
    #[inline]
    pub fn symbol(&self, bits: &mut Bits<'_>) -> Option<u8> {
        let next = (bits.ahead >> 48) as u32;
        let length = (1..=16).find(|&length| next < self.limits[length])?;
        let code = (next >> (16 - length)) as i32;
        bits.drop(length as u32);
        Some(self.values[((code + self.shifts[length]) & 255) as usize])
    }
}

/// AC lookup: up to two coefficients and the end of the block in one entry of 32 bits.
///
/// Bits 0-5 length, 6-9 run before the first value, 10-14 distance to the second (0: none),
/// 15 end of block, 16-23 second value, 24-31 first value. Length 0 with the end bit set is a symbol
/// for the slow path: its code length (0: longer than the window) in 24-31, itself in 16-23.
pub(crate) type Values = [u32; 1 << WINDOW];
/// AC lookup for blocks nobody needs: bits 0-5 the length of as many symbols as fit, 6-15 how far they
/// go, plus [`SKIP_END`] at the end of a block. Length 0 and [`SKIP_SLOW`]: slow path.
pub(crate) type Skips = [u16; 1 << WINDOW];
/// DC lookup: bits 0-5 length of code and value, 6-9 of the code, 10-13 of the value. 0: slow path.
pub(crate) type Differences = [u16; 1 << NARROW];
/// Symbol lookup: bits 0-7 the symbol, 8-11 its length. 0 length: slow path.
pub(crate) type Symbols = [u16; 1 << NARROW];

/// What an end of block adds to the position in the lookups.
pub(crate) const VALUE_END: u32 = 128;
pub(crate) const SKIP_END: u32 = 256;
/// What the slow path adds to it, so that one comparison notices both.
pub(crate) const SKIP_SLOW: u32 = 512;

const END_BIT: u32 = 1 << 15;

/// One table with the lookups built from it so far; kept from image to image.
pub(crate) struct Table {
    key: Vec<u8>,
    valid: bool,
    pub canonical: Canonical,
    values: Option<Box<Values>>,
    skips: Option<Box<Skips>>,
    differences: Option<Box<Differences>>,
    symbols: Option<Box<Symbols>>,
    built: [bool; 4],
    seconds: Vec<u32>,
}

impl Table {
    pub fn new() -> Self {
        Self {
            key: Vec::new(),
            valid: false,
            canonical: Canonical::new(),
            values: None,
            skips: None,
            differences: None,
            symbols: None,
            built: [false; 4],
            seconds: Vec::new(),
        }
    }

    /// Takes up a table; nothing is rebuilt where it is the one held already. False if malformed.
    pub fn load(&mut self, spec: Spec<'_>) -> bool {
        let same = self.key.len() == 16 + spec.values.len()
            && self.key[..16] == spec.counts[..]
            && self.key[16..] == *spec.values;
        if !same {
            self.key.clear();
            self.key.extend_from_slice(spec.counts);
            self.key.extend_from_slice(spec.values);
            self.valid = self.canonical.fill(spec);
            self.built = [false; 4];
        }
        self.valid
    }

    pub fn build_values(&mut self) {
        if !std::mem::replace(&mut self.built[0], true) {
            let table = self.values.get_or_insert_with(|| Box::new([0; 1 << WINDOW]));
            fill_values(&self.canonical, table, &mut self.seconds);
        }
    }

    pub fn build_skips(&mut self) {
        if !std::mem::replace(&mut self.built[1], true) {
            let table = self.skips.get_or_insert_with(|| Box::new([0; 1 << WINDOW]));
            fill_skips(&self.canonical, table, &mut self.seconds);
        }
    }

    pub fn build_differences(&mut self) {
        if !std::mem::replace(&mut self.built[2], true) {
            let table = self.differences.get_or_insert_with(|| Box::new([0; 1 << NARROW]));
            fill_differences(&self.canonical, table);
        }
    }

    pub fn build_symbols(&mut self) {
        if !std::mem::replace(&mut self.built[3], true) {
            let table = self.symbols.get_or_insert_with(|| Box::new([0; 1 << NARROW]));
            fill_symbols(&self.canonical, table);
        }
    }

    pub fn values(&self) -> &Values {
        self.values.as_deref().unwrap_or(&[0; 1 << WINDOW])
    }

    pub fn skips(&self) -> &Skips {
        self.skips.as_deref().unwrap_or(&[0; 1 << WINDOW])
    }

    pub fn differences(&self) -> &Differences {
        self.differences.as_deref().unwrap_or(&[0; 1 << NARROW])
    }

    /// The next symbol by lookup. Needs 16 bits ahead.
    #[inline(always)]
    pub fn symbol(&self, bits: &mut Bits<'_>) -> Option<u8> {
        let lookup = self.symbols.as_deref()?;
        let entry = u32::from(lookup[(bits.ahead >> (64 - NARROW)) as usize]);
        if entry >> 8 == 0 {
            return self.canonical.symbol(bits);
        }
        bits.drop(entry >> 8);
        Some(entry as u8)
    }
}

/// The part of a lookup that begins with a code of `length` bits, and how many bits are left free.
fn range(code: u32, length: u32, window: u32) -> (std::ops::Range<usize>, u32) {
    let free = window - length;
    let start = (code as usize) << free;
    (start..start + (1 << free), free)
}

fn fill_symbols(canonical: &Canonical, table: &mut Symbols) {
    table.fill(0);
    for (&(code, length), &symbol) in canonical.codes.iter().zip(&canonical.values) {
        if length <= NARROW {
            let (range, _) = range(code, length, NARROW);
            table[range].fill((length << 8) as u16 | u16::from(symbol));
        }
    }
}

fn fill_differences(canonical: &Canonical, table: &mut Differences) {
    table.fill(0);
    for (&(code, length), &symbol) in canonical.codes.iter().zip(&canonical.values) {
        if length <= NARROW && symbol <= 15 {
            let size = u32::from(symbol);
            let (range, _) = range(code, length, NARROW);
            table[range].fill(((length + size) | length << 6 | size << 10) as u16);
        }
    }
}

/// Run and size of an AC symbol of a sequential scan; an end of block is none. (A run of 1 to 14 with size 0 has no meaning
/// in sequential files; readers take it for an end of block.)
pub(crate) fn run_and_size(symbol: u8) -> Option<(u32, u32)> {
    let (run, size) = (u32::from(symbol >> 4), u32::from(symbol & 15));
    if size == 0 && run != 15 { None } else { Some((run, size)) }
}

/// For each count of free bits up to 10, what a second symbol in them adds to an entry. The lookup for
/// `free` bits starts at `1 << free` in `seconds`.
fn fill_seconds(canonical: &Canonical, seconds: &mut Vec<u32>) {
    seconds.clear();
    seconds.resize(1 << (WINDOW - 1), 0);
    let symbols = || canonical.codes.iter().zip(&canonical.values);
    let ends: Vec<(u32, u32)> =
        symbols().filter(|&(_, &s)| run_and_size(s).is_none()).map(|(&code, _)| code).collect();
    for window in 2..WINDOW - 1 {
        let table = &mut seconds[1 << window..2 << window];
        for (&(code, length), &symbol) in symbols() {
            let Some((run, size)) = run_and_size(symbol) else {
                if length <= window {
                    table[range(code, length, window).0].fill(length | END_BIT);
                }
                continue;
            };
            let total = length + size;
            if total > window || size > 7 {
                continue;
            }
            for bits in 0..1 << size {
                let value = extend(bits, size) as u8;
                let entry = total | (run + 1) << 10 | u32::from(value) << 16;
                let (range, free) = range(code << size | bits, total, window);
                let part = &mut table[range];
                part.fill(entry);
                for &(end, length) in ends.iter().filter(|end| end.1 <= free) {
                    part[self::range(end, length, free).0].fill((entry + length) | END_BIT);
                }
            }
        }
    }
}

fn fill_values(canonical: &Canonical, table: &mut Values, seconds: &mut Vec<u32>) {
    fill_seconds(canonical, seconds);
    table.fill(END_BIT);
    for (&(code, length), &symbol) in canonical.codes.iter().zip(&canonical.values) {
        if length > WINDOW {
            continue;
        }
        let (whole, _) = range(code, length, WINDOW);
        let Some((run, size)) = run_and_size(symbol) else {
            table[whole].fill(length | END_BIT);
            continue;
        };
        let total = length + size;
        if total > WINDOW || size > 7 {
            table[whole].fill(END_BIT | u32::from(symbol) << 16 | length << 24);
            continue;
        }
        for bits in 0..1 << size {
            let value = extend(bits, size) as u8;
            let entry = total | run << 6 | u32::from(value) << 24;
            let (range, free) = range(code << size | bits, total, WINDOW);
            let part = &mut table[range];
            if free < 2 {
                part.fill(entry);
                continue;
            }
            // A code of one bit leaves 11 bits free: the second symbol then sees ten of them.
            let shift = free.saturating_sub(WINDOW - 2);
            let second = &seconds[1 << (free - shift)..];
            for (index, slot) in part.iter_mut().enumerate() {
                *slot = entry + second[index >> shift];
            }
        }
    }
}

/// Grown from the lookups of fewer bits: a symbol's entry plus that of the bits behind it. The lookup
/// for `window` bits starts at `1 << window` in `parts`. Only a code must lie inside the window, its
/// value may reach beyond.
fn fill_skips(canonical: &Canonical, table: &mut Skips, parts: &mut Vec<u32>) {
    parts.clear();
    parts.resize(2 << WINDOW, 0);
    for window in 1..=WINDOW {
        let (smaller, part) = parts.split_at_mut(1 << window);
        for (&(code, length), &symbol) in canonical.codes.iter().zip(&canonical.values) {
            if length > window {
                continue;
            }
            let (range, free) = range(code, length, window);
            match run_and_size(symbol) {
                None => part[range].fill(length | SKIP_END << 6),
                Some((run, size)) => {
                    let entry = (length + size) | (run + 1) << 6;
                    let rest = 1 << free.saturating_sub(size);
                    for chunk in part[range].chunks_exact_mut(rest) {
                        for (slot, behind) in chunk.iter_mut().zip(&smaller[rest..2 * rest]) {
                            *slot = entry + behind;
                        }
                    }
                }
            }
        }
    }
    for (slot, entry) in table.iter_mut().zip(&parts[1 << WINDOW..]) {
        *slot = if *entry == 0 { (SKIP_SLOW << 6) as u16 } else { *entry as u16 };
    }
}

#[cfg(test)]
mod tests {
    use super::{Canonical, Spec, Table, VALUE_END, run_and_size};
    use crate::bits::{Bits, extend};
    use crate::standard;
    use proptest::prelude::*;

    /// Any legal set of code lengths with any symbols.
    fn any_spec() -> impl Strategy<Value = (Vec<u8>, Vec<u8>)> {
        (prop::collection::vec(1_u8..=16, 2..120), any::<u64>()).prop_map(|(lengths, seed)| {
            let (mut counts, mut space) = (vec![0_u8; 16], 65_535_u32);
            let mut symbols = 0_usize;
            for length in lengths {
                let need = 1 << (16 - length);
                if need < space {
                    space -= need;
                    counts[usize::from(length) - 1] += 1;
                    symbols += 1;
                }
            }
            let step = (seed as usize % 251) * 2 + 1;
            let values = (0..symbols).map(|i| ((i * step + (seed >> 40) as usize) % 251) as u8);
            (counts, values.collect())
        })
    }

    fn table(counts: &[u8], values: &[u8]) -> Table {
        let mut table = Table::new();
        let counts = counts.try_into().expect("sixteen counts");
        assert!(table.load(Spec { counts, values }));
        table.build_values();
        table.build_skips();
        table.build_differences();
        table.build_symbols();
        table
    }

    /// What one entry of the value lookup says, symbol by symbol.
    fn naive(canonical: &Canonical, window: u32, limit: u32) -> (u32, Vec<(u32, i32)>, bool) {
        let data = (window << 4).to_be_bytes();
        let (mut used, mut at, mut out) = (0, 0, Vec::new());
        loop {
            let mut bits = Bits::new(&data[2..], 0);
            bits.refill();
            bits.drop(used);
            let before = bits.count();
            let Some(symbol) = canonical.symbol(&mut bits) else { return (used, out, false) };
            let length = before - bits.count();
            let Some((run, size)) = run_and_size(symbol) else {
                return if used + length <= limit {
                    (used + length, out, true)
                } else {
                    (used, out, false)
                };
            };
            if used + length + size > limit || out.len() == 2 || size > 7 {
                return (used, out, false);
            }
            at += run;
            out.push((at, extend(bits.take(size), size)));
            at += 1;
            used += length + size;
        }
    }

    proptest! {
        #[test]
        fn value_entries_say_what_the_symbols_say((counts, values) in any_spec(), window in 0_u32..4096) {
            let table = table(&counts, &values);
            let entry = table.values()[window as usize];
            let (_, whole, _) = naive(&table.canonical, window, 12);
            let length = entry & 63;
            if length == 0 {
                prop_assert!(whole.is_empty());
                return Ok(());
            }
            let (used, expected, end) = naive(&table.canonical, window, length);
            prop_assert_eq!(used, length);
            prop_assert_eq!(end, entry >> 15 & 1 == 1);
            let first = entry >> 6 & 15;
            let distance = entry >> 10 & 31;
            let mut got = Vec::new();
            if !expected.is_empty() {
                got.push((first, entry as i32 >> 24));
            }
            if distance > 0 {
                got.push((first + distance, i32::from((entry >> 16) as i8)));
            }
            prop_assert_eq!(got, expected);
        }

        #[test]
        fn skip_entries_go_as_far_as_the_symbols((counts, values) in any_spec(), window in 0_u32..4096) {
            let table = table(&counts, &values);
            let entry = u32::from(table.skips()[window as usize]);
            let (mut used, mut go) = (0, 0);
            while used < 12 {
                let left = 12 - used;
                let known = (window & ((1 << left) - 1)) << (16 - left);
                let data = (known as u16).to_be_bytes();
                let mut bits = Bits::new(&data, 0);
                bits.refill();
                let before = bits.count();
                let Some(symbol) = table.canonical.symbol(&mut bits) else { break };
                let length = before - bits.count();
                if length > left {
                    break;
                }
                used += length;
                match run_and_size(symbol) {
                    None => { go += super::SKIP_END; break }
                    Some((run, size)) => { used += size; go += run + 1 }
                }
            }
            let go = if used == 0 { super::SKIP_SLOW } else { go };
            prop_assert_eq!((entry & 63, entry >> 6), (used, go));
        }

        #[test]
        fn symbols_are_the_canonical_ones((counts, values) in any_spec(), next in any::<u16>()) {
            let table = table(&counts, &values);
            let data = next.to_be_bytes();
            let mut fast = Bits::new(&data, 0);
            fast.refill();
            let mut slow = fast;
            prop_assert_eq!(table.symbol(&mut fast), table.canonical.symbol(&mut slow));
            prop_assert_eq!(fast.consumed(), slow.consumed());
        }
    }

    #[test]
    fn overfull_code_spaces_are_refused() {
        let mut counts = [0; 16];
        counts[0] = 3;
        assert!(!Table::new().load(Spec { counts: &counts, values: &[1, 2, 3] }));
    }

    #[test]
    fn the_end_of_a_block_leaves_every_position_behind() {
        let spec = standard::ac(0);
        let table = table(spec.counts, spec.values);
        // 1010 is the end of a block in the standard's luma table.
        let entry = table.values()[0b1010_0000_0000];
        assert_eq!((entry & 63, entry >> 8 & 0x80), (4, VALUE_END));
    }
}
