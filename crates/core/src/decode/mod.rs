//! Bytes of any image format to pixels: sniff the type, decode, bring to one policy.

pub mod bmp;
pub mod exif;
pub mod front;
pub mod gif;
mod ifd;
pub mod jpeg;
pub mod png;
pub(crate) mod policy;
pub mod raster;
pub mod sniff;
pub mod tiff;
pub mod webp;
