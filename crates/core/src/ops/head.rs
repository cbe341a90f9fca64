//! Moves that follow each other, as one: find the part of the source, resize it, take a window of that,
//! lay it on a canvas, mirror the canvas. What cannot be said so begins a head of its own.

use super::op::{Move, Size};
use super::orient::Rect;
use super::resize::{Blend, Filter, Geometry, Grid, PlaneGrid, Resizer};
use crate::decode::front::View;
use crate::decode::raster::Pixels;

/// Fused moves. Windows and canvas are meant before they are mirrored.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Head {
    /// The part of the source.
    part: Rect,
    /// The size it is resized to, and how.
    resize: Option<(Size, Filter)>,
    /// What is wanted of the part, or of the resized part.
    window: Rect,
    /// The whole result.
    canvas: Size,
    /// Where the window lies on it.
    at: (u32, u32),
    fill: [u8; 3],
    mirrored: bool,
    flipped: bool,
}

impl Head {
    /// A picture as it is.
    #[must_use]
    pub fn of((width, height): Size) -> Self {
        let part = Rect { x: 0, y: 0, width, height };
        Self {
            part,
            resize: None,
            window: part,
            canvas: (width, height),
            at: (0, 0),
            fill: [0; 3],
            mirrored: false,
            flipped: false,
        }
    }

    /// The size of the result.
    #[must_use]
    pub fn size(&self) -> Size {
        self.canvas
    }

    /// Takes up a move; false, and nothing changed, where it needs a head of its own.
    pub fn push(&mut self, next: Move) -> bool {
        match next {
            Move::Crop(part) => self.crop(part),
            Move::Resize(size, filter) => return self.resize(size, filter),
            Move::Mirror => self.mirrored ^= true,
            Move::Flip => self.flipped ^= true,
            Move::Pad(room, fill) => return self.pad(room, fill),
        }
        true
    }

    fn crop(&mut self, part: Rect) {
        let (x, y) = (self.before(part.x, part.width, 0), self.before(part.y, part.height, 1));
        let (left, width, from_x) = cut(self.at.0, self.window.width, x, part.width);
        let (top, height, from_y) = cut(self.at.1, self.window.height, y, part.height);
        self.window = Rect { x: self.window.x + from_x, y: self.window.y + from_y, width, height };
        self.at = (left, top);
        self.canvas = (part.width, part.height);
    }

    /// Where a stretch of the canvas lies before it is mirrored.
    fn before(&self, start: u32, length: u32, axis: usize) -> u32 {
        let (back, whole) =
            if axis == 0 { (self.mirrored, self.canvas.0) } else { (self.flipped, self.canvas.1) };
        if back { whole - start - length } else { start }
    }

    fn resize(&mut self, size: Size, filter: Filter) -> bool {
        if size == self.canvas {
            return true;
        }
        if self.resize.is_some() || self.canvas != (self.window.width, self.window.height) {
            return false;
        }
        self.part = self.window;
        self.resize = Some((size, filter));
        self.window = Rect { x: 0, y: 0, width: size.0, height: size.1 };
        self.canvas = size;
        true
    }

    fn pad(&mut self, [left, top, right, bottom]: [u32; 4], fill: [u8; 3]) -> bool {
        let padded = self.canvas != (self.window.width, self.window.height);
        if padded && fill != self.fill {
            return false;
        }
        self.fill = fill;
        self.at.0 += if self.mirrored { right } else { left };
        self.at.1 += if self.flipped { bottom } else { top };
        self.canvas = (self.canvas.0 + left + right, self.canvas.1 + top + bottom);
        true
    }

    /// What is wanted of a picture, before the canvas; none where the canvas shows nothing of it.
    #[must_use]
    pub fn view(&self) -> Option<View> {
        if self.window.width == 0 || self.window.height == 0 {
            return None;
        }
        let (part, size, window, filter) = match self.resize {
            Some((size, filter)) => (self.part, Some(size), Some(self.window), filter),
            None => (self.window, None, None, Filter::default()),
        };
        let (mirrored, flipped) = (self.mirrored, self.flipped);
        Some(View { part: Some(part), size, window, filter, mirrored, flipped })
    }

    /// Whether the result is the view and nothing around it.
    #[must_use]
    pub fn is_bare(&self) -> bool {
        self.canvas == (self.window.width, self.window.height)
    }

    /// Whether nothing is changed at all.
    #[must_use]
    pub fn is_nothing(&self, size: Size) -> bool {
        *self == Self::of(size)
    }

    /// Bytes the view takes in so many channels.
    #[must_use]
    pub fn view_bytes(&self, channels: usize) -> usize {
        self.window.width as usize * self.window.height as usize * channels
    }

    /// Lays the view, mirrored already, on the canvas.
    pub fn lay(&self, view: &[u8], channels: usize, out: &mut [u8]) {
        let (width, height) = (self.window.width as usize, self.window.height as usize);
        let canvas = self.canvas.0 as usize;
        for pixel in out.chunks_exact_mut(channels) {
            pixel.copy_from_slice(&self.fill[..channels]);
        }
        let x = self.before(self.at.0, self.window.width, 0) as usize;
        let y = self.before(self.at.1, self.window.height, 1) as usize;
        for row in 0..height {
            let to = ((y + row) * canvas + x) * channels;
            let from = row * width * channels;
            out[to..to + width * channels].copy_from_slice(&view[from..from + width * channels]);
        }
    }

    /// The view of pixels that are decoded already.
    ///
    /// # Panics
    /// When the canvas shows nothing of them, or `out` is not as long as the view.
    pub fn view_raster(&self, raster: Pixels<'_>, resizer: &mut Resizer, out: &mut [u8]) {
        let channels = usize::from(raster.channels);
        assert_eq!(out.len(), self.view_bytes(channels), "length of the output");
        let Some(((width, height), filter)) = self.resize else {
            return self.copy(raster, channels, out);
        };
        let span = |start: u32, size: u32| (f64::from(start), f64::from(start + size));
        let wanted = |start: u32, size: u32| (start as usize, (start + size) as usize);
        let plane = PlaneGrid {
            span: [span(self.part.x, self.part.width), span(self.part.y, self.part.height)],
            grid: [Grid::Own; 2],
        };
        resizer.plan(&Geometry {
            blend: if channels == 1 { Blend::One } else { Blend::Three },
            target: (width as usize, height as usize),
            window: [
                wanted(self.window.x, self.window.width),
                wanted(self.window.y, self.window.height),
            ],
            filter,
            backwards: (self.mirrored, self.flipped),
            planes: [plane; 3],
        });
        resizer.raster(raster.pixels, raster.width as usize, channels, out);
    }

    fn copy(&self, raster: Pixels<'_>, channels: usize, out: &mut [u8]) {
        let Rect { x, y, width, height } = self.window;
        let bytes = width as usize * channels;
        for (row, line) in out.chunks_exact_mut(bytes).enumerate() {
            let row = if self.flipped { height as usize - 1 - row } else { row };
            let start = ((y as usize + row) * raster.width as usize + x as usize) * channels;
            line.copy_from_slice(&raster.pixels[start..start + bytes]);
            if self.mirrored {
                mirror(line, channels);
            }
        }
    }
}

fn mirror(line: &mut [u8], channels: usize) {
    match channels {
        1 => line.reverse(),
        _ => line.as_chunks_mut::<3>().0.reverse(),
    }
}

/// What a stretch `start..start + length` of the canvas keeps of one at `at` that is `size` long: where
/// it begins in the new canvas, how long it is, and how much of its front is lost.
fn cut(at: u32, size: u32, start: u32, length: u32) -> (u32, u32, u32) {
    let (low, high) = (at.max(start), (at + size).min(start + length));
    if high <= low { (0, 0, 0) } else { (low - start, high - low, low - at) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decode::raster::Raster;
    use pixfeed_jpeg::Isa;
    use proptest::prelude::*;

    fn picture(width: u32, height: u32, channels: u8) -> Raster {
        let count = width as usize * height as usize * usize::from(channels);
        let pixels = (0..count).map(|at| (at * 151 % 251) as u8).collect();
        Raster { width, height, channels, pixels }
    }

    fn made(head: &Head, raster: &Raster) -> Raster {
        let channels = usize::from(raster.channels);
        let (width, height) = head.size();
        let mut view = vec![0; head.view_bytes(channels)];
        if head.view().is_some() {
            head.view_raster(raster.lent(), &mut Resizer::new(Isa::detect()), &mut view);
        }
        let mut pixels = vec![0; width as usize * height as usize * channels];
        head.lay(&view, channels, &mut pixels);
        Raster { width, height, channels: raster.channels, pixels }
    }

    /// A move that fits a picture, from numbers at random.
    fn fitting(kind: usize, numbers: [u32; 4], (width, height): Size) -> Move {
        match kind {
            0 => {
                let (x, y) = (numbers[0] % width, numbers[1] % height);
                let width = numbers[2] % (width - x) + 1;
                Move::Crop(Rect { x, y, width, height: numbers[3] % (height - y) + 1 })
            }
            1 => Move::Mirror,
            2 => Move::Flip,
            _ => Move::Pad(numbers.map(|number| number % 5), [9, 8, 7]),
        }
    }

    proptest! {
        #[test]
        fn fused_moves_are_the_moves_one_by_one(
            size in (1_u32..20, 1_u32..20), channels in prop_oneof![Just(1_u8), Just(3)],
            steps in prop::collection::vec((0_usize..4, any::<[u32; 4]>()), 0..7),
            resize in prop::option::of((0_usize..7, 1_u32..20, 1_u32..20)),
        ) {
            let source = picture(size.0, size.1, channels);
            let (mut fused, mut apart) = (Head::of(size), source.clone());
            for (at, (kind, numbers)) in steps.into_iter().enumerate() {
                let mut moves = vec![];
                if let Some((_, width, height)) = resize.filter(|(place, ..)| *place == at) {
                    moves.push(Move::Resize((width, height), Filter::Bilinear));
                }
                // Chosen once the resize before it is known to be fused.
                for next in moves {
                    // A mirror before a resize is made after it, which is the head's arithmetic.
                    if fused.mirrored || fused.flipped || !fused.push(next) {
                        continue;
                    }
                    let mut head = Head::of((apart.width, apart.height));
                    prop_assert!(head.push(next));
                    apart = made(&head, &apart);
                }
                let next = fitting(kind, numbers, fused.size());
                prop_assert!(fused.push(next));
                let mut head = Head::of((apart.width, apart.height));
                prop_assert!(head.push(next));
                apart = made(&head, &apart);
            }
            prop_assert_eq!(made(&fused, &source), apart);
        }
    }

    #[test]
    fn what_cannot_be_fused_changes_nothing() {
        let mut head = Head::of((8, 8));
        assert!(head.push(Move::Resize((4, 4), Filter::Bilinear)));
        let before = head;
        assert!(!head.push(Move::Resize((3, 3), Filter::Bilinear)));
        assert!(head.push(Move::Pad([1; 4], [0; 3])));
        assert!(!head.push(Move::Pad([1; 4], [1; 3])));
        assert!(before.is_bare() && !head.is_bare());
        assert!(Head::of((8, 8)).is_nothing((8, 8)));
    }
}
