//! libjpeg's "fancy" upsampling of chroma: a triangle over the nearest samples, rounded its way.
//!
//! Which component gets which form follows libjpeg-turbo's own rules, so that whole decodes agree.

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

/// Doubles a row across.
pub(crate) fn across(isa: Isa, samples: &[u8], out: &mut Vec<u8>, sums: &mut Sums) {
    // A row between itself and itself; four times the values, four times the bias.
    spread(isa, samples, samples, out, sums, (4, 8));
}

/// Doubles across a row that also lies between two rows: three parts `near`, one part `far`.
#[inline(always)]
pub(crate) fn both(isa: Isa, near: &[u8], far: &[u8], out: &mut Vec<u8>, sums: &mut Sums) {
    spread(isa, near, far, out, sums, BETWEEN);
}

/// A row between two rows of the same width. `upper`: it lies above the middle of `near`.
pub(crate) fn down(near: &[u8], far: &[u8], upper: bool, out: &mut Vec<u8>) {
    let bias = if upper { 1 } else { 2 };
    let mix = |(&n, &f): (&u8, &u8)| ((3 * u16::from(n) + u16::from(f) + bias) >> 2) as u8;
    out.clear();
    out.extend(near.iter().zip(far).map(mix));
}

fn spread(isa: Isa, near: &[u8], far: &[u8], out: &mut Vec<u8>, sums: &mut Sums, bias: (i16, i16)) {
    out.resize(2 * near.len(), 0);
    match isa {
        #[cfg(target_arch = "x86_64")]
        // SAFETY: this value of Isa exists only where the instructions do.
        Isa::Avx2 if near.len() >= avx2::WIDE => unsafe { avx2::spread(near, far, out, bias) },
        _ => spread_scalar(near, far, out, sums, bias),
    }
}

/// The first and last sum are repeated: libjpeg's own edge rule comes out of the same formula.
fn spread_scalar(near: &[u8], far: &[u8], out: &mut [u8], sums: &mut Sums, bias: (i16, i16)) {
    sums.clear();
    sums.push(0);
    sums.extend(near.iter().zip(far).map(|(&n, &f)| 3 * i16::from(n) + i16::from(f)));
    let (first, last) = (sums.get(1).copied(), sums.last().copied());
    sums[0] = first.unwrap_or(0);
    sums.push(last.unwrap_or(0));
    let neighbours = sums.iter().zip(&sums[1..]).zip(&sums[2..]);
    for (pair, ((&left, &this), &right)) in out.chunks_exact_mut(2).zip(neighbours) {
        pair[0] = ((3 * this + left + bias.0) >> 4) as u8;
        pair[1] = ((3 * this + right + bias.1) >> 4) as u8;
    }
}

#[cfg(target_arch = "x86_64")]
pub(crate) mod avx2 {
    use std::arch::x86_64::*;

    /// Samples at once, and the fewest a row may have.
    pub(crate) const WIDE: usize = 16;

    /// The last step may repeat samples of the one before.
    #[inline]
    #[target_feature(enable = "avx2")]
    pub(super) fn spread(near: &[u8], far: &[u8], out: &mut [u8], bias: (i16, i16)) {
        let (last, mut at) = (near.len().min(far.len()) - WIDE, 0);
        loop {
            let doubled = doubled(near, far, at, bias);
            let out = &mut out[2 * at..2 * (at + WIDE)];
            // SAFETY: `out` is 32 bytes long.
            unsafe { _mm256_storeu_si256(out.as_mut_ptr().cast(), doubled) };
            if at == last {
                return;
            }
            at = (at + WIDE).min(last);
        }
    }

    /// The samples from `at` on, as twice as many.
    #[inline]
    #[target_feature(enable = "avx2")]
    pub(crate) fn doubled(near: &[u8], far: &[u8], at: usize, bias: (i16, i16)) -> __m256i {
        let last = near.len().min(far.len()) - 1;
        let sum = |at: usize| 3 * i16::from(near[at]) + i16::from(far[at]);
        let edges = (sum(at.saturating_sub(1)), sum((at + WIDE).min(last)));
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
        let samples = &samples[..WIDE];
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
