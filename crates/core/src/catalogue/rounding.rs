//! Controlled rounding: how many records of each class go to each split.
//!
//! A class of n records has an exact share n * w / W in a split of weight w (of W). Every class gets
//! the floor or the ceiling of its share, all its records are used, and each split's total is the
//! floor or the ceiling of the exact total: such a rounding always exists. Written as a table of
//! classes x splits with one more row that makes the splits' totals whole, the fractional cells form
//! a graph in which every row and column that has one has two; along a circle of them, some amount
//! can be moved from every second cell to its neighbours until one is whole, which changes no total.
//! Circles show up as soon as as many rows as splits wait, so rows pass through a small waiting room.
//! The direction is drawn so that every share is right on average.

use super::key::keyed;

/// For each class size, the records each weight gets: rows of `weights.len()` counts.
///
/// ```
/// let quotas = pixfeed_core::catalogue::rounding::quotas(&[5, 5], &[8, 1, 1], 0);
/// assert!(quotas.iter().all(|q| q[0] == 4 && q[1] + q[2] == 1));
/// assert_eq!(quotas[0][1] + quotas[1][1], 1);
/// ```
///
/// # Panics
/// When all weights are 0.
#[must_use]
pub fn quotas(sizes: &[u64], weights: &[u128], seed: u64) -> Vec<Vec<u64>> {
    let whole: u128 = weights.iter().sum();
    assert!(whole > 0, "a weight above 0");
    let mut rows: Vec<Vec<u64>> = sizes
        .iter()
        .map(|&size| weights.iter().map(|w| (u128::from(size) * w / whole) as u64).collect())
        .collect();
    let mut room = Room { whole, seed, draws: 0, rows: Vec::new() };
    let mut totals = vec![0; weights.len()];
    for (class, &size) in sizes.iter().enumerate() {
        let parts: Vec<u128> = weights.iter().map(|w| u128::from(size) * w % whole).collect();
        totals.iter_mut().zip(&parts).for_each(|(total, part)| *total = (*total + part) % whole);
        room.admit(Row { class, parts }, &mut rows);
    }
    let parts = totals.iter().map(|total| (whole - total) % whole).collect();
    room.admit(Row { class: sizes.len(), parts }, &mut rows);
    debug_assert!(room.rows.is_empty(), "every row is whole once the totals are");
    rows
}

/// A class with fractional shares, in parts of `Room::whole`.
struct Row {
    class: usize,
    parts: Vec<u128>,
}

/// A row of the waiting room and a column.
type Cell = (usize, usize);

struct Room {
    whole: u128,
    seed: u64,
    draws: u64,
    rows: Vec<Row>,
}

impl Room {
    fn admit(&mut self, row: Row, done: &mut [Vec<u64>]) {
        self.rows.push(row);
        self.release(done);
        while let Some(circle) = self.circle() {
            self.shift(&circle);
            self.release(done);
        }
    }

    /// Lets rows go whose shares are whole, counting those that became so upwards.
    fn release(&mut self, done: &mut [Vec<u64>]) {
        let whole = self.whole;
        self.rows.retain(|row| {
            if row.parts.iter().any(|&part| 0 < part && part < whole) {
                return true;
            }
            if let Some(counts) = done.get_mut(row.class) {
                counts
                    .iter_mut()
                    .zip(&row.parts)
                    .for_each(|(n, &part)| *n += u64::from(part == whole));
            }
            false
        });
    }

    /// Cells (row, column) around a circle, neighbours sharing a column and a row in turn.
    fn circle(&self) -> Option<Vec<Cell>> {
        let mut cells = self.fractional();
        prune(&mut cells);
        let mut path = vec![*cells.first()?];
        loop {
            let last = path[path.len() - 1];
            let by_column = path.len() % 2 == 1;
            if let Some(first) = met(&path) {
                return Some(path.split_off(first));
            }
            path.push(*cells.iter().find(|&&c| c != last && joined(c, last, by_column))?);
        }
    }

    /// Moves between the cells of a circle what makes at least one of them whole.
    fn shift(&mut self, circle: &[Cell]) {
        let (mut up, mut down) = (self.whole, self.whole);
        for (i, &(row, column)) in circle.iter().enumerate() {
            let part = self.rows[row].parts[column];
            let (below, above) = (part, self.whole - part);
            let (more, less) = if i % 2 == 0 { (above, below) } else { (below, above) };
            up = up.min(more);
            down = down.min(less);
        }
        let raise = self.draw() < down as f64 / (up + down) as f64;
        let amount = if raise { up } else { down };
        for (i, &(row, column)) in circle.iter().enumerate() {
            let part = &mut self.rows[row].parts[column];
            *part = if (i % 2 == 0) == raise { *part + amount } else { *part - amount };
        }
    }

    fn draw(&mut self) -> f64 {
        self.draws += 1;
        (keyed(self.seed, &self.draws.to_le_bytes()) >> 11) as f64 / (1u64 << 53) as f64
    }

    fn fractional(&self) -> Vec<Cell> {
        let whole = self.whole;
        let cells = |(r, row): (usize, &Row)| {
            let parts = row.parts.clone();
            (0..parts.len()).filter(move |&c| 0 < parts[c] && parts[c] < whole).map(move |c| (r, c))
        };
        self.rows.iter().enumerate().flat_map(cells).collect()
    }
}

/// Where a circle begins on a path: it has come to a line (a column after an odd number of cells, a
/// row after an even one) that it has gone along before.
fn met(path: &[Cell]) -> Option<usize> {
    let end = path.len() - 1;
    let by_column = end.is_multiple_of(2);
    if !by_column && joined(path[0], path[end], false) {
        return Some(0);
    }
    (end % 2..end).step_by(2).find(|&i| joined(path[i], path[end], by_column)).map(|i| i + 1)
}

fn joined(a: Cell, b: Cell, by_column: bool) -> bool {
    if by_column { a.1 == b.1 } else { a.0 == b.0 }
}

/// Leaves only cells that have company in their row and in their column.
fn prune(cells: &mut Vec<Cell>) {
    loop {
        let before = cells.clone();
        let company = |cell: Cell, by_column| {
            before.iter().filter(|&&other| joined(other, cell, by_column)).count() > 1
        };
        cells.retain(|&cell| company(cell, true) && company(cell, false));
        if cells.len() == before.len() {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Every promise of the module's first paragraph.
    fn check(sizes: &[u64], weights: &[u128], seed: u64) {
        let whole: u128 = weights.iter().sum();
        let quotas = quotas(sizes, weights, seed);
        for (quota, &size) in quotas.iter().zip(sizes) {
            assert_eq!(quota.iter().sum::<u64>(), size);
            for (&count, weight) in quota.iter().zip(weights) {
                near(count, u128::from(size) * weight, whole);
            }
        }
        let all: u64 = sizes.iter().sum();
        for (column, weight) in weights.iter().enumerate() {
            near(quotas.iter().map(|q| q[column]).sum(), u128::from(all) * weight, whole);
        }
    }

    /// That a count is the floor or the ceiling of share / whole.
    fn near(count: u64, share: u128, whole: u128) {
        let count = u128::from(count);
        assert!(
            count == share / whole || count == share.div_ceil(whole),
            "{count}: {share}/{whole}"
        );
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(1000))]
        #[test]
        fn any_histogram_rounds(
            sizes in prop::collection::vec(0u64..60, 0..80),
            weights in prop::collection::vec(0u128..40, 1..6),
            seed: u64,
        ) {
            prop_assume!(weights.iter().sum::<u128>() > 0);
            check(&sizes, &weights, seed);
        }
    }

    #[test]
    fn a_thousand_classes_of_five() {
        let sizes = [5; 1000];
        check(&sizes, &[8, 1, 1], 3);
        let quotas = quotas(&sizes, &[8, 1, 1], 3);
        let total = |column: usize| quotas.iter().map(|q| q[column]).sum::<u64>();
        assert_eq!([total(0), total(1), total(2)], [4000, 500, 500]);
    }

    #[test]
    fn big_weights_do_not_overflow() {
        check(&[1 << 31, 3, (1 << 31) - 1], &[1 << 70, (1 << 70) + 1, 12345], 0);
    }

    #[test]
    fn shares_are_right_on_average() {
        let ups = (0..4000).map(|seed| quotas(&[1, 1, 1], &[7, 2, 1], seed)[0][0]).sum::<u64>();
        assert!((2650..2950).contains(&ups), "{ups} of 4000 where 2800 are expected");
    }
}
