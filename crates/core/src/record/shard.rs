//! A shard as a file: walked from its beginning, or read at a place.

use std::fs::{File, OpenOptions};
use std::io::{self, Read};
use std::ops::Range;
use std::os::unix::fs::{FileExt, OpenOptionsExt};
use std::path::Path;
use std::sync::Arc;

use super::compression::Compression;
use super::damage::{Damage, Error, TFRECORD};
use super::frame::{self, FOOTER, HEADER, Limits};
use super::scan::Scan;
use super::window::{Positional, Source};
use crate::fault::{Code, Fault};

/// An open shard. Threads may share it: every reading has a place of its own.
#[derive(Debug)]
pub struct Shard {
    file: Arc<File>,
    size: u64,
    compression: Compression,
}

impl Shard {
    /// Opens a shard and tells from its first bytes whether it is compressed.
    ///
    /// # Errors
    /// The system's; a folder, pipe or device is none of the files that can be sought in.
    pub fn open(path: &Path) -> io::Result<Self> {
        // Without waiting: a pipe would have it wait for a writer.
        Self::new(OpenOptions::new().read(true).custom_flags(NONBLOCK).open(path)?)
    }

    /// A shard that is open already.
    ///
    /// # Errors
    /// As for [`Shard::open`].
    pub fn new(file: File) -> io::Result<Self> {
        let about = file.metadata()?;
        if !about.is_file() {
            let number = if about.is_dir() { IS_A_DIRECTORY } else { ILLEGAL_SEEK };
            return Err(io::Error::from_raw_os_error(number));
        }
        let file = Arc::new(file);
        let mut head = Vec::with_capacity(HEADER);
        Positional { file: file.clone(), at: 0 }.take(HEADER as u64).read_to_end(&mut head)?;
        Ok(Self { file, size: about.len(), compression: Compression::of(&head) })
    }

    /// Bytes of the file when it was opened.
    #[must_use]
    pub fn size(&self) -> u64 {
        self.size
    }

    /// How it is compressed. Records of a compressed shard can only be walked.
    #[must_use]
    pub fn compression(&self) -> Compression {
        self.compression
    }

    /// A walk through all records, payloads included. It outlives the shard.
    #[must_use]
    pub fn scan(&self, limits: Limits) -> Scan<'static> {
        self.walk(limits, None)
    }

    /// A walk that passes over payloads, but reads up to `first` bytes of each.
    ///
    /// Checksums of payloads are not compared. A compressed shard is unpacked all the same, and there
    /// the cut end of a record is found after its head was given out.
    #[must_use]
    pub fn headers(&self, limits: Limits, first: usize) -> Scan<'static> {
        self.walk(limits, Some(first))
    }

    fn walk(&self, limits: Limits, first: Option<usize>) -> Scan<'static> {
        let file = Positional { file: self.file.clone(), at: 0 };
        let (source, size) = match self.compression {
            Compression::None => (Source::File(file), Some(self.size)),
            packed => (Source::Stream(packed.unpacked(file)), None),
        };
        Scan::new(source, self.compression, size, limits, first)
    }

    /// Reads the record whose frame begins at `offset` and whose payload has `length` bytes; says
    /// which part of the buffer its payload is.
    ///
    /// One read of the system. The buffer only ever grows: used again, it is not cleared.
    ///
    /// # Errors
    /// The system's, or the damage. [`Code::RecordMoved`] when a sound record of another length is
    /// there, [`Code::LengthCrc`] when none is.
    pub fn read(
        &self,
        offset: u64,
        length: u64,
        buffer: &mut Vec<u8>,
        limits: Limits,
    ) -> Result<Range<usize>, Error> {
        let refuse = |fault: Fault| Error::from(Damage::new(None, offset, fault));
        let whole = self.bounded(offset, length, limits).map_err(refuse)?;
        if buffer.len() < whole {
            buffer.resize(whole, 0);
        }
        let frame = &mut buffer[..whole];
        self.file.read_exact_at(frame, offset).map_err(|error| match error.kind() {
            io::ErrorKind::UnexpectedEof => refuse(shrunk(offset)),
            _ => Error::Io(error),
        })?;
        checked(frame, offset, limits).map_err(refuse)?;
        Ok(HEADER..whole - FOOTER)
    }

    /// The bytes of a frame that can be there.
    fn bounded(&self, offset: u64, length: u64, limits: Limits) -> Result<usize, Fault> {
        let fault = |code, found: String| Fault::new(code, TFRECORD, found).at(offset);
        if self.compression != Compression::None {
            let packed = self.compression.as_str();
            return Err(fault(Code::CompressedShard, format!("the shard is one {packed} stream")));
        }
        if length > limits.payload {
            let found = format!("{length} bytes long, the limit is {}", limits.payload);
            return Err(fault(Code::RecordTooLarge, found));
        }
        let end = offset.checked_add(length).and_then(|end| end.checked_add(frame::OVERHEAD));
        match end.map(|end| (end, usize::try_from(end - offset))) {
            Some((end, Ok(whole))) if end <= self.size => Ok(whole),
            _ => {
                let found = format!("{length} bytes expected, the shard ends at {}", self.size);
                Err(fault(Code::BeyondEnd, found))
            }
        }
    }
}

/// Holds a whole frame to its checksums and to the length that was expected.
fn checked(frame: &[u8], offset: u64, limits: Limits) -> Result<(), Fault> {
    let (header, rest) = frame.split_first_chunk::<HEADER>().expect("a whole frame");
    let (payload, footer) = rest.split_at(rest.len() - FOOTER);
    let stated = frame::stated(header, offset)?;
    if stated != payload.len() as u64 {
        let found = format!("{stated} bytes long, {} were expected", payload.len());
        return Err(Fault::new(Code::RecordMoved, TFRECORD, found).at(offset));
    }
    if limits.checked { frame::check(payload, footer, offset) } else { Ok(()) }
}

fn shrunk(offset: u64) -> Fault {
    Fault::new(Code::CutPayload, TFRECORD, "the file became shorter while it was open").at(offset)
}

/// Linux's numbers.
const NONBLOCK: i32 = 0o4000;
const IS_A_DIRECTORY: i32 = 21;
const ILLEGAL_SEEK: i32 = 29;
