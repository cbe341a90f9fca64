//! Records kept in memory from epoch to epoch: their bytes, or what the first ops made of them.
//!
//! Whatever fits first stays. What is kept changes how fast a batch comes, never what is in it.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use crate::decode::raster::Raster;

/// What is kept of a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Its bytes.
    Encoded,
    /// The pixels after the first ops.
    Decoded,
}

/// A kept record.
pub enum Entry {
    /// Bytes.
    Bytes(Box<[u8]>),
    /// Pixels.
    Pixels(Raster),
}

impl Entry {
    fn bytes(&self) -> usize {
        match self {
            Self::Bytes(bytes) => bytes.len(),
            Self::Pixels(raster) => raster.pixels.len(),
        }
    }
}

/// Records of a range of rows, as many as fit.
pub struct Cache {
    kind: Kind,
    start: usize,
    entries: Box<[OnceLock<Entry>]>,
    used: AtomicUsize,
    kept: AtomicUsize,
    /// A picture found no room: how large others are is not known before they are decoded.
    full: AtomicBool,
    limit: usize,
}

impl Cache {
    /// An empty cache for the rows from `start` up to `end`, of at most `limit` bytes.
    #[must_use]
    pub fn new(kind: Kind, (start, end): (usize, usize), limit: usize) -> Self {
        let entries: Box<[_]> = (start..end).map(|_| OnceLock::new()).collect();
        let own = std::mem::size_of_val(&*entries);
        let (used, kept) = (AtomicUsize::new(own), AtomicUsize::new(0));
        Self { kind, start, entries, used, kept, full: AtomicBool::new(false), limit }
    }

    /// What is kept.
    #[must_use]
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// A record, if it is there.
    #[must_use]
    pub fn get(&self, row: usize) -> Option<&Entry> {
        self.entries.get(row.checked_sub(self.start)?)?.get()
    }

    /// Whether so many more bytes would fit.
    #[must_use]
    pub fn has_room(&self, bytes: usize) -> bool {
        !self.full.load(Ordering::Relaxed)
            && self.used.load(Ordering::Relaxed).saturating_add(bytes) <= self.limit
    }

    /// Keeps a record where there is room.
    pub fn keep(&self, row: usize, entry: Entry) {
        let bytes = entry.bytes();
        let more = |used: usize| used.checked_add(bytes).filter(|&used| used <= self.limit);
        if self.used.fetch_update(Ordering::Relaxed, Ordering::Relaxed, more).is_err() {
            self.full.store(self.kind == Kind::Decoded, Ordering::Relaxed);
            return;
        }
        let place = row.checked_sub(self.start).and_then(|at| self.entries.get(at));
        if place.is_some_and(|place| place.set(entry).is_ok()) {
            self.kept.fetch_add(1, Ordering::Relaxed);
        } else {
            // Another thread was first.
            self.used.fetch_sub(bytes, Ordering::Relaxed);
        }
    }

    /// Records kept, bytes used, bytes allowed.
    #[must_use]
    pub fn filling(&self) -> (usize, usize, usize) {
        let read = |counter: &AtomicUsize| counter.load(Ordering::Relaxed);
        (read(&self.kept), read(&self.used), self.limit)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_fits_first_stays() {
        let own = std::mem::size_of::<OnceLock<Entry>>() * 3;
        let cache = Cache::new(Kind::Encoded, (10, 13), own + 10);
        let bytes = |count: usize| Entry::Bytes(vec![1; count].into());
        cache.keep(10, bytes(6));
        cache.keep(10, bytes(4));
        cache.keep(11, bytes(5));
        cache.keep(12, bytes(4));
        cache.keep(99, bytes(0));
        assert!(cache.get(10).is_some() && cache.get(11).is_none() && cache.get(12).is_some());
        assert!(cache.get(9).is_none() && cache.get(13).is_none());
        assert_eq!(cache.filling(), (2, own + 10, own + 10));
        assert!(!cache.has_room(1));
    }
}
