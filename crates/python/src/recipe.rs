//! The seam of recipes: ops as Python describes them, and the same ops on pictures Python holds.

use std::sync::Arc;

use numpy::{PyArray3, PyReadonlyArray3};
use pixfeed_core::decode::raster::Raster;
use pixfeed_core::fault::{Code, Fault};
use pixfeed_core::ops::options::{Options, Value};
use pixfeed_core::ops::recipe::{self, Input, Names, Output, Scratch};
use pixfeed_core::ops::to_array::{Dtype, Layout};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyBytes, PyDict, PyString};

use crate::faults;

/// Adds this station's classes to the module.
pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Recipe>()
}

/// Native ops in a row, ready to run.
#[pyclass(frozen, module = "pixfeed._native")]
pub struct Recipe(Arc<recipe::Recipe>);

impl Recipe {
    /// The recipe itself, for the seam of the engine.
    #[must_use]
    pub fn inner(&self) -> &Arc<recipe::Recipe> {
        &self.0
    }
}

/// What names the draws of some records: seed, epoch, and (id, occurrence) of each.
type Named = (u64, u64, Vec<(u64, u64)>);

/// The numbers of a record as bytes, the hash of its pixels, and their height, width and channels.
type Numbers<'py> = (Bound<'py, PyBytes>, u64, (u32, u32, u8));

/// A record on its way: an image file, or pixels.
#[derive(FromPyObject)]
enum Given<'py> {
    Bytes(Bound<'py, PyBytes>),
    Pixels(PyReadonlyArray3<'py, u8>),
}

#[pymethods]
impl Recipe {
    /// Ops by number, name and options.
    #[new]
    fn new(py: Python<'_>, ops: Vec<(u64, String, Bound<'_, PyDict>)>) -> PyResult<Self> {
        let asked = ops
            .into_iter()
            .map(|(number, name, given)| Ok((number, name, options(&given)?)))
            .collect::<PyResult<Vec<_>>>()?;
        faults::guarded(|| recipe::Recipe::new(&asked))
            .map(|made| Self(Arc::new(made)))
            .map_err(|trouble| trouble.raise(py))
    }

    /// Height and width of every result, where the recipe alone says so.
    #[getter]
    fn size(&self) -> Option<(u32, u32)> {
        self.0.size().map(|(width, height)| (height, width))
    }

    /// Channels of every result.
    #[getter]
    fn channels(&self) -> usize {
        self.0.channels()
    }

    /// The type of a batch's numbers.
    #[getter]
    fn dtype(&self) -> &'static str {
        match self.0.tail().dtype {
            Dtype::Uint8 => "uint8",
            Dtype::Float16 => "float16",
            Dtype::Bfloat16 => "bfloat16",
            Dtype::Float32 => "float32",
        }
    }

    /// The order of a batch's axes.
    #[getter]
    fn layout(&self) -> &'static str {
        match self.0.tail().layout {
            Layout::Nhwc => "NHWC",
            Layout::Nchw => "NCHW",
        }
    }

    /// How many of the first ops a cache of pixels can keep the result of, if any.
    #[getter]
    fn steady(&self) -> Option<usize> {
        self.0.steady()
    }

    /// The pixels of each record after the last op, before they become numbers.
    fn pictures<'py>(
        &self,
        py: Python<'py>,
        records: Vec<Given<'py>>,
        named: Named,
    ) -> PyResult<Vec<Bound<'py, PyArray3<u8>>>> {
        let made = self.made(py, &records, &named)?;
        made.into_iter().map(|raster| picture(py, raster)).collect()
    }

    /// Of each record: its numbers as bytes, the hash of its pixels, and their height, width, channels.
    fn numbers<'py>(
        &self,
        py: Python<'py>,
        records: Vec<Given<'py>>,
        named: Named,
    ) -> PyResult<Vec<Numbers<'py>>> {
        let made = self.made(py, &records, &named)?;
        let tail = self.0.tail();
        let written: Vec<_> = py.detach(|| {
            let isa = Scratch::default().isa;
            let numbers = |raster: Raster| {
                let mut out = vec![0; raster.pixels.len() * tail.dtype.bytes()];
                tail.write(isa, &raster.pixels, raster.channels.into(), &mut out);
                let shape = (raster.height, raster.width, raster.channels);
                (out, pixfeed_core::engine::hash(&raster.pixels), shape)
            };
            made.into_iter().map(numbers).collect()
        });
        let crossing =
            |(out, hash, shape): (Vec<u8>, u64, _)| (PyBytes::new(py, &out), hash, shape);
        Ok(written.into_iter().map(crossing).collect())
    }
}

impl Recipe {
    fn made(
        &self,
        py: Python<'_>,
        records: &[Given<'_>],
        (seed, epoch, named): &Named,
    ) -> PyResult<Vec<Raster>> {
        if records.len() != named.len() {
            let found = format!("{} records, and names for {}", records.len(), named.len());
            let fault = Fault::new(Code::BadRequest, "", found);
            return Err(faults::Trouble::Fault(fault).raise(py));
        }
        // Copied while the lock is held: afterwards another thread may write to the arrays.
        let records: Vec<Kept> = records.iter().map(kept).collect();
        let run = || {
            let mut scratch = Scratch::default();
            let made =
                records.iter().zip(named).enumerate().map(|(at, (record, &(id, occurrence)))| {
                    let names = Names { seed: *seed, epoch: *epoch, id, occurrence };
                    let input = match record {
                        Kept::Bytes(bytes) => Input::Bytes(bytes),
                        Kept::Pixels(raster) => Input::Pixels(raster.lent()),
                    };
                    let mut raster = Raster::EMPTY;
                    let output = Output::Picture(&mut raster);
                    let ran = self.0.run(input, (0, self.0.len()), names, &mut scratch, output);
                    ran.map(|()| raster).map_err(|fault| (at, fault))
                });
            Ok(made.collect::<Result<Vec<_>, _>>())
        };
        let made = py.detach(|| faults::guarded(run)).map_err(|trouble| trouble.raise(py))?;
        made.map_err(|(at, fault)| {
            let error = faults::Trouble::Fault(fault).raise(py);
            // Which of the records it was: the caller knows their keys.
            match error.value(py).setattr("at", at) {
                Ok(()) => error,
                Err(other) => other,
            }
        })
    }
}

enum Kept {
    Bytes(Vec<u8>),
    Pixels(Raster),
}

fn kept(given: &Given<'_>) -> Kept {
    match given {
        Given::Bytes(bytes) => Kept::Bytes(bytes.as_bytes().to_vec()),
        Given::Pixels(array) => {
            let array = array.as_array();
            let (height, width, channels) = array.dim();
            let pixels = array.iter().copied().collect();
            let (width, height) = (width as u32, height as u32);
            Kept::Pixels(Raster { width, height, channels: channels as u8, pixels })
        }
    }
}

/// A picture as an array that owns its pixels.
pub fn picture<'py>(py: Python<'py>, raster: Raster) -> PyResult<Bound<'py, PyArray3<u8>>> {
    let Raster { width, height, channels, pixels } = raster;
    let shape = [height as usize, width as usize, channels.into()];
    let flat = numpy::PyArray1::from_vec(py, pixels);
    numpy::PyArrayMethods::reshape(&flat, shape)
}

fn options(given: &Bound<'_, PyDict>) -> PyResult<Options> {
    given.iter().map(|(name, option)| Ok((name.extract()?, value(&option)?))).collect()
}

fn value(option: &Bound<'_, PyAny>) -> PyResult<Value> {
    if option.is_none() {
        return Ok(Value::None);
    }
    if let Ok(flag) = option.cast::<PyBool>() {
        return Ok(Value::Flag(flag.is_true()));
    }
    if let Ok(text) = option.cast::<PyString>() {
        return Ok(Value::Text(text.to_str()?.to_owned()));
    }
    if let Ok(number) = option.extract() {
        return Ok(Value::Number(number));
    }
    option.extract().map(Value::List)
}
