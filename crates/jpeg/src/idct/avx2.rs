//! The transform of two blocks at once, one in each half of the registers.

use std::arch::x86_64::*;

use super::{Dequant, STRIP_ROWS};
use crate::block::Block;

/// Eight registers of sixteen 16-bit values: rows, then columns, of two blocks.
type Eight = [__m256i; 8];

/// Last zigzag position with which only the first four rows and columns can be filled.
const CORNER: u8 = 9;

#[target_feature(enable = "avx2")]
fn load(block: &Block, row: usize) -> __m128i {
    // SAFETY: a row of eight values lies inside the block.
    unsafe { _mm_loadu_si128(block[row * 8..row * 8 + 8].as_ptr().cast()) }
}

#[target_feature(enable = "avx2")]
fn load_row(a: &Block, b: &Block, dequant: &Dequant, row: usize) -> __m256i {
    let factors = _mm256_broadcastsi128_si256(load(dequant, row));
    _mm256_mullo_epi16(_mm256_set_m128i(load(b, row), load(a, row)), factors)
}

/// Two factors for `madd`: for the first and the second of each pair.
#[target_feature(enable = "avx2")]
fn factors(first: i16, second: i16) -> __m256i {
    _mm256_set1_epi32(i32::from(first) & 0xFFFF | i32::from(second) << 16)
}

/// The eight results of one half (32-bit) of a pass, before they are packed.
#[target_feature(enable = "avx2")]
fn half<const SHIFT: i32>(
    even: [__m256i; 2],
    pair_26: __m256i,
    pair_34: __m256i,
    pair_71: __m256i,
    pair_53: __m256i,
) -> Eight {
    let t2 = _mm256_madd_epi16(pair_26, factors(4433, 4433 - 15137));
    let t3 = _mm256_madd_epi16(pair_26, factors(4433 + 6270, 4433));
    let e0 = _mm256_add_epi32(even[0], t3);
    let e3 = _mm256_sub_epi32(even[0], t3);
    let e1 = _mm256_add_epi32(even[1], t2);
    let e2 = _mm256_sub_epi32(even[1], t2);

    let y3 = _mm256_madd_epi16(pair_34, factors(9633 - 16069, 9633));
    let y4 = _mm256_madd_epi16(pair_34, factors(9633, 9633 - 3196));
    let o0 = _mm256_add_epi32(_mm256_madd_epi16(pair_71, factors(2446 - 7373, -7373)), y3);
    let o1 = _mm256_add_epi32(_mm256_madd_epi16(pair_53, factors(16819 - 20995, -20995)), y4);
    let o2 = _mm256_add_epi32(_mm256_madd_epi16(pair_53, factors(-20995, 25172 - 20995)), y3);
    let o3 = _mm256_add_epi32(_mm256_madd_epi16(pair_71, factors(-7373, 12299 - 7373)), y4);

    let round = _mm256_set1_epi32(1 << (SHIFT - 1));
    let (e0, e1) = (_mm256_add_epi32(e0, round), _mm256_add_epi32(e1, round));
    let (e2, e3) = (_mm256_add_epi32(e2, round), _mm256_add_epi32(e3, round));
    [
        _mm256_srai_epi32::<SHIFT>(_mm256_add_epi32(e0, o3)),
        _mm256_srai_epi32::<SHIFT>(_mm256_add_epi32(e1, o2)),
        _mm256_srai_epi32::<SHIFT>(_mm256_add_epi32(e2, o1)),
        _mm256_srai_epi32::<SHIFT>(_mm256_add_epi32(e3, o0)),
        _mm256_srai_epi32::<SHIFT>(_mm256_sub_epi32(e3, o0)),
        _mm256_srai_epi32::<SHIFT>(_mm256_sub_epi32(e2, o1)),
        _mm256_srai_epi32::<SHIFT>(_mm256_sub_epi32(e1, o2)),
        _mm256_srai_epi32::<SHIFT>(_mm256_sub_epi32(e0, o3)),
    ]
}

#[target_feature(enable = "avx2")]
fn pass<const SHIFT: i32>(i: Eight) -> Eight {
    let zero = _mm256_setzero_si256();
    let sum = _mm256_add_epi16(i[0], i[4]);
    let difference = _mm256_sub_epi16(i[0], i[4]);
    let (z3, z4) = (_mm256_add_epi16(i[3], i[7]), _mm256_add_epi16(i[1], i[5]));
    // A value in the upper half of 32 bits, shifted down by 3, is the value times 2^13.
    let low = half::<SHIFT>(
        [
            _mm256_srai_epi32::<3>(_mm256_unpacklo_epi16(zero, sum)),
            _mm256_srai_epi32::<3>(_mm256_unpacklo_epi16(zero, difference)),
        ],
        _mm256_unpacklo_epi16(i[2], i[6]),
        _mm256_unpacklo_epi16(z3, z4),
        _mm256_unpacklo_epi16(i[7], i[1]),
        _mm256_unpacklo_epi16(i[5], i[3]),
    );
    let high = half::<SHIFT>(
        [
            _mm256_srai_epi32::<3>(_mm256_unpackhi_epi16(zero, sum)),
            _mm256_srai_epi32::<3>(_mm256_unpackhi_epi16(zero, difference)),
        ],
        _mm256_unpackhi_epi16(i[2], i[6]),
        _mm256_unpackhi_epi16(z3, z4),
        _mm256_unpackhi_epi16(i[7], i[1]),
        _mm256_unpackhi_epi16(i[5], i[3]),
    );
    pack(low, high)
}

/// The first pass where only four rows and columns are filled: the upper columns stay zero.
#[target_feature(enable = "avx2")]
fn pass_corner_rows<const SHIFT: i32>(i: [__m256i; 4]) -> Eight {
    let zero = _mm256_setzero_si256();
    let even = _mm256_srai_epi32::<3>(_mm256_unpacklo_epi16(zero, i[0]));
    let low = half::<SHIFT>(
        [even, even],
        _mm256_unpacklo_epi16(i[2], zero),
        _mm256_unpacklo_epi16(i[3], i[1]),
        _mm256_unpacklo_epi16(zero, i[1]),
        _mm256_unpacklo_epi16(zero, i[3]),
    );
    pack(low, [zero; 8])
}

#[target_feature(enable = "avx2")]
fn pack(low: Eight, high: Eight) -> Eight {
    let mut out = low;
    for (out, high) in out.iter_mut().zip(high) {
        *out = _mm256_packs_epi32(*out, high);
    }
    out
}

/// Transposes the 8x8 values in each half.
#[target_feature(enable = "avx2")]
fn transpose(r: Eight) -> Eight {
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

/// The samples of two blocks as signed bytes: register j holds columns j and j + 4 of each.
#[inline]
#[target_feature(enable = "avx2")]
fn transform(a: &Block, b: &Block, last: u8, dequant: &Dequant) -> [__m256i; 4] {
    let columns = match last {
        0 => return flat(a, b, dequant),
        1..=CORNER => {
            let mut rows = [_mm256_setzero_si256(); 4];
            for (row, slot) in rows.iter_mut().enumerate() {
                *slot = load_row(a, b, dequant, row);
            }
            let t = transpose(pass_corner_rows::<11>(rows));
            let zero = _mm256_setzero_si256();
            pass::<18>([t[0], t[1], t[2], t[3], zero, zero, zero, zero])
        }
        _ => {
            let mut rows = [_mm256_setzero_si256(); 8];
            for (row, slot) in rows.iter_mut().enumerate() {
                *slot = load_row(a, b, dequant, row);
            }
            pass::<18>(transpose(pass::<11>(rows)))
        }
    };
    [
        _mm256_packs_epi16(columns[0], columns[4]),
        _mm256_packs_epi16(columns[1], columns[5]),
        _mm256_packs_epi16(columns[2], columns[6]),
        _mm256_packs_epi16(columns[3], columns[7]),
    ]
}

/// Two blocks of which only the mean is there.
#[target_feature(enable = "avx2")]
fn flat(a: &Block, b: &Block, dequant: &Dequant) -> [__m256i; 4] {
    let sample = |block: &Block| {
        let mean = i32::from(block[0].wrapping_mul(dequant[0]));
        let middle = (mean * 4).clamp(i16::MIN.into(), i16::MAX.into());
        ((middle + 16) >> 5).clamp(-128, 127) as i8
    };
    let bytes = _mm256_set_m128i(_mm_set1_epi8(sample(b)), _mm_set1_epi8(sample(a)));
    [bytes; 4]
}

#[target_feature(enable = "avx2")]
pub(super) fn rows(
    blocks: &[Block],
    lasts: &[u8],
    dequant: &Dequant,
    out: &mut [u8],
    stride: usize,
) {
    for (index, (pair, last)) in blocks.chunks(2).zip(lasts.chunks(2)).enumerate() {
        let (a, b) = (&pair[0], &pair[pair.len() - 1]);
        let bytes = transform(a, b, last[0].max(last[last.len() - 1]), dequant);
        let lines = transpose_bytes(bytes);
        for (two, line) in lines.into_iter().enumerate() {
            // Rows of both blocks next to each other.
            let line = _mm256_permute4x64_epi64::<0b11_01_10_00>(line);
            let start = 2 * two * stride + index * 16;
            store_row(&mut out[start..], _mm256_castsi256_si128(line), pair.len());
            store_row(&mut out[start + stride..], _mm256_extracti128_si256::<1>(line), pair.len());
        }
    }
}

#[target_feature(enable = "avx2")]
fn store_row(out: &mut [u8], line: __m128i, blocks: usize) {
    if blocks == 2 {
        let out = &mut out[..16];
        // SAFETY: `out` is 16 bytes long.
        unsafe { _mm_storeu_si128(out.as_mut_ptr().cast(), line) };
    } else {
        out[..8].copy_from_slice(&_mm_cvtsi128_si64(line).to_le_bytes());
    }
}

/// Columns (as [`transform`] gives them) to pairs of rows, unsigned.
#[target_feature(enable = "avx2")]
fn transpose_bytes(c: [__m256i; 4]) -> [__m256i; 4] {
    let a = _mm256_unpacklo_epi8(c[0], c[1]);
    let b = _mm256_unpacklo_epi8(c[2], c[3]);
    let d = _mm256_unpackhi_epi8(c[0], c[1]);
    let e = _mm256_unpackhi_epi8(c[2], c[3]);
    let ab_low = _mm256_unpacklo_epi16(a, b);
    let ab_high = _mm256_unpackhi_epi16(a, b);
    let de_low = _mm256_unpacklo_epi16(d, e);
    let de_high = _mm256_unpackhi_epi16(d, e);
    let bias = _mm256_set1_epi8(-128);
    [
        _mm256_xor_si256(_mm256_unpacklo_epi32(ab_low, de_low), bias),
        _mm256_xor_si256(_mm256_unpackhi_epi32(ab_low, de_low), bias),
        _mm256_xor_si256(_mm256_unpacklo_epi32(ab_high, de_high), bias),
        _mm256_xor_si256(_mm256_unpackhi_epi32(ab_high, de_high), bias),
    ]
}

#[target_feature(enable = "avx2")]
pub(super) fn columns(
    blocks: &[Block],
    lasts: &[u8],
    dequant: &Dequant,
    out: &mut [i16],
    row: usize,
) {
    let zero = _mm256_setzero_si256();
    let strips = out.chunks_mut(2 * 8 * STRIP_ROWS);
    for ((pair, last), strip) in blocks.chunks(2).zip(lasts.chunks(2)).zip(strips) {
        let (a, b) = (&pair[0], &pair[pair.len() - 1]);
        let bytes = transform(a, b, last[0].max(last[last.len() - 1]), dequant);
        for (x, bytes) in bytes.into_iter().enumerate() {
            let near = _mm256_unpacklo_epi8(zero, bytes);
            let far = _mm256_unpackhi_epi8(zero, bytes);
            for (x, column) in [(x, near), (x + 4, far)] {
                store_column(strip, x, row, _mm256_castsi256_si128(column));
                if pair.len() == 2 {
                    store_column(strip, x + 8, row, _mm256_extracti128_si256::<1>(column));
                }
            }
        }
    }
}

#[target_feature(enable = "avx2")]
fn store_column(strip: &mut [i16], x: usize, row: usize, column: __m128i) {
    let start = x * STRIP_ROWS + row;
    let out = &mut strip[start..start + 8];
    // SAFETY: `out` holds eight 16-bit values.
    unsafe { _mm_storeu_si128(out.as_mut_ptr().cast(), column) };
}
