//! The taps of the bilinear filter, which nearly every resize takes: sixteen targets at a time, straight to
//! their layout. The general way gives the same.

use pixfeed_jpeg::Isa;

use super::taps::{Axis, Filter, GROUP, Grid, ONE, Ruler, triangle};

/// Pixels a target reaches over at most; what shrinks further goes the general way.
const REACH: usize = 8;
/// Rows of zeros before the pixels, for the samples that begin before them.
const BEFORE: usize = 3;

/// One number of each of sixteen targets.
type Lanes<T> = [T; GROUP];

/// The shape of the taps of one axis.
pub(super) struct Plan {
    ruler: Ruler,
    /// Target of the first slot, the step to the next slot's, and the last slot.
    origin: f64,
    step: f64,
    last: f64,
    /// Pixels a target reaches over.
    reach: usize,
    /// Samples of the plane, where they lie between the pixels.
    samples: Option<usize>,
    /// Weights of a target.
    pub count: usize,
}

impl Plan {
    /// None for what goes the general way.
    pub fn of(axis: &Axis, ruler: Ruler) -> Option<Self> {
        let samples = match axis.grid {
            Grid::Own => None,
            Grid::Triangle { samples } => Some(samples),
            Grid::Repeat { .. } => return None,
        };
        let reach = reach(&ruler);
        let (first, end) = axis.window;
        if axis.filter != Filter::Bilinear || reach > REACH || first == end {
            return None;
        }
        let (origin, step) = if axis.backwards { (end - 1, -1.0) } else { (first, 1.0) };
        let count = samples.map_or(reach, |samples| spread_over(reach).min(samples));
        let (origin, last) = (origin as f64, (end - 1 - first) as f64);
        Some(Self { ruler, origin, step, last, reach, samples, count })
    }

    /// Fills in where each slot begins, and its weights.
    pub fn fill(&self, isa: Isa, starts: &mut [u32], weights: &mut [i16]) {
        match isa {
            #[cfg(target_arch = "x86_64")]
            // SAFETY: this value of Isa exists only where the instructions do.
            Isa::Avx2 => unsafe { self.fill_avx2(starts, weights) },
            _ => self.fill_scalar(starts, weights),
        }
    }

    /// The same code with wider registers, and so the same numbers.
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2")]
    fn fill_avx2(&self, starts: &mut [u32], weights: &mut [i16]) {
        self.fill_scalar(starts, weights);
    }

    #[inline(always)]
    fn fill_scalar(&self, starts: &mut [u32], weights: &mut [i16]) {
        let mut pixels = [[0.0; GROUP]; REACH + 1];
        let groups =
            starts.chunks_exact_mut(GROUP).zip(weights.chunks_exact_mut(GROUP * self.count));
        for (group, (starts, weights)) in groups.enumerate() {
            let begin = self.weigh((group * GROUP) as f64, &mut pixels);
            let Some(samples) = self.samples else {
                starts.copy_from_slice(&begin.map(|start| start as u32));
                round(&pixels[..self.count], weights);
                continue;
            };
            let (begin, mut values) = spread(begin, &pixels, self.reach);
            for lane in 0..GROUP {
                starts[lane] = self.fold(begin[lane], lane, samples, &mut values);
            }
            round(&values[..self.count], weights);
        }
    }

    /// The first pixel of each target of a group, and exact weights from it on.
    #[inline(always)]
    fn weigh(&self, group: f64, pixels: &mut [Lanes<f64>]) -> Lanes<i32> {
        let Ruler { low, scale, shrink, support, floor, ceiling } = self.ruler;
        let limit = ceiling - self.reach as f64;
        let (mut begin, mut first, mut sum) = ([0; GROUP], [0.0; GROUP], [0.0; GROUP]);
        for lane in 0..GROUP {
            let target = self.origin + self.step * (group + lane as f64).min(self.last);
            let centre = low + (target + 0.5) * scale;
            begin[lane] = (centre - support + 0.5).max(floor).min(limit) as i32;
            first[lane] = f64::from(begin[lane]) + 0.5 - centre;
        }
        for (index, row) in pixels[..self.reach].iter_mut().enumerate() {
            for lane in 0..GROUP {
                row[lane] = triangle((first[lane] + index as f64) * shrink);
                sum[lane] += row[lane];
            }
        }
        let share = sum.map(|sum| 1.0 / sum);
        for row in &mut pixels[..self.reach] {
            for lane in 0..GROUP {
                row[lane] *= share[lane];
            }
        }
        begin
    }

    /// What lies outside the plane falls to its outermost sample; returns the first sample.
    #[inline(always)]
    fn fold(&self, begin: i32, lane: usize, samples: usize, values: &mut [Lanes<f64>]) -> u32 {
        let (samples, over) = (samples as i32, spread_over(self.reach) as i32);
        if begin >= 0 && begin + over <= samples {
            return begin as u32;
        }
        let start = begin.clamp(0, samples - self.count as i32);
        let mut folded = [0.0; REACH];
        for (index, row) in (begin..begin + over).zip(&mut *values) {
            folded[(index.clamp(0, samples - 1) - start) as usize] += row[lane];
        }
        for (row, value) in values.iter_mut().zip(folded) {
            row[lane] = value;
        }
        start as u32
    }
}

/// Most pixels that weigh anything for any target.
fn reach(ruler: &Ruler) -> usize {
    let &Ruler { low, scale, support, floor, ceiling, .. } = ruler;
    let begin = low + scale * 0.5 - support + 0.5;
    // Where all targets lie alike on the pixels, the last of them may be on the filter's edge.
    let even = scale.fract() == 0.0 && begin.fract() == 0.0;
    let most = if even { 2.0 * support - 1.0 } else { (2.0 * support).ceil() };
    most.min(ceiling - floor) as usize
}

/// Samples that so many pixels are made of.
fn spread_over(pixels: usize) -> usize {
    pixels / 2 + 2
}

/// Weights over pixels to weights over samples; the first of them may lie outside the plane.
#[inline(always)]
fn spread(
    begin: Lanes<i32>,
    pixels: &[Lanes<f64>],
    reach: usize,
) -> (Lanes<i32>, [Lanes<f64>; REACH]) {
    // Pixels from the sample's second on: an odd one is that, before an even one there is another.
    let mut shifted = [[0.0; GROUP]; BEFORE + REACH + 3];
    for lane in 0..GROUP {
        shifted[BEFORE - 1][lane] = if begin[lane] % 2 == 0 { 0.0 } else { pixels[0][lane] };
    }
    for (index, row) in shifted[BEFORE..BEFORE + reach].iter_mut().enumerate() {
        for lane in 0..GROUP {
            let odd = begin[lane] % 2 != 0;
            row[lane] = if odd { pixels[index + 1][lane] } else { pixels[index][lane] };
        }
    }
    let mut values = [[0.0; GROUP]; REACH];
    for (index, row) in values[..spread_over(reach)].iter_mut().enumerate() {
        let from: &[Lanes<f64>; 4] = shifted[2 * index..2 * index + 4].try_into().expect("four");
        for lane in 0..GROUP {
            let (near, far) = (0.75 * from[1][lane], 0.25 * from[0][lane]);
            row[lane] = far + near + 0.75 * from[2][lane] + 0.25 * from[3][lane];
        }
    }
    (begin.map(|begin| (begin + 1) / 2 - 1), values)
}

/// Rounds weights so that those of a target add up to one, and lays them out target by target.
#[inline(always)]
fn round(values: &[Lanes<f64>], weights: &mut [i16]) {
    let count = values.len();
    let (mut rest, mut most, mut place) = ([ONE; GROUP], [0; GROUP], [0; GROUP]);
    for (index, row) in values.iter().enumerate() {
        let rounded = row.map(|weight| (weight * f64::from(ONE) + 0.5) as i32);
        for lane in 0..GROUP {
            rest[lane] -= rounded[lane];
            place[lane] = if rounded[lane] >= most[lane] { index as i32 } else { place[lane] };
            most[lane] = rounded[lane].max(most[lane]);
        }
        for (slot, value) in weights.chunks_exact_mut(count).zip(rounded) {
            slot[index] = value as i16;
        }
    }
    for (slot, (place, rest)) in weights.chunks_exact_mut(count).zip(place.into_iter().zip(rest)) {
        slot[place as usize] += rest as i16;
    }
}

#[cfg(test)]
mod tests {
    use crate::ops::resize::taps::{Axis, Filter, Grid, Ruler, Taps};
    use pixfeed_jpeg::Isa;
    use proptest::prelude::*;

    prop_compose! {
        /// Spans in quarters, as planes of reduced size have them; every third of whole pixels.
        fn axes()(low in 0_usize..200, length in 1_usize..1200, unit in 0_usize..3, target in 1_usize..300,
                  cut in (0_usize..300, 0_usize..300), backwards in any::<bool>(), triangle in any::<bool>(),
                  beyond in 0_usize..3) -> Axis {
            let unit = [1.0, 0.25, 1.0 / 3.0][unit];
            let span = (low as f64 * unit, (low + length) as f64 * unit);
            let first = cut.0 % target;
            let window = (first, first + 1 + cut.1 % (target - first));
            let samples = (span.1.ceil() as usize).div_ceil(2) + beyond;
            let grid = if triangle { Grid::Triangle { samples } } else { Grid::Own };
            Axis { span, target, window, filter: Filter::Bilinear, backwards, grid }
        }
    }

    /// Where weights lie and what they are, without zeros.
    fn sparse(taps: &Taps, target: usize) -> Vec<(u32, i16)> {
        let weights = taps.of(target).iter().copied().enumerate();
        let placed = weights.map(|(index, weight)| (taps.starts[target] + index as u32, weight));
        placed.filter(|(_, weight)| *weight != 0).collect()
    }

    #[test]
    fn the_rest_goes_to_the_last_of_the_largest() {
        let mut taps = Taps::default();
        taps.build(
            Isa::detect(),
            Axis {
                span: (0.0, 22.0),
                target: 7,
                window: (0, 7),
                filter: Filter::Bilinear,
                backwards: false,
                grid: Grid::Own,
            },
        );
        assert_eq!(taps.of(3), [1069, 2731, 4393, 4391, 2731, 1069, 0]);
    }

    proptest! {
        #[test]
        fn the_general_way_gives_the_same(axis in axes()) {
            let (mut direct, mut general) = (Taps::default(), Taps::default());
            direct.build(Isa::Scalar, axis);
            general.gather(&axis, &Ruler::of(&axis));
            prop_assert_eq!(direct.starts.len(), general.starts.len());
            for target in 0..direct.starts.len() {
                prop_assert_eq!(sparse(&direct, target), sparse(&general, target));
            }
            if let Grid::Triangle { samples } = axis.grid {
                prop_assert!(direct.end <= samples);
            }
        }

        #[test]
        fn the_twins_agree(axis in axes()) {
            let (mut scalar, mut best) = (Taps::default(), Taps::default());
            scalar.build(Isa::Scalar, axis);
            best.build(Isa::detect(), axis);
            prop_assert_eq!(scalar.starts, best.starts);
            prop_assert_eq!(scalar.weights, best.weights);
        }
    }
}
