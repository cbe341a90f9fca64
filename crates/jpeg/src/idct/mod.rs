//! The inverse transform: libjpeg's accurate integer one, to rows of bytes or to column strips, and
//! reduced ones for small targets.
//!
//! Arithmetic is stated once, in `scalar`; the AVX2 twin gives the same bytes for every input, wrapped
//! and saturated values of hostile files included.

mod reduced;
mod scalar;

#[cfg(target_arch = "x86_64")]
mod avx2;

use crate::block::Block;
use crate::isa::Isa;

/// Rows a column strip holds.
pub(crate) const STRIP_ROWS: usize = 16;

/// A quantisation table as the transform multiplies it, modulo 2^16.
pub(crate) type Dequant = [i16; 64];

/// How much smaller than the picture a component is decoded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Scale {
    /// As it is.
    #[default]
    Full,
    /// Half the width and height: 4x4 samples a block.
    Half,
    /// A quarter: 2x2 samples a block.
    Quarter,
    /// An eighth: one sample a block.
    Eighth,
}

impl Scale {
    /// All scales, largest picture first.
    pub const ALL: [Self; 4] = [Self::Full, Self::Half, Self::Quarter, Self::Eighth];

    /// How many samples of the full picture one sample stands for, in each direction.
    #[must_use]
    pub fn divisor(self) -> u32 {
        1 << self as u32
    }

    /// Samples a block gives in each direction.
    pub(crate) fn block(self) -> usize {
        8 >> self as usize
    }

    /// The zigzag position before which all coefficients lie that this scale needs.
    pub(crate) fn coefficients(self) -> u32 {
        [64, 25, 5, 1][self as usize]
    }
}

/// Transforms blocks that lie side by side to eight rows of bytes, `stride` apart.
pub(crate) fn rows(
    isa: Isa,
    blocks: &[Block],
    lasts: &[u8],
    dequant: &Dequant,
    out: &mut [u8],
    stride: usize,
) {
    match isa {
        #[cfg(target_arch = "x86_64")]
        // SAFETY: this value of Isa exists only where the instructions do.
        Isa::Avx2 => unsafe { avx2::rows(blocks, lasts, dequant, out, stride) },
        _ => scalar::rows(blocks, dequant, out, stride),
    }
}

/// Transforms blocks that lie side by side to columns of a strip: `out` begins at their first column,
/// each column has [`STRIP_ROWS`] samples (signed, eight fraction bits), and theirs start at `row`.
pub(crate) fn columns(
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
        (Scale::Full, Isa::Avx2) => unsafe { avx2::columns(blocks, lasts, dequant, out, row) },
        (Scale::Full, _) => scalar::columns(blocks, dequant, out, row),
        (scale, isa) => reduced::columns(isa, scale, blocks, lasts, dequant, out, row),
    }
}

#[cfg(test)]
mod tests {
    use super::{Scale, columns, rows};
    use crate::block::Block;
    use crate::isa::Isa;
    use crate::zigzag::ZIGZAG;
    use proptest::prelude::*;

    /// Blocks as files have them: the first coefficients filled, tame or wild.
    fn any_block() -> impl Strategy<Value = (Block, u8)> {
        let value = prop_oneof![4 => -40_i16..40, 2 => -1100_i16..1100, 1 => any::<i16>()];
        (0_usize..64, prop::collection::vec(value, 64)).prop_map(|(last, values)| {
            let mut block = [0; 64];
            for at in 0..=last {
                block[usize::from(ZIGZAG[at])] = values[at];
            }
            (block, last as u8)
        })
    }

    fn any_run() -> impl Strategy<Value = (Vec<Block>, Vec<u8>, Vec<i16>)> {
        let table = prop_oneof![3 => 1_i16..60, 1 => any::<i16>()];
        (prop::collection::vec(any_block(), 1..6), prop::collection::vec(table, 64)).prop_map(
            |(run, dequant)| {
                let (blocks, lasts) = run.into_iter().unzip();
                (blocks, lasts, dequant)
            },
        )
    }

    proptest! {
        #[test]
        fn the_twins_agree_on_rows((blocks, lasts, dequant) in any_run(), extra in 0_usize..9,
                                   skip in 0_usize..32) {
            let dequant = dequant.try_into().expect("64 factors");
            let stride = blocks.len() * 8 + extra;
            let (mut a, mut b) = (vec![7; skip + stride * 8], vec![7; skip + stride * 8]);
            rows(Isa::Scalar, &blocks, &lasts, &dequant, &mut a[skip..], stride);
            rows(Isa::detect(), &blocks, &lasts, &dequant, &mut b[skip..], stride);
            prop_assert_eq!(a, b);
        }

        #[test]
        fn the_twins_agree_on_columns((blocks, lasts, dequant) in any_run(), low in any::<bool>(),
                                      skip in 0_usize..16) {
            let dequant = dequant.try_into().expect("64 factors");
            let row = if low { 8 } else { 0 };
            let length = skip + blocks.len() * 128;
            let (mut a, mut b) = (vec![7; length], vec![7; length]);
            columns(Isa::Scalar, Scale::Full, &blocks, &lasts, &dequant, &mut a[skip..], row);
            columns(Isa::detect(), Scale::Full, &blocks, &lasts, &dequant, &mut b[skip..], row);
            prop_assert_eq!(a, b);
        }

        #[test]
        fn the_twins_agree_on_reduced_columns((blocks, lasts, dequant) in any_run()) {
            let dequant = dequant.try_into().expect("64 factors");
            for scale in [Scale::Half, Scale::Quarter, Scale::Eighth] {
                let size = blocks.len() * scale.block() * 16;
                let (mut a, mut b) = (vec![7; size], vec![7; size]);
                columns(Isa::Scalar, scale, &blocks, &lasts, &dequant, &mut a, 0);
                columns(Isa::detect(), scale, &blocks, &lasts, &dequant, &mut b, 0);
                prop_assert_eq!(a, b);
            }
        }

        #[test]
        fn near_the_exact_transform(values in prop::collection::vec(-30_i16..30, 64)) {
            let block: Block = values.try_into().expect("64 coefficients");
            let mut out = vec![0; 64];
            rows(Isa::detect(), &[block], &[63], &[2; 64], &mut out, 8);
            for (at, &got) in out.iter().enumerate() {
                let exact = exact_sample(&block, (at % 8) as f64, (at / 8) as f64, 2.0) + 128.0;
                prop_assert!((f64::from(got) - exact.clamp(0.0, 255.0)).abs() < 0.6);
            }
        }

        #[test]
        fn reduced_scales_sample_the_low_frequencies(values in prop::collection::vec(-30_i16..30, 64)) {
            for scale in [Scale::Half, Scale::Quarter, Scale::Eighth] {
                let side = scale.block();
                let mut block = [0; 64];
                for (at, value) in values.iter().enumerate() {
                    if at % 8 < side && at / 8 < side {
                        block[at] = *value;
                    }
                }
                let mut out = vec![0; side * 16];
                columns(Isa::Scalar, scale, &[block], &[63], &[2; 64], &mut out, 0);
                let step = scale.divisor() as f64;
                for x in 0..side {
                    for y in 0..side {
                        let centre = |at: usize| (at as f64 + 0.5) * step - 0.5;
                        let exact = exact_sample(&block, centre(x), centre(y), 2.0);
                        let got = f64::from(out[x * 16 + y]) / 256.0;
                        prop_assert!((got - exact.clamp(-128.0, 128.0)).abs() < 0.1, "{} {}", got, exact);
                    }
                }
            }
        }
    }

    /// The inverse DCT at any point, in floating point.
    fn exact_sample(block: &Block, x: f64, y: f64, factor: f64) -> f64 {
        let basis = |k: usize, at: f64| {
            let angle = (2.0 * at + 1.0) * k as f64 * std::f64::consts::PI / 16.0;
            if k == 0 { 0.125_f64.sqrt() } else { 0.5 * angle.cos() }
        };
        let term = |at: usize| f64::from(block[at]) * factor * basis(at % 8, x) * basis(at / 8, y);
        (0..64).map(term).sum()
    }
}
