//! A part of random area and shape, resized: the usual first step of training.

use super::op::{Move, Moves, Op, Params, Size};
use super::options::Options;
use super::orient::Rect;
use super::resize::Filter;
use crate::fault::Fault;
use crate::order::Draws;

const TRIES: usize = 10;

struct RandomResizedCrop {
    size: Size,
    scale: (f64, f64),
    ratio: (f64, f64),
    filter: Filter,
}

/// Makes the op.
///
/// # Errors
/// When an option is missing or impossible.
pub fn build(options: &Options) -> Result<Box<dyn Op>, Fault> {
    Ok(Box::new(RandomResizedCrop {
        size: options.size("size")?,
        scale: options.range("scale")?,
        ratio: options.range("ratio")?,
        filter: options.filter("interpolation")?,
    }))
}

impl Op for RandomResizedCrop {
    fn random(&self) -> bool {
        true
    }

    fn resizes(&self) -> bool {
        true
    }

    fn size(&self, _: Option<Size>) -> Option<Size> {
        Some(self.size)
    }

    fn draw(&self, draws: &mut Draws, geometry: Size) -> Result<Params, Fault> {
        let part = self.part(draws, geometry);
        let moves = Moves::none().and(Move::Crop(part)).and(Move::Resize(self.size, self.filter));
        Ok(Params::Moves(moves))
    }
}

impl RandomResizedCrop {
    /// torchvision's way: ten tries at an area and a shape, then as much as fits of the middle.
    fn part(&self, draws: &mut Draws, (width, height): Size) -> Rect {
        let area = f64::from(width) * f64::from(height);
        // Not the system's functions, which differ in the last bit from machine to machine.
        let shapes = (libm::log(self.ratio.0), libm::log(self.ratio.1));
        for _ in 0..TRIES {
            let target = area * between(draws, self.scale);
            let shape = libm::exp(between(draws, shapes));
            let w = (target * shape).sqrt().round_ties_even();
            let h = (target / shape).sqrt().round_ties_even();
            if (1.0..=f64::from(width)).contains(&w) && (1.0..=f64::from(height)).contains(&h) {
                let (w, h) = (w as u32, h as u32);
                let y = draws.below(u64::from(height - h) + 1) as u32;
                let x = draws.below(u64::from(width - w) + 1) as u32;
                return Rect { x, y, width: w, height: h };
            }
        }
        self.middle((width, height))
    }

    fn middle(&self, (width, height): Size) -> Rect {
        let shape = f64::from(width) / f64::from(height);
        let (w, h) = if shape < self.ratio.0 {
            (width, (f64::from(width) / self.ratio.0).round_ties_even() as u32)
        } else if shape > self.ratio.1 {
            ((f64::from(height) * self.ratio.1).round_ties_even() as u32, height)
        } else {
            (width, height)
        };
        let (w, h) = (w.clamp(1, width), h.clamp(1, height));
        Rect { x: (width - w) / 2, y: (height - h) / 2, width: w, height: h }
    }
}

fn between(draws: &mut Draws, (low, high): (f64, f64)) -> f64 {
    low + (high - low) * draws.float()
}
