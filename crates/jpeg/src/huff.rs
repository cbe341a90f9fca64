//! Huffman tables: a canonical decoder that is plainly right, and lookups that swallow several symbols.

use crate::bits::{Bits, extend};

/// A table as the file gives it: how many codes of each length, and their symbols.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Spec<'a> {
    pub counts: &'a [u8; 16],
    pub values: &'a [u8],
}

/// Bits the AC lookup of values sees at once; two tables of 12 bits leave the first cache too often.
pub(crate) const WINDOW: u32 = 11;
/// Bits the AC lookup that steps over blocks sees at once.
pub(crate) const SKIP_WINDOW: u32 = 12;
/// Bits the first symbol of an AC lookup may take, value and all.
const LONGEST: u32 = 18;
/// Bits a DC lookup may take: it leaves two AC lookups enough.
const LONGEST_DIFFERENCE: u32 = 56 - 2 * LONGEST;
/// Bits the DC and symbol lookups see at once.
pub(crate) const NARROW: u32 = 10;

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
        if next >= self.limits[16] {
            return None;
        }
        // Whoever asks has most often looked at WINDOW bits before, so shorter ones are rare.
        let from = if next < self.limits[WINDOW as usize] { 1 } else { WINDOW as usize + 1 };
        let length = from + self.limits[from..16].iter().filter(|&&limit| next >= limit).count();
        let code = (next >> (16 - length)) as i32;
        bits.drop(length as u32);
        Some(self.values[((code + self.shifts[length]) & 255) as usize])
    }
}

/// AC lookup: up to two coefficients and the end of the block in one entry of 32 bits.
///
/// Bits 0-5 length of everything, 6-13 distance to the last place written ([`VALUE_END`] more at the
/// end of the block), 14-17 run before the first value, 18-21 length of the first code, 22-25 size of
/// the first value (which may lie beyond the window, and is not in the entry), 26-31 second value.
/// Length 0, with the end noted, is a symbol for the slow path.
pub(crate) type Values = [u32; 1 << WINDOW];
/// AC lookup for blocks nobody needs: bits 0-5 the length of as many symbols as fit, 6-15 how far they
/// go, plus [`SKIP_END`] at the end of a block. Length 0 and [`SKIP_SLOW`]: slow path.
pub(crate) type Skips = [u16; 1 << SKIP_WINDOW];
/// DC lookup: bits 0-5 length of code and value, 6-9 of the code, 10-13 of the value. 0: slow path.
pub(crate) type Differences = [u16; 1 << NARROW];
/// Symbol lookup: bits 0-7 the symbol, 8-11 its length. 0 length: slow path.
pub(crate) type Symbols = [u16; 1 << NARROW];

/// What an end of block adds to the position in the lookups.
pub(crate) const VALUE_END: u32 = 128;
pub(crate) const SKIP_END: u32 = 256;
/// What the slow path adds to it, so that one comparison notices both.
pub(crate) const SKIP_SLOW: u32 = 512;

const END_BIT: u32 = VALUE_END << 6;

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
            let table = self.skips.get_or_insert_with(|| Box::new([0; 1 << SKIP_WINDOW]));
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
        self.skips.as_deref().unwrap_or(&[0; 1 << SKIP_WINDOW])
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
        if length <= NARROW && symbol <= 15 && length + u32::from(symbol) <= LONGEST_DIFFERENCE {
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

/// For each count of bits a first symbol leaves free, what a second one in them adds to an entry. The
/// lookup for `free` bits starts at `1 << free` in `seconds`.
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
                    table[range(code, length, window).0].fill(length + END_BIT);
                }
                continue;
            };
            let total = length + size;
            if total > window || size > 5 {
                continue;
            }
            for bits in 0..1 << size {
                let value = extend(bits, size) as u32;
                let entry = total | (run + 1) << 6 | value << 26;
                let (range, free) = range(code << size | bits, total, window);
                let part = &mut table[range];
                part.fill(entry);
                for &(end, length) in ends.iter().filter(|end| end.1 <= free) {
                    part[self::range(end, length, free).0].fill(entry + length + END_BIT);
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
        let (range, free) = range(code, length, WINDOW);
        let part = &mut table[range];
        let Some((run, size)) = run_and_size(symbol) else {
            part.fill(length | END_BIT | length << 18);
            continue;
        };
        if length + size > LONGEST {
            continue;
        }
        let entry = (length + size) | run << 6 | run << 14 | length << 18 | size << 22;
        let free = free.saturating_sub(size);
        if free < 2 {
            part.fill(entry);
            continue;
        }
        // A code of one bit leaves more bits free than the second symbols' lookups see.
        let shift = free.saturating_sub(WINDOW - 2);
        let second = &seconds[1 << (free - shift)..];
        for part in part.chunks_exact_mut(1 << free) {
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
    parts.resize(2 << SKIP_WINDOW, 0);
    for window in 1..=SKIP_WINDOW {
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
    for (slot, entry) in table.iter_mut().zip(&parts[1 << SKIP_WINDOW..]) {
        *slot = if *entry == 0 { (SKIP_SLOW << 6) as u16 } else { *entry as u16 };
    }
}

#[cfg(test)]
mod tests {
    use super::{Canonical, LONGEST, Spec, Table, VALUE_END, WINDOW, run_and_size};
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

    /// The next symbol of sixteen bits, of which the first `used` are gone, and its code's length.
    fn next(canonical: &Canonical, bits: u16, used: u32) -> Option<(u8, u32)> {
        let data = bits.to_be_bytes();
        let mut bits = Bits::new(&data, 0);
        bits.refill();
        bits.drop(used);
        let before = bits.count();
        let symbol = canonical.symbol(&mut bits)?;
        Some((symbol, before - bits.count()))
    }

    proptest! {
        #[test]
        fn value_entries_say_what_the_symbols_say((counts, values) in any_spec(),
                                                  window in 0_u32..1 << WINDOW) {
            let table = table(&counts, &values);
            let entry = table.values()[window as usize];
            let bits = (window << (16 - WINDOW)) as u16;
            let first = next(&table.canonical, bits, 0).filter(|&(_, code)| code <= WINDOW);
            let end = |symbol| run_and_size(symbol).is_none();
            let too_long = |(symbol, code): (u8, u32)| {
                !end(symbol) && code + u32::from(symbol & 15) > LONGEST
            };
            let Some((symbol, code)) = first.filter(|&first| !too_long(first)) else {
                prop_assert_eq!(entry, VALUE_END << 6);
                return Ok(());
            };
            prop_assert_eq!(entry >> 18 & 15, code);
            let (mut used, distance) = (code, entry >> 6 & 255);
            let Some((run, size)) = run_and_size(symbol) else {
                prop_assert_eq!((entry & 63, distance, entry >> 22), (code, VALUE_END, 0));
                return Ok(());
            };
            prop_assert_eq!((entry >> 14 & 15, entry >> 22 & 15), (run, size));
            used += size;
            let second = (distance & 127) - run;
            if second > 0 {
                let (symbol, code) = next(&table.canonical, bits, used).expect("a second symbol");
                let (run, size) = run_and_size(symbol).expect("a second value");
                used += code + size;
                prop_assert!(used <= WINDOW);
                let read = (window >> (WINDOW - used)) & ((1 << size) - 1);
                prop_assert_eq!((second, entry as i32 >> 26), (run + 1, extend(read, size)));
            } else {
                prop_assert_eq!(entry >> 26, 0);
            }
            if distance >= VALUE_END {
                let (symbol, code) = next(&table.canonical, bits, used).expect("an end");
                prop_assert!(end(symbol));
                used += code;
                prop_assert!(used <= WINDOW);
            }
            prop_assert_eq!(entry & 63, used);
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
            prop_assert_eq!(fast.left(), slow.left());
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
        let entry = table.values()[0b1010 << (WINDOW - 4)];
        assert_eq!((entry & 63, entry >> 6 & 255), (4, VALUE_END));
    }
}
