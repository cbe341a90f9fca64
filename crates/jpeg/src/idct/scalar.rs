//! The portable transform, which states the arithmetic: libjpeg's "islow" with 13-bit constants,
//! columns first, values between the passes kept in 16 bits.

use super::{Dequant, STRIP_ROWS};
use crate::block::Block;

/// One pass over eight inputs that wrap and widen as the SIMD form does.
fn pass(input: [i16; 8], shift: u32) -> [i16; 8] {
    let [_, i1, i2, i3, _, i5, i6, i7] = input.map(i32::from);
    let wide = |value: i16| i32::from(value) << 13;
    let (even_sum, even_difference) =
        (wide(input[0].wrapping_add(input[4])), wide(input[0].wrapping_sub(input[4])));
    let (z3, z4) =
        (i32::from(input[3].wrapping_add(input[7])), i32::from(input[1].wrapping_add(input[5])));

    let t2 = i2 * 4433 + i6 * (4433 - 15137);
    let t3 = i2 * (4433 + 6270) + i6 * 4433;
    let e0 = even_sum.wrapping_add(t3);
    let e3 = even_sum.wrapping_sub(t3);
    let e1 = even_difference.wrapping_add(t2);
    let e2 = even_difference.wrapping_sub(t2);

    let y3 = z3 * (9633 - 16069) + z4 * 9633;
    let y4 = z3 * 9633 + z4 * (9633 - 3196);
    let o0 = (i7 * (2446 - 7373) + i1 * -7373).wrapping_add(y3);
    let o1 = (i5 * (16819 - 20995) + i3 * -20995).wrapping_add(y4);
    let o2 = (i5 * -20995 + i3 * (25172 - 20995)).wrapping_add(y3);
    let o3 = (i7 * -7373 + i1 * (12299 - 7373)).wrapping_add(y4);

    let half = 1 << (shift - 1);
    let narrow = |value: i32| {
        let value = value.wrapping_add(half) >> shift;
        value.clamp(i16::MIN.into(), i16::MAX.into()) as i16
    };
    [
        narrow(e0.wrapping_add(o3)),
        narrow(e1.wrapping_add(o2)),
        narrow(e2.wrapping_add(o1)),
        narrow(e3.wrapping_add(o0)),
        narrow(e3.wrapping_sub(o0)),
        narrow(e2.wrapping_sub(o1)),
        narrow(e1.wrapping_sub(o2)),
        narrow(e0.wrapping_sub(o3)),
    ]
}

/// The samples of a block, signed, as rows.
fn transform(block: &Block, dequant: &Dequant) -> [[i8; 8]; 8] {
    let mut middle = [[0_i16; 8]; 8];
    for column in 0..8 {
        let at = |row: usize| block[row * 8 + column].wrapping_mul(dequant[row * 8 + column]);
        let out = pass(std::array::from_fn(at), 11);
        for (row, value) in middle.iter_mut().zip(out) {
            row[column] = value;
        }
    }
    middle.map(|row| pass(row, 18).map(|v| v.clamp(-128, 127) as i8))
}

pub(super) fn rows(blocks: &[Block], dequant: &Dequant, out: &mut [u8], stride: usize) {
    for (index, block) in blocks.iter().enumerate() {
        for (y, row) in transform(block, dequant).into_iter().enumerate() {
            let start = y * stride + index * 8;
            out[start..start + 8].copy_from_slice(&row.map(|v| (v as u8) ^ 0x80));
        }
    }
}

pub(super) fn columns(blocks: &[Block], dequant: &Dequant, out: &mut [i16], row: usize) {
    for (block, strip) in blocks.iter().zip(out.chunks_exact_mut(8 * STRIP_ROWS)) {
        let samples = transform(block, dequant);
        for (x, column) in strip.chunks_exact_mut(STRIP_ROWS).enumerate() {
            for (y, line) in samples.iter().enumerate() {
                column[row + y] = i16::from(line[x]) << 8;
            }
        }
    }
}
