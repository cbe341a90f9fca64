//! The seam of decoding: bytes in, NumPy arrays out.

use std::cell::RefCell;

use numpy::{PyArray3, PyArrayMethods};
use pixfeed_core::decode::front::{self, Picture, Policy, Scratch, View};
use pixfeed_core::decode::raster::Limits;
use pixfeed_core::fault::Code;
use pixfeed_core::ops::orient::Rect;
use pixfeed_core::ops::resize::Filter;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};

use crate::faults;

thread_local! {
    /// Each thread decodes with buffers of its own.
    static SCRATCH: RefCell<Scratch> = RefCell::new(Scratch::default());
}

/// Adds this station's functions to the module.
pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(fault_codes, module)?)?;
    module.add_function(wrap_pyfunction!(probe, module)?)?;
    module.add_function(wrap_pyfunction!(decode, module)?)
}

/// Every code a fault can carry.
#[pyfunction]
fn fault_codes() -> Vec<&'static str> {
    Code::ALL.iter().map(|code| code.as_str()).collect()
}

/// What the headers say, as keyword arguments of `pixfeed.Probe`.
#[pyfunction]
fn probe<'py>(data: &Bound<'py, PyBytes>, max_pixels: u64) -> PyResult<Bound<'py, PyDict>> {
    let py = data.py();
    let limits = Limits { pixels: max_pixels, ..Limits::default() };
    let said = faults::guarded(|| front::probe(data.as_bytes(), &limits))
        .map_err(|trouble| trouble.raise(py))?;
    let out = PyDict::new(py);
    out.set_item("format", said.format)?;
    out.set_item("width", said.width)?;
    out.set_item("height", said.height)?;
    out.set_item("channels", said.channels)?;
    out.set_item("bits", said.bits)?;
    out.set_item("colorspace", said.colorspace)?;
    out.set_item("alpha", said.alpha)?;
    out.set_item("orientation", said.orientation)?;
    out.set_item("progressive", said.progressive)?;
    out.set_item("animated", said.animated)?;
    out.set_item("icc", said.icc)?;
    out.set_item("subsampling", said.subsampling)?;
    Ok(out)
}

/// Decodes a box (x, y, width, height) of an image to a size (height, width).
///
/// The array is allocated here, with the lock held; the lock is released while the pixels are written.
#[pyfunction]
#[allow(clippy::too_many_arguments)] // One crossing a call, and Python names every argument.
fn decode<'py>(
    data: &Bound<'py, PyBytes>,
    r#box: Option<(u32, u32, u32, u32)>,
    size: Option<(u32, u32)>,
    channels: u8,
    resample: u8,
    exif: bool,
    background: (u8, u8, u8),
    max_pixels: u64,
) -> PyResult<Bound<'py, PyArray3<u8>>> {
    let py = data.py();
    let policy = Policy {
        channels,
        exif,
        background: [background.0, background.1, background.2],
        limits: Limits { pixels: max_pixels, ..Limits::default() },
    };
    let view = View {
        part: r#box.map(|(x, y, width, height)| Rect { x, y, width, height }),
        size: size.map(|(height, width)| (width, height)),
        filter: filter(resample),
        ..View::default()
    };
    // Bytes objects never change, so their bytes may be read without the lock.
    let bytes = data.as_bytes();
    let picture = faults::guarded(|| Picture::open(bytes, policy, view))
        .map_err(|trouble| trouble.raise(py))?;
    let (width, height) = picture.size();
    let shape = [height as usize, width as usize, picture.channels()];
    // SAFETY: every byte is written before the array is handed out; on an error it is dropped unseen.
    let array = unsafe { PyArray3::<u8>::new(py, shape, false) };
    // SAFETY: the array is new, so nobody else can reach its memory.
    let out = unsafe { array.as_slice_mut()? };
    py.detach(|| {
        faults::guarded(|| SCRATCH.with_borrow_mut(|scratch| picture.decode(scratch, out)))
    })
    .map_err(|trouble| trouble.raise(py))?;
    Ok(array)
}

/// The filters by the numbers Python gives them.
fn filter(number: u8) -> Filter {
    match number {
        0 => Filter::Nearest,
        2 => Filter::Bicubic,
        3 => Filter::Lanczos,
        _ => Filter::Bilinear,
    }
}
