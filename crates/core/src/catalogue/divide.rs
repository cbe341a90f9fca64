//! Dividing a table into splits: how many by controlled rounding, which ones by a keyed hash.
//!
//! The hash is of a record's key (or its group's name), so where a record goes depends neither on
//! where its file lies in a folder's listing nor on the seed of a training.

use std::collections::BTreeMap;

use super::groups;
use super::key::keyed;
use super::rounding::quotas;
use super::table::Catalogue;

/// What a division is asked to be.
#[derive(Clone, Debug)]
pub struct Division {
    /// The names of the splits.
    pub names: Vec<String>,
    /// One weight a split, and one more for the records that are left out.
    pub weights: Vec<u128>,
    /// Another seed divides otherwise.
    pub seed: u64,
}

/// What the seed of a division is combined with, so that seed 0 does not sort records by their ids.
const PURPOSE: u64 = 0x7370_6c69_7473_2031;

/// The table divided anew; what splits it had is forgotten. Where it has groups, a group stays whole.
///
/// ```
/// use pixfeed_core::catalogue::{Builder, divide::{Division, divide}};
/// let mut builder = Builder::new("", ["all"]);
/// (0..10).for_each(|i| builder.push(format!("{i}").as_ref(), 0, 0));
/// let names = vec!["train".to_owned(), "test".to_owned()];
/// let asked = Division { names, weights: vec![8, 2, 0], seed: 0 };
/// let table = divide(&builder.finish().unwrap(), &asked);
/// assert_eq!((table.splits()[0].end, table.splits()[1].end), (8, 10));
/// ```
///
/// # Panics
/// When there is not one weight more than names, or all are 0.
#[must_use]
pub fn divide(table: &Catalogue, asked: &Division) -> Catalogue {
    assert_eq!(asked.weights.len(), asked.names.len() + 1, "a weight a split, and the rest");
    let seed = asked.seed ^ PURPOSE;
    let columns = match table.groups() {
        Some(groups) => groups::columns(table.labels(), groups, &asked.weights, seed),
        None => by_hash(table, &asked.weights, seed),
    };
    gather(table, &columns, &asked.names)
}

/// The column each row falls into: within a class, the lowest hashes fill the first split.
fn by_hash(table: &Catalogue, weights: &[u128], seed: u64) -> Vec<u8> {
    let mut rows: Vec<(i64, u64, usize)> = (0..table.len())
        .map(|row| (table.label(row), keyed(seed, table.key(row).as_bytes()), row))
        .collect();
    rows.sort_unstable_by(|a, b| {
        (a.0, a.1).cmp(&(b.0, b.1)).then_with(|| table.key(a.2).cmp(table.key(b.2)))
    });
    let sizes = sizes(table.labels());
    let quotas = quotas(&sizes.into_values().collect::<Vec<u64>>(), weights, seed);
    let filling = quotas.iter().flat_map(|counts| {
        counts.iter().enumerate().flat_map(|(c, &n)| std::iter::repeat_n(c as u8, n as usize))
    });
    let mut columns = vec![0; table.len()];
    rows.iter().zip(filling).for_each(|(row, column)| columns[row.2] = column);
    columns
}

/// The records of each label.
pub(super) fn sizes(labels: &[i64]) -> BTreeMap<i64, u64> {
    let mut sizes = BTreeMap::new();
    labels.iter().for_each(|&label| *sizes.entry(label).or_insert(0) += 1);
    sizes
}

fn gather(table: &Catalogue, columns: &[u8], names: &[String]) -> Catalogue {
    let order = table.by_key();
    let text = order.iter().filter(|&&row| (columns[row] as usize) < names.len());
    let (rows, text) = text.fold((0, 0), |(n, t), &row| (n + 1, t + table.key(row).len()));
    let mut divided = table.like(rows, text);
    for (column, name) in names.iter().enumerate() {
        for &row in order.iter().filter(|&&row| columns[row] as usize == column) {
            divided.push(&table.row(row));
        }
        divided.close(name.clone());
    }
    divided
}
