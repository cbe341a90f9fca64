//! The seam between pixfeed's engine and Python: thin files, one per station.

use pyo3::prelude::*;

mod catalogue;
mod decode;
mod engine;
mod faults;
mod fetch;
mod order;
mod recipe;

#[pymodule]
fn _native(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    catalogue::register(module)?;
    decode::register(module)?;
    engine::register(module)?;
    fetch::register(module)?;
    order::register(module)?;
    recipe::register(module)
}
