//! The bytes around one record: its length, the length's checksum, the payload, the payload's checksum.

use std::io::{self, Write};

use super::crc;
use super::damage::TFRECORD;
use crate::fault::{Code, Fault};

/// Bytes before a payload.
pub const HEADER: usize = 12;
/// Bytes behind it.
pub const FOOTER: usize = 4;
/// Bytes a frame has beyond its payload.
pub const OVERHEAD: u64 = (HEADER + FOOTER) as u64;

/// What a record may claim, and what is checked of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Most bytes of a payload.
    pub payload: u64,
    /// Whether the checksums of payloads are compared (those of lengths always are).
    pub checked: bool,
}

impl Default for Limits {
    /// A GiB, all of it checked.
    fn default() -> Self {
        Self { payload: 1 << 30, checked: true }
    }
}

/// The length of the payload behind a header at byte `at`, by its checksum and nothing else.
///
/// # Errors
/// [`Code::LengthCrc`].
pub fn stated(header: &[u8; HEADER], at: u64) -> Result<u64, Fault> {
    let (length, stored) = header.split_at(8);
    let (crc, stored) = (crc::masked(length), number(stored));
    let length = u64::from_le_bytes(header[..8].try_into().expect("eight bytes"));
    if crc == stored {
        return Ok(length);
    }
    let found =
        format!("the length {length} has the checksum {crc:#010x}, stored is {stored:#010x}");
    Err(Fault::new(Code::LengthCrc, TFRECORD, found).at(at + 8))
}

/// The length of the payload behind a header at byte `at`: sound, within the limit, and no more than
/// the `left` bytes behind the header can hold (where their number is known).
///
/// # Errors
/// [`Code::LengthCrc`], [`Code::RecordTooLarge`] or [`Code::BeyondEnd`].
pub fn length(
    header: &[u8; HEADER],
    at: u64,
    left: Option<u64>,
    limits: Limits,
) -> Result<u64, Fault> {
    let length = stated(header, at)?;
    if length > limits.payload {
        let found = format!("{length} bytes long, the limit is {}", limits.payload);
        return Err(Fault::new(Code::RecordTooLarge, TFRECORD, found).at(at));
    }
    match left {
        // The limit may be anything, so the sum may be, too.
        Some(left) if length.saturating_add(FOOTER as u64) > left => {
            let found = format!("{length} bytes and a checksum announced, {left} are left");
            Err(Fault::new(Code::BeyondEnd, TFRECORD, found).at(at))
        }
        _ => Ok(length),
    }
}

/// Compares a payload with the checksum behind it; the frame begins at byte `at`.
///
/// # Errors
/// [`Code::PayloadCrc`].
pub fn check(payload: &[u8], footer: &[u8], at: u64) -> Result<(), Fault> {
    let (crc, stored) = (crc::masked(payload), number(footer));
    if crc == stored {
        return Ok(());
    }
    let bytes = payload.len();
    let found =
        format!("the {bytes} bytes have the checksum {crc:#010x}, stored is {stored:#010x}");
    Err(Fault::new(Code::PayloadCrc, TFRECORD, found).at(at + (HEADER + bytes) as u64))
}

pub(super) fn cut_header(bytes: usize, at: u64) -> Fault {
    let found = format!("{bytes} of {HEADER} bytes of a header, then the end");
    Fault::new(Code::CutHeader, TFRECORD, found).at(at)
}

fn number(bytes: &[u8]) -> u32 {
    u32::from_le_bytes(bytes.try_into().expect("four bytes"))
}

/// What stands before a payload of this length.
#[must_use]
pub fn header(length: u64) -> [u8; HEADER] {
    let mut header = [0; HEADER];
    header[..8].copy_from_slice(&length.to_le_bytes());
    let crc = crc::masked(&header[..8]);
    header[8..].copy_from_slice(&crc.to_le_bytes());
    header
}

/// What stands behind this payload.
#[must_use]
pub fn footer(payload: &[u8]) -> [u8; FOOTER] {
    crc::masked(payload).to_le_bytes()
}

/// Writes one record; says how many bytes its frame has.
///
/// ```
/// use pixfeed_core::record::frame;
/// let mut out = Vec::new();
/// assert_eq!(frame::write(&mut out, b"abc").unwrap(), 19);
/// assert_eq!((out.len(), &out[12..15]), (19, &b"abc"[..]));
/// ```
///
/// # Errors
/// Those of `out`.
pub fn write(out: &mut impl Write, payload: &[u8]) -> io::Result<u64> {
    out.write_all(&header(payload.len() as u64))?;
    out.write_all(payload)?;
    out.write_all(&footer(payload))?;
    Ok(payload.len() as u64 + OVERHEAD)
}

/// Writes records one after the other and says where each of them went.
#[derive(Debug)]
pub struct Writer<W> {
    out: W,
    offset: u64,
    count: u64,
}

impl<W: Write> Writer<W> {
    /// A shard that begins here.
    pub fn new(out: W) -> Self {
        Self { out, offset: 0, count: 0 }
    }

    /// Writes a record; its frame begins at the offset given back.
    ///
    /// # Errors
    /// Those of what it writes into, after which nothing more should be written.
    pub fn write(&mut self, payload: &[u8]) -> io::Result<u64> {
        let here = self.offset;
        self.offset += write(&mut self.out, payload)?;
        self.count += 1;
        Ok(here)
    }

    /// Bytes written.
    pub fn bytes(&self) -> u64 {
        self.offset
    }

    /// Records written.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// What was written into; nothing is flushed.
    pub fn into_inner(self) -> W {
        self.out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What TensorFlow writes for an empty record, and for "abc".
    #[test]
    fn known_frames() {
        let mut out = Vec::new();
        write(&mut out, b"").unwrap();
        assert_eq!(out, [0, 0, 0, 0, 0, 0, 0, 0, 0x29, 3, 0x98, 7, 0xd8, 0xea, 0x82, 0xa2]);
        let mut writer = Writer::new(Vec::new());
        assert_eq!((writer.write(b"").unwrap(), writer.write(b"abc").unwrap()), (0, 16));
        assert_eq!((writer.bytes(), writer.count()), (35, 2));
        assert_eq!(writer.into_inner()[..16], out);
    }

    #[test]
    fn a_length_is_sound_bounded_and_there() {
        let limits = Limits { payload: 100, checked: true };
        let told = |length: u64, left| super::length(&header(length), 7, left, limits);
        assert_eq!(told(100, None), Ok(100));
        assert_eq!(told(100, Some(104)), Ok(100));
        let code = |answer: Result<u64, Fault>| answer.map_err(|f| (f.code, f.offset)).unwrap_err();
        assert_eq!(code(told(100, Some(103))), (Code::BeyondEnd, Some(7)));
        assert_eq!(code(told(101, Some(1000))), (Code::RecordTooLarge, Some(7)));
        let boundless = Limits { payload: u64::MAX, checked: true };
        let endless = super::length(&header(u64::MAX), 7, Some(1000), boundless);
        assert_eq!(code(endless), (Code::BeyondEnd, Some(7)));
        let mut bad = header(5);
        bad[0] ^= 1;
        assert_eq!(code(super::length(&bad, 7, None, limits)), (Code::LengthCrc, Some(15)));
    }

    #[test]
    fn a_payload_is_compared_with_its_checksum() {
        assert_eq!(check(b"abc", &footer(b"abc"), 0), Ok(()));
        let fault = check(b"abd", &footer(b"abc"), 40).unwrap_err();
        assert_eq!((fault.code, fault.offset), (Code::PayloadCrc, Some(55)));
    }
}
