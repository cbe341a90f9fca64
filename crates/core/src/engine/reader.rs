//! Where the bytes of a record come from.

use std::fs::OpenOptions;
use std::io::{self, Read};
use std::ops::Range;
use std::os::unix::fs::OpenOptionsExt;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use super::failure::Cause;
use crate::catalogue::Catalogue;
use crate::fault::{Code, Fault};

/// Says whether nobody waits any more for what is read.
pub type Over<'a> = &'a dyn Fn() -> bool;

/// A record that is wanted.
pub struct Wanted<'a> {
    /// Its row.
    pub row: usize,
    /// Where its bytes go; it holds whatever the last record left there.
    pub buffer: &'a mut Vec<u8>,
    /// Scratch for paths.
    pub path: &'a mut PathBuf,
    /// Whoever waits for long asks this now and then, and gives up.
    pub over: Over<'a>,
    /// Which of the bytes are the image, where not all are.
    pub part: Option<Range<usize>>,
    /// What the bytes are, where they are no image file but pixels.
    pub raw: Option<Raw>,
}

/// Pixels as they are, 8 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Raw {
    /// Width in pixels.
    pub width: u32,
    /// Height in pixels.
    pub height: u32,
    /// 1 (gray) or 3 (RGB).
    pub channels: u8,
    /// Channel after channel, rather than pixel after pixel.
    pub planar: bool,
}

impl<'a> Wanted<'a> {
    /// A record that is wanted, all bytes of it an image file until its reader says otherwise.
    pub fn new(row: usize, buffer: &'a mut Vec<u8>, path: &'a mut PathBuf, over: Over<'a>) -> Self {
        Self { row, buffer, path, over, part: None, raw: None }
    }
}

/// Reads records; called by all threads at once.
pub trait Reader: Send + Sync {
    /// Fills the buffer with a record's bytes, in place of what it holds.
    ///
    /// # Errors
    /// When they cannot be had.
    fn read(&self, wanted: &mut Wanted<'_>) -> Result<(), Cause>;
}

/// Most bytes a file may have.
const LARGEST: u64 = 1 << 30;
/// How long to wait before each new try of something that may pass.
const PAUSES: [Duration; 2] = [Duration::from_millis(20), Duration::from_millis(200)];

/// Files, where the catalogue says they are.
pub struct Files(pub Arc<Catalogue>);

impl Reader for Files {
    fn read(&self, wanted: &mut Wanted<'_>) -> Result<(), Cause> {
        let path = self.0.path(wanted.row, wanted.path);
        // Without waiting: a pipe would have it wait for a writer.
        let file = OpenOptions::new().read(true).custom_flags(NONBLOCK).open(path);
        let file = file.map_err(Cause::Io)?;
        let about = file.metadata().map_err(Cause::Io)?;
        if about.is_dir() {
            return Err(Cause::Io(io::Error::from_raw_os_error(IS_A_DIRECTORY)));
        }
        let refuse = |code, found: String| Err(Cause::Fault(Fault::new(code, "", found)));
        if !about.is_file() {
            return refuse(Code::UnknownFormat, "a pipe or device, not a regular file".into());
        }
        if about.len() > LARGEST {
            return refuse(Code::TooMuchMemory, format!("a file of more than {LARGEST} bytes"));
        }
        wanted.buffer.clear();
        // One byte more, so that the end is seen without growing.
        wanted.buffer.reserve(about.len() as usize + 1);
        file.take(LARGEST).read_to_end(wanted.buffer).map_err(Cause::Io)?;
        Ok(())
    }
}

/// Linux's numbers.
const NONBLOCK: i32 = 0o4000;
const IS_A_DIRECTORY: i32 = 21;

/// Reads, and tries again where that may help.
pub fn patiently(reader: &dyn Reader, wanted: &mut Wanted<'_>) -> Result<(), Cause> {
    for pause in PAUSES {
        match reader.read(wanted) {
            Err(cause) if cause.is_passing() && !(wanted.over)() => std::thread::sleep(pause),
            answer => return answer,
        }
    }
    reader.read(wanted)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering};

    struct Flaky(AtomicUsize);

    impl Reader for Flaky {
        fn read(&self, wanted: &mut Wanted<'_>) -> Result<(), Cause> {
            // As every reader must: what is there is the last record's, or half of this one.
            wanted.buffer.clear();
            if self.0.fetch_add(1, Ordering::Relaxed) < 2 {
                wanted.buffer.push(9);
                return Err(Cause::Io(io::Error::from_raw_os_error(5)));
            }
            wanted.buffer.push(1);
            Ok(())
        }
    }

    struct Gone(AtomicUsize);

    impl Reader for Gone {
        fn read(&self, _: &mut Wanted<'_>) -> Result<(), Cause> {
            self.0.fetch_add(1, Ordering::Relaxed);
            Err(Cause::Io(io::ErrorKind::NotFound.into()))
        }
    }

    #[test]
    fn what_may_pass_is_tried_again_and_what_lasts_is_not() {
        let read = |reader: &dyn Reader| {
            let (mut buffer, mut path) = (Vec::new(), PathBuf::new());
            let over = &|| false;
            let wanted = &mut Wanted::new(0, &mut buffer, &mut path, over);
            patiently(reader, wanted).map(|()| buffer)
        };
        assert_eq!(read(&Flaky(AtomicUsize::new(0))).unwrap(), [1]);
        let gone = Gone(AtomicUsize::new(0));
        assert!(read(&gone).is_err());
        assert_eq!(gone.0.load(Ordering::Relaxed), 1);
    }
}
