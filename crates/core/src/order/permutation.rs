//! The order of an epoch: a bijection over [0, N), keyed by (seed, epoch, N).
//!
//! # The function, so that it can be written again elsewhere
//!
//! All words are unsigned and 64 bits wide; products wrap.
//!
//! **Domain.** b is the least number of bits with N <= 2^b. A number x below 2^b is split into a low
//! part of l = floor(b / 2) bits and a high part of h = b - l bits: x = high * 2^l + low.
//!
//! **Keys.** There are r rounds: 24 where b <= 6, and 8 otherwise. (Halves of one to three bits mix
//! slowly: with eight rounds 10,000 seeds are enough to see which records of five favour which
//! positions.) The round keys k0, k1, .. are the first r words of Philox4x64-10 with
//! key = (seed, epoch) and counter = (block, 2^64 - 1, N, 0), block counting from 1. No op of a
//! recipe has the number 2^64 - 1, so the order shares no word with any draw.
//!
//! **Rounds.** For i = 0 .. r - 1: where i is even, high ^= f(ki, low, h); where i is odd,
//! low ^= f(ki, high, l). There f(k, v, w) takes z = (v ^ k) * 0xBF58476D1CE4E5B9, then
//! z ^= z >> 32, then z = z * 0x94D049BB133111EB, and keeps the w highest bits of z (none: 0).
//!
//! **Cycle walking.** The record at position x is the first number below N in the rounds of x, the
//! rounds of that, and so on. As 2^b < 2N, two passes do on average, at most.

use super::Draws;
use crate::fault::{Code, Fault};

/// Rounds go by groups of this many, so that the compiler unrolls them.
const GROUP: usize = 8;
const MOST_GROUPS: usize = 3;
const FEW_BITS: u32 = 6;
const ORDER: u64 = u64::MAX;
const SPREAD: [u64; 2] = [0xBF58_476D_1CE4_E5B9, 0x94D0_49BB_1331_11EB];

/// The most records an order can have.
pub const MOST: u64 = 1 << 40;

/// One epoch's bijection between positions and records; a few words, whatever N is.
///
/// ```
/// use pixfeed_core::order::Permutation;
/// let order = Permutation::new(1_281_167, 0, 3)?;
/// let record = order.record(0);
/// assert_eq!(order.position(record), 0);
/// # Ok::<(), pixfeed_core::fault::Fault>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Permutation {
    keys: [[u64; GROUP]; MOST_GROUPS],
    groups: usize,
    records: u64,
    low_bits: u32,
    high_bits: u32,
}

impl Permutation {
    /// The order of `records` records in one epoch of one seed.
    ///
    /// # Errors
    /// [`Code::BadRequest`] where there is no record or more than [`MOST`].
    pub fn new(records: u64, seed: u64, epoch: u64) -> Result<Self, Fault> {
        check_records(records)?;
        Ok(Self::keyed(records, seed, epoch))
    }

    /// The same for a number of records that has been checked.
    pub(super) fn keyed(records: u64, seed: u64, epoch: u64) -> Self {
        let mut draws = Draws::new(seed, epoch, ORDER, records, 0);
        let keys = std::array::from_fn(|_| std::array::from_fn(|_| draws.next_u64()));
        let bits = u64::BITS - (records - 1).leading_zeros();
        let low_bits = bits / 2;
        let groups = if bits <= FEW_BITS { MOST_GROUPS } else { 1 };
        Self { keys, groups, records, low_bits, high_bits: bits - low_bits }
    }

    /// How many records there are.
    #[inline]
    #[must_use]
    pub fn records(&self) -> u64 {
        self.records
    }

    /// The record at a position.
    ///
    /// # Panics
    /// Where the position is not below the number of records.
    #[inline]
    #[must_use]
    pub fn record(&self, position: u64) -> u64 {
        assert!(position < self.records, "position {position} of {} records", self.records);
        let mut x = self.pass(position);
        while x >= self.records {
            x = self.pass(x);
        }
        x
    }

    /// The position of a record: the inverse of [`Permutation::record`].
    ///
    /// # Panics
    /// Where the record is not below the number of records.
    #[inline]
    #[must_use]
    pub fn position(&self, record: u64) -> u64 {
        assert!(record < self.records, "record {record} of {}", self.records);
        let mut x = self.pass_back(record);
        while x >= self.records {
            x = self.pass_back(x);
        }
        x
    }

    #[inline]
    fn pass(&self, x: u64) -> u64 {
        let (mut high, mut low) = self.split(x);
        for group in &self.keys[..self.groups] {
            for [even, odd] in group.as_chunks::<2>().0 {
                high ^= mix(*even, low, self.high_bits);
                low ^= mix(*odd, high, self.low_bits);
            }
        }
        high << self.low_bits | low
    }

    #[inline]
    fn pass_back(&self, x: u64) -> u64 {
        let (mut high, mut low) = self.split(x);
        for group in self.keys[..self.groups].iter().rev() {
            for [even, odd] in group.as_chunks::<2>().0.iter().rev() {
                low ^= mix(*odd, high, self.low_bits);
                high ^= mix(*even, low, self.high_bits);
            }
        }
        high << self.low_bits | low
    }

    #[inline]
    fn split(&self, x: u64) -> (u64, u64) {
        (x >> self.low_bits, x & ((1 << self.low_bits) - 1))
    }
}

/// Refuses numbers of records that no order has.
pub(super) fn check_records(records: u64) -> Result<(), Fault> {
    match records {
        1..=MOST => Ok(()),
        _ => Err(Fault::new(
            Code::BadRequest,
            "",
            format!("{records} records; an order has from 1 to 2^40"),
        )),
    }
}

/// `bits` bits that depend on all of the key and of the value.
#[inline]
fn mix(key: u64, value: u64, bits: u32) -> u64 {
    let z = (value ^ key).wrapping_mul(SPREAD[0]);
    let z = (z ^ z >> 32).wrapping_mul(SPREAD[1]);
    // Two shifts: one by all 64 bits does not exist.
    z >> 1 >> (63 - bits)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn epoch(records: u64, seed: u64, epoch: u64) -> Vec<u64> {
        let order = Permutation::new(records, seed, epoch).unwrap();
        (0..records).map(|position| order.record(position)).collect()
    }

    #[test]
    fn every_small_order_is_a_bijection() {
        for records in 1..=300 {
            let mut seen = epoch(records, 5, records % 7);
            seen.sort_unstable();
            assert_eq!(seen, (0..records).collect::<Vec<_>>(), "{records} records");
        }
    }

    #[test]
    fn impossible_numbers_of_records_are_refused() {
        for records in [0, MOST + 1, u64::MAX] {
            let fault = Permutation::new(records, 0, 0).unwrap_err();
            assert_eq!(fault.code, Code::BadRequest);
            assert!(fault.found.contains(&records.to_string()), "{fault}");
        }
    }

    #[test]
    #[should_panic(expected = "position 10 of 10 records")]
    fn a_position_outside_is_a_bug() {
        let _ = Permutation::new(10, 0, 0).unwrap().record(10);
    }

    #[test]
    fn seeds_epochs_and_sizes_give_different_orders() {
        let first = epoch(1000, 0, 0);
        assert_ne!(first, epoch(1000, 1, 0));
        assert_ne!(first, epoch(1000, 0, 1));
        assert_ne!(first[..500], epoch(1001, 0, 0)[..500]);
    }

    proptest! {
        #[test]
        fn the_inverse_inverts(records in 1..=MOST, seed: u64, epoch: u64, at: u64) {
            let order = Permutation::new(records, seed, epoch).unwrap();
            let position = at % records;
            let record = order.record(position);
            prop_assert!(record < records);
            prop_assert_eq!(order.position(record), position);
            prop_assert_eq!(order.record(order.position(position)), position);
        }
    }
}
