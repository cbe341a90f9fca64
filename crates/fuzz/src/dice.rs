//! Choices that depend on the input and nothing else, so that an artifact repeats its crash.

use pixfeed_core::ops::orient::Rect;

/// A sequence of choices.
pub struct Dice(u64);

impl Dice {
    /// The dice of an input.
    #[must_use]
    pub fn of(data: &[u8]) -> Self {
        let mix = |sum: u64, byte: &u8| (sum ^ u64::from(*byte)).wrapping_mul(0x100_0000_01B3);
        Self(data.iter().fold(0xCBF2_9CE4_8422_2325, mix))
    }

    /// A number below `end`.
    pub fn below(&mut self, end: u32) -> u32 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        (((mixed >> 32) * u64::from(end)) >> 32) as u32
    }

    /// One of some things.
    pub fn pick<T: Copy>(&mut self, things: &[T]) -> T {
        things[self.below(things.len() as u32) as usize]
    }

    /// A part of a picture of this width and height; often one that touches its edges.
    pub fn part(&mut self, (width, height): (u32, u32)) -> Rect {
        let mut side = |most: u32| {
            let size = 1 + self.below(most);
            let start = self.below(most - size + 1);
            if self.below(4) == 0 { (most - size, size) } else { (start, size) }
        };
        let ((x, width), (y, height)) = (side(width), side(height));
        Rect { x, y, width, height }
    }

    /// A size to resize a part to: near it, or so much smaller that scaled transforms are used.
    pub fn size(&mut self, part: Rect) -> (u32, u32) {
        let divisor = self.pick(&[1, 2, 4, 8, 16]);
        let mut side = |from: u32| 1 + self.below((from / divisor + 2).min(200));
        (side(part.width), side(part.height))
    }
}
