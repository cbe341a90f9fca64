//! Batches, made by native threads and handed over in order.
//!
//! A [`Feed`] says what every batch is; a [`Run`] has threads that make them. Threads take samples, not
//! batches, from up to `prefetch` open batches ([`ring`]), so a slow image stalls nothing but its own.

pub mod batch;
pub mod cache;
pub mod failure;
pub mod feed;
pub mod memory;
pub mod reader;
pub mod ring;
pub mod run;
pub mod shards;
pub mod stats;

mod siblings;
mod worker;

pub use batch::{Batch, Done};
pub use feed::{Feed, OnBad, Source};
pub use run::{Run, Taken};

/// The hash of pixels and batches: XXH3-64.
#[must_use]
pub fn hash(bytes: &[u8]) -> u64 {
    twox_hash::XxHash3_64::oneshot(bytes)
}
