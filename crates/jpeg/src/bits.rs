//! A reader of bits over entropy-coded data that has already lost its stuffing bytes.

/// Up to 64 bits ahead, left-aligned, and where the next ones come from.
///
/// Reading past the end yields zeros and counts on: whoever reads compares [`Bits::consumed`] with
/// what there was. That keeps every check out of the inner loops.
#[derive(Clone, Copy)]
pub(crate) struct Bits<'a> {
    data: &'a [u8],
    position: usize,
    /// The bits ahead, first one on top.
    pub ahead: u64,
    /// How many of them are counted, modulo 64 (whatever is above is left over from subtractions);
    /// those below are already right, so a refill may OR over them.
    count: u64,
}

impl<'a> Bits<'a> {
    /// Starts at byte `start`.
    pub fn new(data: &'a [u8], start: usize) -> Self {
        Self { data, position: start, ahead: 0, count: 0 }
    }

    /// Makes at least 56 bits available, without a branch that depends on how many there were.
    #[inline(always)]
    pub fn refill(&mut self) {
        let count = self.count & 63;
        self.ahead |= self.word() >> count;
        self.position += ((63 - count) >> 3) as usize;
        self.count = count | 56;
    }

    #[inline(always)]
    fn word(&self) -> u64 {
        match self.data.get(self.position..).and_then(<[u8]>::first_chunk::<8>) {
            Some(bytes) => u64::from_be_bytes(*bytes),
            None => last_word(self.data, self.position),
        }
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

    /// Bits consumed since byte 0 of the data.
    #[inline(always)]
    pub fn consumed(&self) -> u64 {
        (self.position as u64) * 8 - (self.count & 63)
    }

    /// The reader `n` bits ago.
    #[cold]
    #[inline(never)]
    pub fn rewound(self, n: u32) -> Self {
        let at = self.consumed() - u64::from(n);
        let mut bits = Self::new(self.data, (at / 8) as usize);
        bits.refill();
        bits.drop((at % 8) as u32);
        bits
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
fn last_word(data: &[u8], position: usize) -> u64 {
    let mut bytes = [0; 8];
    let rest = data.get(position..).unwrap_or_default();
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

#[cfg(test)]
mod tests {
    use super::{Bits, extend};
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn reads_what_a_naive_reader_reads(data in prop::collection::vec(any::<u8>(), 0..64),
                                           sizes in prop::collection::vec(0_u32..=16, 0..60)) {
            let mut bits = Bits::new(&data, 0);
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
                prop_assert_eq!(bits.consumed(), at as u64);
            }
            if at >= 5 {
                prop_assert_eq!(bits.rewound(5).consumed(), at as u64 - 5);
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
    }
}
