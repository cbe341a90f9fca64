//! The protocol between workers and consumer: batches are opened in order, their slots are claimed one
//! by one, and a batch is handed over when all of its slots are done and it is the oldest.
//!
//! Each slot is claimed by exactly one worker, and nothing of a batch is touched by workers once it has
//! been handed over. Both are checked by a model checker (`--cfg loom`), with the tests below.

use std::collections::VecDeque;
use std::sync::PoisonError;
use std::time::Duration;

#[cfg(loom)]
use loom::sync::{
    Arc, Condvar, Mutex, MutexGuard,
    atomic::{AtomicUsize, Ordering},
};
#[cfg(not(loom))]
use std::sync::{
    Arc, Condvar, Mutex, MutexGuard,
    atomic::{AtomicUsize, Ordering},
};

/// A batch that threads and consumer hold in common.
pub type Handle<T> = Arc<Open<T>>;

/// A batch that is being made, or has been.
pub struct Open<T> {
    /// What it holds.
    pub batch: T,
    slots: usize,
    claimed: AtomicUsize,
    left: AtomicUsize,
}

impl<T> Open<T> {
    fn new(batch: T, slots: usize) -> Self {
        Self { batch, slots, claimed: AtomicUsize::new(0), left: AtomicUsize::new(slots) }
    }

    fn claim(&self) -> Option<usize> {
        // What the slot is for was written before the batch could be reached.
        let slot = self.claimed.fetch_add(1, Ordering::Relaxed);
        (slot < self.slots).then_some(slot)
    }

    fn is_done(&self) -> bool {
        // Pairs with the release of every worker that finished a slot.
        self.left.load(Ordering::Acquire) == 0
    }
}

struct State<T> {
    open: VecDeque<Handle<T>>,
    /// The ticket of the batch that is opened next, and the one that never is.
    next: u64,
    end: u64,
    stopped: bool,
}

/// Open batches between workers and one consumer.
pub struct Ring<T> {
    state: Mutex<State<T>>,
    /// There may be a slot to claim or a batch to open.
    work: Condvar,
    /// The oldest batch may be done.
    ready: Condvar,
    limit: usize,
}

/// What the consumer got.
pub enum Taken<T> {
    /// The next batch.
    Batch(Handle<T>),
    /// Nothing yet.
    Pending,
    /// Nothing ever: it was the last one, or the ring was stopped.
    End,
}

impl<T> Ring<T> {
    /// A ring of at most `limit` open batches, for tickets below `end`.
    pub fn new(limit: usize, end: u64) -> Self {
        let state = State { open: VecDeque::new(), next: 0, end, stopped: false };
        let (work, ready) = (Condvar::new(), Condvar::new());
        Self { state: Mutex::new(state), work, ready, limit: limit.max(1) }
    }

    fn lock(&self) -> MutexGuard<'_, State<T>> {
        // No code that can panic runs under the lock but the making of a batch, which changes nothing.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A slot to work on, of the batch in `held`; waits for one. None when it is over.
    ///
    /// `make` opens the batch of a ticket and says how many slots it has, one at least.
    pub fn claim(
        &self,
        held: &mut Option<Handle<T>>,
        make: impl Fn(u64) -> (T, usize),
    ) -> Option<usize> {
        if let Some(slot) = held.as_ref().and_then(|open| open.claim()) {
            return Some(slot);
        }
        // Whoever waits keeps no batch alive.
        *held = None;
        let mut state = self.lock();
        loop {
            if state.stopped {
                return None;
            }
            for open in &state.open {
                if let Some(slot) = open.claim() {
                    *held = Some(Arc::clone(open));
                    return Some(slot);
                }
            }
            if state.next < state.end && state.open.len() < self.limit {
                let (batch, slots) = make(state.next);
                state.next += 1;
                state.open.push_back(Arc::new(Open::new(batch, slots)));
                self.work.notify_all();
            } else {
                state = self.work.wait(state).unwrap_or_else(PoisonError::into_inner);
            }
        }
    }

    /// Says that a slot is done; everything written for it is seen by whoever takes the batch.
    pub fn done(&self, open: &Open<T>) {
        if open.left.fetch_sub(1, Ordering::Release) == 1 {
            // A consumer that has just looked sleeps before the lock is had: it hears what follows.
            drop(self.lock());
            self.ready.notify_all();
        }
    }

    /// The next batch, in order; waits no longer than `patience`.
    pub fn take(&self, patience: Duration) -> Taken<T> {
        let mut state = self.lock();
        let mut waited = false;
        loop {
            if state.stopped || (state.open.is_empty() && state.next >= state.end) {
                return Taken::End;
            }
            if state.open.front().is_some_and(|open| open.is_done())
                && let Some(open) = state.open.pop_front()
            {
                // Once the lock is free, and one alone: a thread that opens a batch calls the others.
                drop(state);
                self.work.notify_one();
                return Taken::Batch(open);
            }
            if waited {
                return Taken::Pending;
            }
            let woken = self.ready.wait_timeout(state, patience);
            let (again, timeout) = woken.unwrap_or_else(PoisonError::into_inner);
            state = again;
            waited = timeout.timed_out();
        }
    }

    /// How many batches are open, and how many of them are done.
    pub fn occupancy(&self) -> (usize, usize) {
        let state = self.lock();
        (state.open.len(), state.open.iter().filter(|open| open.is_done()).count())
    }

    /// Whether it was stopped: what is being made now, nobody will take.
    pub fn is_stopped(&self) -> bool {
        self.lock().stopped
    }

    /// Ends it: workers get no slot any more, the consumer no batch; what is open is dropped.
    pub fn stop(&self) {
        let mut state = self.lock();
        state.stopped = true;
        state.open.clear();
        self.work.notify_all();
        self.ready.notify_all();
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;
    use std::sync::atomic::AtomicU32;

    #[test]
    fn batches_come_in_order_and_every_slot_once() {
        let ring: Ring<(u64, Vec<AtomicU32>)> = Ring::new(3, 50);
        let make = |ticket| ((ticket, (0..7).map(|_| AtomicU32::new(0)).collect()), 7);
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    let mut held = None;
                    while let Some(slot) = ring.claim(&mut held, make) {
                        let open = held.as_ref().unwrap();
                        open.batch.1[slot].fetch_add(1, Ordering::Relaxed);
                        ring.done(open);
                    }
                });
            }
            let mut expected = 0;
            loop {
                assert!(ring.occupancy().0 <= 3);
                match ring.take(Duration::from_millis(50)) {
                    Taken::Batch(open) => {
                        assert_eq!(open.batch.0, expected);
                        assert!(open.batch.1.iter().all(|n| n.load(Ordering::Relaxed) == 1));
                        expected += 1;
                    }
                    Taken::Pending => {}
                    Taken::End => break,
                }
            }
            assert_eq!(expected, 50);
            ring.stop();
        });
    }

    #[test]
    fn a_stopped_ring_gives_nothing() {
        let ring: Ring<()> = Ring::new(1, 5);
        ring.stop();
        assert!(ring.claim(&mut None, |_| ((), 1)).is_none());
        assert!(matches!(ring.take(Duration::ZERO), Taken::End));
    }

    /// Far more than any of it takes: who sleeps through a call sleeps for all of it.
    const LONG: Duration = Duration::from_secs(12);

    #[test]
    fn whoever_sleeps_is_called() {
        let ring: Ring<u64> = Ring::new(1, 3);
        let begun = std::time::Instant::now();
        std::thread::scope(|scope| {
            scope.spawn(|| {
                let mut held = None;
                while ring.claim(&mut held, |ticket| (ticket, 1)).is_some() {
                    std::thread::sleep(Duration::from_millis(30));
                    ring.done(held.as_ref().unwrap());
                }
            });
            for expected in 0..3 {
                // The consumer sleeps until the slot is done, the worker until there is room.
                let Taken::Batch(open) = ring.take(LONG) else { panic!("no batch") };
                assert_eq!(open.batch, expected);
                std::thread::sleep(Duration::from_millis(30));
            }
            ring.stop();
        });
        assert!(begun.elapsed() < LONG / 2, "somebody slept on");
    }

    #[test]
    fn whoever_opens_a_batch_calls_the_others_to_it() {
        let ring: Ring<AtomicU32> = Ring::new(1, 3);
        let alone = AtomicU32::new(0);
        std::thread::scope(|scope| {
            for _ in 0..2 {
                scope.spawn(|| {
                    let mut held = None;
                    while ring.claim(&mut held, |_| (AtomicU32::new(0), 2)).is_some() {
                        let open = held.as_ref().unwrap();
                        open.batch.fetch_add(1, Ordering::Relaxed);
                        // Nobody goes on before both are there.
                        let begun = std::time::Instant::now();
                        while open.batch.load(Ordering::Relaxed) < 2 {
                            std::thread::sleep(Duration::from_millis(1));
                            if begun.elapsed() > LONG / 2 {
                                alone.fetch_add(1, Ordering::Relaxed);
                                break;
                            }
                        }
                        ring.done(open);
                    }
                });
            }
            for _ in 0..3 {
                // Long enough for both to fall asleep.
                std::thread::sleep(Duration::from_millis(50));
                assert!(matches!(ring.take(LONG), Taken::Batch(_)));
            }
            ring.stop();
        });
        assert_eq!(alone.into_inner(), 0);
    }

    #[test]
    fn a_slow_batch_stalls_no_other() {
        let ring: Ring<u64> = Ring::new(2, 9);
        let mut held = None;
        let make = |ticket| (ticket, 1);
        assert_eq!(ring.claim(&mut held, make), Some(0));
        let slow = held.clone().unwrap();
        assert_eq!(ring.claim(&mut held, make), Some(0));
        let quick = held.clone().unwrap();
        assert_eq!((slow.batch, quick.batch), (0, 1));
        ring.done(&quick);
        assert!(matches!(ring.take(Duration::ZERO), Taken::Pending));
        ring.done(&slow);
        for expected in [0, 1] {
            let Taken::Batch(open) = ring.take(Duration::ZERO) else { panic!("no batch") };
            assert_eq!(open.batch, expected);
        }
    }
}

#[cfg(all(test, loom))]
mod models {
    use super::*;
    use loom::cell::UnsafeCell;
    use loom::thread;

    struct Slots(u64, Vec<UnsafeCell<u64>>);

    // SAFETY: what the model checks: a slot's cell is reached by its claimer, then by the consumer.
    unsafe impl Sync for Slots {}
    // SAFETY: as above.
    unsafe impl Send for Slots {}

    fn make(ticket: u64) -> (Slots, usize) {
        (Slots(ticket, (0..2).map(|_| UnsafeCell::new(0)).collect()), 2)
    }

    fn work(ring: &Ring<Slots>) {
        let mut held = None;
        while let Some(slot) = ring.claim(&mut held, make) {
            let open = held.as_ref().unwrap();
            // SAFETY: loom fails where another thread reaches the cell at the same time.
            open.batch.1[slot].with_mut(|cell| unsafe { *cell += open.batch.0 + 1 });
            ring.done(open);
        }
    }

    fn checked(workers: usize, batches: u64, taken: u64) {
        let mut model = loom::model::Builder::new();
        model.preemption_bound = Some(3);
        model.check(move || {
            let ring = Arc::new(Ring::new(1, batches));
            let threads: Vec<_> = (0..workers)
                .map(|_| {
                    let ring = Arc::clone(&ring);
                    thread::spawn(move || work(&ring))
                })
                .collect();
            let mut expected = 0;
            while expected < taken {
                match ring.take(Duration::from_secs(1)) {
                    Taken::Batch(open) => {
                        assert_eq!(open.batch.0, expected);
                        for cell in &open.batch.1 {
                            // SAFETY: as above.
                            assert_eq!(cell.with(|cell| unsafe { *cell }), expected + 1);
                        }
                        expected += 1;
                    }
                    Taken::Pending => thread::yield_now(),
                    Taken::End => panic!("it ended at {expected}"),
                }
            }
            ring.stop();
            for thread in threads {
                thread.join().unwrap();
            }
        });
    }

    #[test]
    fn slots_are_exclusive_and_batches_complete() {
        checked(2, 2, 2);
    }

    #[test]
    fn a_stop_in_the_middle_ends_all_threads() {
        checked(2, 3, 1);
    }
}
