//! What went wrong, as facts. Wording and remedies belong to Python (`pixfeed/errors.py`).

/// Every kind of fault the engine can report, with the code Python knows it by.
///
/// Adding a variant means adding its code to [`Code::ALL`] and its class and hint in
/// `src/pixfeed/errors.py`; a test walks the list and fails when one is missing.
macro_rules! codes {
    ($($(#[$doc:meta])* $name:ident = $code:literal),+ $(,)?) => {
        /// A kind of fault.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Code { $($(#[$doc])* $name),+ }
        impl Code {
            /// All codes there are.
            pub const ALL: &'static [Code] = &[$(Code::$name),+];
            /// The name Python knows this code by.
            #[must_use]
            pub fn as_str(self) -> &'static str {
                match self { $(Code::$name => $code),+ }
            }
        }
    };
}

codes! {
    /// No bytes at all.
    Empty = "empty",
    /// The bytes begin like no image format we read.
    UnknownFormat = "unknown-format",
    /// The data ends before the image does.
    Truncated = "truncated",
    /// A header field contradicts the format's rules.
    BadHeader = "bad-header",
    /// A marker, chunk or tag is malformed.
    BadSegment = "bad-segment",
    /// A table (Huffman, quantisation, palette) is malformed or missing.
    BadTable = "bad-table",
    /// Compressed data is malformed.
    BadData = "bad-data",
    /// A legal variant of the format that is not read (the detail names it).
    Unsupported = "unsupported",
    /// More pixels than the limit allows.
    TooManyPixels = "too-many-pixels",
    /// More scans than the limit allows.
    TooManyScans = "too-many-scans",
    /// Decoding would need more memory than the limit allows.
    TooMuchMemory = "too-much-memory",
    /// The asked-for box does not lie inside the image.
    BoxOutside = "box-outside",
    /// A crop is larger than the image it is cut from.
    ImageTooSmall = "image-too-small",
    /// No record can stand in for one that cannot be read.
    NoSubstitute = "no-substitute",
    /// There is no memory for a batch.
    BatchTooLarge = "batch-too-large",
    /// An asked-for size or option is impossible.
    BadRequest = "bad-request",
    /// A shard ends within a record's header.
    CutHeader = "record-cut-header",
    /// The checksum of a record's length does not fit.
    LengthCrc = "record-length-crc",
    /// A record is longer than what is left of its shard.
    BeyondEnd = "record-beyond-end",
    /// A record is longer than the limit.
    RecordTooLarge = "record-too-large",
    /// A shard ends within a record, which its length did not tell.
    CutPayload = "record-cut-payload",
    /// The checksum of a record's payload does not fit.
    PayloadCrc = "record-payload-crc",
    /// A record is not where it is said to be.
    RecordMoved = "record-moved",
    /// One record of a compressed shard was asked for.
    CompressedShard = "record-compressed",
    /// The gzip or zlib stream of a shard is malformed.
    BadCompression = "record-compression",
    /// The gzip or zlib stream of a shard ends before it is complete.
    CutCompression = "record-cut-compression",
    /// A message of an Example ends within one of its fields.
    CutExample = "example-cut",
    /// A number in an Example has more than 64 bits.
    BadVarint = "example-varint",
    /// A field of an Example has a number or a type that cannot be.
    BadField = "example-field",
    /// A field of an Example is there twice where once is all.
    RepeatedField = "example-repeated",
    /// A packed list of an Example holds no whole number of values.
    BadPacked = "example-packed",
    /// The name of a feature is not UTF-8.
    FeatureName = "feature-name",
    /// A feature holds another kind of values than its name promises.
    FeatureKind = "feature-kind",
    /// A feature holds another number of values than its name promises.
    FeatureCount = "feature-count",
    /// A feature's value cannot be what its name promises.
    FeatureValue = "feature-value",
}

/// One fault: its kind, where it is and what was found there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The kind.
    pub code: Code,
    /// The format being read ("JPEG", "PNG", ...; empty before it is known).
    pub format: &'static str,
    /// Where in the bytes, where that is known.
    pub offset: Option<u64>,
    /// What was found, as a phrase without a full stop.
    pub found: String,
}

impl Fault {
    /// A fault without a known place.
    pub fn new(code: Code, format: &'static str, found: impl Into<String>) -> Self {
        Self { code, format, offset: None, found: found.into() }
    }

    /// The same fault at a byte offset.
    #[must_use]
    pub fn at(mut self, offset: u64) -> Self {
        self.offset = Some(offset);
        self
    }
}

impl std::fmt::Display for Fault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let space = if self.format.is_empty() { "" } else { " " };
        write!(f, "{}{space}{}: {}", self.format, self.code.as_str(), self.found)?;
        match self.offset {
            Some(offset) => write!(f, " at byte {offset}"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for Fault {}
