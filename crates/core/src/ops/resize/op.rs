//! The op: the short side to a length, both sides to a size, or as much as fits with room around it.

use super::Filter;
use crate::fault::Fault;
use crate::ops::op::{Move, Moves, Op, Params, Size};
use crate::ops::options::Options;
use crate::order::Draws;

enum Target {
    /// The short side, and what the long one must not exceed.
    Short(u32, Option<u32>),
    Exact(Size),
    /// As much as fits, and the colour around it.
    Fit(Size, [u8; 3]),
}

struct Resize {
    target: Target,
    filter: Filter,
}

/// Makes the op.
///
/// # Errors
/// When an option is missing or impossible.
pub fn build(options: &Options) -> Result<Box<dyn Op>, Fault> {
    let limit = options.maybe_number("max_size")?.map(|limit| limit as u32);
    let target = match (options.list("size")?.len(), options.flag("pad")?) {
        (1, false) => Target::Short(options.whole::<1>("size")?[0].max(1), limit),
        (_, false) => Target::Exact(options.size("size")?),
        (_, true) => Target::Fit(options.size("size")?, options.colour("fill")?),
    };
    Ok(Box::new(Resize { target, filter: options.filter("interpolation")? }))
}

impl Op for Resize {
    fn random(&self) -> bool {
        false
    }

    fn resizes(&self) -> bool {
        true
    }

    fn size(&self, before: Option<Size>) -> Option<Size> {
        match self.target {
            Target::Short(short, limit) => before.map(|size| shortened(size, short, limit)),
            Target::Exact(size) | Target::Fit(size, _) => Some(size),
        }
    }

    fn draw(&self, _: &mut Draws, before: Size) -> Result<Params, Fault> {
        let to = |size| Moves::none().and(Move::Resize(size, self.filter));
        Ok(Params::Moves(match self.target {
            Target::Short(short, limit) => to(shortened(before, short, limit)),
            Target::Exact(size) => to(size),
            Target::Fit(size, fill) => {
                let inner = fitted(before, size);
                let (x, y) = (size.0 - inner.0, size.1 - inner.1);
                let room = [x / 2, y / 2, x.div_ceil(2), y.div_ceil(2)];
                to(inner).and_if(x + y > 0, Move::Pad(room, fill))
            }
        }))
    }
}

/// torchvision's rule: the short side as asked, the long one in proportion and cut to a whole number.
fn shortened((width, height): Size, short: u32, limit: Option<u32>) -> Size {
    let (small, large) = (u64::from(width.min(height)), u64::from(width.max(height)));
    let mut new = (u64::from(short), u64::from(short) * large / small);
    if let Some(limit) = limit.map(u64::from).filter(|&limit| new.1 > limit) {
        new = ((limit * new.0 / new.1).max(1), limit);
    }
    let new = (new.0.min(u32::MAX.into()) as u32, new.1.min(u32::MAX.into()) as u32);
    if width <= height { new } else { (new.1, new.0) }
}

/// The largest size of the same shape, rounded, that fits.
fn fitted((width, height): Size, into: Size) -> Size {
    let (w, h) = (u64::from(width), u64::from(height));
    let (tw, th) = (u64::from(into.0), u64::from(into.1));
    let scaled = |side: u64, to: u64, from: u64| ((2 * side * to + from) / (2 * from)).max(1);
    if w * th >= h * tw {
        (into.0, scaled(h, tw, w).min(th) as u32)
    } else {
        (scaled(w, th, h).min(tw) as u32, into.1)
    }
}
