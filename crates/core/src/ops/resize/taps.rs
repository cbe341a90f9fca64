//! The weights of a resize along one axis: PIL's antialiased filters in fixed point.

use pixfeed_jpeg::Isa;

use super::bilinear;

/// How pixels are averaged.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Filter {
    /// The pixel at the centre.
    Nearest,
    /// A triangle.
    #[default]
    Bilinear,
    /// Keys' cubic with a = -1/2.
    Bicubic,
    /// A windowed sinc of three lobes.
    Lanczos,
}

impl Filter {
    fn support(self) -> f64 {
        match self {
            Self::Nearest | Self::Bilinear => 1.0,
            Self::Bicubic => 2.0,
            Self::Lanczos => 3.0,
        }
    }

    fn weight(self, x: f64) -> f64 {
        let x = x.abs();
        match self {
            Self::Nearest | Self::Bilinear => triangle(x),
            Self::Bicubic if x < 1.0 => (1.5 * x - 2.5) * x * x + 1.0,
            Self::Bicubic if x < 2.0 => ((-0.5 * x + 2.5) * x - 4.0) * x + 2.0,
            Self::Lanczos if x < 3.0 => sinc(x) * sinc(x / 3.0),
            _ => 0.0,
        }
    }
}

/// The bilinear filter.
#[inline(always)]
pub(super) fn triangle(x: f64) -> f64 {
    (1.0 - x.abs()).max(0.0)
}

fn sinc(x: f64) -> f64 {
    let x = x * std::f64::consts::PI;
    if x == 0.0 { 1.0 } else { x.sin() / x }
}

/// How the samples of a plane relate to the picture's pixels along the axis.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Grid {
    /// One sample a pixel, or (after a reduced decode) one for several: the axis is measured in
    /// samples already.
    Own,
    /// One sample for two pixels, upsampled by libjpeg's triangle; `samples` there are.
    Triangle {
        /// Samples of the plane along the axis.
        samples: usize,
    },
    /// `part` samples for `whole` pixels, repeated.
    Repeat {
        /// The plane's sampling factor.
        part: usize,
        /// The picture's.
        whole: usize,
    },
}

/// One axis of a resize.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Axis {
    /// Where the box begins and ends, in the unit of the grid's pixels.
    pub span: (f64, f64),
    /// Pixels the target has.
    pub target: usize,
    /// Which of them are wanted: the first, and one past the last.
    pub window: (usize, usize),
    /// The filter.
    pub filter: Filter,
    /// Whether the window is mirrored.
    pub backwards: bool,
    /// How samples relate to pixels.
    pub grid: Grid,
}

/// Fraction bits of the weights.
pub const WEIGHT_BITS: u32 = 14;
/// All weights of a target.
pub(super) const ONE: i32 = 1 << WEIGHT_BITS;
/// Targets are computed in groups of so many.
pub const GROUP: usize = 16;

// Without SSE4 (which no build for all machines has) the standard ones are calls.

/// As [`f64::floor`], of numbers that are far from 2^63.
fn floored(value: f64) -> f64 {
    let whole = value as i64 as f64;
    if whole > value { whole - 1.0 } else { whole }
}

/// As [`f64::round`], of weights.
fn rounded(value: f64) -> i16 {
    let whole = value as i32;
    let rest = value - f64::from(whole);
    (whole + i32::from(rest >= 0.5) - i32::from(rest <= -0.5)) as i16
}

/// For each target pixel the first sample and `count` weights; targets are padded to whole groups.
#[derive(Debug, Default)]
pub struct Taps {
    /// First sample of each target pixel.
    pub starts: Vec<u32>,
    /// `count` weights of each, 14 fraction bits, adding up to one.
    pub weights: Vec<i16>,
    /// Weights a target pixel has.
    pub count: usize,
    /// First sample that any needs.
    pub first: usize,
    /// One past the last sample that any needs.
    pub end: usize,
    /// What they were built for.
    key: Option<Axis>,
    // Scratch: exact weights over pixels, over samples, and the rounded ones of all targets.
    pixels: Vec<f64>,
    samples: Vec<f64>,
    rounded: Vec<i16>,
    ranges: Vec<(usize, usize)>,
    /// Nearest: how far into the box the next centre is, summed up step by step as PIL does it, so
    /// that centres between two pixels fall to the same side.
    walked: f64,
}

/// What all targets of an axis share.
#[derive(Clone, Copy)]
pub(super) struct Ruler {
    pub low: f64,
    pub scale: f64,
    pub shrink: f64,
    pub support: f64,
    /// A box is a crop: what lies outside it never contributes.
    pub floor: f64,
    pub ceiling: f64,
}

impl Ruler {
    pub fn of(axis: &Axis) -> Self {
        let (low, high) = axis.span;
        let scale = (high - low) / axis.target as f64;
        let stretch = scale.max(1.0);
        Self {
            low,
            scale,
            shrink: 1.0 / stretch,
            support: axis.filter.support() * stretch,
            floor: low.floor(),
            ceiling: high.ceil(),
        }
    }
}

impl Taps {
    /// Builds the taps for an axis; nothing is done where they are the ones at hand.
    pub fn build(&mut self, isa: Isa, axis: Axis) {
        if self.key == Some(axis) {
            return;
        }
        self.key = Some(axis);
        let ruler = Ruler::of(&axis);
        match bilinear::Plan::of(&axis, ruler) {
            Some(plan) => self.fill(isa, &axis, &plan),
            None => self.gather(&axis, &ruler),
        }
    }

    /// As many weights for every target, known beforehand.
    fn fill(&mut self, isa: Isa, axis: &Axis, plan: &bilinear::Plan) {
        let targets = axis.window.1 - axis.window.0;
        let padded = targets.div_ceil(GROUP) * GROUP;
        self.count = plan.count;
        self.starts.resize(padded, 0);
        self.weights.resize(padded * plan.count, 0);
        plan.fill(isa, &mut self.starts, &mut self.weights);
        let (one, other) = (self.starts[0] as usize, self.starts[targets - 1] as usize);
        (self.first, self.end) = (one.min(other), one.max(other) + plan.count);
    }

    /// Target by target, for any filter and grid.
    pub(super) fn gather(&mut self, axis: &Axis, ruler: &Ruler) {
        self.rounded.clear();
        self.ranges.clear();
        self.walked = (0..axis.window.0).fold(ruler.scale * 0.5, |walked, _| walked + ruler.scale);
        for target in axis.window.0..axis.window.1 {
            let start = self.weigh(axis, ruler, target);
            self.round(start);
        }
        self.lay_out(axis.backwards);
    }

    /// Exact weights of one target over samples; returns the first sample.
    fn weigh(&mut self, axis: &Axis, ruler: &Ruler, target: usize) -> usize {
        self.samples.clear();
        if axis.filter == Filter::Nearest {
            self.pixels.clear();
            self.pixels.push(1.0);
            let pixel = (ruler.floor + floored(self.walked)).min(ruler.ceiling - 1.0);
            self.walked += ruler.scale;
            return self.spread(axis.grid, pixel as usize);
        }
        let Ruler { low, scale, shrink, support, floor, ceiling } = *ruler;
        let centre = low + (target as f64 + 0.5) * scale;
        let start = floored(centre - support + 0.5).clamp(floor, ceiling - 1.0) as usize;
        let end = floored(centre + support + 0.5).clamp(start as f64 + 1.0, ceiling) as usize;
        let first = start as f64 + 0.5 - centre;
        let at = |index: usize| (first + index as f64) * shrink;
        let own = axis.grid == Grid::Own;
        let weights = if own { &mut self.samples } else { &mut self.pixels };
        weights.clear();
        match axis.filter {
            Filter::Bilinear => weights.extend((0..end - start).map(|i| triangle(at(i)))),
            filter => weights.extend((0..end - start).map(|i| filter.weight(at(i)))),
        }
        let share = 1.0 / weights.iter().sum::<f64>();
        weights.iter_mut().for_each(|weight| *weight *= share);
        if own { start } else { self.spread(axis.grid, start) }
    }

    /// Weights over pixels to weights over samples.
    fn spread(&mut self, grid: Grid, start: usize) -> usize {
        let end = start + self.pixels.len();
        match grid {
            Grid::Own => {
                self.samples.extend_from_slice(&self.pixels);
                start
            }
            Grid::Repeat { part, whole } => {
                let first = start * part / whole;
                self.samples.resize((end - 1) * part / whole + 1 - first, 0.0);
                for (pixel, weight) in (start..).zip(&self.pixels) {
                    self.samples[pixel * part / whole - first] += weight;
                }
                first
            }
            Grid::Triangle { samples } => {
                let first = (start / 2).saturating_sub(1);
                let last = ((end - 1) / 2 + 1).min(samples - 1);
                self.samples.resize(last + 1 - first, 0.0);
                for (pixel, weight) in (start..).zip(&self.pixels) {
                    let near = (pixel / 2).min(samples - 1);
                    let far = if pixel % 2 == 0 { near.saturating_sub(1) } else { near + 1 };
                    self.samples[near - first] += 0.75 * weight;
                    self.samples[far.min(samples - 1) - first] += 0.25 * weight;
                }
                first
            }
        }
    }

    /// Rounds the weights so that they add up to one, and leaves out zeros at the ends.
    fn round(&mut self, start: usize) {
        let one = f64::from(ONE);
        let at = self.rounded.len();
        self.rounded.extend(self.samples.iter().map(|weight| rounded(weight * one)));
        let weights = &mut self.rounded[at..];
        let sum: i32 = weights.iter().map(|&w| i32::from(w)).sum();
        if let Some(largest) = weights.iter_mut().max_by_key(|w| **w) {
            *largest += (ONE - sum) as i16;
        }
        let skipped = weights.iter().take_while(|&&w| w == 0).count();
        let behind = weights.iter().rev().take_while(|&&w| w == 0).count();
        let count = weights.len() - skipped - behind;
        self.rounded.copy_within(at + skipped..at + skipped + count, at);
        self.rounded.truncate(at + count);
        self.ranges.push((start + skipped, count));
    }

    /// All targets with the same number of weights, none of them beyond what some target needs.
    fn lay_out(&mut self, backwards: bool) {
        self.count = self.ranges.iter().map(|&(_, count)| count).max().unwrap_or(1);
        self.first = self.ranges.iter().map(|&(start, _)| start).min().unwrap_or(0);
        self.end = self.ranges.iter().map(|&(start, count)| start + count).max().unwrap_or(1);
        let targets = self.ranges.len();
        let padded = targets.div_ceil(GROUP) * GROUP;
        self.starts.clear();
        self.starts.resize(padded, 0);
        self.weights.clear();
        self.weights.resize(padded * self.count, 0);
        let mut from = 0;
        for (index, &(start, count)) in self.ranges.iter().enumerate() {
            let slot = if backwards { targets - 1 - index } else { index };
            let moved = start.min(self.end - self.count);
            self.starts[slot] = moved as u32;
            let to = slot * self.count + start - moved;
            self.weights[to..to + count].copy_from_slice(&self.rounded[from..from + count]);
            from += count;
        }
        for slot in targets..padded {
            self.starts[slot] = self.starts[targets - 1];
            let last = (targets - 1) * self.count;
            self.weights.copy_within(last..last + self.count, slot * self.count);
        }
    }

    /// The weights of one target pixel.
    #[must_use]
    pub fn of(&self, target: usize) -> &[i16] {
        &self.weights[target * self.count..(target + 1) * self.count]
    }
}

#[cfg(test)]
mod tests {
    use super::{Axis, Filter, Grid, Taps};
    use pixfeed_jpeg::Isa;
    use proptest::prelude::*;

    const FILTERS: [Filter; 4] =
        [Filter::Nearest, Filter::Bilinear, Filter::Bicubic, Filter::Lanczos];

    fn built(axis: Axis) -> Taps {
        let mut taps = Taps::default();
        taps.build(Isa::detect(), axis);
        taps
    }

    #[test]
    fn rounding_is_the_standard_one() {
        let near = |v: f64| [v.next_down(), v, v.next_up()];
        for value in (-80_i32..80).flat_map(|n| near(f64::from(n) * 0.25)) {
            assert_eq!(f64::from(super::rounded(value)), value.round());
            assert_eq!(super::floored(value), value.floor());
        }
    }

    proptest! {
        #[test]
        fn weights_add_up_and_stay_inside(filter in 0_usize..4, low in 0_usize..50,
                                          length in 1_usize..300, target in 1_usize..70,
                                          backwards in any::<bool>(), grid in 0_usize..3) {
            let samples = (low + length).div_ceil(2);
            let grid = [Grid::Own, Grid::Triangle { samples }, Grid::Repeat { part: 1, whole: 4 }][grid];
            let span = (low as f64, (low + length) as f64);
            let window = (0, target);
            let axis = Axis { span, target, window, filter: FILTERS[filter], backwards, grid };
            let taps = built(axis);
            for target in 0..target {
                let sum: i32 = taps.of(target).iter().map(|&w| i32::from(w)).sum();
                prop_assert_eq!(sum, 16384);
                let start = taps.starts[target] as usize;
                prop_assert!(start >= taps.first && start + taps.count <= taps.end);
            }
            if grid == Grid::Own {
                prop_assert!(taps.first >= low && taps.end <= low + length);
            }
        }

        #[test]
        fn mirrored_taps_are_the_taps_mirrored(length in 1_usize..300, target in 1_usize..70) {
            let axis = Axis {
                span: (3.0, 3.0 + length as f64),
                target,
                window: (0, target),
                filter: Filter::Bilinear,
                backwards: false,
                grid: Grid::Own,
            };
            let (plain, mirrored) = (built(axis), built(Axis { backwards: true, ..axis }));
            for at in 0..target {
                prop_assert_eq!(plain.of(at), mirrored.of(target - 1 - at));
                prop_assert_eq!(plain.starts[at], mirrored.starts[target - 1 - at]);
            }
        }
    }

    proptest! {
        #[test]
        fn a_window_has_the_taps_of_the_whole(filter in 0_usize..4, length in 1_usize..300,
                                              target in 1_usize..70, cut in (0_usize..70, 0_usize..70)) {
            let first = cut.0 % target;
            let end = first + 1 + cut.1 % (target - first);
            let axis = Axis {
                span: (2.0, 2.0 + length as f64),
                target,
                window: (0, target),
                filter: FILTERS[filter],
                backwards: false,
                grid: Grid::Own,
            };
            let (whole, part) = (built(axis), built(Axis { window: (first, end), ..axis }));
            // Laid out for other neighbours, they may begin elsewhere: their zeros are left out.
            let sparse = |taps: &Taps, at: usize| -> Vec<(u32, i16)> {
                let weights = taps.of(at).iter().copied().enumerate();
                let placed = weights.map(|(i, weight)| (taps.starts[at] + i as u32, weight));
                placed.filter(|(_, weight)| *weight != 0).collect()
            };
            for at in first..end {
                prop_assert_eq!(sparse(&whole, at), sparse(&part, at - first));
            }
        }
    }

    #[test]
    fn without_scaling_every_filter_is_the_identity() {
        for filter in FILTERS {
            let axis = Axis {
                span: (5.0, 13.0),
                target: 8,
                window: (0, 8),
                filter,
                backwards: false,
                grid: Grid::Own,
            };
            let taps = built(axis);
            assert_eq!(taps.count, 1, "{filter:?}");
            assert_eq!(taps.starts[..8], [5, 6, 7, 8, 9, 10, 11, 12]);
        }
    }
}
