//! What the fuzz targets share: limits, questions drawn from the input, and what answers must hold.

pub mod answers;
pub mod dice;
pub mod made;

use pixfeed_core::decode::raster::Limits;

/// What a fuzzed file may claim: enough for every path, too little to be slow.
pub const LIMITS: Limits = Limits { pixels: 60_000, scans: 20, memory: 8 << 20 };

/// The same for the JPEG crate alone.
pub const JPEG_LIMITS: pixfeed_jpeg::Limits =
    pixfeed_jpeg::Limits { pixels: LIMITS.pixels, scans: LIMITS.scans, memory: LIMITS.memory };
