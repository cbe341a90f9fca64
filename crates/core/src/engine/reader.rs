//! Where the bytes of a record come from.

use std::fs::File;
use std::io::Read;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use super::failure::Cause;
use crate::catalogue::Catalogue;
use crate::fault::{Code, Fault};

/// Reads records; called by all threads at once.
pub trait Reader: Send + Sync {
    /// Fills the buffer with a record's bytes; `path` is scratch.
    ///
    /// # Errors
    /// When they cannot be had.
    fn read(&self, row: usize, buffer: &mut Vec<u8>, path: &mut PathBuf) -> Result<(), Cause>;
}

/// Most bytes a file may have.
const LARGEST: u64 = 1 << 30;
/// How long to wait before each new try of something that may pass.
const PAUSES: [Duration; 2] = [Duration::from_millis(20), Duration::from_millis(200)];

/// Files, where the catalogue says they are.
pub struct Files(pub Arc<Catalogue>);

impl Reader for Files {
    fn read(&self, row: usize, buffer: &mut Vec<u8>, path: &mut PathBuf) -> Result<(), Cause> {
        let path = self.0.path(row, path);
        buffer.clear();
        let read = File::open(path)
            .and_then(|file| file.take(LARGEST + 1).read_to_end(buffer))
            .map_err(Cause::Io)?;
        if read as u64 > LARGEST {
            let found = format!("a file of more than {LARGEST} bytes");
            return Err(Cause::Fault(Fault::new(Code::TooMuchMemory, "", found)));
        }
        Ok(())
    }
}

/// Reads, and tries again where that may help.
pub fn patiently(
    reader: &dyn Reader,
    row: usize,
    buffer: &mut Vec<u8>,
    path: &mut PathBuf,
) -> Result<(), Cause> {
    for pause in PAUSES {
        match reader.read(row, buffer, path) {
            Err(cause) if cause.is_passing() => std::thread::sleep(pause),
            answer => return answer,
        }
    }
    reader.read(row, buffer, path)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io;
    use std::sync::atomic::{AtomicUsize, Ordering};

    struct Flaky(AtomicUsize);

    impl Reader for Flaky {
        fn read(&self, _: usize, buffer: &mut Vec<u8>, _: &mut PathBuf) -> Result<(), Cause> {
            if self.0.fetch_add(1, Ordering::Relaxed) < 2 {
                return Err(Cause::Io(io::Error::from_raw_os_error(5)));
            }
            buffer.push(1);
            Ok(())
        }
    }

    struct Gone(AtomicUsize);

    impl Reader for Gone {
        fn read(&self, _: usize, _: &mut Vec<u8>, _: &mut PathBuf) -> Result<(), Cause> {
            self.0.fetch_add(1, Ordering::Relaxed);
            Err(Cause::Io(io::ErrorKind::NotFound.into()))
        }
    }

    #[test]
    fn what_may_pass_is_tried_again_and_what_lasts_is_not() {
        let (mut buffer, mut path) = (Vec::new(), PathBuf::new());
        assert!(patiently(&Flaky(AtomicUsize::new(0)), 0, &mut buffer, &mut path).is_ok());
        assert_eq!(buffer, [1]);
        let gone = Gone(AtomicUsize::new(0));
        assert!(patiently(&gone, 0, &mut buffer, &mut path).is_err());
        assert_eq!(gone.0.load(Ordering::Relaxed), 1);
    }
}
