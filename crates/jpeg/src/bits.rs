//! A reader of bits over entropy-coded data that has already lost its stuffing bytes.

/// Zeros that lie behind the data, so that what was read past its end can be counted.
pub(crate) const PADDING: usize = 64;

/// Up to 64 bits ahead, left-aligned, and where the next ones come from.
///
/// Reading past the end yields zeros, without end: whoever reads compares [`Bits::left`] with what
/// there should be, and sees it where [`PADDING`] lies behind the data. That keeps every check out of
/// the inner loops.
#[derive(Clone, Copy)]
pub(crate) struct Bits<'a> {
    rest: &'a [u8],
    /// The bits ahead, first one on top.
    pub ahead: u64,
    /// How many of them are counted, modulo 64 (whatever is above is left over from subtractions);
    /// those below are already right, so a refill may OR over them.
    count: u64,
}

impl<'a> Bits<'a> {
    /// Starts at byte `start`.
    pub fn new(data: &'a [u8], start: usize) -> Self {
        Self { rest: &data[start..], ahead: 0, count: 0 }
    }

    /// Makes at least 56 bits available, without a branch that depends on how many there were.
    #[inline(always)]
    pub fn refill(&mut self) {
        let count = self.count & 63;
        if let Some(word) = self.rest.first_chunk::<8>() {
            self.ahead |= u64::from_be_bytes(*word) >> count;
            self.rest = &self.rest[((63 - count) >> 3) as usize..];
        } else {
            self.ahead |= last_word(self.rest) >> count;
            self.rest = self.rest.get(((63 - count) >> 3) as usize..).unwrap_or_default();
        }
        self.count = count | 56;
    }

    /// Drops `n` bits, modulo 64: a table's entry that has its length at the bottom will do, and
    /// needs no mask of its own on the way from lookup to lookup.
    #[inline(always)]
    pub fn drop(&mut self, n: u32) {
        let n = u64::from(n);
        self.ahead <<= n & 63;
        self.count = self.count.wrapping_sub(n);
    }

    /// How many bits are counted.
    #[inline(always)]
    pub fn count(&self) -> u32 {
        (self.count & 63) as u32
    }

    /// Bits up to the end of the data and its padding.
    #[inline(always)]
    pub fn left(&self) -> u64 {
        self.rest.len() as u64 * 8 + (self.count & 63)
    }

    /// The next `n` bits (at most 16) as a number; 56 bits must not yet be spent.
    #[inline(always)]
    pub fn take(&mut self, n: u32) -> u32 {
        let value = ((self.ahead >> 1) >> (63 - n)) as u32;
        self.drop(n);
        value
    }
}

/// The last bytes, zeros behind them.
#[cold]
#[inline(never)]
fn last_word(rest: &[u8]) -> u64 {
    let mut bytes = [0; 8];
    bytes[..rest.len()].copy_from_slice(rest);
    u64::from_be_bytes(bytes)
}

/// The signed value of `size` bits read as `bits`, as Huffman-coded JPEG stores them.
#[inline(always)]
pub(crate) fn extend(bits: u32, size: u32) -> i32 {
    let half = (1_u32 << size) >> 1;
    let correction = if bits < half { 1 - (1 << size) } else { 0 };
    bits as i32 + correction
}

/// The signed value of the `size` bits (at most 15) that follow the first `code` ones. Only the low four
/// bits of `size` are looked at.
#[inline(always)]
pub(crate) fn signed(ahead: u64, code: u32, size: u32) -> i32 {
    // One bit more, the opposite of the top one, makes a negative number one too small.
    let widened = ((ahead << code) as i64 >> 1) ^ i64::MIN;
    let value = widened >> (63 ^ (size & 15));
    (value + (widened as u64 >> 63) as i64) as i32
}

#[cfg(test)]
mod tests {
    use super::{Bits, PADDING, extend, signed};
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn reads_what_a_naive_reader_reads(data in prop::collection::vec(any::<u8>(), 0..64),
                                           sizes in prop::collection::vec(0_u32..=16, 0..60)) {
            let mut padded = data.clone();
            padded.resize(data.len() + PADDING, 0);
            let mut bits = Bits::new(&padded, 0);
            let mut at = 0_usize;
            for size in sizes {
                bits.refill();
                let mut naive = 0_u32;
                for _ in 0..size {
                    let bit = data.get(at / 8).map_or(0, |byte| byte >> (7 - at % 8) & 1);
                    naive = naive << 1 | u32::from(bit);
                    at += 1;
                }
                prop_assert_eq!(bits.take(size), naive);
                let left = (padded.len() * 8).saturating_sub(at);
                if left >= 64 {
                    prop_assert_eq!(bits.left(), left as u64);
                } else {
                    prop_assert!(bits.left() < 64);
                }
            }
        }
    }

    #[test]
    fn signed_values_follow_the_standard() {
        let of = |size| (0..1_u32 << size).map(move |bits| extend(bits, size)).collect::<Vec<_>>();
        assert_eq!(of(0), [0]);
        assert_eq!(of(1), [-1, 1]);
        assert_eq!(of(2), [-3, -2, 2, 3]);
        assert_eq!(extend(0, 11), -2047);
        for size in 0..=15 {
            for bits in (0..1_u32 << size).step_by(1 + (1 << size) / 64) {
                let ahead = u64::from(bits) << (60 - size) | 0xF << 60;
                assert_eq!(signed(ahead, 4, size), extend(bits, size));
            }
        }
    }
}
