//! Dividing whole groups: as near to the exact quotas as groups allow.

use super::divide::sizes;
use super::key::keyed;
use super::rounding::quotas;

/// The column each row falls into. Groups are placed from the largest to the smallest (equal ones by
/// their hash), each where most of it still fits: into the column's total first, then into its share
/// of the group's classes; among equals, where its hash points when the columns lie side by side,
/// each as wide as the room that is left in it.
#[must_use]
pub fn columns(labels: &[i64], groups: &[u64], weights: &[u128], seed: u64) -> Vec<u8> {
    let sizes = sizes(labels);
    let names: Vec<i64> = sizes.keys().copied().collect();
    let mut room = quotas(&sizes.into_values().collect::<Vec<u64>>(), weights, seed);
    let mut rows: Vec<usize> = (0..labels.len()).collect();
    rows.sort_by_key(|&row| groups[row]);
    let mut whole: Vec<&[usize]> = rows.chunk_by(|&a, &b| groups[a] == groups[b]).collect();
    let hash = |group: &[usize]| keyed(seed, &groups[group[0]].to_le_bytes());
    whole.sort_by_cached_key(|group| {
        (std::cmp::Reverse(group.len()), hash(group), groups[group[0]])
    });
    let mut columns = vec![0; labels.len()];
    let mut totals: Vec<u64> =
        (0..weights.len()).map(|c| room.iter().map(|q| q[c]).sum()).collect();
    for group in whole {
        let counts = by_class(group, labels, &names);
        let column =
            Choice { counts: &counts, room: &room, totals: &totals, weights }.made(hash(group));
        for &(class, count) in &counts {
            room[class][column] = room[class][column].saturating_sub(count);
        }
        totals[column] = totals[column].saturating_sub(group.len() as u64);
        group.iter().for_each(|&row| columns[row] = column as u8);
    }
    columns
}

/// How many records of each class a group has.
fn by_class(group: &[usize], labels: &[i64], names: &[i64]) -> Vec<(usize, u64)> {
    let mut classes: Vec<usize> = group
        .iter()
        .map(|&row| names.binary_search(&labels[row]).expect("every label is among the names"))
        .collect();
    classes.sort_unstable();
    classes.chunk_by(|a, b| a == b).map(|run| (run[0], run.len() as u64)).collect()
}

/// Where one group may go: its records by class, and the room each column has left.
struct Choice<'a> {
    counts: &'a [(usize, u64)],
    room: &'a [Vec<u64>],
    totals: &'a [u64],
    weights: &'a [u128],
}

impl Choice<'_> {
    fn made(&self, hash: u64) -> usize {
        let open = || (0..self.weights.len()).filter(|&column| self.weights[column] > 0);
        let best = open().map(|column| self.fit(column)).max().expect("a weight above 0");
        let equals: Vec<usize> = open().filter(|&column| self.fit(column) == best).collect();
        let width: u64 = equals.iter().map(|&column| self.left(column)).sum();
        let mut point = ((u128::from(hash) * u128::from(width)) >> 64) as u64;
        for &column in &equals {
            match point.checked_sub(self.left(column)) {
                Some(rest) => point = rest,
                None => return column,
            }
        }
        // No room is left anywhere for these classes: the split that wants most of everything.
        *equals.iter().max_by_key(|&&column| self.weights[column]).expect("one is best")
    }

    /// How much of the group fits into the column's total, and into its shares of the classes.
    fn fit(&self, column: usize) -> (u64, u64) {
        let size: u64 = self.counts.iter().map(|&(_, count)| count).sum();
        let within = self.counts.iter().map(|&(class, n)| n.min(self.room[class][column])).sum();
        (size.min(self.totals[column]), within)
    }

    /// The room left in a column for the group's classes.
    fn left(&self, column: usize) -> u64 {
        self.counts.iter().map(|&(class, _)| self.room[class][column]).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counts(columns: &[u8], of: usize) -> Vec<usize> {
        (0..of).map(|c| columns.iter().filter(|&&column| column as usize == c).count()).collect()
    }

    #[test]
    fn groups_stay_whole_and_quotas_are_met_where_they_can_be() {
        let labels: Vec<i64> = (0..1000).map(|row| row / 100).collect();
        let groups: Vec<u64> = (0..1000).map(|row| row / 5).collect();
        for seed in 0..20 {
            let columns = columns(&labels, &groups, &[8, 1, 1, 0], seed);
            assert!((0..1000).all(|row| columns[row] == columns[row / 5 * 5]));
            assert_eq!(counts(&columns, 4), [800, 100, 100, 0]);
        }
    }

    #[test]
    fn one_group_of_all_goes_where_most_fits() {
        assert_eq!(columns(&[0; 50], &[9; 50], &[1, 3, 0], 0), vec![1; 50]);
    }

    #[test]
    fn groups_as_large_as_classes_still_fill_every_split() {
        let labels: Vec<i64> = (0..1000).map(|row| row / 10).collect();
        let groups: Vec<u64> = (0..1000).map(|row| row / 10).collect();
        assert_eq!(counts(&columns(&labels, &groups, &[8, 1, 1, 0], 0), 4), [800, 100, 100, 0]);
    }

    #[test]
    fn groups_across_classes_stay_whole() {
        let labels: Vec<i64> = (0..600).map(|row| row % 3).collect();
        let groups: Vec<u64> = (0..600).map(|row| row / 7).collect();
        let columns = columns(&labels, &groups, &[1, 1], 4);
        assert!((0..600).all(|row| columns[row] == columns[row / 7 * 7]));
        assert!(counts(&columns, 2).iter().all(|&n| (280..=320).contains(&n)));
    }
}
