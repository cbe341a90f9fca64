//! Bytes to single precision, sixteen pixels at a time.

use pixfeed_jpeg::Isa;

use super::{Layout, ToArray};

/// Writes the picture; false, and nothing written, where there are no such instructions.
pub(super) fn write(
    isa: Isa,
    tail: &ToArray,
    pixels: &[u8],
    channels: usize,
    out: &mut [u8],
) -> bool {
    match isa {
        #[cfg(target_arch = "x86_64")]
        Isa::Avx2 => {
            let factors: &[(f32, f32)] = &tail.factors[..channels];
            // SAFETY: this value of Isa exists only where the instructions do.
            unsafe {
                match (tail.layout, channels) {
                    (Layout::Nchw, 3) => kernels::planes(&tail.factors, pixels, out),
                    _ => kernels::flat(factors, pixels, out),
                }
            }
            true
        }
        _ => {
            let _ = (tail, pixels, channels, out, Layout::Nchw);
            false
        }
    }
}

#[cfg(target_arch = "x86_64")]
mod kernels {
    use std::arch::x86_64::*;

    /// Pixels of a step.
    const STEP: usize = 16;

    /// Interleaved pixels to planes.
    #[target_feature(enable = "avx2")]
    pub(super) fn planes(factors: &[(f32, f32); 3], pixels: &[u8], out: &mut [u8]) {
        let area = pixels.len() / 3;
        let (first, rest) = out.split_at_mut(area * 4);
        let (second, third) = rest.split_at_mut(area * 4);
        let outs = [first, second, third];
        let (steps, odd) = pixels.as_chunks::<{ 3 * STEP }>();
        for (at, step) in steps.iter().enumerate() {
            for (channel, values) in channels(step).into_iter().enumerate() {
                let to = &mut outs[channel][at * STEP * 4..][..STEP * 4];
                let (s, b) = factors[channel];
                let (s, b) = (_mm256_set1_ps(s), _mm256_set1_ps(b));
                store(&mut to[..32], line(values, s, b));
                store(&mut to[32..], line(_mm_srli_si128::<8>(values), s, b));
            }
        }
        let done = steps.len() * STEP;
        for (at, pixel) in odd.as_chunks::<3>().0.iter().enumerate() {
            for channel in 0..3 {
                let to = (done + at) * 4;
                outs[channel][to..to + 4].copy_from_slice(&one(factors[channel], pixel[channel]));
            }
        }
    }

    /// Pixels in the order they are.
    #[target_feature(enable = "avx2")]
    pub(super) fn flat(factors: &[(f32, f32)], pixels: &[u8], out: &mut [u8]) {
        let count = factors.len();
        let spread = |at: usize| -> (__m256, __m256) {
            let s: [f32; 8] = std::array::from_fn(|i| factors[(at * 8 + i) % count].0);
            let b: [f32; 8] = std::array::from_fn(|i| factors[(at * 8 + i) % count].1);
            // SAFETY: both arrays hold eight numbers.
            unsafe { (_mm256_loadu_ps(s.as_ptr()), _mm256_loadu_ps(b.as_ptr())) }
        };
        let lines = [spread(0), spread(1), spread(2)];
        let (steps, odd) = pixels.as_chunks::<24>();
        for (step, out) in steps.iter().zip(out.chunks_exact_mut(96)) {
            for (at, (s, b)) in lines.into_iter().enumerate() {
                // SAFETY: eight bytes are read, and there are eight from `at * 8` on.
                let values = unsafe { _mm_loadl_epi64(step[at * 8..at * 8 + 8].as_ptr().cast()) };
                store(&mut out[at * 32..][..32], line(values, s, b));
            }
        }
        let done = steps.len() * 24;
        for (at, &value) in odd.iter().enumerate() {
            let to = (done + at) * 4;
            out[to..to + 4].copy_from_slice(&one(factors[(done + at) % count], value));
        }
    }

    fn one((s, b): (f32, f32), value: u8) -> [u8; 4] {
        (f32::from(value) * s + b).to_ne_bytes()
    }

    /// The lower eight bytes as numbers. Two roundings: no fused multiply-add.
    #[target_feature(enable = "avx2")]
    fn line(values: __m128i, s: __m256, b: __m256) -> __m256 {
        let numbers = _mm256_cvtepi32_ps(_mm256_cvtepu8_epi32(values));
        _mm256_add_ps(_mm256_mul_ps(numbers, s), b)
    }

    #[target_feature(enable = "avx2")]
    fn store(out: &mut [u8], line: __m256) {
        let out = &mut out[..32];
        // SAFETY: `out` is 32 bytes long.
        unsafe { _mm256_storeu_ps(out.as_mut_ptr().cast(), line) };
    }

    /// Sixteen interleaved pixels to sixteen values of each channel.
    #[target_feature(enable = "avx2")]
    fn channels(step: &[u8; 3 * STEP]) -> [__m128i; 3] {
        let (thirds, _) = step.as_chunks::<16>();
        // SAFETY: each third is sixteen bytes long.
        let thirds =
            [0, 1, 2].map(|third| unsafe { _mm_loadu_si128(thirds[third].as_ptr().cast()) });
        let pick =
            |third: usize, channel: usize| _mm_shuffle_epi8(thirds[third], PICKS[channel][third]);
        [0, 1, 2].map(|channel| {
            _mm_or_si128(_mm_or_si128(pick(0, channel), pick(1, channel)), pick(2, channel))
        })
    }

    /// Which byte of a third goes to which pixel's place in a channel; a zero where none does.
    static PICKS: [[__m128i; 3]; 3] = picks();

    const fn picks() -> [[__m128i; 3]; 3] {
        let mut bytes = [[[0x80_u8; 16]; 3]; 3];
        let mut at = 0;
        while at < 48 {
            bytes[at % 3][at / 16][at / 3] = (at % 16) as u8;
            at += 1;
        }
        // SAFETY: both types are plain bytes of the same size.
        unsafe { std::mem::transmute(bytes) }
    }
}
