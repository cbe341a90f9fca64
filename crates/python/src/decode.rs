//! The seam of the decode station.

use pyo3::prelude::*;

/// Adds this station's functions to the module.
pub fn register(_module: &Bound<'_, PyModule>) -> PyResult<()> {
    Ok(())
}
