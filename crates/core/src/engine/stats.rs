//! What the threads count and clock: plain sums that nobody waits for.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

macro_rules! counters {
    ($($(#[$doc:meta])* $name:ident),+ $(,)?) => {
        /// Sums since the feed was made; times in nanoseconds.
        #[derive(Debug, Default)]
        pub struct Stats { $($(#[$doc])* pub $name: AtomicU64),+ }

        impl Stats {
            /// Every sum with its name.
            pub fn all(&self) -> Vec<(&'static str, u64)> {
                vec![$((stringify!($name), self.$name.load(Ordering::Relaxed))),+]
            }
        }
    };
}

counters! {
    /// Samples made, fillers and replacements included.
    samples,
    /// Batches handed over.
    batches,
    /// Bytes read.
    bytes,
    /// Threads' time reading.
    read,
    /// Threads' time in headers, decoding and the first moves.
    decode,
    /// Threads' time in all other ops.
    ops,
    /// Threads' time hashing pixels and writing the numbers of the batch.
    hand_over,
    /// Threads' time without work.
    idle,
    /// The consumer's time waiting for a batch.
    wait,
    /// Batches that were ready, summed over every time the consumer asked.
    ready,
    /// Samples that came from the cache.
    hits,
    /// Samples that were looked for there and had to be read.
    misses,
}

/// Adds to a sum.
pub fn add(counter: &AtomicU64, amount: u64) {
    counter.fetch_add(amount, Ordering::Relaxed);
}

/// Adds a time to a sum.
pub fn clock(counter: &AtomicU64, time: Duration) {
    add(counter, time.as_nanos() as u64);
}
