//! The picture mirrored left to right, now and then.

use super::op::{Move, Moves, Op, Params, Size};
use super::options::Options;
use crate::fault::Fault;
use crate::order::Draws;

struct RandomHorizontalFlip {
    p: f64,
}

/// Makes the op.
///
/// # Errors
/// When an option is missing or impossible.
pub fn build(options: &Options) -> Result<Box<dyn Op>, Fault> {
    Ok(Box::new(RandomHorizontalFlip { p: options.number("p")? }))
}

impl Op for RandomHorizontalFlip {
    fn random(&self) -> bool {
        true
    }

    fn draw(&self, draws: &mut Draws, _: Size) -> Result<Params, Fault> {
        Ok(Params::Moves(Moves::none().and_if(draws.float() < self.p, Move::Mirror)))
    }
}
