//! What went wrong with a record: at which stage, and why.

use std::any::Any;
use std::io;

use crate::fault::{Code, Fault};

/// Where a record was when it failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// Its bytes were read.
    Read,
    /// It was decoded, or an op was done to it.
    Decode,
    /// A replacement was looked for.
    Substitute,
    /// Its batch was opened.
    Batch,
}

impl Stage {
    /// The word for it.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Decode => "decode",
            Self::Substitute => "substitute",
            Self::Batch => "batch",
        }
    }
}

/// What to expect of a record that failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outlook {
    /// It will fail the same way the next time.
    Lasting,
    /// Trying again may help.
    Passing,
    /// Neither: somebody has to look at it.
    Unclear,
}

/// Why.
pub enum Cause {
    /// The system refused.
    Io(io::Error),
    /// The bytes or the request.
    Fault(Fault),
    /// Whoever fetches bytes from outside failed: in words, what to expect, and the error itself.
    Foreign(String, Outlook, Box<dyn Any + Send + Sync>),
    /// A bug of ours, or of a library.
    Panic(String),
}

impl std::fmt::Debug for Cause {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Io(error) => write!(f, "{error}"),
            Self::Fault(fault) => write!(f, "{fault}"),
            Self::Foreign(said, ..) | Self::Panic(said) => write!(f, "{said}"),
        }
    }
}

impl Cause {
    /// Whether the record will fail the same way the next time: missing, malformed,
    /// over a limit, or too small for the recipe.
    #[must_use]
    pub fn is_lasting(&self) -> bool {
        match self {
            Self::Io(error) => matches!(
                error.kind(),
                io::ErrorKind::NotFound
                    | io::ErrorKind::IsADirectory
                    | io::ErrorKind::NotADirectory
            ),
            Self::Fault(fault) => fault.code != Code::BadRequest,
            Self::Foreign(_, outlook, _) => *outlook == Outlook::Lasting,
            Self::Panic(_) => false,
        }
    }

    /// Whether trying again may help.
    #[must_use]
    pub fn is_passing(&self) -> bool {
        match self {
            Self::Io(error) => {
                !self.is_lasting() && error.kind() != io::ErrorKind::PermissionDenied
            }
            Self::Foreign(_, outlook, _) => *outlook == Outlook::Passing,
            _ => false,
        }
    }
}

/// A record that failed.
#[derive(Debug)]
pub struct Failure {
    /// Its row.
    pub row: usize,
    /// Where it was.
    pub stage: Stage,
    /// Why.
    pub cause: Cause,
}
