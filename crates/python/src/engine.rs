//! The seam of the engine: a feed is described once, then every batch crosses in one call.
//!
//! A batch's memory is the engine's; the array that goes out keeps it, and it returns to the engine's
//! pool when the last view of it is gone. The lock is released while a batch is waited for.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use numpy::ndarray::ArrayView1;
use numpy::{IntoPyArray, PyArray1, PyReadonlyArray1};
use pixfeed_core::engine::cache::{Cache, Kind};
use pixfeed_core::engine::failure::{Cause, Failure};
use pixfeed_core::engine::reader::{Files, Reader};
use pixfeed_core::engine::ring::Handle;
use pixfeed_core::engine::run::Start;
use pixfeed_core::engine::shards::Shards;
use pixfeed_core::engine::{self, Batch, OnBad, Source, Taken};
use pixfeed_core::fault::{Code, Fault};
use pyo3::exceptions::{PyRuntimeError, PyStopIteration};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyTuple};

use crate::catalogue::Catalogue;
use crate::faults::{self, Trouble};
use crate::fetch::{Desk, Fetched};
use crate::order::Plan;
use crate::recipe::{self, Recipe};

/// How long a wait for a batch goes on before signals are looked at.
const PATIENCE: Duration = Duration::from_millis(50);

/// Adds this station's classes to the module.
pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Feed>()?;
    module.add_class::<Run>()?;
    module.add_class::<Delivery>()?;
    module.add_function(wrap_pyfunction!(hash_words, module)?)
}

/// What every batch of a run is.
#[pyclass(frozen, module = "pixfeed._native")]
pub struct Feed(Arc<engine::Feed>);

#[pymethods]
impl Feed {
    /// A feed of arrays, or of lists of pictures.
    #[new]
    #[pyo3(signature = (table, rows, plan, recipe, *, seed, on_bad, cache=None, fetch=None, features=None, pictures=false))]
    #[allow(clippy::too_many_arguments)] // Made once; Python names every argument.
    fn new(
        py: Python<'_>,
        table: &Catalogue,
        rows: (usize, usize),
        plan: &Plan,
        recipe: &Recipe,
        seed: u64,
        on_bad: &str,
        cache: Option<(String, usize)>,
        fetch: Option<Py<Desk>>,
        features: Option<crate::catalogue::Features>,
        pictures: bool,
    ) -> PyResult<Self> {
        let table = Arc::clone(table.inner());
        let reader: Box<dyn Reader> = match &fetch {
            Some(desk) => {
                Box::new(Fetched { desk: Arc::clone(&desk.get().0), table: Arc::clone(&table) })
            }
            None if !table.files().is_empty() => {
                let schema = crate::catalogue::schema(features)?;
                Box::new(Shards::new(Arc::clone(&table), &schema))
            }
            None => Box::new(Files(Arc::clone(&table))),
        };
        let source = Source { table, rows: rows.0..rows.1, reader };
        let recipe = Arc::clone(recipe.inner());
        let made = policy(on_bad).and_then(|on_bad| {
            let cache = cache.map(|(kind, limit)| Cache::new(kept(&kind), rows, limit));
            engine::Feed::new(source, plan.inner(), recipe, seed, (on_bad, cache, pictures))
        });
        made.map(|feed| Self(Arc::new(feed))).map_err(|fault| Trouble::Fault(fault).raise(py))
    }

    /// Starts threads that make batches from a place on.
    fn start(
        &self,
        py: Python<'_>,
        epoch: u64,
        step: u64,
        once: bool,
        threads: usize,
        prefetch: usize,
    ) -> PyResult<Run> {
        let start = Start { epoch, step, once, threads, prefetch };
        faults::guarded(|| engine::Run::start(Arc::clone(&self.0), start))
            .map(|run| Run {
                run: Mutex::new(Some(run)),
                feed: Arc::clone(&self.0),
                process: std::process::id(),
            })
            .map_err(|trouble| trouble.raise(py))
    }

    /// What was counted and clocked (in nanoseconds) so far.
    fn stats<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let out = PyDict::new(py);
        for (name, value) in self.0.stats.all() {
            out.set_item(name, value)?;
        }
        Ok(out)
    }

    /// Records the cache keeps, bytes it uses, bytes it may use.
    fn filling(&self) -> Option<(usize, usize, usize)> {
        self.0.cache().map(Cache::filling)
    }
}

/// Threads at work on a feed.
#[pyclass(frozen, weakref, module = "pixfeed._native")]
pub struct Run {
    /// Gone once it was stopped. A thread holds it while it waits: a forked child must not ask for it.
    run: Mutex<Option<engine::Run>>,
    feed: Arc<engine::Feed>,
    process: u32,
}

#[pymethods]
impl Run {
    /// The next batch; waits for it, and lets Ctrl-C through. StopIteration after the last.
    fn take<'py>(&self, py: Python<'py>) -> PyResult<Delivery> {
        if !self.is_here() {
            return Err(forked());
        }
        loop {
            let taken = py.detach(|| {
                let run = self.run.lock().unwrap_or_else(PoisonError::into_inner);
                run.as_ref().map(|run| run.take(PATIENCE))
            });
            match taken {
                None | Some(Taken::End) => return Err(PyStopIteration::new_err(())),
                Some(Taken::Batch(batch)) => return delivery(py, &self.feed, batch),
                Some(Taken::Pending) => py.check_signals()?,
            }
        }
    }

    /// Whether its threads are of this process; a forked child has none of them.
    #[getter]
    fn is_ours(&self) -> bool {
        self.is_here() && self.run.lock().unwrap_or_else(PoisonError::into_inner).is_some()
    }

    /// Stops the threads and waits until they are gone.
    fn stop(&self, py: Python<'_>) {
        // Without the lock: a thread may be waiting for it to fetch bytes.
        py.detach(|| self.ended());
    }
}

impl Run {
    fn is_here(&self) -> bool {
        self.process == std::process::id()
    }

    fn ended(&self) {
        if !self.is_here() {
            // What it holds is dropped with it, without a lock and without waiting for threads.
            return;
        }
        drop(self.run.lock().unwrap_or_else(PoisonError::into_inner).take());
    }
}

impl Drop for Run {
    fn drop(&mut self) {
        if Python::try_attach(|py| py.detach(|| self.ended())).is_none() && self.is_here() {
            // The interpreter is gone, and with it whoever could wait.
            std::mem::forget(self.run.lock().unwrap_or_else(PoisonError::into_inner).take());
        }
    }
}

/// One batch as it crosses.
#[pyclass(frozen, get_all, module = "pixfeed._native")]
pub struct Delivery {
    epoch: u64,
    step: u64,
    /// The numbers as bytes, or a list of pictures.
    images: Py<PyAny>,
    labels: Py<PyArray1<i64>>,
    ids: Py<PyArray1<u64>>,
    rows: Py<PyArray1<i64>>,
    /// Which use of each record this is: what its draws are named by.
    occurrences: Py<PyArray1<u64>>,
    valid: Py<PyArray1<bool>>,
    /// False where the slot holds zeros.
    made: Py<PyArray1<bool>>,
    hashes: Py<PyArray1<u64>>,
    hash: u64,
    /// (row, stage, exception) of every record that was replaced.
    failures: Py<PyList>,
    /// The same of one that could not be.
    fatal: Option<Py<PyTuple>>,
}

/// The memory of a batch, kept for the arrays that show it.
#[pyclass(frozen, module = "pixfeed._native")]
struct Memory(#[allow(dead_code, reason = "held for its life alone")] Handle<Batch>);

fn delivery(py: Python<'_>, feed: &engine::Feed, open: Handle<Batch>) -> PyResult<Delivery> {
    let batch = &open.batch;
    let done: Vec<_> = batch.done().collect();
    let failures = batch.failures().into_iter().map(|(_, failure)| told(py, feed, failure));
    let failures = PyList::new(py, failures.collect::<PyResult<Vec<_>>>()?)?.unbind();
    let fatal = batch.fatal().map(|failure| told(py, feed, failure)).transpose()?;
    let labels: Vec<i64> = done.iter().map(|done| done.label).collect();
    let ids: Vec<u64> = done.iter().map(|done| done.id).collect();
    let rows: Vec<i64> = done.iter().map(|done| done.row as i64).collect();
    let valid: Vec<bool> = done.iter().map(|done| done.valid).collect();
    let hashes: Vec<u64> = done.iter().map(|done| done.hash).collect();
    let made: Vec<bool> = done.iter().map(|done| done.made).collect();
    let occurrences: Vec<u64> = done.iter().map(|done| done.occurrence).collect();
    Ok(Delivery {
        epoch: batch.epoch,
        step: batch.step,
        labels: labels.into_pyarray(py).unbind(),
        ids: ids.into_pyarray(py).unbind(),
        rows: rows.into_pyarray(py).unbind(),
        occurrences: occurrences.into_pyarray(py).unbind(),
        made: made.into_pyarray(py).unbind(),
        valid: valid.into_pyarray(py).unbind(),
        hashes: hashes.into_pyarray(py).unbind(),
        hash: batch.hash(),
        failures,
        fatal: fatal.map(Bound::unbind),
        images: images(py, feed, &open)?,
    })
}

fn images(py: Python<'_>, feed: &engine::Feed, open: &Handle<Batch>) -> PyResult<Py<PyAny>> {
    let batch = &open.batch;
    let Some(memory) = &batch.memory else {
        let pictures = batch.done().filter_map(|done| done.picture.clone());
        let arrays = pictures.map(|raster| recipe::picture(py, raster));
        return Ok(PyList::new(py, arrays.collect::<PyResult<Vec<_>>>()?)?.into_any().unbind());
    };
    let bytes = feed.slot_bytes() * batch.done().count();
    // SAFETY: the batch was handed over, so no thread of the engine touches its memory any more; the
    // memory lives as long as the batch, which the array's base keeps.
    let view = unsafe { ArrayView1::from_shape_ptr(bytes, memory.start().cast_const()) };
    let keeper = Bound::new(py, Memory(Handle::clone(open)))?.into_any();
    // SAFETY: as above; whoever has the array is its memory's only user.
    let array = unsafe { PyArray1::borrow_from_array(&view, keeper) };
    Ok(array.into_any().unbind())
}

/// A failure as (row, stage, exception).
fn told<'py>(
    py: Python<'py>,
    feed: &engine::Feed,
    failure: Failure,
) -> PyResult<Bound<'py, PyTuple>> {
    let Failure { row, stage, cause } = failure;
    let error = match cause {
        Cause::Io(error) => faults::refused(&error, feed.table().path(row, &mut PathBuf::new())),
        Cause::Fault(fault) => Trouble::Fault(fault).raise(py),
        Cause::Panic(said) => Trouble::Panic(said).raise(py),
        Cause::Foreign(said, _, error) => match error.downcast::<PyErr>() {
            Ok(error) => *error,
            Err(_) => PyRuntimeError::new_err(said),
        },
    };
    (row, stage.as_str(), error.into_value(py)).into_pyobject(py)
}

/// The hash of words, as that of a batch is made: XXH3-64 over them, little-endian.
#[pyfunction]
fn hash_words(words: PyReadonlyArray1<'_, u64>) -> u64 {
    let bytes: Vec<u8> = words.as_array().iter().flat_map(|word| word.to_le_bytes()).collect();
    engine::hash(&bytes)
}

fn policy(on_bad: &str) -> Result<OnBad, Fault> {
    match on_bad {
        "raise" => Ok(OnBad::Raise),
        "substitute" => Ok(OnBad::Substitute),
        "blank" => Ok(OnBad::Blank),
        _ => Err(Fault::new(Code::BadRequest, "", format!("on_bad={on_bad:?}"))),
    }
}

fn kept(kind: &str) -> Kind {
    if kind == "decoded" { Kind::Decoded } else { Kind::Encoded }
}

fn forked() -> PyErr {
    PyRuntimeError::new_err(
        "this iterator was made before the process forked, and its threads stayed in the parent; \
         iterate the loader anew here",
    )
}
