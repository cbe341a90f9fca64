//! Symbolic links: followed inside the root, never out of it and never in a circle.

use std::io;
use std::path::{Path, PathBuf};

/// Links to folders within links to folders that are followed; more would let a handful of links
/// that point at each other multiply without end.
const DEPTH: usize = 4;

/// Why a link was not followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// It leads out of the root.
    Outside,
    /// It leads to a folder it lies in.
    Circle,
    /// It leads nowhere.
    Broken,
    /// It lies in a folder that was itself reached through too many links.
    Deep,
}

impl Refusal {
    /// The reason as a phrase.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Refusal::Outside => "leads out of the folder",
            Refusal::Circle => "leads to a folder it lies in",
            Refusal::Broken => "leads nowhere",
            Refusal::Deep => "lies behind more than 4 other links",
        }
    }
}

/// Where a link leads.
#[derive(Debug)]
pub enum Target {
    /// To a regular file.
    File,
    /// To a folder, with the trail to walk it by.
    Folder(Trail),
    /// To something that is neither.
    Other,
    /// It is not followed.
    Refused(Refusal),
}

/// The real folders one walks through: from where a walk entered (the root, or the target of a
/// link) down to where it stands.
#[derive(Clone, Debug)]
pub struct Trail {
    entered: PathBuf,
    here: PathBuf,
    before: Vec<(PathBuf, PathBuf)>,
}

impl Trail {
    /// A trail from the root down to a folder in it; both paths must be free of links (canonical).
    #[must_use]
    pub fn new(root: &Path, here: PathBuf) -> Self {
        Self { entered: root.to_owned(), here, before: Vec::new() }
    }

    /// The trail one folder further down.
    #[must_use]
    pub fn down(&self, name: impl AsRef<Path>) -> Self {
        Self {
            entered: self.entered.clone(),
            here: self.here.join(name),
            before: self.before.clone(),
        }
    }

    /// Where the link at `path` leads, for a walk that may not leave `root` (canonical).
    ///
    /// # Errors
    /// What the system says, other than that the link leads nowhere.
    pub fn follow(&self, root: &Path, path: &Path) -> io::Result<Target> {
        let target = match std::fs::canonicalize(path) {
            Ok(target) => target,
            Err(error) => return unresolved(error).map(Target::Refused),
        };
        if !target.starts_with(root) {
            return Ok(Target::Refused(Refusal::Outside));
        }
        let kind = std::fs::metadata(&target)?.file_type();
        if kind.is_file() {
            return Ok(Target::File);
        }
        Ok(if kind.is_dir() { self.enter(target) } else { Target::Other })
    }

    fn enter(&self, target: PathBuf) -> Target {
        if self.passed(&target) {
            return Target::Refused(Refusal::Circle);
        }
        if self.before.len() >= DEPTH {
            return Target::Refused(Refusal::Deep);
        }
        let mut before = self.before.clone();
        before.push((self.entered.clone(), self.here.clone()));
        Target::Folder(Self { entered: target.clone(), here: target, before })
    }

    fn passed(&self, target: &Path) -> bool {
        let now = std::iter::once((&self.entered, &self.here));
        self.before
            .iter()
            .map(|(entered, here)| (entered, here))
            .chain(now)
            .any(|(entered, here)| target.starts_with(entered) && here.starts_with(target))
    }
}

fn unresolved(error: io::Error) -> io::Result<Refusal> {
    match error.kind() {
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => Ok(Refusal::Broken),
        // Links that only lead to each other: the error kind for it is not stable yet.
        _ if error.raw_os_error() == Some(40) => Ok(Refusal::Circle),
        _ => Err(error),
    }
}
