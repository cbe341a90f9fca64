//! The seam of the order station.
//!
//! Positions and records cross as int64 (an order has at most 2^40 of them), words as uint64.
//! Every array that comes out is new and belongs to Python; the lock is released while it is filled.

use numpy::{IntoPyArray, PyArray1, PyReadonlyArray1};
use pixfeed_core::fault::{Code, Fault};
use pixfeed_core::order::{self, Draws, Last, Permutation};
use pyo3::prelude::*;

use crate::faults::Trouble;

/// What names a stream of draws: (seed, epoch, op, id, occurrence).
type Stream = (u64, u64, u64, u64, u64);
type Slots<'py> =
    (Bound<'py, PyArray1<i64>>, Bound<'py, PyArray1<i64>>, Bound<'py, PyArray1<bool>>);

/// Which records stand in which slot of which batch, as one rank sees it.
#[pyclass(frozen, module = "pixfeed._native")]
#[derive(Clone, Copy)]
pub struct Plan(order::Plan);

impl Plan {
    /// The plan itself, for the seam of the engine.
    #[must_use]
    pub fn inner(&self) -> order::Plan {
        self.0
    }
}

#[pymethods]
impl Plan {
    #[new]
    #[pyo3(signature = (records, batch, shard, last, shuffle))]
    fn new(
        py: Python<'_>,
        records: u64,
        batch: u64,
        shard: (u64, u64),
        last: &str,
        shuffle: Option<u64>,
    ) -> PyResult<Self> {
        parse(last)
            .and_then(|last| order::Plan::new(records, batch, shard, last, shuffle))
            .map(Self)
            .map_err(|fault| Trouble::Fault(fault).raise(py))
    }

    #[getter]
    fn records(&self) -> u64 {
        self.0.records()
    }

    #[getter]
    fn batch(&self) -> u64 {
        self.0.batch()
    }

    #[getter]
    fn global_batch(&self) -> u64 {
        self.0.global_batch()
    }

    #[getter]
    fn steps(&self) -> u64 {
        self.0.steps()
    }

    /// Positions, records and validity of this rank's batch at a step of an epoch.
    fn slots<'py>(&self, py: Python<'py>, epoch: u64, step: u64) -> PyResult<Slots<'py>> {
        if step >= self.0.steps() {
            let found = format!("step {step} of an epoch of {} steps", self.0.steps());
            return Err(Trouble::Fault(Fault::new(Code::BadRequest, "", found)).raise(py));
        }
        let slots: Vec<_> = py.detach(|| self.0.epoch(epoch).slots(step).collect());
        let positions: Vec<_> = slots.iter().map(|slot| slot.position as i64).collect();
        let records: Vec<_> = slots.iter().map(|slot| slot.record as i64).collect();
        let valid: Vec<_> = slots.iter().map(|slot| slot.valid).collect();
        Ok((positions.into_pyarray(py), records.into_pyarray(py), valid.into_pyarray(py)))
    }
}

/// The records at positions of an epoch.
#[pyfunction]
fn permute<'py>(
    py: Python<'py>,
    records: u64,
    seed: u64,
    epoch: u64,
    positions: PyReadonlyArray1<'py, i64>,
) -> PyResult<Bound<'py, PyArray1<i64>>> {
    map(py, records, seed, epoch, &positions, Permutation::record)
}

/// The positions of records in an epoch: the inverse of `permute`.
#[pyfunction]
fn unpermute<'py>(
    py: Python<'py>,
    records: u64,
    seed: u64,
    epoch: u64,
    places: PyReadonlyArray1<'py, i64>,
) -> PyResult<Bound<'py, PyArray1<i64>>> {
    map(py, records, seed, epoch, &places, Permutation::position)
}

fn map<'py>(
    py: Python<'py>,
    records: u64,
    seed: u64,
    epoch: u64,
    indices: &PyReadonlyArray1<'py, i64>,
    one: fn(&Permutation, u64) -> u64,
) -> PyResult<Bound<'py, PyArray1<i64>>> {
    // Copied out first: once the lock is gone another thread may write to the caller's array.
    let indices = indices.as_array().to_vec();
    let mapped = py.detach(|| {
        let order = Permutation::new(records, seed, epoch)?;
        let inside = |index: i64| u64::try_from(index).ok().filter(|index| *index < records);
        let outside = |index| {
            let found = format!("index {index} among {records} records, counted from 0");
            Fault::new(Code::BadRequest, "", found)
        };
        let place = |index| inside(index).ok_or_else(|| outside(index));
        indices
            .into_iter()
            .map(|i| Ok(one(&order, place(i)?) as i64))
            .collect::<Result<Vec<_>, _>>()
    });
    mapped.map(|mapped| mapped.into_pyarray(py)).map_err(|fault| Trouble::Fault(fault).raise(py))
}

/// The first words of a stream of draws.
#[pyfunction]
fn draw_words(py: Python<'_>, stream: Stream, count: usize) -> Bound<'_, PyArray1<u64>> {
    draw(py, stream, count, Draws::next_u64)
}

/// The first floats of a stream of draws.
#[pyfunction]
fn draw_floats(py: Python<'_>, stream: Stream, count: usize) -> Bound<'_, PyArray1<f64>> {
    draw(py, stream, count, Draws::float)
}

/// The first integers below `n` of a stream of draws.
#[pyfunction]
fn draw_integers(py: Python<'_>, stream: Stream, n: u64, count: usize) -> Bound<'_, PyArray1<u64>> {
    draw(py, stream, count, |draws| draws.below(n))
}

fn draw<T: numpy::Element>(
    py: Python<'_>,
    (seed, epoch, op, id, occurrence): Stream,
    count: usize,
    one: impl Fn(&mut Draws) -> T + Send,
) -> Bound<'_, PyArray1<T>> {
    let drawn: Vec<T> = py.detach(move || {
        let mut draws = Draws::new(seed, epoch, op, id, occurrence);
        (0..count).map(|_| one(&mut draws)).collect()
    });
    drawn.into_pyarray(py)
}

fn parse(last: &str) -> Result<Last, Fault> {
    match last {
        "drop" => Ok(Last::Drop),
        "keep" => Ok(Last::Keep),
        "pad" => Ok(Last::Pad),
        _ => Err(Fault::new(Code::BadRequest, "", format!("last={last:?}: drop, keep or pad"))),
    }
}

/// Adds this station's functions to the module.
pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Plan>()?;
    module.add_function(wrap_pyfunction!(permute, module)?)?;
    module.add_function(wrap_pyfunction!(unpermute, module)?)?;
    module.add_function(wrap_pyfunction!(draw_words, module)?)?;
    module.add_function(wrap_pyfunction!(draw_floats, module)?)?;
    module.add_function(wrap_pyfunction!(draw_integers, module)?)
}
