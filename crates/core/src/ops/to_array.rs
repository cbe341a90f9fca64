//! The tail: uint8 pixels to the numbers of a batch.

mod avx2;

use pixfeed_jpeg::Isa;

use super::options::Options;
use crate::fault::{Code, Fault};

/// The type of a batch's numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dtype {
    /// Bytes, unchanged.
    Uint8,
    /// Half precision.
    Float16,
    /// The upper half of single precision.
    Bfloat16,
    /// Single precision.
    Float32,
}

impl Dtype {
    /// Bytes of one number.
    #[must_use]
    pub fn bytes(self) -> usize {
        match self {
            Self::Uint8 => 1,
            Self::Float16 | Self::Bfloat16 => 2,
            Self::Float32 => 4,
        }
    }
}

/// The order of a batch's axes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layout {
    /// Height, width, channels.
    Nhwc,
    /// Channels, height, width.
    Nchw,
}

/// The tail of a recipe: every number is f32(u8) * s + b, rounded after each of the two.
#[derive(Clone, Debug)]
pub struct ToArray {
    /// The type of the numbers.
    pub dtype: Dtype,
    /// The order of the axes.
    pub layout: Layout,
    /// s and b of each channel.
    factors: [(f32, f32); 3],
    /// The bits of all 256 numbers of each channel, for types of two bytes.
    halves: Box<[[u16; 256]; 3]>,
}

impl Default for ToArray {
    fn default() -> Self {
        Self::new(Dtype::Uint8, Layout::Nhwc, [(1.0, 0.0); 3])
    }
}

impl ToArray {
    /// From the options of the op.
    ///
    /// # Errors
    /// When an option is missing or impossible.
    pub fn build(options: &Options) -> Result<Self, Fault> {
        let dtype = match options.text("dtype")? {
            "uint8" => Dtype::Uint8,
            "float16" => Dtype::Float16,
            "bfloat16" => Dtype::Bfloat16,
            "float32" => Dtype::Float32,
            other => return refuse(format!("dtype {other:?}")),
        };
        let layout = match options.text("layout")? {
            "NHWC" => Layout::Nhwc,
            "NCHW" => Layout::Nchw,
            other => return refuse(format!("layout {other:?}")),
        };
        let scale = options.maybe_number("scale")?.unwrap_or(1.0 / 255.0);
        let mean = each(options.maybe_list("mean")?, 0.0)?;
        let std = each(options.maybe_list("std")?, 1.0)?;
        let factor = |channel: usize| {
            let (mean, std) = (mean[channel], std[channel]);
            ((scale / std) as f32, (-mean / std) as f32)
        };
        Ok(Self::new(dtype, layout, [0, 1, 2].map(factor)))
    }

    fn new(dtype: Dtype, layout: Layout, factors: [(f32, f32); 3]) -> Self {
        let mut halves = Box::new([[0; 256]; 3]);
        for (table, (s, b)) in halves.iter_mut().zip(factors) {
            for (value, bits) in (0_u8..=255).zip(table.iter_mut()) {
                let number = f32::from(value) * s + b;
                *bits = match dtype {
                    Dtype::Bfloat16 => half::bf16::from_f32(number).to_bits(),
                    _ => half::f16::from_f32(number).to_bits(),
                };
            }
        }
        Self { dtype, layout, factors, halves }
    }

    /// Whether the bytes of a batch are the pixels as they are.
    #[must_use]
    pub fn is_plain(&self) -> bool {
        self.dtype == Dtype::Uint8 && self.layout == Layout::Nhwc
    }

    /// Writes one picture, row by row with channels interleaved, as the numbers of its slot.
    ///
    /// # Panics
    /// When `out` has not as many bytes as the picture has numbers.
    pub fn write(&self, isa: Isa, pixels: &[u8], channels: usize, out: &mut [u8]) {
        assert_eq!(out.len(), pixels.len() * self.dtype.bytes(), "length of the slot");
        match self.dtype {
            Dtype::Uint8 if self.layout == Layout::Nhwc || channels == 1 => {
                out.copy_from_slice(pixels);
            }
            Dtype::Float32 if avx2::write(isa, self, pixels, channels, out) => {}
            Dtype::Uint8 => self.spread::<1>(pixels, channels, out, |_, value| [value]),
            Dtype::Float32 => self.spread::<4>(pixels, channels, out, |channel, value| {
                let (s, b) = self.factors[channel];
                (f32::from(value) * s + b).to_ne_bytes()
            }),
            Dtype::Float16 | Dtype::Bfloat16 => {
                self.spread::<2>(pixels, channels, out, |channel, value| {
                    self.halves[channel][usize::from(value)].to_ne_bytes()
                });
            }
        }
    }

    fn spread<const N: usize>(
        &self,
        pixels: &[u8],
        channels: usize,
        out: &mut [u8],
        number: impl Fn(usize, u8) -> [u8; N],
    ) {
        let (out, _) = out.as_chunks_mut::<N>();
        for channel in 0..channels {
            let values = pixels.iter().skip(channel).step_by(channels);
            let write = |(slot, value): (&mut [u8; N], &u8)| *slot = number(channel, *value);
            match self.layout {
                Layout::Nhwc => {
                    out.iter_mut().skip(channel).step_by(channels).zip(values).for_each(write);
                }
                Layout::Nchw => {
                    let area = pixels.len() / channels;
                    out[channel * area..][..area].iter_mut().zip(values).for_each(write);
                }
            }
        }
    }
}

/// One number for all channels, or one each.
fn each(given: Option<&[f64]>, default: f64) -> Result<[f64; 3], Fault> {
    match given {
        None => Ok([default; 3]),
        Some(&[one]) => Ok([one; 3]),
        Some(&[red, green, blue]) => Ok([red, green, blue]),
        Some(other) => refuse(format!("{} numbers for the channels", other.len())),
    }
}

fn refuse<T>(found: String) -> Result<T, Fault> {
    Err(Fault::new(Code::BadRequest, "", found))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_twins_agree(pixels in 0_usize..200, channels in prop_oneof![Just(1_usize), Just(3)],
                           planes in any::<bool>(), factors in any::<[(f32, f32); 3]>()) {
            let layout = if planes { Layout::Nchw } else { Layout::Nhwc };
            let tail = ToArray::new(Dtype::Float32, layout, factors);
            let picture: Vec<u8> = (0..pixels * channels).map(|at| (at * 37 % 256) as u8).collect();
            let (mut a, mut b) = (vec![0; picture.len() * 4], vec![1; picture.len() * 4]);
            tail.write(Isa::Scalar, &picture, channels, &mut a);
            tail.write(Isa::detect(), &picture, channels, &mut b);
            prop_assert_eq!(a, b);
        }
    }

    /// Numbers that a fused multiply-add would round to the other side.
    #[test]
    fn halves_are_rounded_after_each_step() {
        for (value, s, b, bits) in [
            (111, 1_019_831_844, 3_224_321_987, 41162_u16),
            (69, 1_016_750_920, 3_214_103_818, 12488),
            (170, 1_013_340_992, 3_222_856_942, 5354),
        ] {
            let factors = [(f32::from_bits(s), f32::from_bits(b)); 3];
            let mut out = [0; 2];
            let tail = ToArray::new(Dtype::Float16, Layout::Nhwc, factors);
            tail.write(Isa::Scalar, &[value], 1, &mut out);
            assert_eq!(u16::from_ne_bytes(out), bits);
        }
    }

    #[test]
    fn every_type_and_layout_by_hand() {
        let factors = [(2.0, 1.0), (0.5, -1.0), (1.0, 0.0)];
        let picture = [1, 2, 3, 4, 5, 6];
        let written = |dtype: Dtype, layout| {
            let mut out = vec![0; 6 * dtype.bytes()];
            ToArray::new(dtype, layout, factors).write(Isa::Scalar, &picture, 3, &mut out);
            out
        };
        assert_eq!(written(Dtype::Uint8, Layout::Nchw), [1, 4, 2, 5, 3, 6]);
        let floats = |layout| -> Vec<f32> {
            written(Dtype::Float32, layout)
                .as_chunks::<4>()
                .0
                .iter()
                .map(|bytes| f32::from_ne_bytes(*bytes))
                .collect()
        };
        assert_eq!(floats(Layout::Nhwc), [3.0, 0.0, 3.0, 9.0, 1.5, 6.0]);
        assert_eq!(floats(Layout::Nchw), [3.0, 9.0, 0.0, 1.5, 3.0, 6.0]);
        let halves = written(Dtype::Float16, Layout::Nhwc);
        assert_eq!(halves[..2], half::f16::from_f32(3.0).to_ne_bytes());
        let halves = written(Dtype::Bfloat16, Layout::Nchw);
        assert_eq!(halves[2..4], half::bf16::from_f32(9.0).to_ne_bytes());
    }
}
