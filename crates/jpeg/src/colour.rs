//! Components to colours, a row at a time, by libjpeg's fixed-point formulas.

use crate::isa::Isa;

/// One row of YCbCr to RGB.
pub(crate) fn rgb(isa: Isa, y: &[u8], cb: &[u8], cr: &[u8], out: &mut [u8]) {
    match isa {
        #[cfg(target_arch = "x86_64")]
        // SAFETY: this value of Isa exists only where the instructions do.
        Isa::Avx2 => unsafe { avx2::rgb(y, cb, cr, out) },
        _ => rgb_scalar(y, cb, cr, out),
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

    #[target_feature(enable = "avx2")]
    pub(super) fn rgb(y: &[u8], cb: &[u8], cr: &[u8], out: &mut [u8]) {
        let width = y.len().min(cb.len()).min(cr.len()).min(out.len() / 3);
        let whole = width / 16 * 16;
        for at in (0..whole).step_by(16) {
            let (r, g, b) = convert(widen(&y[at..]), widen(&cb[at..]), widen(&cr[at..]));
            store(r, g, b, &mut out[3 * at..]);
        }
        super::rgb_scalar(&y[whole..], &cb[whole..], &cr[whole..], &mut out[3 * whole..3 * width]);
    }

    #[target_feature(enable = "avx2")]
    fn widen(samples: &[u8]) -> __m256i {
        let samples = &samples[..16];
        // SAFETY: `samples` is 16 bytes long.
        _mm256_cvtepu8_epi16(unsafe { _mm_loadu_si128(samples.as_ptr().cast()) })
    }

    /// The scalar formulas in 16 bits: each factor loses the whole numbers it contains.
    #[target_feature(enable = "avx2")]
    fn convert(y: __m256i, cb: __m256i, cr: __m256i) -> (__m128i, __m128i, __m128i) {
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
        (narrow(r), narrow(g), narrow(b))
    }

    #[target_feature(enable = "avx2")]
    fn narrow(v: __m256i) -> __m128i {
        _mm_packus_epi16(_mm256_castsi256_si128(v), _mm256_extracti128_si256::<1>(v))
    }

    /// Sixteen pixels, interleaved, to 48 bytes.
    #[target_feature(enable = "avx2")]
    fn store(r: __m128i, g: __m128i, b: __m128i, out: &mut [u8]) {
        let pick =
            |plane, third: usize, channel: usize| _mm_shuffle_epi8(plane, PICKS[channel][third]);
        for (third, out) in out[..48].chunks_exact_mut(16).enumerate() {
            let mixed =
                _mm_or_si128(_mm_or_si128(pick(r, third, 0), pick(g, third, 1)), pick(b, third, 2));
            // SAFETY: `out` is 16 bytes long.
            unsafe { _mm_storeu_si128(out.as_mut_ptr().cast(), mixed) };
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
    use super::{pixel, rgb};
    use crate::isa::Isa;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_twins_agree(pixels in prop::collection::vec(any::<[u8; 3]>(), 0..100)) {
            let plane = |channel: usize| pixels.iter().map(|p| p[channel]).collect::<Vec<_>>();
            let (y, cb, cr) = (plane(0), plane(1), plane(2));
            let (mut a, mut b) = (vec![0; y.len() * 3], vec![0; y.len() * 3]);
            rgb(Isa::Scalar, &y, &cb, &cr, &mut a);
            rgb(Isa::detect(), &y, &cb, &cr, &mut b);
            prop_assert_eq!(a, b);
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
