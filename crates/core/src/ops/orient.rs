//! Turning and mirroring: how a picture as stored becomes the picture as seen.

/// A rectangle of pixels: (x, y) is its upper left corner.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rect {
    /// Left edge.
    pub x: u32,
    /// Upper edge.
    pub y: u32,
    /// Width.
    pub width: u32,
    /// Height.
    pub height: u32,
}

/// One of the eight ways to turn and mirror: swap the axes or not, then mirror each stored axis or not.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Turn {
    /// The seen picture's rows run along the stored picture's columns.
    pub swap: bool,
    /// The stored x axis is walked backwards.
    pub back_x: bool,
    /// The stored y axis is walked backwards.
    pub back_y: bool,
}

impl Turn {
    /// The turn an EXIF orientation (1 to 8) asks for; others mean none.
    #[must_use]
    pub fn of_orientation(orientation: u8) -> Self {
        let (swap, back_x, back_y) = match orientation {
            2 => (false, true, false),
            3 => (false, true, true),
            4 => (false, false, true),
            5 => (true, false, false),
            6 => (true, false, true),
            7 => (true, true, true),
            8 => (true, true, false),
            _ => (false, false, false),
        };
        Self { swap, back_x, back_y }
    }

    /// This turn, then a mirror image left to right as seen.
    #[must_use]
    pub fn mirrored(self) -> Self {
        let Self { swap, back_x, back_y } = self;
        Self { swap, back_x: back_x == swap, back_y: back_y != swap }
    }

    /// This turn, then a mirror image top to bottom as seen.
    #[must_use]
    pub fn flipped(self) -> Self {
        let Self { swap, back_x, back_y } = self;
        Self { swap, back_x: back_x != swap, back_y: back_y == swap }
    }

    /// (width, height) as seen of one as stored, and the other way round.
    #[must_use]
    pub fn size(self, (width, height): (u32, u32)) -> (u32, u32) {
        if self.swap { (height, width) } else { (width, height) }
    }

    /// Where a rectangle of the seen picture lies in the stored one of `size` (width, height).
    #[must_use]
    pub fn stored(self, seen: Rect, size: (u32, u32)) -> Rect {
        let Rect { x, y, width, height } = seen;
        let (x, y, width, height) =
            if self.swap { (y, x, height, width) } else { (x, y, width, height) };
        Rect {
            x: if self.back_x { size.0 - x - width } else { x },
            y: if self.back_y { size.1 - y - height } else { y },
            width,
            height,
        }
    }

    /// Copies stored pixels of `size` (width, height) to `out` as they are seen.
    pub fn copy(self, pixels: &[u8], size: (u32, u32), channels: usize, out: &mut [u8]) {
        match channels {
            1 => self.copy_as::<1>(pixels, size, out),
            _ => self.copy_as::<3>(pixels, size, out),
        }
    }

    fn copy_as<const N: usize>(self, pixels: &[u8], size: (u32, u32), out: &mut [u8]) {
        let (width, height) = (size.0 as usize, size.1 as usize);
        let (pixels, _) = pixels.as_chunks::<N>();
        let (out, _) = out.as_chunks_mut::<N>();
        let seen_width = self.size(size).0 as usize;
        let stored = |along: usize, across: usize| {
            let x = if self.back_x { width - 1 - along } else { along };
            let y = if self.back_y { height - 1 - across } else { across };
            y * width + x
        };
        for (y, row) in out.chunks_exact_mut(seen_width.max(1)).enumerate() {
            for (x, pixel) in row.iter_mut().enumerate() {
                *pixel = pixels[if self.swap { stored(y, x) } else { stored(x, y) }];
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Rect, Turn};

    fn seen(turn: Turn, picture: &[u8], size: (u32, u32)) -> Vec<u8> {
        let mut out = vec![0; picture.len()];
        turn.copy(picture, size, 1, &mut out);
        out
    }

    #[test]
    fn the_eight_orientations() {
        // abc
        // def
        let expected: [&[u8]; 8] = [
            b"abcdef", b"cbafed", b"fedcba", b"defabc", b"adbecf", b"daebfc", b"fcebda", b"cfbead",
        ];
        for (orientation, expected) in (1..).zip(expected) {
            assert_eq!(seen(Turn::of_orientation(orientation), b"abcdef", (3, 2)), expected);
        }
    }

    #[test]
    fn mirrors_come_after_the_turn() {
        for orientation in 1..=8 {
            let turn = Turn::of_orientation(orientation);
            let (width, height) = turn.size((3, 2));
            let plain = seen(turn, b"abcdef", (3, 2));
            let mirror = seen(Turn::of_orientation(2), &plain, (width, height));
            assert_eq!(seen(turn.mirrored(), b"abcdef", (3, 2)), mirror);
            let flip = seen(Turn::of_orientation(4), &plain, (width, height));
            assert_eq!(seen(turn.flipped(), b"abcdef", (3, 2)), flip);
        }
    }

    #[test]
    fn boxes_go_where_their_pixels_come_from() {
        let picture: Vec<u8> = (0..20).collect();
        for orientation in 1..=8 {
            let turn = Turn::of_orientation(orientation);
            let (width, _) = turn.size((5, 4));
            let whole = seen(turn, &picture, (5, 4));
            let part = Rect { x: 1, y: 2, width: 3, height: 2 };
            let stored = turn.stored(part, (5, 4));
            let mut cut = Vec::new();
            for y in stored.y..stored.y + stored.height {
                let start = (y * 5 + stored.x) as usize;
                cut.extend_from_slice(&picture[start..start + stored.width as usize]);
            }
            let got = seen(turn, &cut, (stored.width, stored.height));
            let row = |y: u32| &whole[(y * width + 1) as usize..(y * width + 4) as usize];
            assert_eq!(got, [row(2), row(3)].concat(), "orientation {orientation}");
        }
    }
}
