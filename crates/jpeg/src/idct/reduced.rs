//! Reduced transforms: the 4, 2 or 1 lowest frequencies of each direction, sampled at the centres of
//! the smaller picture's samples. Plain integers that compilers vectorise; one form for all machines.

use super::{Dequant, STRIP_ROWS, Scale};
use crate::block::Block;

/// Fraction bits of the constants, and of the values between the passes.
const BITS: u32 = 13;
const KEPT: u32 = 4;

pub(super) fn columns(
    scale: Scale,
    blocks: &[Block],
    dequant: &Dequant,
    out: &mut [i16],
    row: usize,
) {
    match scale {
        Scale::Half => run::<4>(blocks, dequant, out, row, four),
        Scale::Quarter => run::<2>(blocks, dequant, out, row, two),
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
