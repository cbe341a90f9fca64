//! Room around the picture.

use super::op::{Move, Moves, Op, Params, Size};
use super::options::Options;
use crate::fault::Fault;
use crate::order::Draws;

struct Pad {
    padding: [u32; 4],
    fill: [u8; 3],
}

/// Makes the op.
///
/// # Errors
/// When an option is missing or impossible.
pub fn build(options: &Options) -> Result<Box<dyn Op>, Fault> {
    Ok(Box::new(Pad { padding: options.whole("padding")?, fill: options.colour("fill")? }))
}

impl Pad {
    fn moves(&self) -> Moves {
        Moves::none().and_if(self.padding != [0; 4], Move::Pad(self.padding, self.fill))
    }
}

impl Op for Pad {
    fn random(&self) -> bool {
        false
    }

    fn size(&self, before: Option<Size>) -> Option<Size> {
        before.map(|size| self.moves().size(size))
    }

    fn draw(&self, _: &mut Draws, _: Size) -> Result<Params, Fault> {
        Ok(Params::Moves(self.moves()))
    }
}
