//! Copies a scan's entropy-coded data without its stuffing bytes, noting where restart markers stood.
//!
//! After this no reader ever looks for FF, and every restart segment is a known offset.

use crate::bits::PADDING;
use crate::isa::Isa;

/// One stretch between restart markers, as byte offsets of the copy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Stretch {
    pub start: usize,
    pub end: usize,
    /// Where its first byte stands in the file.
    pub origin: usize,
    /// The number (0 to 7) of the restart marker before it; none before the first.
    pub marker: Option<u8>,
}

/// A scan without stuffing; reused from scan to scan.
#[derive(Debug, Default)]
pub(crate) struct Unstuffed {
    buffer: Vec<u8>,
    length: usize,
    pub stretches: Vec<Stretch>,
    /// Where in the file the marker that ended the scan stands, or the file's length.
    pub end: usize,
}

impl Unstuffed {
    /// The bytes, and [`PADDING`] zeros behind them.
    pub fn padded(&self) -> &[u8] {
        &self.buffer[..self.length + PADDING]
    }

    /// Reads the scan whose data begins at `start`.
    pub fn read(&mut self, data: &[u8], start: usize, isa: Isa) {
        let most = data.len() - start + PADDING;
        if self.buffer.len() < most {
            self.buffer.resize(most, 0);
        }
        self.stretches.clear();
        self.stretches.push(Stretch { start: 0, end: 0, origin: start, marker: None });
        let (mut from, mut to) = (start, 0);
        loop {
            let plain = copy_until_ff(&data[from..], &mut self.buffer[to..], isa);
            from += plain;
            to += plain;
            let Some(code_at) = data[from..].iter().position(|&byte| byte != 0xFF) else {
                // Half a marker is none: the data ends here.
                from = data.len();
                break;
            };
            match data[from + code_at] {
                0 => {
                    self.buffer[to] = 0xFF;
                    to += 1;
                }
                code @ 0xD0..=0xD7 => {
                    self.close(to);
                    let origin = from + code_at + 1;
                    let marker = Some(code - 0xD0);
                    self.stretches.push(Stretch { start: to, end: to, origin, marker });
                }
                _ => break,
            }
            from += code_at + 1;
        }
        self.close(to);
        self.buffer[to..to + PADDING].fill(0);
        self.length = to;
        self.end = from;
    }

    fn close(&mut self, end: usize) {
        if let Some(last) = self.stretches.last_mut() {
            last.end = end;
        }
    }

    /// The file offset of a byte of the copy (walks the file again: for error messages).
    pub fn origin(&self, data: &[u8], at: usize) -> usize {
        let Some(stretch) = self.stretches.iter().rev().find(|stretch| stretch.start <= at) else {
            return 0;
        };
        let (mut from, mut left) = (stretch.origin, at - stretch.start);
        while left > 0 && from < self.end {
            let stuffed = data[from] == 0xFF && data.get(from + 1) == Some(&0);
            from += if stuffed { 2 } else { 1 };
            left -= 1;
        }
        from
    }
}

/// Copies the bytes before the first FF; returns how many.
fn copy_until_ff(from: &[u8], to: &mut [u8], isa: Isa) -> usize {
    match isa {
        #[cfg(target_arch = "x86_64")]
        // SAFETY: this value of Isa exists only where the instructions do.
        Isa::Avx2 => unsafe { avx2::copy_until_ff(from, to) },
        _ => copy_until_ff_scalar(from, to),
    }
}

fn copy_until_ff_scalar(from: &[u8], to: &mut [u8]) -> usize {
    let plain = from.iter().position(|&byte| byte == 0xFF).unwrap_or(from.len());
    to[..plain].copy_from_slice(&from[..plain]);
    plain
}

#[cfg(target_arch = "x86_64")]
mod avx2 {
    use std::arch::x86_64::{
        __m256i, _mm256_cmpeq_epi8, _mm256_loadu_si256, _mm256_movemask_epi8, _mm256_set1_epi8,
        _mm256_storeu_si256,
    };

    /// As the scalar twin, but may overwrite up to 31 bytes of `to` behind what it reports.
    #[target_feature(enable = "avx2,bmi1")]
    pub(super) fn copy_until_ff(from: &[u8], to: &mut [u8]) -> usize {
        let mut at = 0;
        for (source, target) in from.chunks_exact(32).zip(to.chunks_exact_mut(32)) {
            // SAFETY: both chunks are 32 bytes long.
            let found = unsafe {
                let bytes = _mm256_loadu_si256(source.as_ptr().cast::<__m256i>());
                _mm256_storeu_si256(target.as_mut_ptr().cast::<__m256i>(), bytes);
                _mm256_movemask_epi8(_mm256_cmpeq_epi8(bytes, _mm256_set1_epi8(-1))) as u32
            };
            if found != 0 {
                return at + found.trailing_zeros() as usize;
            }
            at += 32;
        }
        at + super::copy_until_ff_scalar(&from[at..], &mut to[at..])
    }
}

#[cfg(test)]
mod tests {
    use super::{Stretch, Unstuffed};
    use crate::isa::Isa;
    use proptest::prelude::*;

    fn read(data: &[u8], start: usize, isa: Isa) -> (Vec<u8>, Vec<Stretch>, usize) {
        let mut out = Unstuffed::default();
        out.read(data, start, isa);
        (out.padded()[..out.length].to_vec(), out.stretches.clone(), out.end)
    }

    #[test]
    fn stuffing_fill_bytes_and_markers() {
        let data =
            [9, 1, 0xFF, 0, 2, 0xFF, 0xFF, 0, 0xFF, 0xD3, 3, 0xFF, 0xFF, 0xD4, 0xFF, 0xD9, 7];
        let (bytes, stretches, end) = read(&data, 1, Isa::Scalar);
        assert_eq!(bytes, [1, 0xFF, 2, 0xFF, 3]);
        assert_eq!(
            stretches,
            [
                Stretch { start: 0, end: 4, origin: 1, marker: None },
                Stretch { start: 4, end: 5, origin: 10, marker: Some(3) },
                Stretch { start: 5, end: 5, origin: 14, marker: Some(4) },
            ]
        );
        assert_eq!(end, 14);
    }

    #[test]
    fn half_a_marker_is_the_end_of_the_data() {
        let (bytes, _, end) = read(&[1, 2, 0xFF, 0xFF], 0, Isa::detect());
        assert_eq!((bytes.as_slice(), end), (&[1, 2][..], 4));
    }

    /// From a marker in every few bytes to none in several vectors.
    fn any_data() -> impl Strategy<Value = Vec<u8>> {
        (1_u32..150).prop_flat_map(|plain| {
            let byte = prop_oneof![plain => 0_u8..0xFF, 1 => Just(0xFF), 1 => Just(0)];
            prop::collection::vec(byte, 0..400)
        })
    }

    proptest! {
        #[test]
        fn the_twins_agree(data in any_data(), start in 0_usize..40) {
            let start = start.min(data.len());
            prop_assert_eq!(read(&data, start, Isa::Scalar), read(&data, start, Isa::detect()));
        }

        #[test]
        fn origins_point_back(data in any_data()) {
            let mut out = Unstuffed::default();
            out.read(&data, 0, Isa::Scalar);
            for stretch in &out.stretches {
                prop_assert_eq!(out.origin(&data, stretch.start) >= stretch.origin, true);
            }
        }
    }
}
