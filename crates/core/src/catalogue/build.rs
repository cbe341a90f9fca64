//! From rows in any order to a table in canonical order, with every key and id unique.

use std::collections::HashSet;
use std::ffi::{OsStr, OsString};
use std::path::PathBuf;

use super::key;
use super::table::{Catalogue, Extent, Row};

/// Two keys with one id: the table is refused, since draws and reports go by id.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Collision {
    /// The key that sorts first.
    pub first: String,
    /// The other one.
    pub second: String,
}

impl std::fmt::Display for Collision {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "the keys {:?} and {:?} have the same id", self.first, self.second)
    }
}

impl std::error::Error for Collision {}

/// Takes rows in any order.
///
/// ```
/// use pixfeed_core::catalogue::Builder;
/// let mut builder = Builder::new("", ["all"]);
/// builder.push("b.png".as_ref(), 1, 0);
/// builder.push("a.png".as_ref(), 0, 0);
/// let table = builder.finish().unwrap();
/// assert_eq!((table.key(0), table.label(1)), ("a.png", 1));
/// ```
#[derive(Debug)]
pub struct Builder {
    root: PathBuf,
    splits: Vec<String>,
    text: String,
    drafts: Vec<Draft>,
    places: Vec<OsString>,
    grouped: bool,
    files: Vec<PathBuf>,
    extents: Vec<Extent>,
}

#[derive(Clone, Debug)]
struct Draft {
    start: usize,
    end: usize,
    label: i64,
    /// Index into the builder's places, or `SAME`.
    place: u32,
    split: u16,
    group: Option<u64>,
    /// Index into the builder's extents, or `SAME`.
    extent: u32,
}

/// A record as a source describes it.
#[derive(Clone, Copy, Debug)]
pub struct Record<'a> {
    /// What names it.
    pub key: &'a str,
    /// Where its bytes are.
    pub place: &'a OsStr,
    /// Its class.
    pub label: i64,
    /// The number of its split.
    pub split: u16,
    /// The records of one group never come apart when a table is divided.
    pub group: Option<&'a str>,
    /// Where it lies in a file that holds many records; its place says nothing then.
    pub extent: Option<Extent>,
}

const SAME: u32 = u32::MAX;

impl Builder {
    /// A builder of rows whose relative places start from `root`, with these splits in this order.
    pub fn new<S: Into<String>>(
        root: impl Into<PathBuf>,
        splits: impl IntoIterator<Item = S>,
    ) -> Self {
        Self {
            root: root.into(),
            splits: splits.into_iter().map(Into::into).collect(),
            text: String::new(),
            drafts: Vec::new(),
            places: Vec::new(),
            grouped: false,
            files: Vec::new(),
            extents: Vec::new(),
        }
    }

    /// Files that hold many records, relative to the root: what the extents of records count.
    #[must_use]
    pub fn files(mut self, files: Vec<PathBuf>) -> Self {
        self.files = files;
        self
    }

    /// Adds a record that is named by its place.
    ///
    /// # Panics
    /// When there is no split of that number.
    pub fn push(&mut self, place: &OsStr, label: i64, split: u16) {
        let key = &key::of_place(place);
        self.add(&Record { key, place, label, split, group: None, extent: None });
    }

    /// Adds a record; its key is brought into composed form.
    ///
    /// # Panics
    /// When there is no split of that number, or no file of the extent's.
    pub fn add(&mut self, record: &Record<'_>) {
        let &Record { place, label, split, .. } = record;
        assert!((split as usize) < self.splits.len(), "split {split} of {}", self.splits.len());
        let start = self.text.len();
        self.text.push_str(&key::composed(record.key));
        let end = self.text.len();
        let same = record.extent.is_some() || OsStr::new(&self.text[start..end]) == place;
        let place = if same { SAME } else { self.keep(place.to_owned()) };
        let group = record.group.map(key::id);
        self.grouped |= group.is_some();
        let extent = record.extent.map_or(SAME, |extent| self.lay(extent));
        self.drafts.push(Draft { start, end, label, group, place, split, extent });
    }

    fn lay(&mut self, extent: Extent) -> u32 {
        assert!((extent.file as usize) < self.files.len(), "file {} of an extent", extent.file);
        let index = u32::try_from(self.extents.len()).expect("fewer than 2^32 extents");
        self.extents.push(extent);
        index
    }

    fn keep(&mut self, place: OsString) -> u32 {
        let index = u32::try_from(self.places.len()).expect("fewer than 2^32 odd places");
        self.places.push(place);
        index
    }

    /// The table: repeated keys numbered, rows sorted by split and key.
    ///
    /// # Errors
    /// [`Collision`] when two keys have one id.
    pub fn finish(self) -> Result<Catalogue, Collision> {
        self.finish_with(key::id)
    }

    fn finish_with(mut self, id: fn(&str) -> u64) -> Result<Catalogue, Collision> {
        let mut drafts = std::mem::take(&mut self.drafts);
        drafts.sort_by(|a, b| self.rank(a).cmp(&self.rank(b)));
        if self.number_repeats(&mut drafts) || self.splits.len() > 1 {
            drafts.sort_by(|a, b| (a.split, self.name(a)).cmp(&(b.split, self.name(b))));
        }
        let table = self.emit(&drafts, id);
        refuse_collisions(&table)?;
        Ok(table)
    }

    fn name(&self, draft: &Draft) -> &str {
        &self.text[draft.start..draft.end]
    }

    fn place(&self, draft: &Draft) -> &OsStr {
        self.places
            .get(draft.place as usize)
            .map_or(OsStr::new(self.name(draft)), OsString::as_os_str)
    }

    /// What decides which of several records with one key keeps it: nothing that depends on the
    /// order in which a folder was read.
    fn rank<'a>(&'a self, draft: &Draft) -> (&'a str, &'a OsStr, i64, u16, Option<(u32, u64)>) {
        let extent = self.extent(draft).map(|extent| (extent.file, extent.offset));
        (self.name(draft), self.place(draft), draft.label, draft.split, extent)
    }

    fn extent(&self, draft: &Draft) -> Option<Extent> {
        self.extents.get(draft.extent as usize).copied()
    }

    fn number_repeats(&mut self, drafts: &mut [Draft]) -> bool {
        let repeats: Vec<usize> = (1..drafts.len())
            .filter(|&i| self.name(&drafts[i]) == self.name(&drafts[i - 1]))
            .collect();
        if repeats.is_empty() {
            return false;
        }
        let names: Vec<String> = self.fresh_names(drafts, &repeats);
        for (&i, name) in repeats.iter().zip(names) {
            if drafts[i].place == SAME && drafts[i].extent == SAME {
                drafts[i].place = self.keep(OsString::from(self.name(&drafts[i]).to_owned()));
            }
            drafts[i].start = self.text.len();
            self.text.push_str(&name);
            drafts[i].end = self.text.len();
        }
        true
    }

    /// `key#1`, `key#2`, ... for the repeats, passing over names that records have by themselves.
    fn fresh_names(&self, drafts: &[Draft], repeats: &[usize]) -> Vec<String> {
        let taken: HashSet<&str> =
            drafts.iter().map(|d| self.name(d)).filter(|name| name.contains('#')).collect();
        let mut fresh = Vec::with_capacity(repeats.len());
        let mut last: (&str, u64) = ("", 0);
        for &i in repeats {
            let name = self.name(&drafts[i]);
            let mut number = if last.0 == name { last.1 + 1 } else { 1 };
            while taken.contains(format!("{name}#{number}").as_str()) {
                number += 1;
            }
            last = (name, number);
            fresh.push(format!("{name}#{number}"));
        }
        fresh
    }

    fn emit(&self, drafts: &[Draft], id: fn(&str) -> u64) -> Catalogue {
        let text = drafts.iter().map(|d| d.end - d.start).sum();
        let mut table =
            Catalogue::with_room(self.root.clone(), self.files.clone().into(), drafts.len(), text);
        let mut rest = drafts;
        for (number, split) in self.splits.iter().enumerate() {
            let here = rest.partition_point(|d| d.split as usize <= number);
            for draft in &rest[..here] {
                let name = self.name(draft);
                let place = self.places.get(draft.place as usize).map(OsString::as_os_str);
                let id = id(name);
                let group = self.grouped.then(|| draft.group.unwrap_or(id));
                let (label, extent) = (draft.label, self.extent(draft));
                table.push(&Row { key: name, label, id, group, place, extent });
            }
            rest = &rest[here..];
            table.close(split.clone());
        }
        table
    }
}

fn refuse_collisions(table: &Catalogue) -> Result<(), Collision> {
    let mut ids: Vec<(u64, usize)> =
        table.ids().iter().enumerate().map(|(row, &id)| (id, row)).collect();
    ids.sort_unstable();
    match ids.windows(2).find(|pair| pair[0].0 == pair[1].0) {
        None => Ok(()),
        Some(pair) => Err(Collision {
            first: table.key(pair[0].1).to_owned(),
            second: table.key(pair[1].1).to_owned(),
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keys(table: &Catalogue) -> Vec<&str> {
        (0..table.len()).map(|row| table.key(row)).collect()
    }

    fn built(places: &[&str]) -> Catalogue {
        let mut builder = Builder::new("root", ["all"]);
        for (label, place) in places.iter().enumerate() {
            builder.push(place.as_ref(), label as i64, 0);
        }
        builder.finish().unwrap()
    }

    #[test]
    fn repeated_keys_are_numbered_around_taken_names() {
        let table = built(&["a", "a#1", "a", "b", "a"]);
        assert_eq!(keys(&table), ["a", "a#1", "a#2", "a#3", "b"]);
        let places: Vec<_> = (0..5).map(|row| table.place(row).to_str().unwrap()).collect();
        assert_eq!(places, ["a", "a#1", "a", "a", "b"]);
    }

    #[test]
    fn two_spellings_of_one_name_keep_their_places() {
        let table = built(&["e\u{301}.png", "\u{e9}.png"]);
        assert_eq!(keys(&table), ["\u{e9}.png", "\u{e9}.png#1"]);
        assert_ne!(table.place(0), table.place(1));
    }

    #[test]
    fn a_new_name_may_sort_away_from_the_old_one() {
        assert_eq!(keys(&built(&["a", "a!", "a"])), ["a", "a!", "a#1"]);
    }

    #[test]
    fn rows_sort_by_split_then_key() {
        let mut builder = Builder::new("", ["train", "none", "test"]);
        for (place, split) in [("b", 2), ("c", 0), ("a", 2), ("d", 0)] {
            builder.push(place.as_ref(), 0, split);
        }
        let table = builder.finish().unwrap();
        assert_eq!(keys(&table), ["c", "d", "a", "b"]);
        assert!(table.splits().iter().map(|s| (s.start, s.end)).eq([(0, 2), (2, 2), (2, 4)]));
        assert_eq!((table.find("b"), table.find("x")), (Some(3), None));
    }

    #[test]
    fn colliding_ids_are_refused() {
        let mut builder = Builder::new("", ["all"]);
        builder.push("b".as_ref(), 0, 0);
        builder.push("a".as_ref(), 0, 0);
        let refused = builder.finish_with(|_| 7).unwrap_err();
        assert_eq!(refused, Collision { first: "a".into(), second: "b".into() });
    }

    #[test]
    fn extents_follow_their_records() {
        let mut builder = Builder::new("root", ["all"]).files(vec!["x".into(), "y".into()]);
        for (at, key) in ["b", "a", "b"].into_iter().enumerate() {
            let extent = Some(Extent { file: at as u32 % 2, offset: 10 * at as u64, length: 5 });
            let place = OsStr::new("");
            builder.add(&Record { key, place, label: 0, split: 0, group: None, extent });
        }
        let table = builder.finish().unwrap();
        assert_eq!(keys(&table), ["a", "b", "b#1"]);
        let offsets: Vec<_> = (0..3).map(|row| table.extent(row).unwrap().offset).collect();
        assert_eq!(offsets, [10, 0, 20]);
        assert_eq!(table.path(0, &mut PathBuf::new()), std::path::Path::new("root/y"));
        let names: Vec<String> = (0..3).map(|row| format!("g{row}")).collect();
        assert_eq!(table.with_groups(&names).extent(2), table.extent(2));
    }

    #[test]
    fn a_row_is_small() {
        let mut builder = Builder::new("root", ["all"]);
        for i in 0..10_000 {
            builder.push(format!("n{:08}/n{:08}_{i}.JPEG", i % 7, i % 7).as_ref(), 0, 0);
        }
        assert!(builder.finish().unwrap().memory() < 64 * 10_000);
    }
}
