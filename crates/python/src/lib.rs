//! The seam between pixfeed's engine and Python: thin files, one per station.

use pyo3::prelude::*;

mod catalogue;
mod decode;
mod faults;
mod order;

#[pymodule]
fn _native(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    catalogue::register(module)?;
    decode::register(module)?;
    order::register(module)
}
