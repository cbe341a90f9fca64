//! Components to colours, a row at a time, by libjpeg's fixed-point formulas.

use crate::isa::Isa;

/// One row of YCbCr to RGB.
#[inline(always)]
pub(crate) fn rgb(isa: Isa, y: &[u8], cb: &[u8], cr: &[u8], out: &mut [u8]) {
    match isa {
        #[cfg(target_arch = "x86_64")]
        // SAFETY: this value of Isa exists only where the instructions do.
        Isa::Avx2 => unsafe { avx2::rgb(y, cb, cr, out) },
        _ => rgb_scalar(y, cb, cr, out),
    }
}

/// One row of YCbCr to RGB, of twice the width of the two rows of Cb and of Cr it lies between (the
/// nearer first); false where that has to be done step by step.
#[inline(always)]
pub(crate) fn rgb_between(
    isa: Isa,
    y: &[u8],
    cb: [&[u8]; 2],
    cr: [&[u8]; 2],
    out: &mut [u8],
) -> bool {
    match isa {
        #[cfg(target_arch = "x86_64")]
        Isa::Avx2 if y.len() >= avx2::WIDE && y.len() == 2 * cb[0].len() => {
            // SAFETY: this value of Isa exists only where the instructions do.
            unsafe { avx2::rgb_between(y, cb, cr, out) };
            true
        }
        _ => false,
    }
}

/// The colour of one pixel.
#[inline(always)]
fn pixel(y: u8, cb: u8, cr: u8) -> [u8; 3] {
    let (y, cb, cr) = (i32::from(y), i32::from(cb) - 128, i32::from(cr) - 128);
    let r = y + ((91881 * cr + 32768) >> 16);
    let g = y + ((-22554 * cb - 46802 * cr + 32768) >> 16);
    let b = y + ((116_130 * cb + 32768) >> 16);
    [r, g, b].map(|v| v.clamp(0, 255) as u8)
}

fn rgb_scalar(y: &[u8], cb: &[u8], cr: &[u8], out: &mut [u8]) {
    for (out, ((&y, &cb), &cr)) in out.chunks_exact_mut(3).zip(y.iter().zip(cb).zip(cr)) {
        out.copy_from_slice(&pixel(y, cb, cr));
    }
}

/// One row of YCCK to CMYK as stored: the first three are inverted RGB.
pub(crate) fn cmyk(rows: [&[u8]; 4], out: &mut [u8]) {
    let [y, cb, cr, k] = rows;
    for (index, out) in out.chunks_exact_mut(4).enumerate() {
        let [r, g, b] = pixel(y[index], cb[index], cr[index]);
        out.copy_from_slice(&[255 - r, 255 - g, 255 - b, k[index]]);
    }
}

/// Three rows of equal width, one after the other in each pixel.
pub(crate) fn three(isa: Isa, rows: [&[u8]; 3], out: &mut [u8]) {
    match isa {
        #[cfg(target_arch = "x86_64")]
        // SAFETY: this value of Isa exists only where the instructions do.
        Isa::Avx2 => unsafe { avx2::three(rows, out) },
        _ => interleave(rows, out),
    }
}

/// Rows of equal width, one after the other in each pixel.
pub(crate) fn interleave<const N: usize>(rows: [&[u8]; N], out: &mut [u8]) {
    for (index, out) in out.chunks_exact_mut(N).enumerate() {
        for (value, row) in out.iter_mut().zip(rows) {
            *value = row[index];
        }
    }
}

#[cfg(target_arch = "x86_64")]
mod avx2 {
    use std::arch::x86_64::*;

    use crate::upsample::{BETWEEN, avx2::doubled};

    /// Pixels at once.
    pub(super) const WIDE: usize = 32;

    #[inline]
    #[target_feature(enable = "avx2")]
    pub(super) fn rgb_between(y: &[u8], cb: [&[u8]; 2], cr: [&[u8]; 2], out: &mut [u8]) {
        let (last, mut at) = (y.len() - WIDE, 0);
        loop {
            let cb = doubled(cb[0], cb[1], at / 2, BETWEEN);
            let cr = doubled(cr[0], cr[1], at / 2, BETWEEN);
            colours(load(&y[at..]), cb, cr, &mut out[3 * at..]);
            if at == last {
                return;
            }
            at = (at + WIDE).min(last);
        }
    }

    #[target_feature(enable = "avx2")]
    pub(super) fn rgb(y: &[u8], cb: &[u8], cr: &[u8], out: &mut [u8]) {
        row::<true>([y, cb, cr], out);
    }

    #[target_feature(enable = "avx2")]
    pub(super) fn three(rows: [&[u8]; 3], out: &mut [u8]) {
        row::<false>(rows, out);
    }

    /// A row, converted or only interleaved. The last step may repeat pixels of the one before.
    #[target_feature(enable = "avx2")]
    fn row<const CONVERT: bool>(rows: [&[u8]; 3], out: &mut [u8]) {
        let width = rows.iter().fold(out.len() / 3, |width, row| width.min(row.len()));
        let Some(last) = width.checked_sub(WIDE) else {
            return narrow_row::<CONVERT>(rows, &mut out[..3 * width]);
        };
        let mut at = 0;
        loop {
            let [a, b, c] = rows;
            step::<CONVERT>([&a[at..], &b[at..], &c[at..]], &mut out[3 * at..]);
            if at == last {
                return;
            }
            at = (at + WIDE).min(last);
        }
    }

    #[target_feature(enable = "avx2")]
    fn narrow_row<const CONVERT: bool>(rows: [&[u8]; 3], out: &mut [u8]) {
        let width = out.len() / 3;
        let (mut padded, mut pixels) = ([[0; WIDE]; 3], [0; 3 * WIDE]);
        for (padded, row) in padded.iter_mut().zip(rows) {
            padded[..width].copy_from_slice(&row[..width]);
        }
        step::<CONVERT>([&padded[0], &padded[1], &padded[2]], &mut pixels);
        out.copy_from_slice(&pixels[..3 * width]);
    }

    #[target_feature(enable = "avx2")]
    fn step<const CONVERT: bool>(rows: [&[u8]; 3], out: &mut [u8]) {
        let (y, cb, cr) = (load(rows[0]), load(rows[1]), load(rows[2]));
        if CONVERT { colours(y, cb, cr, out) } else { store(y, cb, cr, out) }
    }

    #[target_feature(enable = "avx2")]
    fn colours(y: __m256i, cb: __m256i, cr: __m256i, out: &mut [u8]) {
        let zero = _mm256_setzero_si256();
        let low = |v| _mm256_unpacklo_epi8(v, zero);
        let high = |v| _mm256_unpackhi_epi8(v, zero);
        let (r0, g0, b0) = convert(low(y), low(cb), low(cr));
        let (r1, g1, b1) = convert(high(y), high(cb), high(cr));
        let join = |low, high| _mm256_packus_epi16(low, high);
        store(join(r0, r1), join(g0, g1), join(b0, b1), out);
    }

    #[target_feature(enable = "avx2")]
    fn load(samples: &[u8]) -> __m256i {
        let samples = &samples[..WIDE];
        // SAFETY: `samples` is 32 bytes long.
        unsafe { _mm256_loadu_si256(samples.as_ptr().cast()) }
    }

    /// The scalar formulas in 16 bits: each factor loses the whole numbers it contains.
    #[target_feature(enable = "avx2")]
    fn convert(y: __m256i, cb: __m256i, cr: __m256i) -> (__m256i, __m256i, __m256i) {
        let middle = _mm256_set1_epi16(128);
        let (cb, cr) = (_mm256_sub_epi16(cb, middle), _mm256_sub_epi16(cr, middle));
        let (cb2, cr2) = (_mm256_add_epi16(cb, cb), _mm256_add_epi16(cr, cr));
        let one = _mm256_set1_epi16(1);
        let halve = |v| _mm256_srai_epi16::<1>(_mm256_add_epi16(v, one));

        let r = halve(_mm256_mulhi_epi16(cr2, _mm256_set1_epi16(26345)));
        let r = _mm256_add_epi16(_mm256_add_epi16(y, cr), r);
        let b = halve(_mm256_mulhi_epi16(cb2, _mm256_set1_epi16(-14942)));
        let b = _mm256_add_epi16(_mm256_add_epi16(y, cb2), b);

        let factors = _mm256_set1_epi32((-22554 & 0xFFFF) | 18734 << 16);
        let round = _mm256_set1_epi32(32768);
        let green = |pairs| {
            _mm256_srai_epi32::<16>(_mm256_add_epi32(_mm256_madd_epi16(pairs, factors), round))
        };
        let low = green(_mm256_unpacklo_epi16(cb, cr));
        let high = green(_mm256_unpackhi_epi16(cb, cr));
        let g = _mm256_sub_epi16(_mm256_add_epi16(y, _mm256_packs_epi32(low, high)), cr);
        (r, g, b)
    }

    /// Thirty-two pixels, interleaved, to 96 bytes.
    #[target_feature(enable = "avx2")]
    fn store(r: __m256i, g: __m256i, b: __m256i, out: &mut [u8]) {
        let pick = |plane, third: usize, channel: usize| {
            _mm256_shuffle_epi8(plane, _mm256_broadcastsi128_si256(PICKS[channel][third]))
        };
        let third = |third| {
            let two = _mm256_or_si256(pick(r, third, 0), pick(g, third, 1));
            _mm256_or_si256(two, pick(b, third, 2))
        };
        let (first, second, last) = (third(0), third(1), third(2));
        // Each half of these registers is a third of its own sixteen pixels.
        let mixed = [
            _mm256_permute2x128_si256::<0x20>(first, second),
            _mm256_permute2x128_si256::<0x30>(last, first),
            _mm256_permute2x128_si256::<0x31>(second, last),
        ];
        for (mixed, out) in mixed.into_iter().zip(out[..3 * WIDE].chunks_exact_mut(32)) {
            // SAFETY: `out` is 32 bytes long.
            unsafe { _mm256_storeu_si256(out.as_mut_ptr().cast(), mixed) };
        }
    }

    /// Which pixel's value of a channel goes to each byte of each third; -1 (a zero) elsewhere.
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
    use super::{pixel, rgb, rgb_between, three};
    use crate::isa::Isa;
    use crate::upsample::both;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_twins_agree(pixels in prop::collection::vec(any::<[u8; 3]>(), 0..100),
                           skip in any::<[prop::sample::Index; 4]>()) {
            let plane = |channel: usize| pixels.iter().map(|p| p[channel]).collect::<Vec<_>>();
            // Each row begins at an address of its own.
            let [skip_y, skip_cb, skip_cr, skip] = skip.map(|skip| skip.index(32));
            let row = |skip: usize, channel| [vec![9; skip], plane(channel)].concat();
            let (y, cb, cr) = (row(skip_y, 0), row(skip_cb, 1), row(skip_cr, 2));
            let (y, cb, cr) = (&y[skip_y..], &cb[skip_cb..], &cr[skip_cr..]);
            let (mut a, mut b) = (vec![7; skip + y.len() * 3], vec![7; skip + y.len() * 3]);
            rgb(Isa::Scalar, y, cb, cr, &mut a[skip..]);
            rgb(Isa::detect(), y, cb, cr, &mut b[skip..]);
            prop_assert_eq!(&a, &b);
            three(Isa::Scalar, [y, cb, cr], &mut a[skip..]);
            three(Isa::detect(), [y, cb, cr], &mut b[skip..]);
            prop_assert_eq!(a, b);
        }
    }

    proptest! {
        #[test]
        fn a_row_between_rows_is_two_steps(chroma in prop::collection::vec(any::<[u8; 4]>(), 1..80),
                                           seed in any::<u8>()) {
            let plane = |channel: usize| chroma.iter().map(|c| c[channel]).collect::<Vec<_>>();
            let (cb, cr) = ([plane(0), plane(1)], [plane(2), plane(3)]);
            let y: Vec<u8> = (0..2 * chroma.len()).map(|x| seed.wrapping_mul(x as u8)).collect();
            let (mut a, mut b) = (vec![0; y.len() * 3], vec![0; y.len() * 3]);
            let [cb_rows, cr_rows] = [&cb, &cr].map(|rows| [&rows[0][..], &rows[1][..]]);
            let done = rgb_between(Isa::detect(), &y, cb_rows, cr_rows, &mut a);
            prop_assert_eq!(done, Isa::detect() != Isa::Scalar && y.len() >= 32);
            let (mut wide, mut sums) = ([Vec::new(), Vec::new()], Vec::new());
            both(Isa::Scalar, &cb[0], &cb[1], &mut wide[0], &mut sums);
            both(Isa::Scalar, &cr[0], &cr[1], &mut wide[1], &mut sums);
            rgb(Isa::Scalar, &y, &wide[0], &wide[1], &mut b);
            prop_assert!(!done || a == b);
        }
    }

    #[test]
    fn every_chroma_agrees_with_the_scalar_form() {
        for cb in 0..=255_u8 {
            let cr: Vec<u8> = (0..=255).collect();
            for y in [0, 77, 255] {
                let mut out = vec![0; 3 * 256];
                rgb(Isa::detect(), &[y; 256], &[cb; 256], &cr, &mut out);
                for (cr, got) in out.chunks_exact(3).enumerate() {
                    assert_eq!(got, pixel(y, cb, cr as u8));
                }
            }
        }
    }

    #[test]
    fn near_the_definition() {
        assert_eq!(pixel(128, 128, 128), [128; 3]);
        assert_eq!(pixel(76, 85, 255), [254, 0, 0]);
        assert_eq!(pixel(29, 255, 107), [0, 0, 254]);
    }
}
