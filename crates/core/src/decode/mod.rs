//! Bytes of any image format to pixels: sniff the type, decode, bring to one policy.

pub mod raster;
