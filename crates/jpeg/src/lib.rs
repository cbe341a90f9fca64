#![doc = include_str!("../README.md")]

mod bits;
mod block;
mod chunk;
mod coefficients;
mod colour;
mod decoder;
mod driver;
mod error;
mod exif;
mod header;
mod huff;
mod idct;
mod isa;
mod pixels;
mod progressive;
mod segments;
mod sequential;
mod standard;
mod strips;
mod tables;
mod unstuff;
mod upsample;
mod window;
mod zigzag;

pub use coefficients::{Coefficients, ComponentBlocks};
pub use decoder::{Decoder, Jpeg, Limits};
pub use error::{Error, Kind, Result};
pub use header::{Colour, Component, Header};
pub use idct::Scale;
pub use isa::Isa;
pub use pixels::Layout;
pub use strips::{Plane, Strip, StripSink};
pub use window::Region;
