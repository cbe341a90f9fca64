//! The table itself: rows in canonical order, about 24 bytes a row and the text of its key.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use super::{fingerprint, key};

/// A named, contiguous range of rows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Split {
    /// The split's name.
    pub name: String,
    /// Its first row.
    pub start: usize,
    /// The row after its last one.
    pub end: usize,
}

/// Where a record lies in a file that holds many.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Extent {
    /// Which of the table's files.
    pub file: u32,
    /// The first byte.
    pub offset: u64,
    /// How many bytes.
    pub length: u64,
}

/// Records sorted by split and key. It never changes once made, so threads may share it.
#[derive(Debug)]
pub struct Catalogue {
    root: PathBuf,
    keys: String,
    ends: Vec<u64>,
    ids: Vec<u64>,
    labels: Vec<i64>,
    /// One number a row, or none at all.
    groups: Vec<u64>,
    splits: Vec<Split>,
    /// Places that are not spelled as their keys, by row.
    places: Vec<(usize, OsString)>,
    /// Files that hold many records, and where each row lies in them; both empty where rows are files.
    files: Arc<[PathBuf]>,
    extents: Vec<Extent>,
    fingerprint: OnceLock<[u8; 32]>,
}

/// One row on its way into a table.
pub(super) struct Row<'a> {
    pub key: &'a str,
    pub label: i64,
    pub id: u64,
    pub group: Option<u64>,
    /// Where the bytes are, unless the key says so.
    pub place: Option<&'a OsStr>,
    /// Where it lies, unless it is a file of its own.
    pub extent: Option<Extent>,
}

impl Catalogue {
    /// A table without rows yet, of the same root and files.
    pub(super) fn like(&self, rows: usize, text: usize) -> Self {
        Self::with_room(self.root.clone(), Arc::clone(&self.files), rows, text)
    }

    /// A table without rows yet, with room for what is coming.
    pub(super) fn with_room(
        root: PathBuf,
        files: Arc<[PathBuf]>,
        rows: usize,
        text: usize,
    ) -> Self {
        Self {
            files,
            extents: Vec::new(),
            root,
            keys: String::with_capacity(text),
            ends: Vec::with_capacity(rows),
            ids: Vec::with_capacity(rows),
            labels: Vec::with_capacity(rows),
            groups: Vec::new(),
            splits: Vec::new(),
            places: Vec::new(),
            fingerprint: OnceLock::new(),
        }
    }

    /// Appends a row; the caller brings them in canonical order.
    pub(super) fn push(&mut self, row: &Row<'_>) {
        if let Some(place) = row.place {
            self.places.push((self.len(), place.to_owned()));
        }
        self.keys.push_str(row.key);
        self.ends.push(self.keys.len() as u64);
        self.ids.push(row.id);
        self.labels.push(row.label);
        self.groups.extend(row.group);
        self.extents.extend(row.extent);
    }

    /// Ends the split that the rows since the last one belong to.
    pub(super) fn close(&mut self, name: String) {
        let start = self.splits.last().map_or(0, |split| split.end);
        self.splits.push(Split { name, start, end: self.len() });
    }

    /// How many rows there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there are no rows.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The folder that relative places start from; empty where places stand alone.
    #[must_use]
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The key of a row.
    #[must_use]
    pub fn key(&self, row: usize) -> &str {
        let start = if row == 0 { 0 } else { self.ends[row - 1] as usize };
        &self.keys[start..self.ends[row] as usize]
    }

    /// The id of a row.
    #[must_use]
    pub fn id(&self, row: usize) -> u64 {
        self.ids[row]
    }

    /// The label of a row.
    #[must_use]
    pub fn label(&self, row: usize) -> i64 {
        self.labels[row]
    }

    /// All ids, by row.
    #[must_use]
    pub fn ids(&self) -> &[u64] {
        &self.ids
    }

    /// All labels, by row.
    #[must_use]
    pub fn labels(&self) -> &[i64] {
        &self.labels
    }

    /// The groups of all rows, where the source has groups: XXH3-64 of their names.
    #[must_use]
    pub fn groups(&self) -> Option<&[u64]> {
        (!self.groups.is_empty()).then_some(&self.groups)
    }

    /// The same records with a group each, named by row.
    ///
    /// # Panics
    /// When there are not as many names as rows.
    #[must_use]
    pub fn with_groups(&self, names: &[String]) -> Self {
        assert_eq!(names.len(), self.len(), "one group a row");
        let mut grouped = self.like(self.len(), self.keys.len());
        for (row, name) in names.iter().enumerate() {
            grouped.push(&Row { group: Some(key::id(name)), ..self.row(row) });
        }
        grouped.splits.clone_from(&self.splits);
        grouped
    }

    /// The splits, in the order of their rows.
    #[must_use]
    pub fn splits(&self) -> &[Split] {
        &self.splits
    }

    /// The split of this name.
    #[must_use]
    pub fn split(&self, name: &str) -> Option<&Split> {
        self.splits.iter().find(|split| split.name == name)
    }

    /// The row of a key, in any split.
    #[must_use]
    pub fn find(&self, key: &str) -> Option<usize> {
        self.splits.iter().find_map(|split| self.find_within(split, key))
    }

    fn find_within(&self, split: &Split, key: &str) -> Option<usize> {
        let (mut low, mut high) = (split.start, split.end);
        while low < high {
            let middle = low + (high - low) / 2;
            match self.key(middle).cmp(key) {
                std::cmp::Ordering::Less => low = middle + 1,
                std::cmp::Ordering::Greater => high = middle,
                std::cmp::Ordering::Equal => return Some(middle),
            }
        }
        None
    }

    /// The place of a row as its source named it: relative to the root, or standing alone.
    #[must_use]
    pub fn place(&self, row: usize) -> &OsStr {
        self.odd_place(row).unwrap_or_else(|| OsStr::new(self.key(row)))
    }

    fn odd_place(&self, row: usize) -> Option<&OsStr> {
        let found = self.places.binary_search_by_key(&row, |(at, _)| *at).ok()?;
        Some(&self.places[found].1)
    }

    /// Where a row lies, where files hold many records.
    #[must_use]
    pub fn extent(&self, row: usize) -> Option<Extent> {
        self.extents.get(row).copied()
    }

    /// The files that hold many records.
    #[must_use]
    pub fn files(&self) -> &[PathBuf] {
        &self.files
    }

    /// The path of a row's file, written into `buffer`, which is reused without allocating.
    ///
    /// ```
    /// use pixfeed_core::catalogue::Builder;
    /// use std::path::PathBuf;
    /// let mut builder = Builder::new("data", ["all"]);
    /// builder.push("cat/1.jpg".as_ref(), 0, 0);
    /// let table = builder.finish().unwrap();
    /// let mut buffer = PathBuf::new();
    /// assert_eq!(table.path(0, &mut buffer), std::path::Path::new("data/cat/1.jpg"));
    /// ```
    pub fn path<'a>(&self, row: usize, buffer: &'a mut PathBuf) -> &'a Path {
        buffer.clear();
        buffer.push(&self.root);
        match self.extent(row) {
            Some(extent) => buffer.push(&self.files[extent.file as usize]),
            None => buffer.push(self.place(row)),
        }
        buffer
    }

    /// A row as it goes into another table.
    pub(super) fn row(&self, row: usize) -> Row<'_> {
        Row {
            key: self.key(row),
            label: self.label(row),
            id: self.id(row),
            group: self.groups.get(row).copied(),
            place: self.odd_place(row),
            extent: self.extent(row),
        }
    }

    /// Rows in the order of their keys, whatever their splits.
    #[must_use]
    pub fn by_key(&self) -> Vec<usize> {
        let mut rows: Vec<usize> = (0..self.len()).collect();
        if self.splits.len() > 1 {
            // Each split is a sorted run already, which the standard sort merges.
            rows.sort_by_key(|&row| self.key(row));
        }
        rows
    }

    /// SHA-256 of the sorted (key, label, split): see [`fingerprint`]. Reckoned once, at first use.
    #[must_use]
    pub fn fingerprint(&self) -> [u8; 32] {
        *self.fingerprint.get_or_init(|| fingerprint::of(self))
    }

    /// The bytes of memory the table holds.
    #[must_use]
    pub fn memory(&self) -> usize {
        let odd =
            |(_, place): &(usize, OsString)| place.capacity() + size_of::<(usize, OsString)>();
        let numbers = self.ends.capacity()
            + self.ids.capacity()
            + self.labels.capacity()
            + self.groups.capacity();
        let extents = self.extents.capacity() * size_of::<Extent>();
        self.keys.capacity() + extents + 8 * numbers + self.places.iter().map(odd).sum::<usize>()
    }
}
