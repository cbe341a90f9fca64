//! What can be wrong with a JPEG file, one variant a malformation, each with the byte it was found at.

use std::fmt;

/// A malformation, or a legal kind of JPEG that is not read.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Kind {
    /// The bytes do not begin with a start-of-image marker.
    NotJpeg,
    /// The data ends inside or between the header segments.
    CutInHeaders,
    /// The data ends inside a scan: `done` of `total` MCUs were there.
    CutInScan {
        /// MCUs that were complete.
        done: u64,
        /// MCUs of the scan.
        total: u64,
    },
    /// The file ends (or says it ends) before every component had a scan.
    MissingScan,
    /// A segment's length field is shorter than its own fixed part or contradicts its content.
    BadSegmentLength {
        /// The segment's marker code.
        marker: u8,
    },
    /// A scan comes before the frame header.
    NoFrame,
    /// There are two frame headers.
    SecondFrame,
    /// Width or height is zero.
    EmptyPicture,
    /// The number of components is not 1, 3 or 4.
    BadComponentCount(u8),
    /// Two components carry the same number.
    DuplicateComponent(u8),
    /// A sampling factor is not 1 to 4, or an MCU has more than ten blocks.
    BadSampling,
    /// A quantisation table is malformed.
    BadQuantTable,
    /// A component names a quantisation table that was never defined.
    MissingQuantTable(u8),
    /// A Huffman table is malformed.
    BadHuffmanTable,
    /// A scan names a Huffman table that was never defined.
    MissingHuffmanTable(u8),
    /// A scan header contradicts the frame or the rules of progression.
    BadScan(&'static str),
    /// A bit pattern that is no Huffman code of the table.
    BadCode,
    /// A run of zeros that leaves the block, or a value too large for it.
    BadCoefficient,
    /// A restart marker is missing, or has another number than the next in turn.
    BadRestart {
        /// The number expected (0 to 7).
        expected: u8,
        /// The number found, or none at all.
        found: Option<u8>,
    },
    /// A legal kind of JPEG that is not read.
    Unsupported(&'static str),
    /// More pixels than the limit.
    TooManyPixels {
        /// Pixels of the picture.
        pixels: u64,
        /// The limit.
        limit: u64,
    },
    /// More scans than the limit.
    TooManyScans {
        /// The limit.
        limit: u32,
    },
    /// Decoding would hold more bytes than the limit.
    TooMuchMemory {
        /// Bytes that would be held.
        bytes: u64,
        /// The limit.
        limit: u64,
    },
    /// The asked-for region does not lie inside the picture.
    RegionOutside,
}

/// A malformation and where it was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    /// What was found.
    pub kind: Kind,
    /// The byte of the file it was found at.
    pub offset: usize,
}

/// What the functions of this crate return.
pub type Result<T> = std::result::Result<T, Error>;

impl Error {
    pub(crate) fn new(kind: Kind, offset: usize) -> Self {
        Self { kind, offset }
    }
}

pub(crate) fn fail<T>(kind: Kind, offset: usize) -> Result<T> {
    Err(Error::new(kind, offset))
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotJpeg => write!(f, "no start-of-image marker"),
            Self::CutInHeaders => write!(f, "the data ends inside the headers"),
            Self::CutInScan { done, total } => {
                let percent = if *total == 0 { 0 } else { done * 100 / total };
                write!(
                    f,
                    "the data ends after {done} of {total} block groups of a scan ({percent}%)"
                )
            }
            Self::MissingScan => write!(f, "the file ends before every component had its scan"),
            Self::BadSegmentLength { marker } => {
                write!(f, "segment FF{marker:02X} has an impossible length")
            }
            Self::NoFrame => write!(f, "a scan without a frame header before it"),
            Self::SecondFrame => write!(f, "a second frame header"),
            Self::EmptyPicture => write!(f, "width or height is zero"),
            Self::BadComponentCount(n) => write!(f, "{n} components (1, 3 and 4 are read)"),
            Self::DuplicateComponent(id) => write!(f, "component {id} appears twice"),
            Self::BadSampling => write!(f, "impossible sampling factors"),
            Self::BadQuantTable => write!(f, "malformed quantisation table"),
            Self::MissingQuantTable(id) => write!(f, "quantisation table {id} is missing"),
            Self::BadHuffmanTable => write!(f, "malformed Huffman table"),
            Self::MissingHuffmanTable(id) => write!(f, "Huffman table {id} is missing"),
            Self::BadScan(why) => write!(f, "bad scan header: {why}"),
            Self::BadCode => write!(f, "bits that are no Huffman code"),
            Self::BadCoefficient => write!(f, "a coefficient outside its block or range"),
            Self::BadRestart { expected, found: Some(found) } => {
                write!(f, "restart marker {found} where {expected} was due")
            }
            Self::BadRestart { expected, found: None } => {
                write!(f, "restart marker {expected} is missing")
            }
            Self::Unsupported(what) => write!(f, "{what} JPEG is not read"),
            Self::TooManyPixels { pixels, limit } => write!(f, "{pixels} pixels, limit {limit}"),
            Self::TooManyScans { limit } => write!(f, "more than {limit} scans"),
            Self::TooMuchMemory { bytes, limit } => {
                write!(f, "decoding needs {bytes} bytes, limit {limit}")
            }
            Self::RegionOutside => write!(f, "the region lies outside the picture"),
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} (byte {})", self.kind, self.offset)
    }
}

impl std::error::Error for Error {}
