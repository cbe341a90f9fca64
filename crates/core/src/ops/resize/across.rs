//! The pass across: sixteen rows at a time, since strips hold their samples column by column.
//!
//! In: samples minus 128 with eight fraction bits. Out: seven fraction bits, clamped to a sample's range,
//! row by row.

use pixfeed_jpeg::Isa;

use super::taps::{GROUP, Taps};

/// Rows a strip holds.
pub(super) const ROWS: usize = 16;

/// The clamp: -128 and 127 with seven fraction bits.
const LOWEST: i16 = -128 << 7;
const HIGHEST: i16 = 127 << 7;

/// Resizes a strip whose first column is `first`; row r goes to `out[r * stride..]`, for `rows` rows.
pub(super) fn pass(
    isa: Isa,
    taps: &Taps,
    strip: &[i16],
    first: usize,
    out: &mut [i16],
    stride: usize,
    rows: usize,
) {
    match isa {
        #[cfg(target_arch = "x86_64")]
        // SAFETY: this value of Isa exists only where the instructions do.
        Isa::Avx2 => unsafe { avx2::pass(taps, strip, first, out, stride, rows) },
        _ => pass_scalar(taps, strip, first, out, stride, rows),
    }
}

/// A product of fixed-point numbers, rounded, as `pmulhrsw` gives it.
#[inline(always)]
pub(super) fn product(a: i16, b: i16) -> i16 {
    ((((i32::from(a) * i32::from(b)) >> 14) + 1) >> 1) as i16
}

fn pass_scalar(
    taps: &Taps,
    strip: &[i16],
    first: usize,
    out: &mut [i16],
    stride: usize,
    rows: usize,
) {
    for (target, &start) in taps.starts.iter().enumerate() {
        let columns = strip[(start as usize - first) * ROWS..].chunks_exact(ROWS);
        let mut sums = [0_i16; ROWS];
        for (column, &weight) in columns.zip(taps.of(target)) {
            for (sum, &sample) in sums.iter_mut().zip(column) {
                *sum = sum.wrapping_add(product(sample, weight));
            }
        }
        for (row, sum) in sums.into_iter().enumerate().take(rows) {
            out[row * stride + target] = sum.clamp(LOWEST, HIGHEST);
        }
    }
}

#[cfg(target_arch = "x86_64")]
mod avx2 {
    use std::arch::x86_64::*;

    use super::{GROUP, HIGHEST, LOWEST, ROWS, Taps};

    #[target_feature(enable = "avx2")]
    pub(super) fn pass(
        taps: &Taps,
        strip: &[i16],
        first: usize,
        out: &mut [i16],
        stride: usize,
        rows: usize,
    ) {
        match taps.count {
            2 => tiles::<2>(taps, strip, first, out, stride, rows),
            3 => tiles::<3>(taps, strip, first, out, stride, rows),
            4 => tiles::<4>(taps, strip, first, out, stride, rows),
            5 => tiles::<5>(taps, strip, first, out, stride, rows),
            _ => tiles::<0>(taps, strip, first, out, stride, rows),
        }
    }

    /// For targets of `COUNT` weights; of any number for zero.
    #[target_feature(enable = "avx2")]
    fn tiles<const COUNT: usize>(
        taps: &Taps,
        strip: &[i16],
        first: usize,
        out: &mut [i16],
        stride: usize,
        rows: usize,
    ) {
        let count = if COUNT == 0 { taps.count } else { COUNT };
        let (low, high) = (_mm256_set1_epi16(LOWEST), _mm256_set1_epi16(HIGHEST));
        let groups = taps.starts.chunks_exact(GROUP).zip(taps.weights.chunks_exact(GROUP * count));
        for (group, (starts, weights)) in groups.enumerate() {
            let mut columns = [_mm256_setzero_si256(); GROUP];
            for (index, column) in columns.iter_mut().enumerate() {
                let start = (starts[index] as usize - first) * ROWS;
                let samples = &strip[start..start + count * ROWS];
                let weights = &weights[index * count..(index + 1) * count];
                let mut sum = _mm256_setzero_si256();
                for (sample, &weight) in samples.chunks_exact(ROWS).zip(weights) {
                    // SAFETY: the chunk holds sixteen values.
                    let sample = unsafe { _mm256_loadu_si256(sample.as_ptr().cast()) };
                    let weight = _mm256_set1_epi16(weight);
                    sum = _mm256_add_epi16(sum, _mm256_mulhrs_epi16(sample, weight));
                }
                *column = _mm256_min_epi16(_mm256_max_epi16(sum, low), high);
            }
            let lines = transpose(columns);
            let out = &mut out[group * GROUP..];
            if rows == ROWS {
                // Of a length the compiler knows, they never go through memory.
                store(&lines, out, stride);
            } else {
                store(&lines[..rows], out, stride);
            }
        }
    }

    #[target_feature(enable = "avx2")]
    #[inline]
    fn store(lines: &[__m256i], out: &mut [i16], stride: usize) {
        // One check for all of them: each costs as much as a line.
        let out = &mut out[..(lines.len() - 1) * stride + GROUP];
        for (row, &line) in lines.iter().enumerate() {
            // SAFETY: `out` holds sixteen values from the start of each line on.
            unsafe { _mm256_storeu_si256(out.as_mut_ptr().add(row * stride).cast(), line) };
        }
    }

    /// Transposes 16x16 values.
    #[target_feature(enable = "avx2")]
    fn transpose(r: [__m256i; 16]) -> [__m256i; 16] {
        let upper = half([r[0], r[1], r[2], r[3], r[4], r[5], r[6], r[7]]);
        let lower = half([r[8], r[9], r[10], r[11], r[12], r[13], r[14], r[15]]);
        let mut out = [_mm256_setzero_si256(); 16];
        for (index, (upper, lower)) in upper.into_iter().zip(lower).enumerate() {
            out[index] = _mm256_permute2x128_si256::<0x20>(upper, lower);
            out[index + 8] = _mm256_permute2x128_si256::<0x31>(upper, lower);
        }
        out
    }

    /// Transposes the 8x8 values in each half of eight registers.
    #[target_feature(enable = "avx2")]
    fn half(r: [__m256i; 8]) -> [__m256i; 8] {
        let a0 = _mm256_unpacklo_epi16(r[0], r[1]);
        let a1 = _mm256_unpackhi_epi16(r[0], r[1]);
        let a2 = _mm256_unpacklo_epi16(r[2], r[3]);
        let a3 = _mm256_unpackhi_epi16(r[2], r[3]);
        let a4 = _mm256_unpacklo_epi16(r[4], r[5]);
        let a5 = _mm256_unpackhi_epi16(r[4], r[5]);
        let a6 = _mm256_unpacklo_epi16(r[6], r[7]);
        let a7 = _mm256_unpackhi_epi16(r[6], r[7]);
        let b0 = _mm256_unpacklo_epi32(a0, a2);
        let b1 = _mm256_unpackhi_epi32(a0, a2);
        let b2 = _mm256_unpacklo_epi32(a1, a3);
        let b3 = _mm256_unpackhi_epi32(a1, a3);
        let b4 = _mm256_unpacklo_epi32(a4, a6);
        let b5 = _mm256_unpackhi_epi32(a4, a6);
        let b6 = _mm256_unpacklo_epi32(a5, a7);
        let b7 = _mm256_unpackhi_epi32(a5, a7);
        [
            _mm256_unpacklo_epi64(b0, b4),
            _mm256_unpackhi_epi64(b0, b4),
            _mm256_unpacklo_epi64(b1, b5),
            _mm256_unpackhi_epi64(b1, b5),
            _mm256_unpacklo_epi64(b2, b6),
            _mm256_unpackhi_epi64(b2, b6),
            _mm256_unpacklo_epi64(b3, b7),
            _mm256_unpackhi_epi64(b3, b7),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::{ROWS, pass};
    use crate::ops::resize::{Axis, Filter, Grid, Taps};
    use pixfeed_jpeg::Isa;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_twins_agree(length in 1_usize..90, target in 1_usize..60, rows in 1_usize..=16,
                           filter in 0_usize..3, seed in any::<u64>(), first in 0_usize..3, skip in 0_usize..16) {
            let filter = [Filter::Bilinear, Filter::Bicubic, Filter::Lanczos][filter];
            let mut taps = Taps::default();
            taps.build(Isa::detect(), Axis {
                span: (3.0, 3.0 + length as f64),
                target,
                window: (0, target),
                filter,
                backwards: false,
                grid: Grid::Own,
            });
            let mut state = seed | 1;
            let strip: Vec<i16> = (0..skip + (3 - first + length) * ROWS).map(|_| {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                i16::from((state >> 40) as i8) << 8
            }).collect();
            let (strip, stride) = (&strip[skip..], taps.starts.len());
            let (mut a, mut b) = (vec![0; skip + stride * ROWS], vec![0; skip + stride * ROWS]);
            pass(Isa::Scalar, &taps, strip, first, &mut a[skip..], stride, rows);
            pass(Isa::detect(), &taps, strip, first, &mut b[skip..], stride, rows);
            prop_assert_eq!(a, b);
        }
    }
}
