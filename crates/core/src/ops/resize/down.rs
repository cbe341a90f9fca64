//! The pass down: one row of the target at a time, planes blended into colours and rounded once.
//!
//! In: rows of samples minus 128 with seven fraction bits. Between: six fraction bits. Out: bytes.

use pixfeed_jpeg::Isa;

use super::across::product;
use super::taps::GROUP;

/// How planes become the bytes of a pixel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Blend {
    /// One plane, one byte.
    One,
    /// One plane, the same byte three times.
    Repeated,
    /// Three planes, three bytes.
    Three,
    /// Luma and two chroma planes to red, green, blue.
    Luma,
}

impl Blend {
    /// Planes that go in.
    #[must_use]
    pub fn planes(self) -> usize {
        if matches!(self, Self::One | Self::Repeated) { 1 } else { 3 }
    }

    /// Bytes that come out.
    #[must_use]
    pub fn channels(self) -> usize {
        if self == Self::One { 1 } else { 3 }
    }
}

/// The rows one plane gives to a row of the target: `weights.len()` of them, `stride` apart, which is
/// whole groups.
#[derive(Clone, Copy)]
pub(super) struct Column<'a> {
    pub samples: &'a [i16],
    pub stride: usize,
    pub weights: &'a [i16],
}

/// Factors of the colour formulas with fifteen fraction bits: 0.402, 0.344136, 0.714136 and 0.228.
const RED_CR: i16 = 13173;
const GREEN_CB: i16 = 11277;
const GREEN_CR: i16 = 23401;
const BLUE_CB: i16 = 7471;

/// Computes one row of the target.
pub(super) fn pass(isa: Isa, blend: Blend, columns: &[Column<'_>; 3], out: &mut [u8]) {
    match isa {
        #[cfg(target_arch = "x86_64")]
        // SAFETY: this value of Isa exists only where the instructions do.
        Isa::Avx2 => unsafe { avx2::pass(blend, columns, out) },
        _ => pass_scalar(blend, columns, out),
    }
}

fn pass_scalar(blend: Blend, columns: &[Column<'_>; 3], out: &mut [u8]) {
    for (x, pixel) in out.chunks_exact_mut(blend.channels()).enumerate() {
        let sum = |index: usize| weigh(&columns[index], x);
        match blend {
            Blend::One | Blend::Repeated => pixel.fill(round(sum(0))),
            Blend::Three => pixel.copy_from_slice(&[0, 1, 2].map(|index| round(sum(index)))),
            Blend::Luma => pixel.copy_from_slice(&colour(sum(0), sum(1), sum(2)).map(round)),
        }
    }
}

fn weigh(column: &Column<'_>, x: usize) -> i16 {
    let rows = column.samples.chunks(column.stride).zip(column.weights);
    rows.fold(0_i16, |sum, (row, &weight)| sum.wrapping_add(product(row[x], weight)))
}

fn colour(y: i16, cb: i16, cr: i16) -> [i16; 3] {
    let r = y.saturating_add(cr.saturating_add(product(cr, RED_CR)));
    let g = y.saturating_sub(product(cb, GREEN_CB)).saturating_sub(product(cr, GREEN_CR));
    let b = y.saturating_add(cb.saturating_add(cb).saturating_sub(product(cb, BLUE_CB)));
    [r, g, b]
}

fn round(value: i16) -> u8 {
    ((value.saturating_add(32) >> 6) + 128).clamp(0, 255) as u8
}

#[cfg(target_arch = "x86_64")]
mod avx2 {
    use std::arch::x86_64::*;

    use super::{BLUE_CB, Blend, Column, GREEN_CB, GREEN_CR, GROUP, RED_CR};

    /// Pixels of a step.
    const STEP: usize = 2 * GROUP;

    #[target_feature(enable = "avx2")]
    pub(super) fn pass(blend: Blend, columns: &[Column<'_>; 3], out: &mut [u8]) {
        let channels = blend.channels();
        let mut steps = out.chunks_exact_mut(STEP * channels);
        let mut at = 0;
        for out in &mut steps {
            step::<2>(blend, columns, at, out);
            at += STEP;
        }
        for out in steps.into_remainder().chunks_mut(GROUP * channels) {
            let mut whole = [0; 3 * STEP];
            step::<1>(blend, columns, at, &mut whole);
            out.copy_from_slice(&whole[..out.len()]);
            at += GROUP;
        }
    }

    /// Writes a whole step, of which so many groups have samples.
    #[target_feature(enable = "avx2")]
    #[inline]
    fn step<const GROUPS: usize>(
        blend: Blend,
        columns: &[Column<'_>; 3],
        at: usize,
        out: &mut [u8],
    ) {
        let [first, second, third] = columns;
        let sums = |column| weigh::<GROUPS>(column, at);
        match blend {
            Blend::One => store_whole(out, round(sums(first))),
            Blend::Repeated => {
                let value = round(sums(first));
                interleave(value, value, value, out);
            }
            Blend::Three => {
                interleave(round(sums(first)), round(sums(second)), round(sums(third)), out);
            }
            Blend::Luma => {
                let (y, cb, cr) = (sums(first), sums(second), sums(third));
                let (r0, g0, b0) = colour(y[0], cb[0], cr[0]);
                let (r1, g1, b1) = colour(y[1], cb[1], cr[1]);
                interleave(round([r0, r1]), round([g0, g1]), round([b0, b1]), out);
            }
        }
    }

    #[target_feature(enable = "avx2")]
    #[inline]
    fn weigh<const GROUPS: usize>(column: &Column<'_>, at: usize) -> [__m256i; 2] {
        let mut sums = [_mm256_setzero_si256(); 2];
        let mut start = at;
        for &weight in column.weights {
            let weight = _mm256_set1_epi16(weight);
            let row = &column.samples[start..start + GROUPS * GROUP];
            for (group, sum) in sums.iter_mut().enumerate().take(GROUPS) {
                // SAFETY: `row` holds sixteen values for each group.
                let row = unsafe { _mm256_loadu_si256(row.as_ptr().add(group * GROUP).cast()) };
                *sum = _mm256_add_epi16(*sum, _mm256_mulhrs_epi16(row, weight));
            }
            start += column.stride;
        }
        sums
    }

    #[target_feature(enable = "avx2")]
    fn colour(y: __m256i, cb: __m256i, cr: __m256i) -> (__m256i, __m256i, __m256i) {
        let times = |v, factor| _mm256_mulhrs_epi16(v, _mm256_set1_epi16(factor));
        let r = _mm256_adds_epi16(y, _mm256_adds_epi16(cr, times(cr, RED_CR)));
        let g = _mm256_subs_epi16(_mm256_subs_epi16(y, times(cb, GREEN_CB)), times(cr, GREEN_CR));
        let b = _mm256_subs_epi16(_mm256_adds_epi16(cb, cb), times(cb, BLUE_CB));
        (r, g, _mm256_adds_epi16(y, b))
    }

    /// To bytes, in the order of the pixels.
    #[target_feature(enable = "avx2")]
    fn round(sums: [__m256i; 2]) -> __m256i {
        let rounded = |value| {
            let value = _mm256_adds_epi16(value, _mm256_set1_epi16(32));
            _mm256_add_epi16(_mm256_srai_epi16::<6>(value), _mm256_set1_epi16(128))
        };
        let packed = _mm256_packus_epi16(rounded(sums[0]), rounded(sums[1]));
        _mm256_permute4x64_epi64::<0b11_01_10_00>(packed)
    }

    #[target_feature(enable = "avx2")]
    fn store_whole(out: &mut [u8], value: __m256i) {
        let out = &mut out[..32];
        // SAFETY: `out` is 32 bytes long.
        unsafe { _mm256_storeu_si256(out.as_mut_ptr().cast(), value) };
    }

    #[target_feature(enable = "avx2")]
    fn interleave(r: __m256i, g: __m256i, b: __m256i, out: &mut [u8]) {
        let (first, second) = out[..3 * STEP].split_at_mut(3 * GROUP);
        let halves = first.chunks_exact_mut(16).zip(second.chunks_exact_mut(16));
        for (third, (first, second)) in halves.enumerate() {
            let pick = |plane, channel: usize| {
                _mm256_shuffle_epi8(plane, _mm256_broadcastsi128_si256(PICKS[channel][third]))
            };
            let value = _mm256_or_si256(_mm256_or_si256(pick(r, 0), pick(g, 1)), pick(b, 2));
            store(first, _mm256_castsi256_si128(value));
            store(second, _mm256_extracti128_si256::<1>(value));
        }
    }

    #[target_feature(enable = "avx2")]
    fn store(out: &mut [u8], value: __m128i) {
        let out = &mut out[..16];
        // SAFETY: `out` is sixteen bytes long.
        unsafe { _mm_storeu_si128(out.as_mut_ptr().cast(), value) };
    }

    /// Which pixel's value of a channel goes to each byte of each third; a zero elsewhere.
    static PICKS: [[__m128i; 3]; 3] = picks();

    const fn picks() -> [[__m128i; 3]; 3] {
        let mut bytes = [[[0x80_u8; 16]; 3]; 3];
        let mut at = 0;
        while at < 48 {
            bytes[at % 3][at / 16][at % 16] = (at / 3) as u8;
            at += 1;
        }
        // SAFETY: both types are plain bytes of the same size.
        unsafe { std::mem::transmute(bytes) }
    }
}

#[cfg(test)]
mod tests {
    use super::{Blend, Column, pass};
    use pixfeed_jpeg::Isa;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_twins_agree(width in 1_usize..70, weights in prop::collection::vec(-3000_i16..17000, 1..9),
                           seed in any::<u64>(), blend in 0_usize..4, skip in 0_usize..16) {
            let blend = [Blend::One, Blend::Repeated, Blend::Three, Blend::Luma][blend];
            let stride = width.div_ceil(16) * 16;
            let mut state = seed | 1;
            let mut plane = || -> Vec<i16> {
                (0..skip + stride * weights.len()).map(|_| {
                    state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                    (((state >> 40) as i16) >> 1).clamp(-16384, 16256)
                }).collect()
            };
            let planes = [plane(), plane(), plane()];
            let column = |index: usize| Column { samples: &planes[index][skip..], stride, weights: &weights };
            let columns = [column(0), column(1), column(2)];
            let length = skip + width * blend.channels();
            let (mut a, mut b) = (vec![0; length], vec![0; length]);
            pass(Isa::Scalar, blend, &columns, &mut a[skip..]);
            pass(Isa::detect(), blend, &columns, &mut b[skip..]);
            prop_assert_eq!(a, b);
        }
    }
}
