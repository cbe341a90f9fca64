//! The directories of TIFF files and EXIF blocks, read by bounds-checked steps that always end.

/// A TIFF structure: a byte order and a width of offsets over some bytes.
#[derive(Clone, Copy)]
pub(super) struct Directories<'a> {
    data: &'a [u8],
    big_endian: bool,
    wide: bool,
}

/// One entry of a directory.
#[derive(Clone, Copy)]
pub(super) struct Entry {
    /// The tag.
    pub(super) tag: u16,
    kind: u16,
    /// How many values there are.
    pub(super) count: u64,
    /// Where in the data the entry's value field lies.
    pub(super) field: usize,
}

impl<'a> Directories<'a> {
    /// The structure and the place of its first directory.
    pub(super) fn open(data: &'a [u8]) -> Option<(Self, u64)> {
        let (big_endian, wide) = match data.get(..4)? {
            [b'I', b'I', 42, 0] => (false, false),
            [b'M', b'M', 0, 42] => (true, false),
            [b'I', b'I', 43, 0] => (false, true),
            [b'M', b'M', 0, 43] => (true, true),
            _ => return None,
        };
        let this = Self { data, big_endian, wide };
        let first = if wide { this.number(8, 8)? } else { this.number(4, 4)? };
        Some((this, first))
    }

    /// Whether 16 bit numbers have their high byte first.
    pub(super) fn big_endian(&self) -> bool {
        self.big_endian
    }

    /// An unsigned number of 1, 2, 4 or 8 bytes.
    fn number(&self, at: usize, size: usize) -> Option<u64> {
        let bytes = self.data.get(at..at.checked_add(size)?)?;
        let push = |sum: u64, byte: &u8| sum << 8 | u64::from(*byte);
        Some(match self.big_endian {
            true => bytes.iter().fold(0, push),
            false => bytes.iter().rev().fold(0, push),
        })
    }

    /// The entries of the directory at `offset` and the place of the next one (0: none), or None
    /// where it does not lie in the data.
    pub(super) fn read(&self, offset: u64) -> Option<(Vec<Entry>, u64)> {
        let start = usize::try_from(offset).ok()?;
        let (head, size) = if self.wide { (8, 20) } else { (2, 12) };
        let count = usize::try_from(self.number(start, head)?).ok()?;
        let first = start.checked_add(head)?;
        let end = first.checked_add(count.checked_mul(size)?)?;
        // Checked before collecting, so a huge count allocates nothing.
        self.data.get(first..end)?;
        let entries = (first..end).step_by(size).filter_map(|at| self.entry(at)).collect();
        let next = self.number(end, if self.wide { 8 } else { 4 }).unwrap_or(0);
        Some((entries, next))
    }

    fn entry(&self, at: usize) -> Option<Entry> {
        let tag = self.number(at, 2)? as u16;
        let kind = self.number(at + 2, 2)? as u16;
        let count = self.number(at + 4, if self.wide { 8 } else { 4 })?;
        Some(Entry { tag, kind, count, field: at + if self.wide { 12 } else { 8 } })
    }

    /// Where an entry's values lie and how many bytes each has; None where they leave the data.
    fn place(&self, entry: &Entry) -> Option<(usize, usize)> {
        let size: usize = match entry.kind {
            1 | 2 | 6 | 7 => 1,
            3 | 8 => 2,
            4 | 9 | 11 | 13 => 4,
            5 | 10 | 12 | 16 | 17 | 18 => 8,
            _ => return None,
        };
        let inline = if self.wide { 8 } else { 4 };
        let total = usize::try_from(entry.count).ok()?.checked_mul(size)?;
        let start = match total <= inline {
            true => entry.field,
            false => usize::try_from(self.number(entry.field, inline)?).ok()?,
        };
        self.data.get(start..start.checked_add(total)?)?;
        Some((start, size))
    }

    /// The entry's unsigned whole numbers; None where it has another type or leaves the data.
    pub(super) fn values(&self, entry: &Entry) -> Option<impl Iterator<Item = u64> + use<'a>> {
        if !matches!(entry.kind, 1 | 3 | 4 | 13 | 16 | 18) {
            return None;
        }
        let this = *self;
        let (start, size) = this.place(entry)?;
        let end = start + entry.count as usize * size;
        Some((start..end).step_by(size).filter_map(move |at| this.number(at, size)))
    }
}
