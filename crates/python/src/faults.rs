//! Faults and panics to exceptions: the facts cross here, Python words them.

use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

use pixfeed_core::fault::Fault;
use pyo3::exceptions::PyOSError;
use pyo3::prelude::*;

/// What kept native code from an answer.
pub enum Trouble {
    /// Something about the data or the request.
    Fault(Fault),
    /// A bug of ours (or of a library): what it said.
    Panic(String),
}

/// Runs native code; a panic becomes a value.
pub fn guarded<T>(work: impl FnOnce() -> Result<T, Fault>) -> Result<T, Trouble> {
    match catch_unwind(AssertUnwindSafe(work)) {
        Ok(done) => done.map_err(Trouble::Fault),
        Err(payload) => {
            let text = payload
                .downcast_ref::<&str>()
                .map(ToString::to_string)
                .or_else(|| payload.downcast_ref::<String>().cloned())
                .unwrap_or_default();
            Err(Trouble::Panic(text))
        }
    }
}

impl Trouble {
    /// The exception Python makes of it.
    pub fn raise(self, py: Python<'_>) -> PyErr {
        self.exception(py).unwrap_or_else(|error| error)
    }

    fn exception(self, py: Python<'_>) -> PyResult<PyErr> {
        let errors = py.import("pixfeed.errors")?;
        let exception = match self {
            Self::Fault(fault) => errors.call_method1(
                "from_native",
                (fault.code.as_str(), fault.format, fault.offset, fault.found),
            )?,
            Self::Panic(text) => errors.call_method1("from_panic", (text,))?,
        };
        Ok(PyErr::from_value(exception))
    }
}

/// The system's refusal as Python words it, with the path.
pub fn refused(error: &io::Error, path: &Path) -> PyErr {
    let said = error.to_string();
    let said = said.split(" (os error").next().unwrap_or_default().to_owned();
    PyOSError::new_err((error.raw_os_error(), said, path.as_os_str().to_owned()))
}
