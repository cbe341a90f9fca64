//! Memory of batches: aligned, written by many threads in disjoint parts, and returned to a pool.

use std::alloc::{Layout, alloc_zeroed, dealloc};
use std::ptr::NonNull;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// Where every block begins: enough for any vector unit, and for frameworks that share arrays.
pub const ALIGNMENT: usize = 64;

struct Block {
    start: NonNull<u8>,
    layout: Layout,
}

// SAFETY: a block is plain memory with one owner.
unsafe impl Send for Block {}
// SAFETY: through a shared reference a block's bytes are reached by `Buffer::part` alone.
unsafe impl Sync for Block {}

impl Block {
    /// None where the system has no such memory.
    fn new(bytes: usize) -> Option<Self> {
        let layout = Layout::from_size_align(bytes.max(1), ALIGNMENT).ok()?;
        // SAFETY: the size is not zero.
        let start = NonNull::new(unsafe { alloc_zeroed(layout) })?;
        Some(Self { start, layout })
    }
}

impl Drop for Block {
    fn drop(&mut self) {
        // SAFETY: it was allocated with this layout.
        unsafe { dealloc(self.start.as_ptr(), self.layout) }
    }
}

/// Blocks of one size that wait to be used again; a few at most, the others are freed.
pub struct Pool {
    bytes: usize,
    most: AtomicUsize,
    idle: Mutex<Vec<Block>>,
}

impl Pool {
    /// A pool that keeps up to `most` blocks of so many bytes.
    #[must_use]
    pub fn new(bytes: usize, most: usize) -> Arc<Self> {
        Arc::new(Self { bytes, most: AtomicUsize::new(most), idle: Mutex::new(Vec::new()) })
    }

    /// A block for one batch; its bytes are whatever was there before. None where memory is short.
    #[must_use]
    pub fn buffer(self: &Arc<Self>) -> Option<Buffer> {
        let idle = self.idle().pop();
        let block = idle.or_else(|| Block::new(self.bytes))?;
        Some(Buffer { block: Some(block), pool: Arc::clone(self) })
    }

    /// Keeps no more idle blocks than that from now on, and never more than it was made for.
    pub fn narrow(&self, most: usize) {
        let most = self.most.fetch_min(most, Ordering::Relaxed).min(most);
        self.idle().truncate(most);
    }

    /// Bytes of a block.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    fn idle(&self) -> std::sync::MutexGuard<'_, Vec<Block>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The memory of one batch; it goes back to its pool when it is dropped.
pub struct Buffer {
    block: Option<Block>,
    pool: Arc<Pool>,
}

impl Buffer {
    fn block(&self) -> &Block {
        self.block.as_ref().expect("a buffer has its block until it is dropped")
    }

    /// Where it begins.
    #[must_use]
    pub fn start(&self) -> *mut u8 {
        self.block().start.as_ptr()
    }

    /// Its `index`-th part of so many bytes.
    ///
    /// # Safety
    /// No other reference to the same part may exist meanwhile.
    ///
    /// # Panics
    /// When the part does not lie in it.
    #[must_use]
    #[allow(clippy::mut_from_ref, reason = "the parts are disjoint, which the caller answers for")]
    pub unsafe fn part(&self, index: usize, bytes: usize) -> &mut [u8] {
        let end = (index + 1).checked_mul(bytes);
        assert!(end.is_some_and(|end| end <= self.pool.bytes), "part {index} of {bytes} bytes");
        // SAFETY: the part lies in the block, which is initialised; the caller excludes other references.
        unsafe { std::slice::from_raw_parts_mut(self.start().add(index * bytes), bytes) }
    }
}

impl Drop for Buffer {
    fn drop(&mut self) {
        // Never waits: in a forked child the lock's holder may not exist.
        if let (Some(block), Ok(mut idle)) = (self.block.take(), self.pool.idle.try_lock())
            && idle.len() < self.pool.most.load(Ordering::Relaxed)
        {
            idle.push(block);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_come_back_and_are_aligned() {
        let pool = Pool::new(1000, 1);
        let (first, second) = (pool.buffer().unwrap(), pool.buffer().unwrap());
        let start = second.start();
        assert_ne!(first.start(), start);
        assert_eq!(first.start() as usize % ALIGNMENT, 0);
        drop((first, second));
        assert_eq!(pool.idle().len(), 1);
        // SAFETY: the parts are held one after the other.
        unsafe {
            let buffer = pool.buffer().unwrap();
            buffer.part(9, 100).fill(7);
            assert_eq!(buffer.part(9, 100), [7; 100]);
        }
    }

    #[test]
    fn a_narrower_pool_keeps_fewer() {
        let pool = Pool::new(1000, 4);
        drop([0; 5].map(|_| pool.buffer().unwrap()));
        assert_eq!(pool.idle().len(), 4);
        pool.narrow(1);
        assert_eq!(pool.idle().len(), 1);
        drop([0; 3].map(|_| pool.buffer().unwrap()));
        pool.narrow(9);
        drop([0; 3].map(|_| pool.buffer().unwrap()));
        assert_eq!(pool.idle().len(), 1);
    }

    #[test]
    fn what_cannot_be_had_is_none() {
        assert!(Pool::new(isize::MAX as usize - 64, 1).buffer().is_none());
    }

    #[test]
    #[should_panic(expected = "part 10 of 100 bytes")]
    fn a_part_outside_is_a_bug() {
        // SAFETY: there is no other reference.
        let _ = unsafe { Pool::new(1000, 1).buffer().unwrap().part(10, 100).len() };
    }
}
