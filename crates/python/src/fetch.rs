//! The seam of sources that only Python can read: native threads ask at a desk, threads of Python answer.
//!
//! No native thread ever runs Python for its bytes, so stopping never waits for a function that does not
//! return, and the interpreter can end while one is being called.

use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use pixfeed_core::catalogue::Catalogue;
use pixfeed_core::engine::failure::{Cause, Outlook};
use pixfeed_core::engine::reader::{Reader, Wanted};
use pyo3::exceptions::{PyFileNotFoundError, PyLookupError, PyOSError, PyPermissionError};
use pyo3::prelude::*;

/// How long a wait goes on before it is asked whether it is still wanted.
const PATIENCE: Duration = Duration::from_millis(20);

/// Adds this seam's classes to the module.
pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Desk>()?;
    module.add_class::<Asked>()
}

/// What a native thread waits for.
#[derive(Default)]
struct Answer {
    given: Mutex<Option<Result<Vec<u8>, Cause>>>,
    there: Condvar,
}

#[derive(Default)]
struct Queue {
    asked: VecDeque<(String, Arc<Answer>)>,
    closed: bool,
}

/// Requests that wait for Python.
#[derive(Default)]
pub struct Requests {
    queue: Mutex<Queue>,
    asked: Condvar,
}

impl Requests {
    fn lock(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Where places are asked for and bytes handed in.
#[pyclass(frozen, module = "pixfeed._native")]
pub struct Desk(pub Arc<Requests>);

/// A place that is asked for.
#[pyclass(frozen, module = "pixfeed._native")]
pub struct Asked {
    /// The place, as the source named it.
    #[pyo3(get)]
    place: String,
    answer: Arc<Answer>,
}

#[pymethods]
impl Desk {
    #[new]
    fn new() -> Self {
        Self(Arc::default())
    }

    /// The next place that is asked for; waits for one. None when the desk is closed.
    fn next(&self, py: Python<'_>) -> Option<Asked> {
        py.detach(|| {
            let mut queue = self.0.lock();
            loop {
                if queue.closed {
                    return None;
                }
                if let Some((place, answer)) = queue.asked.pop_front() {
                    return Some(Asked { place, answer });
                }
                queue = self.0.asked.wait(queue).unwrap_or_else(PoisonError::into_inner);
            }
        })
    }

    /// Ends the waiting of all who answer.
    fn close(&self) {
        self.0.lock().closed = true;
        self.0.asked.notify_all();
    }
}

#[pymethods]
impl Asked {
    /// Hands in the bytes.
    fn give(&self, bytes: &[u8]) {
        self.answer(Ok(bytes.to_vec()));
    }

    /// Hands in the exception there was instead.
    fn fail(&self, py: Python<'_>, error: Bound<'_, PyAny>) {
        let error = PyErr::from_value(error);
        let outlook = outlook(py, &error);
        self.answer(Err(Cause::Foreign(error.to_string(), outlook, Box::new(error))));
    }
}

/// As with files: what is missing lasts, disks and networks may recover, all else is told.
fn outlook(py: Python<'_>, error: &PyErr) -> Outlook {
    if error.is_instance_of::<PyFileNotFoundError>(py) || error.is_instance_of::<PyLookupError>(py)
    {
        Outlook::Lasting
    } else if error.is_instance_of::<PyOSError>(py)
        && !error.is_instance_of::<PyPermissionError>(py)
    {
        Outlook::Passing
    } else {
        Outlook::Unclear
    }
}

impl Asked {
    fn answer(&self, answer: Result<Vec<u8>, Cause>) {
        *self.answer.given.lock().unwrap_or_else(PoisonError::into_inner) = Some(answer);
        self.answer.there.notify_all();
    }
}

/// Bytes that Python fetches by place.
pub struct Fetched {
    /// Where they are asked for.
    pub desk: Arc<Requests>,
    /// Which place a row has.
    pub table: Arc<Catalogue>,
}

impl Reader for Fetched {
    fn read(&self, wanted: &mut Wanted<'_>) -> Result<(), Cause> {
        let place = self.table.place(wanted.row).to_string_lossy().into_owned();
        let answer = Arc::new(Answer::default());
        self.desk.lock().asked.push_back((place, Arc::clone(&answer)));
        self.desk.asked.notify_one();
        let mut given = answer.given.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            if let Some(bytes) = given.take() {
                *wanted.buffer = bytes?;
                return Ok(());
            }
            if (wanted.over)() {
                return Err(Cause::Panic("nobody waits for it any more".to_owned()));
            }
            let waited = answer.there.wait_timeout(given, PATIENCE);
            given = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }
}
