//! Shards that were compressed as a whole: told by their first bytes, unpacked while they are walked.

use std::io::{self, BufRead, BufReader, ErrorKind, Read};

use flate2::bufread::{MultiGzDecoder, ZlibDecoder};

use super::damage::TFRECORD;
use super::frame;
use crate::fault::{Code, Fault};

/// How a shard is compressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Compression {
    /// Not at all.
    None,
    /// As a gzip file, of one member or several.
    Gzip,
    /// As one zlib stream.
    Zlib,
}

impl Compression {
    /// The compression of a shard with these first bytes (the first twelve suffice).
    ///
    /// A sound header is never taken for anything else; a damaged one of a record below 4 GiB never
    /// for zlib, since no stream has four zeros there.
    ///
    /// ```
    /// use pixfeed_core::record::{compression::Compression, frame};
    /// assert_eq!(Compression::of(&frame::header(0x9c78)), Compression::None);
    /// assert_eq!(Compression::of(&[0x78, 0x9c, 3, 0, 0, 0, 0, 1]), Compression::Zlib);
    /// ```
    #[must_use]
    pub fn of(head: &[u8]) -> Self {
        let sound = head.first_chunk().is_some_and(|header| frame::stated(header, 0).is_ok());
        match head {
            _ if sound => Self::None,
            [0x1f, 0x8b, 8, ..] => Self::Gzip,
            [_, _, _, _, 0, 0, 0, 0, ..] => Self::None,
            [method, flags, ..] if zlib(*method, *flags) => Self::Zlib,
            _ => Self::None,
        }
    }

    /// What it is called.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Gzip => "gzip",
            Self::Zlib => "zlib",
        }
    }

    /// The bytes of a shard, unpacked.
    pub(super) fn unpacked<'a>(self, packed: impl Read + Send + 'a) -> Box<dyn Read + Send + 'a> {
        match self {
            Self::None => Box::new(packed),
            Self::Gzip => Box::new(MultiGzDecoder::new(BufReader::with_capacity(PACKED, packed))),
            Self::Zlib => {
                Box::new(Lone(ZlibDecoder::new(BufReader::with_capacity(PACKED, packed))))
            }
        }
    }

    /// What an error of the unpacked bytes says about the shard; errors of the system stay theirs.
    pub(super) fn fault(self, error: io::Error, at: u64) -> Result<Fault, io::Error> {
        let code = match error.kind() {
            _ if self == Self::None => return Err(error),
            ErrorKind::UnexpectedEof => Code::CutCompression,
            ErrorKind::InvalidData | ErrorKind::InvalidInput => Code::BadCompression,
            _ => return Err(error),
        };
        Ok(Fault::new(code, TFRECORD, format!("{}: {error}", self.as_str())).at(at))
    }
}

/// Bytes read at once of a compressed shard.
const PACKED: usize = 256 << 10;

/// Deflate with a window of at most 32 KiB, no dictionary, and the check bits right.
fn zlib(method: u8, flags: u8) -> bool {
    let check = u32::from(method) << 8 | u32::from(flags);
    method & 15 == 8 && method >> 4 <= 7 && flags & 32 == 0 && check.is_multiple_of(31)
}

/// One zlib stream, behind which nothing may follow: what did would be lost without a word.
struct Lone<R>(ZlibDecoder<R>);

impl<R: BufRead> Read for Lone<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        match self.0.read(out)? {
            0 if !out.is_empty() && !self.0.get_mut().fill_buf()?.is_empty() => {
                Err(io::Error::new(ErrorKind::InvalidData, "bytes follow the end of the stream"))
            }
            bytes => Ok(bytes),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn first_bytes_tell() {
        let of = Compression::of;
        assert_eq!(of(&[]), Compression::None);
        assert_eq!(of(&[0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3, 1, 2]), Compression::Gzip);
        for level in [0x01, 0x5e, 0x9c, 0xda] {
            assert_eq!(of(&[0x78, level, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10]), Compression::Zlib);
        }
        assert_eq!(of(&[0x78, 0x9d, 1, 2, 3, 4, 5, 6]), Compression::None);
    }

    #[test]
    fn headers_are_not_streams_even_where_they_look_so() {
        for length in [0x0008_8b1f, 0x9c78, 0x0178] {
            assert_eq!(Compression::of(&frame::header(length)), Compression::None);
        }
        let mut damaged = frame::header(0x9c78);
        damaged[8] ^= 1;
        assert_eq!(Compression::of(&damaged), Compression::None);
    }
}
