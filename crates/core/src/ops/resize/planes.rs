//! The resize itself: takes up strips of planes as they are decoded, writes rows of the target as soon
//! as their sources are there.

use pixfeed_jpeg::{Isa, Strip, StripSink};

use super::across::{self, ROWS};
use super::down::{self, Blend, Column};
use super::taps::{Axis, Filter, Grid, Taps};

/// Where one plane's samples lie: the box in its own pixels, and how samples relate to those.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlaneGrid {
    /// The box's left and right edge, and its upper and lower one.
    pub span: [(f64, f64); 2],
    /// Across and down.
    pub grid: [Grid; 2],
}

/// A resize: planes, target, filter, mirrors.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Geometry {
    /// How planes become colours.
    pub blend: Blend,
    /// Width and height of the target.
    pub target: (usize, usize),
    /// The columns and the rows of the target that are wanted: the first, and one past the last.
    pub window: [(usize, usize); 2],
    /// The filter.
    pub filter: Filter,
    /// Whether the window is mirrored left to right, and top to bottom.
    pub backwards: (bool, bool),
    /// The planes; those the blend does not take are ignored.
    pub planes: [PlaneGrid; 3],
}

impl Geometry {
    /// Width and height of the window.
    #[must_use]
    pub fn wanted(&self) -> (usize, usize) {
        let [(left, right), (top, bottom)] = self.window;
        (right - left, bottom - top)
    }
}

/// The rows a plane has given so far, resized across.
#[derive(Default)]
struct Rows {
    samples: Vec<i16>,
    /// The plane's row the first of them is, and one past the last.
    origin: Option<usize>,
    end: usize,
}

/// Buffers and tables of a resize, kept from image to image.
pub struct Resizer {
    isa: Isa,
    across: [Taps; 3],
    down: [Taps; 3],
    /// Which taps each plane uses (planes alike share theirs).
    taps_of: [[usize; 3]; 2],
    rows: [Rows; 3],
    geometry: Option<Geometry>,
    strip: Vec<i16>,
}

impl Resizer {
    /// A resizer whose kernels use an instruction set (or what the machine has of it).
    #[must_use]
    pub fn new(isa: Isa) -> Self {
        Self {
            isa: isa.available(),
            across: Default::default(),
            down: Default::default(),
            taps_of: [[0; 3]; 2],
            rows: Default::default(),
            geometry: None,
            strip: Vec::new(),
        }
    }

    /// Computes the taps of a resize.
    pub fn plan(&mut self, geometry: &Geometry) {
        let Geometry { target, window, filter, backwards, planes, .. } = *geometry;
        let count = geometry.blend.planes();
        for index in 0..count {
            for (axis, taps) in [&mut self.across, &mut self.down].into_iter().enumerate() {
                let same = |other: &usize| {
                    planes[*other].span[axis] == planes[index].span[axis]
                        && planes[*other].grid[axis] == planes[index].grid[axis]
                };
                let owner = (0..index).find(same).unwrap_or(index);
                self.taps_of[axis][index] = owner;
                if owner == index {
                    taps[index].build(
                        self.isa,
                        Axis {
                            span: planes[index].span[axis],
                            target: if axis == 0 { target.0 } else { target.1 },
                            window: window[axis],
                            filter,
                            // Rows are mirrored where they are written.
                            backwards: axis == 0 && backwards.0,
                            grid: planes[index].grid[axis],
                        },
                    );
                }
            }
        }
        self.geometry = Some(*geometry);
    }

    /// The samples a plane must give: (first column, end), (first row, end).
    #[must_use]
    pub fn window(&self, plane: usize) -> [(usize, usize); 2] {
        let across = &self.across[self.taps_of[0][plane]];
        let down = &self.down[self.taps_of[1][plane]];
        [(across.first, across.end), (down.first, down.end)]
    }

    /// Starts the planned resize into `out`.
    ///
    /// # Panics
    ///
    /// When nothing is planned, or `out` is not as long as the target needs.
    pub fn start<'a>(&'a mut self, out: &'a mut [u8]) -> Running<'a> {
        let geometry = self.geometry.take().expect("a resize is planned before it starts");
        let (width, height) = geometry.wanted();
        assert_eq!(out.len(), width * height * geometry.blend.channels(), "length of the output");
        for rows in &mut self.rows {
            rows.origin = None;
            rows.end = 0;
        }
        Running { resizer: self, geometry, out, next: 0 }
    }

    /// Resizes a raster of one or three interleaved channels as planned (all planes on their own grid).
    pub fn raster(&mut self, pixels: &[u8], width: usize, channels: usize, out: &mut [u8]) {
        let [(left, right), (top, bottom)] = self.window(0);
        let mut strip = std::mem::take(&mut self.strip);
        strip.resize((right - left) * ROWS, 0);
        let mut running = self.start(out);
        for first in (top..bottom).step_by(ROWS) {
            let rows = ROWS.min(bottom - first);
            for channel in 0..running.geometry.blend.planes() {
                for row in 0..rows {
                    let start = ((first + row) * width + left) * channels;
                    let line = &pixels[start..start + (right - left) * channels];
                    let values = line.iter().skip(channel).step_by(channels);
                    for (column, &value) in strip.chunks_exact_mut(ROWS).zip(values) {
                        column[row] = i16::from((value ^ 0x80) as i8) << 8;
                    }
                }
                running.strip(Strip {
                    component: channel,
                    first_row: first as u32,
                    rows,
                    first_column: left as u32,
                    samples: &strip,
                });
            }
        }
        self.strip = strip;
    }
}

/// A resize under way.
pub struct Running<'a> {
    resizer: &'a mut Resizer,
    geometry: Geometry,
    out: &'a mut [u8],
    /// The next row of the target, in the order of the source.
    next: usize,
}

impl Running<'_> {
    /// Whether every row of the target has been written.
    #[must_use]
    pub fn complete(&self) -> bool {
        self.next == self.geometry.wanted().1
    }

    /// Writes the rows whose sources are all there.
    fn drain(&mut self) {
        let Resizer { isa, across, down, taps_of, rows, .. } = &*self.resizer;
        let Geometry { blend, backwards, .. } = self.geometry;
        let (width, height) = self.geometry.wanted();
        let stride = across[0].starts.len();
        let bytes = width * blend.channels();
        while self.next < height {
            let mut columns = [Column { samples: &[], stride, weights: &[] }; 3];
            for (plane, column) in columns.iter_mut().enumerate().take(blend.planes()) {
                let taps = &down[taps_of[1][plane]];
                let (start, rows) = (taps.starts[self.next] as usize, &rows[plane]);
                let Some(origin) = rows.origin else { return };
                if start + taps.count > rows.end {
                    return;
                }
                column.samples = &rows.samples[(start - origin) * stride..];
                column.weights = taps.of(self.next);
            }
            let row = if backwards.1 { height - 1 - self.next } else { self.next };
            down::pass(*isa, blend, &columns, &mut self.out[row * bytes..(row + 1) * bytes]);
            self.next += 1;
        }
    }
}

impl StripSink for Running<'_> {
    fn strip(&mut self, strip: Strip<'_>) {
        let plane = strip.component;
        let resizer = &mut *self.resizer;
        let (first, end) = resizer.window(plane)[1];
        let strip_first = strip.first_row as usize;
        if strip_first >= end || strip_first + strip.rows <= first {
            return;
        }
        let taps = &resizer.across[resizer.taps_of[0][plane]];
        let stride = taps.starts.len();
        let rows = &mut resizer.rows[plane];
        let origin = *rows.origin.get_or_insert(strip_first);
        let size = (end + ROWS - origin) * stride;
        if rows.samples.len() < size {
            rows.samples.resize(size, 0);
        }
        let out = &mut rows.samples[(strip_first - origin) * stride..];
        let first_column = strip.first_column as usize;
        across::pass(resizer.isa, taps, strip.samples, first_column, out, stride, strip.rows);
        rows.end = strip_first + strip.rows;
        self.drain();
    }
}
