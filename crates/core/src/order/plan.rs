//! Which records stand in which slot of which batch: arithmetic on positions, without state.
//!
//! Position p of an epoch belongs to global step p / G, where G = batch size x world. A rank takes
//! its contiguous slice of every step, so the sequence of an epoch depends on G, never on how many
//! ranks share it.

use std::ops::Range;

use super::permutation::{Permutation, check_records};
use crate::fault::{Code, Fault};

/// What happens to the records left over where an epoch is no whole number of batches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Last {
    /// They are left out of this epoch.
    Drop,
    /// They make a short last batch; for one rank only.
    Keep,
    /// They make a batch that the epoch's first positions fill up, marked as not valid.
    Pad,
}

/// One place in a batch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Slot {
    /// The place in the epoch's global sequence; from `records` up where the slot is a filler.
    pub position: u64,
    /// The record that stands there.
    pub record: u64,
    /// Whether the slot counts: false for a filler.
    pub valid: bool,
}

/// The arithmetic of every epoch of one run, as one rank sees it.
///
/// ```
/// use pixfeed_core::order::{Last, Plan};
/// let plan = Plan::new(100, 16, (1, 2), Last::Pad, Some(0))?;
/// assert_eq!((plan.steps(), plan.positions(3)), (4, 112..128));
/// let batch: Vec<_> = plan.epoch(5).slots(3).collect();
/// assert!(batch.iter().all(|slot| !slot.valid));
/// # Ok::<(), pixfeed_core::fault::Fault>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Plan {
    records: u64,
    batch: u64,
    rank: u64,
    world: u64,
    last: Last,
    shuffle: Option<u64>,
}

impl Plan {
    /// The plan of rank `shard.0` of `shard.1` over `records` records, `batch` to the rank's step.
    ///
    /// `shuffle` is the seed, or None where the records come in their own order.
    ///
    /// # Errors
    /// [`Code::BadRequest`] for no records, an empty or enormous batch, a rank outside the world,
    /// or a short last batch among several ranks.
    pub fn new(
        records: u64,
        batch: u64,
        (rank, world): (u64, u64),
        last: Last,
        shuffle: Option<u64>,
    ) -> Result<Self, Fault> {
        check_records(records)?;
        let refuse = |found: String| Err(Fault::new(Code::BadRequest, "", found));
        if batch.checked_mul(world).is_none_or(|global| check_records(global).is_err()) {
            return refuse(format!("a batch of {batch} on each of {world} ranks"));
        }
        if rank >= world {
            return refuse(format!("rank {rank} of {world}, where ranks count from 0"));
        }
        if last == Last::Keep && world > 1 {
            return refuse(format!("a short last batch among {world} ranks"));
        }
        Ok(Self { records, batch, rank, world, last, shuffle })
    }

    /// How many records there are.
    #[must_use]
    pub fn records(&self) -> u64 {
        self.records
    }

    /// How many slots a step has on this rank.
    #[must_use]
    pub fn batch(&self) -> u64 {
        self.batch
    }

    /// How many slots a step has on all ranks together.
    #[must_use]
    pub fn global_batch(&self) -> u64 {
        self.batch * self.world
    }

    /// How many steps an epoch has: the same on every rank.
    #[must_use]
    pub fn steps(&self) -> u64 {
        match self.last {
            Last::Drop => self.records / self.global_batch(),
            Last::Keep | Last::Pad => self.records.div_ceil(self.global_batch()),
        }
    }

    /// The positions this rank takes at a step.
    ///
    /// # Panics
    /// Where the step is not below [`Plan::steps`].
    #[must_use]
    pub fn positions(&self, step: u64) -> Range<u64> {
        assert!(step < self.steps(), "step {step} of {}", self.steps());
        let start = step * self.global_batch() + self.rank * self.batch;
        let end = start + self.batch;
        // One rank alone may keep a short batch, so `start` is inside.
        start..if self.last == Last::Keep { end.min(self.records) } else { end }
    }

    /// One epoch of this plan.
    #[must_use]
    pub fn epoch(&self, epoch: u64) -> Epoch {
        let order = self.shuffle.map(|seed| Permutation::keyed(self.records, seed, epoch));
        Epoch { plan: *self, order }
    }
}

/// One epoch of a [`Plan`]: small, copyable, and the same whoever asks.
#[derive(Clone, Copy, Debug)]
pub struct Epoch {
    plan: Plan,
    order: Option<Permutation>,
}

impl Epoch {
    /// The slot at a position of the global sequence, on whatever rank.
    #[inline]
    #[must_use]
    pub fn slot(&self, position: u64) -> Slot {
        let records = self.plan.records;
        let valid = position < records;
        let place = if valid { position } else { position % records };
        let record = self.order.map_or(place, |order| order.record(place));
        Slot { position, record, valid }
    }

    /// The slots of this rank's batch at a step, in order.
    ///
    /// # Panics
    /// Where the step is not below [`Plan::steps`].
    pub fn slots(&self, step: u64) -> impl Iterator<Item = Slot> + use<> {
        let epoch = *self;
        self.plan.positions(step).map(move |position| epoch.slot(position))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// What all ranks together see at one step, joined in the order of ranks.
    fn global(
        records: u64,
        global: u64,
        world: u64,
        last: Last,
        seed: u64,
        step: u64,
    ) -> Vec<Slot> {
        let plan = |rank| Plan::new(records, global / world, (rank, world), last, Some(seed));
        (0..world).flat_map(|rank| plan(rank).unwrap().epoch(2).slots(step)).collect()
    }

    #[test]
    fn impossible_plans_are_refused() {
        for (records, batch, shard, last, found) in [
            (0, 1, (0, 1), Last::Drop, "0 records"),
            (9, 0, (0, 1), Last::Drop, "a batch of 0"),
            (9, 1, (0, 0), Last::Drop, "0 ranks"),
            (9, u64::MAX, (0, 2), Last::Drop, "a batch of 18446744073709551615"),
            (9, 1, (2, 2), Last::Drop, "rank 2 of 2"),
            (9, 1, (0, 2), Last::Keep, "a short last batch among 2 ranks"),
        ] {
            let fault = Plan::new(records, batch, shard, last, None).unwrap_err();
            assert_eq!(fault.code, Code::BadRequest);
            assert!(fault.found.contains(found), "{fault}");
        }
    }

    #[test]
    fn the_ends_differ_as_named() {
        let steps = |last| Plan::new(10, 4, (0, 1), last, None).unwrap().steps();
        assert_eq!([Last::Drop, Last::Keep, Last::Pad].map(steps), [2, 3, 3]);
        let end = |last| Plan::new(10, 4, (0, 1), last, None).unwrap().epoch(0).slots(2);
        let records = |last| end(last).map(|slot| slot.record).collect::<Vec<_>>();
        assert_eq!(records(Last::Keep), [8, 9]);
        assert_eq!(records(Last::Pad), [8, 9, 0, 1]);
        let valid: Vec<_> = end(Last::Pad).map(|slot| (slot.position, slot.valid)).collect();
        assert_eq!(valid, [(8, true), (9, true), (10, false), (11, false)]);
    }

    #[test]
    #[should_panic(expected = "step 2 of 2")]
    fn a_step_outside_is_a_bug() {
        let _ = Plan::new(10, 4, (0, 1), Last::Drop, None).unwrap().positions(2);
    }

    proptest! {
        #[test]
        fn ranks_share_one_sequence(
            records in 1u64..500, batch in 1u64..9, worlds in (1u64..7, 1u64..7), seed: u64, step: u64,
            last in prop_oneof![Just(Last::Drop), Just(Last::Pad)],
        ) {
            let size = batch * worlds.0 * worlds.1;
            let steps = Plan::new(records, size, (0, 1), last, None).unwrap().steps();
            prop_assume!(steps > 0);
            let step = step % steps;
            let alone = global(records, size, 1, last, seed, step);
            prop_assert_eq!(&alone, &global(records, size, worlds.0, last, seed, step));
            prop_assert_eq!(&alone, &global(records, size, worlds.1, last, seed, step));
        }

        #[test]
        fn each_record_stands_in_one_valid_slot(
            records in 1u64..500, batch in 1u64..70, shuffle: Option<u64>,
            last in prop_oneof![Just(Last::Drop), Just(Last::Keep), Just(Last::Pad)],
        ) {
            let plan = Plan::new(records, batch, (0, 1), last, shuffle).unwrap();
            let slots = (0..plan.steps()).flat_map(|step| plan.epoch(1).slots(step));
            let mut seen: Vec<_> = slots.filter(|slot| slot.valid).map(|slot| slot.record).collect();
            let covered = if last == Last::Drop { records - records % batch } else { records };
            prop_assert_eq!(seen.len() as u64, covered);
            seen.sort_unstable();
            seen.dedup();
            prop_assert_eq!(seen.len() as u64, covered);
        }
    }
}
