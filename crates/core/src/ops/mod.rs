//! What is done to pixels: one file an op, the list of them, and what runs a recipe of them.

pub mod head;
pub mod op;
pub mod options;
pub mod orient;
pub mod recipe;
pub mod resize;
pub mod to_array;

mod center_crop;
mod pad;
mod random_crop;
mod random_horizontal_flip;
mod random_resized_crop;
mod random_vertical_flip;

use crate::fault::Fault;
use op::Op;
use options::Options;

/// Makes an op from its options.
pub type Build = fn(&Options) -> Result<Box<dyn Op>, Fault>;

/// Every op, by the name Python knows it by.
pub const OPS: &[(&str, Build)] = &[
    ("CenterCrop", center_crop::build),
    ("Pad", pad::build),
    ("RandomCrop", random_crop::build),
    ("RandomHorizontalFlip", random_horizontal_flip::build),
    ("RandomResizedCrop", random_resized_crop::build),
    ("RandomVerticalFlip", random_vertical_flip::build),
    ("Resize", resize::op::build),
];
