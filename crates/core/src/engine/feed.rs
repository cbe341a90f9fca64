//! What every batch of a run is: the immutable side, shared by all threads.

use std::ops::Range;
use std::sync::Arc;

use super::cache::Cache;
use super::memory::Pool;
use super::reader::Reader;
use super::siblings::Siblings;
use super::stats::Stats;
use crate::catalogue::Catalogue;
use crate::fault::{Code, Fault};
use crate::ops::recipe::Recipe;
use crate::order::Plan;

/// What becomes of a record that cannot be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OnBad {
    /// The run ends there.
    Raise,
    /// A record of the same label stands in.
    Substitute,
    /// Zeros, and not valid.
    Blank,
}

/// The records of one split.
pub struct Source {
    /// The table.
    pub table: Arc<Catalogue>,
    /// The split's rows.
    pub rows: Range<usize>,
    /// Where bytes come from.
    pub reader: Box<dyn Reader>,
}

/// Everything that decides a batch, and what all threads share.
pub struct Feed {
    pub(super) source: Source,
    pub(super) plan: Plan,
    pub(super) recipe: Arc<Recipe>,
    pub(super) seed: u64,
    pub(super) on_bad: OnBad,
    pub(super) cache: Option<Cache>,
    pub(super) siblings: Siblings,
    pub(super) pool: Option<Arc<Pool>>,
    /// What is counted and clocked.
    pub stats: Stats,
}

impl Feed {
    /// A feed of arrays; of lists of pictures where `pictures`.
    ///
    /// # Errors
    /// When the recipe does not say how large images are, or a batch is larger than memory can be.
    pub fn new(
        source: Source,
        plan: Plan,
        recipe: Arc<Recipe>,
        seed: u64,
        (on_bad, cache, pictures): (OnBad, Option<Cache>, bool),
    ) -> Result<Self, Fault> {
        let refuse = |found: String| Fault::new(Code::BadRequest, "", found);
        if plan.records() != source.rows.len() as u64 {
            return Err(refuse(format!(
                "a plan for {} records of {}",
                plan.records(),
                source.rows.len()
            )));
        }
        let pool = if pictures {
            None
        } else {
            let bytes = sample_bytes(&recipe)
                .and_then(|bytes| bytes.checked_mul(plan.batch() as usize))
                .filter(|&bytes| bytes < isize::MAX as usize / 2)
                .ok_or_else(|| refuse("a recipe that does not say how large images are".into()))?;
            Some(Pool::new(bytes, 4))
        };
        let (siblings, stats) = (Siblings::default(), Stats::default());
        Ok(Self { source, plan, recipe, seed, on_bad, cache, siblings, pool, stats })
    }

    /// The recipe.
    #[must_use]
    pub fn recipe(&self) -> &Recipe {
        &self.recipe
    }

    /// The table of records.
    #[must_use]
    pub fn table(&self) -> &Catalogue {
        &self.source.table
    }

    /// The cache.
    #[must_use]
    pub fn cache(&self) -> Option<&Cache> {
        self.cache.as_ref()
    }

    /// Bytes of one slot, where a batch is one array.
    #[must_use]
    pub fn slot_bytes(&self) -> usize {
        sample_bytes(&self.recipe).unwrap_or(0)
    }
}

/// Bytes a sample takes in a batch.
fn sample_bytes(recipe: &Recipe) -> Option<usize> {
    let (width, height) = recipe.size()?;
    let numbers = (width as usize).checked_mul(height as usize)?.checked_mul(recipe.channels())?;
    numbers.checked_mul(recipe.tail().dtype.bytes())
}
