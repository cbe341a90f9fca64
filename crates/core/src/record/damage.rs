//! What went wrong with a shard, and at which of its records.

use std::io;

use crate::fault::{Code, Fault};

/// What a fault calls the framing.
pub const TFRECORD: &str = "TFRecord";
/// What a fault calls a payload.
pub const EXAMPLE: &str = "tf.train.Example";

/// A record that cannot be had, by its number and place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Damage {
    /// The record's number in its shard, where it is known.
    pub index: Option<u64>,
    /// Where its frame begins; in the unpacked bytes, when the shard is compressed.
    pub offset: u64,
    /// What is wrong; its own offset says where exactly.
    pub fault: Fault,
}

impl Damage {
    pub(super) fn new(index: Option<u64>, offset: u64, fault: Fault) -> Self {
        Self { index, offset, fault }
    }

    /// Whether the records behind it can still be read: its length was sound, its payload is not.
    ///
    /// ```
    /// use pixfeed_core::record::{Limits, Scan, frame};
    /// let mut shard = Vec::new();
    /// frame::write(&mut shard, b"one").unwrap();
    /// shard[13] ^= 1;
    /// let mut scan = Scan::of_stream(&shard[..], Limits::default());
    /// let damage = scan.next().unwrap().unwrap_err().damage().unwrap();
    /// assert!(damage.costs_only_itself());
    /// assert!(scan.next().is_none());
    /// ```
    #[must_use]
    pub fn costs_only_itself(&self) -> bool {
        self.fault.code == Code::PayloadCrc
    }

    /// The fault alone, which names the record in its words.
    #[must_use]
    pub fn into_fault(self) -> Fault {
        let found = match self.index {
            Some(index) => format!("record {index}: {}", self.fault.found),
            None => format!("record at byte {}: {}", self.offset, self.fault.found),
        };
        Fault { found, ..self.fault }
    }
}

impl std::fmt::Display for Damage {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.clone().into_fault().fmt(f)
    }
}

/// Why a record cannot be had.
#[derive(Debug)]
pub enum Error {
    /// The system refused.
    Io(io::Error),
    /// The bytes are no sound record.
    Damage(Damage),
}

impl Error {
    /// The damage, unless the system is to blame.
    #[must_use]
    pub fn damage(self) -> Option<Damage> {
        match self {
            Self::Damage(damage) => Some(damage),
            Self::Io(_) => None,
        }
    }
}

impl From<io::Error> for Error {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

impl From<Damage> for Error {
    fn from(damage: Damage) -> Self {
        Self::Damage(damage)
    }
}

impl std::fmt::Display for Error {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Io(error) => error.fmt(f),
            Self::Damage(damage) => damage.fmt(f),
        }
    }
}

impl std::error::Error for Error {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fault_names_its_record_and_its_byte() {
        let fault = Fault::new(Code::LengthCrc, TFRECORD, "odd").at(30);
        let numbered = Damage::new(Some(2), 22, fault.clone());
        assert_eq!(numbered.to_string(), "TFRecord record-length-crc: record 2: odd at byte 30");
        let placed = Error::from(Damage::new(None, 22, fault));
        let words = "TFRecord record-length-crc: record at byte 22: odd at byte 30";
        assert_eq!(placed.to_string(), words);
        assert!(!placed.damage().unwrap().costs_only_itself());
        let io = Error::from(io::Error::other("gone"));
        assert_eq!((io.to_string().as_str(), io.damage()), ("gone", None));
    }
}
