//! What listing a folder saw besides images: counted, and named where that helps.

use std::path::PathBuf;

use super::links::Refusal;

/// Things seen and not taken, in the order of their names.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// Files and folders whose name begins with a dot.
    pub hidden: Tally,
    /// Files that are no images by name, and things that are no files.
    pub foreign: Tally,
    /// Images beside the class folders instead of in one.
    pub loose: Tally,
    /// Links that were not followed.
    pub links: Vec<(PathBuf, Refusal)>,
    /// Folders and links that could not be read, with the system's reason.
    pub unreadable: Vec<(PathBuf, String)>,
}

impl Report {
    /// Takes over what another part of the walk saw after this one.
    pub fn append(&mut self, later: Report) {
        self.hidden.append(later.hidden);
        self.foreign.append(later.foreign);
        self.loose.append(later.loose);
        self.links.extend(later.links);
        self.unreadable.extend(later.unreadable);
    }
}

/// A count, and the first thing counted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// How many there were.
    pub count: u64,
    /// The first of them.
    pub first: Option<PathBuf>,
}

impl Tally {
    /// Counts one more; `path` is asked only for the first.
    pub fn add(&mut self, path: impl FnOnce() -> PathBuf) {
        self.count += 1;
        self.first.get_or_insert_with(path);
    }

    fn append(&mut self, later: Tally) {
        self.count += later.count;
        self.first = self.first.take().or(later.first);
    }
}
