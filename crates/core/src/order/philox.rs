//! Draws: the numbers of Philox4x64-10, each found by its name alone.
//!
//! The stream of one op on one record is named by key = (seed, epoch) and counter =
//! (block, op, id, occurrence), where block counts from 1: what
//! `numpy.random.Philox(key=[seed, epoch], counter=[0, op, id, occurrence])` yields.

const MULTIPLIERS: [u64; 2] = [0xD2E7_470E_E14C_6C93, 0xCA5A_8263_9512_1157];
const WEYL: [u64; 2] = [0x9E37_79B9_7F4A_7C15, 0xBB67_AE85_84CA_A73B];
const ROUNDS: usize = 10;

/// The four words of one counter under one key.
#[inline]
#[must_use]
pub fn block(key: [u64; 2], counter: [u64; 4]) -> [u64; 4] {
    let ([mut k0, mut k1], mut c) = (key, counter);
    for _ in 0..ROUNDS {
        let (high0, low0) = multiply(MULTIPLIERS[0], c[0]);
        let (high1, low1) = multiply(MULTIPLIERS[1], c[2]);
        c = [high1 ^ c[1] ^ k0, low1, high0 ^ c[3] ^ k1, low0];
        (k0, k1) = (k0.wrapping_add(WEYL[0]), k1.wrapping_add(WEYL[1]));
    }
    c
}

/// The high and the low word of a product.
#[inline]
fn multiply(a: u64, b: u64) -> (u64, u64) {
    let product = u128::from(a) * u128::from(b);
    ((product >> 64) as u64, product as u64)
}

/// The random numbers of one op on one record, in the order they are drawn.
///
/// One draw of any kind takes one 64-bit word. Making one costs nothing until the first draw.
///
/// ```
/// use pixfeed_core::order::Draws;
/// let (seed, epoch, op, id) = (7, 0, 2, 0xFEED);
/// let mut draws = Draws::new(seed, epoch, op, id, 0);
/// let flip = draws.float() < 0.5;
/// assert_eq!(flip, Draws::new(seed, epoch, op, id, 0).float() < 0.5);
/// assert!(draws.below(6) < 6);
/// ```
#[derive(Clone, Debug)]
pub struct Draws {
    key: [u64; 2],
    counter: [u64; 4],
    words: [u64; 4],
    used: usize,
}

impl Draws {
    /// The stream of `op` (its place in the recipe) on the record `id`, at its `occurrence`-th use.
    #[inline]
    #[must_use]
    pub fn new(seed: u64, epoch: u64, op: u64, id: u64, occurrence: u64) -> Self {
        let counter = [0, op, id, occurrence];
        Self { key: [seed, epoch], counter, words: [0; 4], used: 4 }
    }

    /// The next word, uniform over all 64-bit numbers.
    #[inline]
    pub fn next_u64(&mut self) -> u64 {
        if self.used == self.words.len() {
            self.counter[0] = self.counter[0].wrapping_add(1);
            self.words = block(self.key, self.counter);
            self.used = 0;
        }
        self.used += 1;
        self.words[self.used - 1]
    }

    /// The next float, uniform over the multiples of 2^-53 in [0, 1).
    #[inline]
    pub fn float(&mut self) -> f64 {
        const UNIT: f64 = 1.0 / (1u64 << 53) as f64;
        (self.next_u64() >> 11) as f64 * UNIT
    }

    /// The next integer below `n`; 0 where `n` is 0.
    #[inline]
    pub fn below(&mut self, n: u64) -> u64 {
        multiply(self.next_u64(), n).0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    // From numpy.random.Philox(key=[1, 2], counter=[0, 3, 4, 5]).random_raw(5).
    const NUMPY: [u64; 5] = [
        0x3A25_21B7_927B_BB55,
        0xAFC7_FF19_4799_96F0,
        0x37D9_5196_E907_DB97,
        0x19DD_01D4_53E1_F915,
        0x2924_1B62_5856_EAEC,
    ];

    #[test]
    fn words_are_those_of_numpy() {
        let mut draws = Draws::new(1, 2, 3, 4, 5);
        assert_eq!(std::array::from_fn(|_| draws.next_u64()), NUMPY);
    }

    #[test]
    fn floats_and_integers_take_one_word_each() {
        let mut draws = Draws::new(1, 2, 3, 4, 5);
        let float = (NUMPY[0] >> 11) as f64 / 9_007_199_254_740_992.0;
        assert_eq!(draws.float().to_bits(), float.to_bits());
        assert_eq!(draws.below(1000), ((u128::from(NUMPY[1]) * 1000) >> 64) as u64);
        assert_eq!(draws.below(0), 0);
        assert_eq!(draws.next_u64(), NUMPY[3]);
    }

    proptest! {
        #[test]
        fn a_stream_is_the_blocks_from_one_up(names: [u64; 5], length in 0u64..40) {
            let [seed, epoch, op, id, occurrence] = names;
            let mut draws = Draws::new(seed, epoch, op, id, occurrence);
            for i in 0..length {
                let words = block([seed, epoch], [1 + i / 4, op, id, occurrence]);
                prop_assert_eq!(draws.next_u64(), words[(i % 4) as usize]);
            }
        }

        #[test]
        fn draws_stay_in_range(names: [u64; 5], n in 1u64..) {
            let [seed, epoch, op, id, occurrence] = names;
            let mut draws = Draws::new(seed, epoch, op, id, occurrence);
            prop_assert!((0.0..1.0).contains(&draws.float()));
            prop_assert!(draws.below(n) < n);
        }
    }
}
