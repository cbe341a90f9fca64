//! Many places in little memory: text in one piece, and beside it the few that are no text.

use std::ffi::{OsStr, OsString};
use std::path::Path;

/// Places relative to a root.
#[derive(Clone, Debug, Default)]
pub struct Names {
    text: String,
    ends: Vec<usize>,
    odd: Vec<OsString>,
}

impl Names {
    /// Adds the file `name` of `folder`.
    pub fn push(&mut self, folder: &Path, name: &OsStr) {
        let (Some(above), Some(own)) = (folder.to_str(), name.to_str()) else {
            self.odd.push(folder.join(name).into_os_string());
            return;
        };
        self.text.push_str(above);
        if !above.is_empty() {
            self.text.push('/');
        }
        self.text.push_str(own);
        self.ends.push(self.text.len());
    }

    /// Adds all of another's.
    pub fn append(&mut self, other: &Names) {
        let start = self.text.len();
        self.text.push_str(&other.text);
        self.ends.extend(other.ends.iter().map(|end| start + end));
        self.odd.extend_from_slice(&other.odd);
    }

    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.ends.len() + self.odd.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Hands each place to `take`: first those that are text, in the order they were added.
    pub fn each<'a>(&'a self, mut take: impl FnMut(&'a OsStr)) {
        let mut start = 0;
        for &end in &self.ends {
            take(OsStr::new(&self.text[start..end]));
            start = end;
        }
        self.odd.iter().for_each(|place| take(place));
    }
}
