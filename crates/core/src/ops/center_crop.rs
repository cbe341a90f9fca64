//! The middle of the picture; a smaller one gets room around it first.

use super::op::{Move, Moves, Op, Params, Size};
use super::options::Options;
use super::orient::Rect;
use crate::fault::Fault;
use crate::order::Draws;

struct CenterCrop {
    size: Size,
}

/// Makes the op.
///
/// # Errors
/// When an option is missing or impossible.
pub fn build(options: &Options) -> Result<Box<dyn Op>, Fault> {
    Ok(Box::new(CenterCrop { size: options.size("size")? }))
}

impl Op for CenterCrop {
    fn random(&self) -> bool {
        false
    }

    fn size(&self, _: Option<Size>) -> Option<Size> {
        Some(self.size)
    }

    fn draw(&self, _: &mut Draws, (width, height): Size) -> Result<Params, Fault> {
        let room = |has: u32, wants: u32| {
            let missing = wants.saturating_sub(has);
            (missing / 2, missing.div_ceil(2))
        };
        let ((left, right), (top, bottom)) = (room(width, self.size.0), room(height, self.size.1));
        let pad = Move::Pad([left, top, right, bottom], [0; 3]);
        let moves = Moves::none().and_if(left + right + top + bottom > 0, pad);
        let (width, height) = moves.size((width, height));
        let crop = Rect {
            x: middle(width - self.size.0),
            y: middle(height - self.size.1),
            width: self.size.0,
            height: self.size.1,
        };
        Ok(Params::Moves(moves.and(Move::Crop(crop))))
    }
}

/// Half of it; where that lies between two numbers, the even one, as torchvision rounds.
fn middle(spare: u32) -> u32 {
    let half = spare / 2;
    half + ((spare % 2) & (half % 2))
}
