//! What an op is: it draws its parameters from the geometry it meets, then applies them to fields.

use super::orient::Rect;
use super::resize::{Filter, Resizer};
use crate::decode::raster::Raster;
use crate::fault::Fault;
use crate::order::Draws;

/// Width and height, in this order, of the picture an op meets.
pub type Size = (u32, u32);

/// The longest side a picture may have.
const WIDEST: u32 = u32::MAX - 1;

/// One step of geometry. Steps that follow each other are fused: see [`super::head`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Move {
    /// A part of the picture.
    Crop(Rect),
    /// Another size.
    Resize(Size, Filter),
    /// Left to right.
    Mirror,
    /// Top to bottom.
    Flip,
    /// Room around it: left, top, right, bottom.
    Pad([u32; 4], [u8; 3]),
}

impl Move {
    /// The picture's size after it.
    #[must_use]
    pub fn size(&self, (width, height): Size) -> Size {
        match *self {
            Self::Crop(part) => (part.width, part.height),
            Self::Resize(size, _) => size,
            Self::Mirror | Self::Flip => (width, height),
            Self::Pad([left, top, right, bottom], _) => {
                let sum = |a: u32, b: u32, c: u32| a.saturating_add(b).saturating_add(c);
                (sum(width, left, right), sum(height, top, bottom))
            }
        }
    }
}

/// The moves one op makes, at most three.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Moves {
    moves: [Option<Move>; 3],
    count: usize,
}

impl Moves {
    /// None yet.
    #[must_use]
    pub fn none() -> Self {
        Self::default()
    }

    /// These and one more.
    ///
    /// # Panics
    /// When there are three already.
    #[must_use]
    pub fn and(mut self, next: Move) -> Self {
        self.moves[self.count] = Some(next);
        self.count += 1;
        self
    }

    /// These, and one more where a condition holds.
    #[must_use]
    pub fn and_if(self, condition: bool, next: Move) -> Self {
        if condition { self.and(next) } else { self }
    }

    /// In the order they are made.
    pub fn iter(&self) -> impl Iterator<Item = Move> + use<> {
        let Self { moves, count } = *self;
        moves.into_iter().take(count).flatten()
    }

    /// The picture's size after all of them.
    #[must_use]
    pub fn size(&self, before: Size) -> Size {
        self.iter().fold(before, |size, next| next.size(size))
    }

    /// Whether no picture on the way has a side beyond what a size can say.
    #[must_use]
    pub fn fit(&self, before: Size) -> bool {
        let mut size = before;
        self.iter().all(|next| {
            size = next.size(size);
            size.0.max(size.1) <= WIDEST
        })
    }
}

/// What an op has drawn for one record: all that applying it takes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Params {
    /// Geometry, which every field follows in the same way.
    Moves(Moves),
    /// Numbers that mean something to the op alone.
    Numbers([f64; 4]),
}

/// What of a record an op changes. Masks, boxes, points and labels join here.
pub enum Field<'a> {
    /// Its pixels, 8 bits.
    Image(&'a mut Raster, &'a mut Resizer),
}

/// An op of a recipe. It is made once and shared by all threads.
pub trait Op: Send + Sync {
    /// Whether it draws random numbers.
    fn random(&self) -> bool;

    /// Whether it makes moves, so that it can be fused with its neighbours.
    fn moves(&self) -> bool {
        true
    }

    /// Whether one of its moves may be a resize.
    fn resizes(&self) -> bool {
        false
    }

    /// The size after it, where that can be told without a picture.
    fn size(&self, before: Option<Size>) -> Option<Size> {
        before
    }

    /// Draws the parameters for one record, from nothing but these numbers and the geometry.
    ///
    /// # Errors
    /// When the op cannot be done to such a picture.
    fn draw(&self, draws: &mut Draws, geometry: Size) -> Result<Params, Fault>;

    /// Changes one field by what was drawn. Moves are made for it: an op that only moves has nothing
    /// to write here.
    ///
    /// # Errors
    /// When the op cannot be done to this field.
    fn apply(&self, params: &Params, field: &mut Field<'_>) -> Result<(), Fault> {
        let (_, _) = (params, field);
        Ok(())
    }
}
