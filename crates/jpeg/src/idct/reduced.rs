//! Reduced transforms: the 4, 2 or 1 lowest frequencies of each direction, sampled at the centres of
//! the smaller picture's samples. Plain integers; for four by four, a twin that holds the same integers
//! in floating point, which is exact below 2^53 (they stay below 2^51).

use super::{Dequant, STRIP_ROWS, Scale};
use crate::block::Block;
use crate::isa::Isa;

/// Fraction bits of the constants, and of the values between the passes.
const BITS: u32 = 13;
const KEPT: u32 = 4;

pub(super) fn columns(
    isa: Isa,
    scale: Scale,
    blocks: &[Block],
    lasts: &[u8],
    dequant: &Dequant,
    out: &mut [i16],
    row: usize,
) {
    match (scale, isa) {
        #[cfg(target_arch = "x86_64")]
        // SAFETY: this value of Isa exists only where the instructions do.
        (Scale::Half, Isa::Avx2) => unsafe { avx2::half(blocks, lasts, dequant, out, row) },
        (Scale::Half, _) => run::<4>(blocks, dequant, out, row, four),
        (Scale::Quarter, _) => run::<2>(blocks, dequant, out, row, two),
        _ => run::<1>(blocks, dequant, out, row, |x, _| x),
    }
}

/// Both passes over the N x N lowest coefficients.
#[inline(always)]
fn run<const N: usize>(
    blocks: &[Block],
    dequant: &Dequant,
    out: &mut [i16],
    row: usize,
    pass: impl Fn([i64; N], u32) -> [i64; N],
) {
    for (block, strip) in blocks.iter().zip(out.chunks_exact_mut(N * STRIP_ROWS)) {
        let mut middle = [[0_i64; N]; N];
        for u in 0..N {
            let at = |v: usize| {
                i64::from(i32::from(block[v * 8 + u]) * i32::from(dequant[v * 8 + u])) << KEPT
            };
            let out = pass(std::array::from_fn(at), BITS);
            for (line, value) in middle.iter_mut().zip(out) {
                line[u] = value;
            }
        }
        for (y, line) in middle.into_iter().enumerate() {
            for (x, value) in pass(line, BITS).into_iter().enumerate() {
                // A coefficient is eight times its mean; samples carry eight fraction bits.
                let value = value << 8 >> (KEPT + 3);
                strip[x * STRIP_ROWS + row + y] =
                    value.clamp(i16::MIN.into(), i16::MAX.into()) as i16;
            }
        }
    }
}

/// The sample of a block of which only the mean is there.
#[cfg(target_arch = "x86_64")]
fn flat(block: &Block, dequant: &Dequant) -> i16 {
    let mean = i64::from(i32::from(block[0]) * i32::from(dequant[0]));
    (mean << 8 >> 3).clamp(i16::MIN.into(), i16::MAX.into()) as i16
}

#[inline(always)]
fn four([x0, x1, x2, x3]: [i64; 4], bits: u32) -> [i64; 4] {
    // sqrt(2) cos(pi/8) and sqrt(2) cos(3 pi/8).
    let (near, far) = (10703, 4433);
    let half = 1 << (bits - 1);
    let e0 = (x0 + x2) << bits;
    let e1 = (x0 - x2) << bits;
    let o0 = x1 * near + x3 * far;
    let o1 = x1 * far - x3 * near;
    [e0 + o0, e1 + o1, e1 - o1, e0 - o0].map(|v| (v + half) >> bits)
}

#[inline(always)]
fn two([x0, x1]: [i64; 2], _: u32) -> [i64; 2] {
    // sqrt(2) cos(pi/4) is one.
    [x0 + x1, x0 - x1]
}

#[cfg(target_arch = "x86_64")]
mod avx2 {
    use std::arch::x86_64::*;

    use super::super::{Dequant, STRIP_ROWS};
    use super::{BITS, KEPT};
    use crate::block::Block;

    #[target_feature(enable = "avx2")]
    pub(super) fn half(
        blocks: &[Block],
        lasts: &[u8],
        dequant: &Dequant,
        out: &mut [i16],
        row: usize,
    ) {
        let kept = _mm256_set1_pd(f64::from(1 << KEPT));
        let strips = out.chunks_exact_mut(4 * STRIP_ROWS);
        for ((block, &last), strip) in blocks.iter().zip(lasts).zip(strips) {
            if last == 0 {
                let sample = super::flat(block, dequant);
                strip.chunks_exact_mut(STRIP_ROWS).for_each(|c| c[row..row + 4].fill(sample));
                continue;
            }
            let line = |v: usize| {
                let product = _mm_mullo_epi32(four(block, v), four(dequant, v));
                _mm256_mul_pd(_mm256_cvtepi32_pd(product), kept)
            };
            let middle = transpose(pass([line(0), line(1), line(2), line(3)]));
            for (x, column) in pass(middle).into_iter().enumerate() {
                store(column, &mut strip[x * STRIP_ROWS + row..]);
            }
        }
    }

    /// The first four values of a row.
    #[target_feature(enable = "avx2")]
    fn four(values: &[i16; 64], row: usize) -> __m128i {
        let values = &values[row * 8..row * 8 + 8];
        // SAFETY: `values` are eight.
        _mm_cvtepi16_epi32(unsafe { _mm_loadl_epi64(values.as_ptr().cast()) })
    }

    /// As [`super::four`], four times.
    #[target_feature(enable = "avx2")]
    fn pass([x0, x1, x2, x3]: [__m256d; 4]) -> [__m256d; 4] {
        let (near, far) = (_mm256_set1_pd(10703.0), _mm256_set1_pd(4433.0));
        let one = _mm256_set1_pd(f64::from(1 << BITS));
        let round = _mm256_set1_pd(f64::from(1 << (BITS - 1)));
        let even = |sum| _mm256_add_pd(_mm256_mul_pd(sum, one), round);
        let (e0, e1) = (even(_mm256_add_pd(x0, x2)), even(_mm256_sub_pd(x0, x2)));
        let o0 = _mm256_add_pd(_mm256_mul_pd(x1, near), _mm256_mul_pd(x3, far));
        let o1 = _mm256_sub_pd(_mm256_mul_pd(x1, far), _mm256_mul_pd(x3, near));
        let unit = _mm256_set1_pd(1.0 / f64::from(1 << BITS));
        let down = |v| _mm256_floor_pd(_mm256_mul_pd(v, unit));
        [
            down(_mm256_add_pd(e0, o0)),
            down(_mm256_add_pd(e1, o1)),
            down(_mm256_sub_pd(e1, o1)),
            down(_mm256_sub_pd(e0, o0)),
        ]
    }

    #[target_feature(enable = "avx2")]
    fn transpose([a, b, c, d]: [__m256d; 4]) -> [__m256d; 4] {
        let (ab_even, ab_odd) = (_mm256_unpacklo_pd(a, b), _mm256_unpackhi_pd(a, b));
        let (cd_even, cd_odd) = (_mm256_unpacklo_pd(c, d), _mm256_unpackhi_pd(c, d));
        [
            _mm256_permute2f128_pd::<0x20>(ab_even, cd_even),
            _mm256_permute2f128_pd::<0x20>(ab_odd, cd_odd),
            _mm256_permute2f128_pd::<0x31>(ab_even, cd_even),
            _mm256_permute2f128_pd::<0x31>(ab_odd, cd_odd),
        ]
    }

    /// Four samples with eight fraction bits: the values have KEPT, and are eight times too large.
    #[target_feature(enable = "avx2")]
    fn store(values: __m256d, out: &mut [i16]) {
        let values = _mm256_add_pd(values, values);
        let (least, most) = (f64::from(i16::MIN), f64::from(i16::MAX));
        let values =
            _mm256_max_pd(_mm256_set1_pd(least), _mm256_min_pd(values, _mm256_set1_pd(most)));
        let values = _mm256_cvtpd_epi32(values);
        let out = &mut out[..4];
        // SAFETY: `out` has room for four values.
        unsafe { _mm_storel_epi64(out.as_mut_ptr().cast(), _mm_packs_epi32(values, values)) };
    }
}
