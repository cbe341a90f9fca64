//! A part of the picture of a fixed size, anywhere in it.

use super::op::{Move, Moves, Op, Params, Size};
use super::options::Options;
use super::orient::Rect;
use crate::fault::{Code, Fault};
use crate::order::Draws;

struct RandomCrop {
    size: Size,
    padding: [u32; 4],
    pad_if_needed: bool,
    fill: [u8; 3],
}

/// Makes the op.
///
/// # Errors
/// When an option is missing or impossible.
pub fn build(options: &Options) -> Result<Box<dyn Op>, Fault> {
    Ok(Box::new(RandomCrop {
        size: options.size("size")?,
        padding: options.whole("padding")?,
        pad_if_needed: options.flag("pad_if_needed")?,
        fill: options.colour("fill")?,
    }))
}

impl Op for RandomCrop {
    fn random(&self) -> bool {
        true
    }

    fn size(&self, _: Option<Size>) -> Option<Size> {
        Some(self.size)
    }

    fn draw(&self, draws: &mut Draws, geometry: Size) -> Result<Params, Fault> {
        let mut moves =
            Moves::none().and_if(self.padding != [0; 4], Move::Pad(self.padding, self.fill));
        let (width, height) = moves.size(geometry);
        // Both sides get what is missing, as torchvision has it.
        let room = [self.size.0.saturating_sub(width), self.size.1.saturating_sub(height)];
        if self.pad_if_needed && room != [0; 2] {
            moves = moves.and(Move::Pad([room[0], room[1], room[0], room[1]], self.fill));
        }
        let (width, height) = moves.size(geometry);
        let (Some(spare_x), Some(spare_y)) =
            (width.checked_sub(self.size.0), height.checked_sub(self.size.1))
        else {
            let found = format!(
                "a crop of {} x {} from an image of {height} x {width} pixels (height x width{})",
                self.size.1,
                self.size.0,
                if self.padding == [0; 4] { "" } else { ", padding included" },
            );
            return Err(Fault::new(Code::ImageTooSmall, "", found));
        };
        let y = draws.below(u64::from(spare_y) + 1) as u32;
        let x = draws.below(u64::from(spare_x) + 1) as u32;
        let crop = Rect { x, y, width: self.size.0, height: self.size.1 };
        Ok(Params::Moves(moves.and(Move::Crop(crop))))
    }
}
