//! Which records can stand in for one that cannot be read: keyed draws among those of its label.

use std::ops::Range;
use std::sync::OnceLock;

use crate::catalogue::Catalogue;
use crate::order::Draws;

/// Draws of replacements; no op of a recipe has this number, and neither has the order.
const SUBSTITUTE: u64 = u64::MAX - 1;
/// Draws among the records of the same label, and as many among all.
const TRIES: usize = 32;

/// The rows of a split, by label; sorted when first needed.
#[derive(Default)]
pub(super) struct Siblings(OnceLock<Vec<usize>>);

impl Siblings {
    /// Rows to try, one after the other: the same for the same record, epoch and position.
    pub fn of<'a>(
        &'a self,
        table: &'a Catalogue,
        split: &Range<usize>,
        row: usize,
        (seed, epoch, position): (u64, u64, u64),
    ) -> impl Iterator<Item = usize> + use<'a> {
        let rows = self.0.get_or_init(|| {
            let mut rows: Vec<usize> = split.clone().collect();
            rows.sort_by_key(|&row| table.label(row));
            rows
        });
        let label = table.label(row);
        let first = rows.partition_point(|&row| table.label(row) < label);
        let end = rows.partition_point(|&row| table.label(row) <= label);
        let mut draws =
            Draws::new(seed, epoch, SUBSTITUTE, table.id(row), position.wrapping_add(1));
        let same = &rows[first..end];
        let mut draw = move |among: &[usize]| draws.below(among.len() as u64) as usize;
        let drawn: Vec<usize> = (0..TRIES).map(|_| same[draw(same)]).collect();
        // Then all of the label, from a drawn one on; then a few of the others.
        let turned = draw(same);
        let others: Vec<usize> = (0..TRIES).map(|_| rows[draw(rows)]).collect();
        let every = same[turned..].iter().chain(&same[..turned]).copied();
        drawn.into_iter().chain(every).chain(others).filter(move |&sibling| sibling != row)
    }
}
