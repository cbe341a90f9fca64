//! Threads that make the batches of a feed, from some place in it on.

use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use super::batch::Batch;
use super::failure::{Cause, Failure, Stage};
use super::feed::Feed;
use super::ring::{Handle, Ring};
use super::stats::{add, clock};
use super::worker::Worker;
use crate::fault::{Code, Fault};

pub use super::ring::Taken;

/// Where a run starts and how it goes.
#[derive(Clone, Copy, Debug)]
pub struct Start {
    /// The first batch's epoch.
    pub epoch: u64,
    /// Its step.
    pub step: u64,
    /// Whether it ends with this epoch.
    pub once: bool,
    /// How many threads work.
    pub threads: usize,
    /// How many batches may be open at once.
    pub prefetch: usize,
}

/// Threads at work. Dropping it stops them; whoever holds a batch keeps it.
pub struct Run {
    feed: Arc<Feed>,
    ring: Arc<Ring<Batch>>,
    threads: Vec<JoinHandle<()>>,
    process: u32,
}

impl Run {
    /// Starts the threads.
    ///
    /// # Errors
    /// When the place is outside of an epoch, or the system has no more threads.
    pub fn start(feed: Arc<Feed>, start: Start) -> Result<Self, Fault> {
        let steps = feed.plan.steps();
        let refuse = |found: String| Fault::new(Code::BadRequest, "", found);
        if start.step >= steps {
            return Err(refuse(format!("step {} of an epoch of {steps} steps", start.step)));
        }
        let end = if start.once { steps - start.step } else { u64::MAX };
        if let Some(pool) = &feed.pool {
            // Idle memory is kept for the batches that are made ahead, not for those a user held.
            pool.narrow(start.prefetch);
        }
        let ring = Arc::new(Ring::new(start.prefetch, end));
        let process = std::process::id();
        let mut run = Self { feed, ring, threads: Vec::new(), process };
        for number in 0..start.threads.max(1) {
            let (feed, ring) = (Arc::clone(&run.feed), Arc::clone(&run.ring));
            let thread = std::thread::Builder::new()
                .name(format!("pixfeed-{number}"))
                .spawn(move || work(&feed, &ring, start))
                .map_err(|error| refuse(format!("no thread could be started: {error}")))?;
            run.threads.push(thread);
        }
        Ok(run)
    }

    /// The next batch; waits no longer than `patience`.
    pub fn take(&self, patience: Duration) -> Taken<Batch> {
        let begun = Instant::now();
        let ready = self.ring.occupancy().1;
        let taken = self.ring.take(patience);
        clock(&self.feed.stats.wait, begun.elapsed());
        if matches!(taken, Taken::Batch(_)) {
            add(&self.feed.stats.batches, 1);
            add(&self.feed.stats.ready, ready as u64);
        }
        taken
    }

    /// Whether this process started it: in a forked child its threads do not exist.
    #[must_use]
    pub fn is_ours(&self) -> bool {
        self.process == std::process::id()
    }

    /// Stops the threads and waits for them; nothing happens the second time.
    pub fn stop(&mut self) {
        if !self.is_ours() {
            // Not even a lock may be touched: its holder may not exist here.
            std::mem::take(&mut self.threads).into_iter().for_each(std::mem::forget);
            return;
        }
        self.ring.stop();
        for thread in std::mem::take(&mut self.threads) {
            // A worker catches panics; one that escaped all the same has nothing more to tell.
            let _ = thread.join();
        }
    }
}

impl Drop for Run {
    fn drop(&mut self) {
        self.stop();
    }
}

fn work(feed: &Feed, ring: &Ring<Batch>, start: Start) {
    let mut worker = Worker::default();
    let mut held: Option<Handle<Batch>> = None;
    loop {
        let begun = Instant::now();
        let slot = ring.claim(&mut held, |ticket| opened(feed, start, ticket));
        clock(&feed.stats.idle, begun.elapsed());
        let (Some(slot), Some(open)) = (slot, &held) else { return };
        worker.fill(feed, &open.batch, slot, &|| ring.is_stopped());
        ring.done(open);
    }
}

/// The batch of a ticket: the n-th from the start on, into the next epochs.
fn opened(feed: &Feed, start: Start, ticket: u64) -> (Batch, usize) {
    let steps = feed.plan.steps();
    let at = start.step + ticket;
    let (epoch, step) = (start.epoch + at / steps, at % steps);
    let slots: Box<[_]> = feed.plan.epoch(epoch).slots(step).collect();
    let count = slots.len();
    let memory = feed.pool.as_ref().and_then(|pool| pool.buffer());
    let short = feed.pool.as_ref().filter(|_| memory.is_none()).map(|pool| pool.bytes());
    let batch = Batch::new(epoch, step, slots, memory);
    if let Some(bytes) = short {
        let found = format!("no memory for a batch of {bytes} bytes");
        let cause = Cause::Fault(Fault::new(Code::BatchTooLarge, "", found));
        batch.ended(0, Failure { row: feed.source.rows.start, stage: Stage::Batch, cause });
    }
    (batch, count)
}
