//! What is done to pixels.

pub mod orient;
pub mod resize;
