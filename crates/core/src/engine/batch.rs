//! A batch on its way: what each slot is for, and what became of it.

use std::sync::{Mutex, OnceLock, PoisonError};

use super::failure::Failure;
use super::memory::Buffer;
use crate::decode::raster::Raster;
use crate::order::Slot;

/// A finished slot.
pub struct Done {
    /// The row that stands there.
    pub row: usize,
    /// Its id.
    pub id: u64,
    /// Its label.
    pub label: i64,
    /// Which use of the record this is: what its draws are named by.
    pub occurrence: u64,
    /// Whether the slot counts.
    pub valid: bool,
    /// Whether there are pixels; zeros otherwise.
    pub made: bool,
    /// The hash of its pixels.
    pub hash: u64,
    /// Its pixels, where the batch is a list of pictures.
    pub picture: Option<Raster>,
}

/// One batch.
pub struct Batch {
    /// The epoch.
    pub epoch: u64,
    /// The step.
    pub step: u64,
    pub(super) slots: Box<[Slot]>,
    /// The numbers, where the batch is one array.
    pub memory: Option<Buffer>,
    done: Box<[OnceLock<Done>]>,
    failures: Mutex<Vec<(usize, Failure)>>,
    fatal: Mutex<Option<(usize, Failure)>>,
}

impl Batch {
    pub(super) fn new(epoch: u64, step: u64, slots: Box<[Slot]>, memory: Option<Buffer>) -> Self {
        let done = slots.iter().map(|_| OnceLock::new()).collect();
        let (failures, fatal) = (Mutex::default(), Mutex::default());
        Self { epoch, step, slots, memory, done, failures, fatal }
    }

    pub(super) fn finish(&self, slot: usize, done: Done) {
        let first = self.done[slot].set(done).is_ok();
        debug_assert!(first, "slot {slot} was done twice");
    }

    pub(super) fn failed(&self, slot: usize, failure: Failure) {
        self.failures.lock().unwrap_or_else(PoisonError::into_inner).push((slot, failure));
    }

    /// Of several fatal failures the first slot's is told, whichever thread was faster.
    pub(super) fn ended(&self, slot: usize, failure: Failure) {
        let mut fatal = self.fatal.lock().unwrap_or_else(PoisonError::into_inner);
        if fatal.as_ref().is_none_or(|(first, _)| slot < *first) {
            *fatal = Some((slot, failure));
        }
    }

    /// The finished slots, in order.
    pub fn done(&self) -> impl Iterator<Item = &Done> {
        self.done.iter().filter_map(OnceLock::get)
    }

    /// What failed and was replaced, by slot; each is told once.
    pub fn failures(&self) -> Vec<(usize, Failure)> {
        let mut failures = self.failures.lock().unwrap_or_else(PoisonError::into_inner);
        let mut taken = std::mem::take(&mut *failures);
        taken.sort_by_key(|(slot, _)| *slot);
        taken
    }

    /// What nothing could replace; told once.
    pub fn fatal(&self) -> Option<Failure> {
        let mut fatal = self.fatal.lock().unwrap_or_else(PoisonError::into_inner);
        fatal.take().map(|(_, failure)| failure)
    }

    /// XXH3-64 over (id, label, hash of pixels) of every slot, as little-endian words.
    #[must_use]
    pub fn hash(&self) -> u64 {
        let words = self.done().flat_map(|done| [done.id, done.label as u64, done.hash]);
        let bytes: Vec<u8> = words.flat_map(u64::to_le_bytes).collect();
        super::hash(&bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::failure::{Cause, Stage};

    fn failure(row: usize) -> Failure {
        Failure { row, stage: Stage::Decode, cause: Cause::Panic(String::new()) }
    }

    #[test]
    fn failures_are_told_by_slot_whoever_was_faster() {
        let batch = Batch::new(0, 0, Box::default(), None);
        for slot in [3, 1, 2] {
            batch.failed(slot, failure(10 + slot));
            batch.ended(slot, failure(20 + slot));
        }
        let told: Vec<_> = batch.failures().iter().map(|(slot, told)| (*slot, told.row)).collect();
        assert_eq!(told, [(1, 11), (2, 12), (3, 13)]);
        assert_eq!(batch.fatal().map(|told| told.row), Some(21));
        assert!(batch.failures().is_empty() && batch.fatal().is_none());
    }
}
