//! A walk through a shard, record by record.

use std::io::{self, Read};

use super::compression::Compression;
use super::damage::{Damage, Error, TFRECORD};
use super::frame::{self, FOOTER, HEADER, Limits};
use super::window::{Source, Window};
use crate::fault::{Code, Fault};

/// A record of a walk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Record<'a> {
    /// Its number.
    pub index: u64,
    /// Where its frame begins (in the unpacked bytes, when the shard is compressed).
    pub offset: u64,
    /// How many bytes its payload has.
    pub length: u64,
    /// Its payload, or as much of its beginning as a walk of headers reads.
    pub payload: &'a [u8],
}

/// Walks a shard from its beginning; payloads stay in the walk's own buffer.
///
/// ```
/// use pixfeed_core::record::{Limits, Scan, frame};
/// let mut shard = Vec::new();
/// frame::write(&mut shard, b"one").unwrap();
/// frame::write(&mut shard, b"three").unwrap();
/// let mut scan = Scan::of_stream(&shard[..], Limits::default());
/// let mut seen = Vec::new();
/// while let Some(record) = scan.next() {
///     let record = record.unwrap();
///     seen.push((record.index, record.offset, record.payload.to_vec()));
/// }
/// assert_eq!(seen, [(0, 0, b"one".to_vec()), (1, 19, b"three".to_vec())]);
/// ```
pub struct Scan<'a> {
    window: Window<'a>,
    compression: Compression,
    /// Bytes of the shard, where that is known.
    size: Option<u64>,
    limits: Limits,
    /// Most bytes to read of a payload, for a walk of headers.
    first: Option<usize>,
    index: u64,
    offset: u64,
    /// Bytes of the window that the last record still holds.
    held: u64,
    over: bool,
}

/// Bytes read at once: the second cache still holds them when their checksum is reckoned.
const READ: usize = 1 << 20;
/// The same where payloads are passed over.
const READ_OF_HEADERS: usize = 4 << 10;

impl<'a> Scan<'a> {
    pub(super) fn new(
        source: Source<'a>,
        compression: Compression,
        size: Option<u64>,
        limits: Limits,
        first: Option<usize>,
    ) -> Self {
        let window = Window::new(source, if first.is_some() { READ_OF_HEADERS } else { READ });
        let (index, offset, held, over) = (0, 0, 0, false);
        Self { window, compression, size, limits, first, index, offset, held, over }
    }

    /// Walks bytes that are not compressed and come from anywhere.
    pub fn of_stream(stream: impl Read + Send + 'a, limits: Limits) -> Self {
        Self::new(Source::Stream(Box::new(stream)), Compression::None, None, limits, None)
    }

    /// The next record; `None` behind the last one.
    ///
    /// # Errors
    /// A damaged payload costs that record alone ([`Damage::costs_only_itself`]). Anything else ends
    /// the walk, since nobody knows where the next record begins.
    #[expect(clippy::should_implement_trait, reason = "what it gives borrows from the walk")]
    pub fn next(&mut self) -> Option<Result<Record<'_>, Error>> {
        if self.over {
            return None;
        }
        match self.step() {
            Ok(None) => {
                self.over = true;
                None
            }
            Ok(Some(frame)) => Some(self.record(frame)),
            Err(error) => {
                self.over = true;
                Some(Err(error))
            }
        }
    }

    /// Bytes walked so far: where the frame that comes next begins.
    #[must_use]
    pub fn offset(&self) -> u64 {
        self.offset
    }

    /// Whether the end was reached, or a fault that ends the walk.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.over
    }

    /// Brings the next frame (or its head) into the window.
    fn step(&mut self) -> Result<Option<Frame>, Error> {
        self.release()?;
        let there = self.fill(HEADER)?;
        let Some(header) = self.window.bytes().first_chunk::<HEADER>() else {
            return match there {
                0 => Ok(None),
                _ => Err(self.damage(frame::cut_header(there, self.offset))),
            };
        };
        let left = self.size.map(|size| size.saturating_sub(self.offset + HEADER as u64));
        let length = frame::length(header, self.offset, left, self.limits);
        let length = length.map_err(|fault| self.damage(fault))?;
        let whole = usize::try_from(length).ok().and_then(|l| l.checked_add(HEADER + FOOTER));
        let whole = whole.ok_or_else(|| io::Error::from(io::ErrorKind::OutOfMemory))?;
        let bytes = self.first.map_or(whole, |first| whole.min(first.saturating_add(HEADER)));
        let there = self.fill(bytes)?;
        if there < bytes {
            return Err(self.cut_payload(length, there as u64));
        }
        Ok(Some(Frame { length, whole: whole as u64, bytes }))
    }

    /// The frame in the window, as a record; the walk goes on behind it.
    fn record(&mut self, frame: Frame) -> Result<Record<'_>, Error> {
        let (index, offset) = (self.index, self.offset);
        self.held = frame.whole;
        self.index += 1;
        self.offset += frame.whole;
        let (length, bytes) = (frame.length, &self.window.bytes()[HEADER..frame.bytes]);
        if self.first.is_some() {
            let payload = &bytes[..bytes.len().min(length as usize)];
            return Ok(Record { index, offset, length, payload });
        }
        let (payload, footer) = bytes.split_at(length as usize);
        if self.limits.checked {
            frame::check(payload, footer, offset)
                .map_err(|fault| Damage::new(Some(index), offset, fault))?;
        }
        Ok(Record { index, offset, length, payload })
    }

    /// Lets go of the last record.
    fn release(&mut self) -> Result<(), Error> {
        let held = std::mem::take(&mut self.held);
        let skipped = self.window.skip(held);
        let skipped = skipped.map_err(|error| self.trouble(error))?;
        if skipped == held {
            return Ok(());
        }
        self.index -= 1;
        self.offset -= held;
        Err(self.cut_payload(held - frame::OVERHEAD, skipped))
    }

    fn fill(&mut self, bytes: usize) -> Result<usize, Error> {
        self.window.fill(bytes).map_err(|error| self.trouble(error))
    }

    fn trouble(&self, error: io::Error) -> Error {
        match self.compression.fault(error, self.offset) {
            Ok(fault) => self.damage(fault),
            Err(error) => Error::Io(error),
        }
    }

    fn damage(&self, fault: Fault) -> Error {
        Damage::new(Some(self.index), self.offset, fault).into()
    }

    fn cut_payload(&self, length: u64, there: u64) -> Error {
        let there = there.saturating_sub(HEADER as u64);
        let found = format!("{there} of {length} bytes and a checksum, then the end");
        let fault = Fault::new(Code::CutPayload, TFRECORD, found);
        self.damage(fault.at(self.offset + HEADER as u64 + there))
    }
}

/// A frame at the beginning of the window.
struct Frame {
    length: u64,
    /// Its bytes in the shard.
    whole: u64,
    /// Its bytes in the window.
    bytes: usize,
}
