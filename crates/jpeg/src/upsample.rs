//! libjpeg's "fancy" upsampling of chroma: a triangle over the nearest samples, rounded its way.
//!
//! Which component gets which form follows libjpeg-turbo's own rules, so that whole decodes agree.
//! The loops are plain, with an AVX2 twin of those that spread across.

use crate::header::{Component, Header};
use crate::isa::Isa;
use crate::window::Region;

/// How a component becomes as wide and high as the picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// It already is.
    Same,
    /// Triangle across, same height.
    Across,
    /// Triangle down, same width.
    Down,
    /// Triangle in both directions.
    Both,
    /// Every sample repeated (or every position rounded down, where factors do not divide).
    Repeat,
}

impl Form {
    pub fn of(header: &Header, component: &Component) -> Self {
        let (h, v) = (component.h, component.v);
        let twice_across = h * 2 == header.h_max;
        let twice_down = v * 2 == header.v_max;
        match () {
            () if h == header.h_max && v == header.v_max => Self::Same,
            () if twice_across && v == header.v_max && component.width > 2 => Self::Across,
            () if h == header.h_max && twice_down => Self::Down,
            () if twice_across && twice_down && component.width > 2 => Self::Both,
            () => Self::Repeat,
        }
    }

    pub fn looks_down(self) -> bool {
        matches!(self, Self::Down | Self::Both)
    }

    pub fn looks_across(self) -> bool {
        matches!(self, Self::Across | Self::Both)
    }

    /// The samples a region of the picture needs of a component.
    pub fn source(self, header: &Header, component: &Component, region: Region) -> Region {
        let (x, width) = span(
            (region.x, region.width),
            (component.h, header.h_max),
            component.width,
            self.looks_across(),
        );
        let (y, height) = span(
            (region.y, region.height),
            (component.v, header.v_max),
            component.height,
            self.looks_down(),
        );
        Region { x, y, width, height }
    }
}

fn span(pixels: (u32, u32), factor: (u8, u8), limit: u32, context: bool) -> (u32, u32) {
    let (part, whole) = (u32::from(factor.0), u32::from(factor.1));
    let more = u32::from(context);
    let start = (pixels.0 * part / whole).saturating_sub(more);
    let last = ((pixels.0 + pixels.1 - 1) * part / whole + more).min(limit - 1);
    (start, last + 1 - start)
}

/// Scratch for one row of sums, with a neighbour at each end.
pub(crate) type Sums = Vec<i16>;

/// What is added before sixteenths are cut off, left and right, in a row between two rows.
pub(crate) const BETWEEN: (i16, i16) = (8, 7);

/// Doubles a row across: `samples` (which stand at `start` of `width`) to twice as many.
pub(crate) fn across(isa: Isa, samples: &[u8], out: &mut Vec<u8>, sums: &mut Sums) {
    let middle = padded(sums, samples.len());
    for (sum, &sample) in middle.iter_mut().zip(samples) {
        *sum = i16::from(sample);
    }
    repeat_ends(sums);
    out.resize(2 * samples.len(), 0);
    spread(isa, sums, out, (1, 2), 2);
}

/// Doubles across a row that also lies between two rows: three parts `near`, one part `far`.
#[inline(always)]
pub(crate) fn both(isa: Isa, near: &[u8], far: &[u8], out: &mut Vec<u8>, sums: &mut Sums) {
    let middle = padded(sums, near.len());
    match isa {
        #[cfg(target_arch = "x86_64")]
        // SAFETY: this value of Isa exists only where the instructions do.
        Isa::Avx2 => unsafe { avx2::mix(near, far, middle) },
        _ => mix(near, far, middle),
    }
    repeat_ends(sums);
    out.resize(2 * near.len(), 0);
    spread(isa, sums, out, BETWEEN, 4);
}

#[inline(always)]
fn mix(near: &[u8], far: &[u8], sums: &mut [i16]) {
    for (sum, (&near, &far)) in sums.iter_mut().zip(near.iter().zip(far)) {
        *sum = 3 * i16::from(near) + i16::from(far);
    }
}

/// A row between two rows of the same width. `upper`: it lies above the middle of `near`.
pub(crate) fn down(near: &[u8], far: &[u8], upper: bool, out: &mut Vec<u8>) {
    let bias = if upper { 1 } else { 2 };
    let mix = |(&n, &f): (&u8, &u8)| ((3 * u16::from(n) + u16::from(f) + bias) >> 2) as u8;
    out.clear();
    out.extend(near.iter().zip(far).map(mix));
}

/// Room for a row of sums, a neighbour's room at each end left out.
fn padded(sums: &mut Sums, width: usize) -> &mut [i16] {
    sums.resize(width + 2, 0);
    &mut sums[1..=width]
}

/// The first and the last sum repeated: libjpeg's own edge rule comes out of the same formula.
fn repeat_ends(sums: &mut Sums) {
    let last = sums.len() - 1;
    sums[0] = sums[1];
    sums[last] = sums[last - 1];
}

fn spread(isa: Isa, sums: &[i16], out: &mut [u8], bias: (i16, i16), shift: i32) {
    match isa {
        #[cfg(target_arch = "x86_64")]
        // SAFETY: this value of Isa exists only where the instructions do.
        Isa::Avx2 => unsafe { avx2::spread(sums, out, bias, shift) },
        _ => spread_plain(sums, out, bias, shift),
    }
}

fn spread_plain(sums: &[i16], out: &mut [u8], bias: (i16, i16), shift: i32) {
    let neighbours = sums.iter().zip(&sums[1..]).zip(&sums[2..]);
    for (pair, ((&left, &this), &right)) in out.chunks_exact_mut(2).zip(neighbours) {
        pair[0] = ((3 * this + left + bias.0) >> shift) as u8;
        pair[1] = ((3 * this + right + bias.1) >> shift) as u8;
    }
}

#[cfg(target_arch = "x86_64")]
pub(crate) mod avx2 {
    use std::arch::x86_64::*;

    #[target_feature(enable = "avx2")]
    pub(super) fn mix(near: &[u8], far: &[u8], sums: &mut [i16]) {
        super::mix(near, far, sums);
    }

    /// Sums a step spreads.
    const STEP: usize = 16;

    #[target_feature(enable = "avx2")]
    pub(super) fn spread(sums: &[i16], out: &mut [u8], bias: (i16, i16), shift: i32) {
        let width = out.len() / 2;
        if width < STEP {
            return super::spread_plain(sums, out, bias, shift);
        }
        let biases = (_mm256_set1_epi16(bias.0), _mm256_set1_epi16(bias.1));
        let shift = _mm_cvtsi32_si128(shift);
        for at in (0..width / STEP * STEP).step_by(STEP) {
            step(&sums[at..], &mut out[2 * at..], biases, shift);
        }
        // What is left over is done together with sums that are done already.
        let last = width - STEP;
        step(&sums[last..], &mut out[2 * last..], biases, shift);
    }

    #[target_feature(enable = "avx2")]
    fn step(sums: &[i16], out: &mut [u8], bias: (__m256i, __m256i), shift: __m128i) {
        let load = |at: usize| {
            let sums = &sums[at..at + STEP];
            // SAFETY: `sums` has sixteen values.
            unsafe { _mm256_loadu_si256(sums.as_ptr().cast()) }
        };
        let (left, this, right) = (load(0), load(1), load(2));
        let thrice = _mm256_add_epi16(this, _mm256_add_epi16(this, this));
        let near = |other, bias| {
            _mm256_srl_epi16(_mm256_add_epi16(_mm256_add_epi16(thrice, other), bias), shift)
        };
        let (even, odd) = (near(left, bias.0), near(right, bias.1));
        let pairs = _mm256_or_si256(even, _mm256_slli_epi16::<8>(odd));
        let out = &mut out[..2 * STEP];
        // SAFETY: `out` is 32 bytes long.
        unsafe { _mm256_storeu_si256(out.as_mut_ptr().cast(), pairs) };
    }

    /// The samples from `at` on, as twice as many.
    #[inline]
    #[target_feature(enable = "avx2")]
    pub(crate) fn doubled(near: &[u8], far: &[u8], at: usize, bias: (i16, i16)) -> __m256i {
        let last = near.len().min(far.len()) - 1;
        let sum = |at: usize| 3 * i16::from(near[at]) + i16::from(far[at]);
        let edges = (sum(at.saturating_sub(1)), sum((at + STEP).min(last)));
        let (near, far) = (widen(&near[at..]), widen(&far[at..]));
        let this = _mm256_add_epi16(_mm256_add_epi16(near, near), _mm256_add_epi16(near, far));
        let (low, high) = (
            _mm256_permute2x128_si256::<0x08>(this, this),
            _mm256_permute2x128_si256::<0x81>(this, this),
        );
        let left = _mm256_insert_epi16::<0>(_mm256_alignr_epi8::<14>(this, low), edges.0);
        let right = _mm256_insert_epi16::<15>(_mm256_alignr_epi8::<2>(high, this), edges.1);
        let three = _mm256_add_epi16(_mm256_add_epi16(this, this), this);
        let mix = |side, bias| {
            let sum = _mm256_add_epi16(_mm256_add_epi16(three, side), _mm256_set1_epi16(bias));
            _mm256_srli_epi16::<4>(sum)
        };
        _mm256_or_si256(mix(left, bias.0), _mm256_slli_epi16::<8>(mix(right, bias.1)))
    }

    #[target_feature(enable = "avx2")]
    fn widen(samples: &[u8]) -> __m256i {
        let samples = &samples[..STEP];
        // SAFETY: `samples` is 16 bytes long.
        _mm256_cvtepu8_epi16(unsafe { _mm_loadu_si128(samples.as_ptr().cast()) })
    }
}

#[cfg(test)]
mod tests {
    use super::{across, both, down};
    use crate::isa::Isa;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_twins_agree(near in prop::collection::vec(any::<u8>(), 1..200), shift in 0_u8..255) {
            let far: Vec<u8> = near.iter().map(|n| n.wrapping_mul(7).wrapping_add(shift)).collect();
            let (mut a, mut b, mut sums) = (Vec::new(), Vec::new(), Vec::new());
            across(Isa::Scalar, &near, &mut a, &mut sums);
            across(Isa::detect(), &near, &mut b, &mut sums);
            prop_assert_eq!(&a, &b);
            both(Isa::Scalar, &near, &far, &mut a, &mut sums);
            both(Isa::detect(), &near, &far, &mut b, &mut sums);
            prop_assert_eq!(&a, &b);
        }
    }

    #[test]
    fn libjpegs_edges_and_roundings() {
        let (mut out, mut sums) = (Vec::new(), Vec::new());
        across(Isa::Scalar, &[10, 20, 41], &mut out, &mut sums);
        assert_eq!(out, [10, 13, 17, 25, 36, 41]);
        both(Isa::Scalar, &[10, 20], &[30, 21], &mut out, &mut sums);
        assert_eq!(out, [15, 16, 19, 20]);
        down(&[10, 20], &[11, 23], true, &mut out);
        assert_eq!(out, [10, 21]);
        down(&[10, 20], &[11, 23], false, &mut out);
        assert_eq!(out, [10, 21]);
    }
}
