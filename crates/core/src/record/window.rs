//! The part of a shard that is in memory while the shard is walked.

use std::fs::File;
use std::io::{self, ErrorKind, Read};
use std::os::unix::fs::FileExt;
use std::sync::Arc;

/// A file read from a place of our own, which others who read it do not move.
pub(super) struct Positional {
    pub file: Arc<File>,
    pub at: u64,
}

impl Read for Positional {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let read = self.file.read_at(out, self.at)?;
        self.at += read as u64;
        Ok(read)
    }
}

/// Where bytes come from.
pub(super) enum Source<'a> {
    /// From where one can seek.
    File(Positional),
    /// One after the other.
    Stream(Box<dyn Read + Send + 'a>),
}

impl Source<'_> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        loop {
            let read = match self {
                Self::File(file) => file.read(out),
                Self::Stream(stream) => stream.read(out),
            };
            match read {
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                answer => return answer,
            }
        }
    }
}

/// Bytes of a source from some place on: as many as were asked for, or as there are.
pub(super) struct Window<'a> {
    source: Source<'a>,
    buffer: Vec<u8>,
    start: usize,
    end: usize,
}

impl<'a> Window<'a> {
    /// A window that reads so many bytes at once.
    pub fn new(source: Source<'a>, bytes: usize) -> Self {
        Self { source, buffer: vec![0; bytes], start: 0, end: 0 }
    }

    /// What is in memory.
    pub fn bytes(&self) -> &[u8] {
        &self.buffer[self.start..self.end]
    }

    /// Brings at least so many bytes into memory; says how many of them there are.
    pub fn fill(&mut self, wanted: usize) -> io::Result<usize> {
        if self.start + wanted > self.buffer.len() {
            self.buffer.copy_within(self.start..self.end, 0);
            self.end -= self.start;
            self.start = 0;
        }
        while self.end - self.start < wanted {
            if self.end == self.buffer.len() {
                // Memory follows what arrives, not what a header claims.
                self.buffer.resize(wanted.min(2 * self.end), 0);
            }
            match self.source.read(&mut self.buffer[self.end..])? {
                0 => break,
                read => self.end += read,
            }
        }
        Ok(wanted.min(self.end - self.start))
    }

    /// Leaves so many bytes behind; says how many of them there were. A file's end is not looked for.
    pub fn skip(&mut self, bytes: u64) -> io::Result<u64> {
        let mut left = bytes - self.leave(bytes);
        if let Source::File(file) = &mut self.source {
            file.at = file.at.saturating_add(left);
            return Ok(bytes);
        }
        while left > 0 && self.fill(1)? > 0 {
            left -= self.leave(left);
        }
        Ok(bytes - left)
    }

    fn leave(&mut self, bytes: u64) -> u64 {
        let here = (self.end - self.start).min(usize::try_from(bytes).unwrap_or(usize::MAX));
        self.start += here;
        if self.start == self.end {
            (self.start, self.end) = (0, 0);
        }
        here as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Gives bytes one at a time, interrupted before each.
    struct Slow<'a>(&'a [u8], bool);

    impl Read for Slow<'_> {
        fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
            self.1 = !self.1;
            if self.1 {
                return Err(ErrorKind::Interrupted.into());
            }
            self.0.read(&mut out[..1])
        }
    }

    #[test]
    fn bytes_come_in_order_however_slowly() {
        let bytes: Vec<u8> = (0..200).collect();
        let mut window = Window::new(Source::Stream(Box::new(Slow(&bytes, false))), 16);
        assert_eq!(window.fill(10).unwrap(), 10);
        assert_eq!(window.bytes()[..10], bytes[..10]);
        assert_eq!(window.skip(8).unwrap(), 8);
        assert_eq!(window.fill(100).unwrap(), 100);
        assert_eq!(window.bytes()[..100], bytes[8..108]);
        assert_eq!(window.skip(150).unwrap(), 150);
        assert_eq!(window.fill(100).unwrap(), 42);
        assert_eq!(window.bytes(), &bytes[158..]);
        assert_eq!(window.skip(50).unwrap(), 42);
    }

    #[test]
    fn a_claim_takes_no_memory() {
        let bytes = [7; 100];
        let mut window = Window::new(Source::Stream(Box::new(&bytes[..])), 16);
        assert_eq!(window.fill(1 << 40).unwrap(), 100);
        assert!(window.buffer.len() <= 256);
    }
}
