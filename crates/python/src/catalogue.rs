//! The seam of the catalogue station.
//!
//! Rows and folders come in once, when a table is built; after that a table never changes, so its
//! columns go out as views. The lock is released while folders are listed and tables are built,
//! divided and hashed; a single key, place or row is looked up with it held.

use std::collections::HashMap;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use numpy::ndarray::ArrayView1;
use numpy::{Element, PyArray1};
use pixfeed_core::catalogue::divide::{Division, divide};
use pixfeed_core::catalogue::report::Tally;
use pixfeed_core::catalogue::{self, Builder, Collision, Record, key, listing, shards};
use pixfeed_core::engine::failure::Cause;
use pixfeed_core::engine::reader::{Reader, Wanted};
use pixfeed_core::engine::shards::Shards;
use pixfeed_core::record::{self, Schema, Slot};
use pyo3::exceptions::{PyIndexError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyList, PyString};

use crate::faults;

/// Listing waits for disks and servers more than it reckons: never fewer threads than these.
const LISTING_THREADS: usize = 8;

/// A record as it crosses: key (the place's own where it is None), place, label, split, group.
type Row<'a> = (Option<&'a str>, OsString, i64, u16, Option<&'a str>);

/// What was damaged: the number of its file, and the exception.
type Damaged = Vec<(usize, Py<PyAny>)>;
/// A record's bytes, and what a tensor is: height, width, channels, planar.
type Stored<'py> = (Bound<'py, PyBytes>, Option<(u32, u32, u8, bool)>);

/// Adds this station's functions to the module.
pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Catalogue>()?;
    module.add_class::<Listing>()?;
    module.add_function(wrap_pyfunction!(list_folder, module)?)
}

/// The rows of a catalogue.
#[pyclass(frozen, module = "pixfeed._native")]
pub struct Catalogue(Arc<catalogue::Catalogue>);

impl Catalogue {
    /// The table itself, for the seam of the engine.
    #[must_use]
    pub fn inner(&self) -> &Arc<catalogue::Catalogue> {
        &self.0
    }

    fn inside(&self, row: usize) -> PyResult<usize> {
        let rows = self.0.len();
        let outside = || PyIndexError::new_err(format!("row {row} of a table of {rows}"));
        (row < rows).then_some(row).ok_or_else(outside)
    }
}

#[pymethods]
impl Catalogue {
    /// The table of rows (key, place, label, split, group) in any order.
    #[staticmethod]
    fn of_rows(root: PathBuf, splits: Vec<String>, rows: &Bound<'_, PyList>) -> PyResult<Self> {
        let py = rows.py();
        let mut builder = Builder::new(root, splits);
        faults::guarded(|| Ok(rows.iter().try_for_each(|row| add(&mut builder, &row))))
            .map_err(|trouble| trouble.raise(py))??;
        finished(detached(py, || builder.finish())?)
    }

    /// The table of listings, each with its split's number and a label a class folder.
    #[staticmethod]
    fn of_listings(
        py: Python<'_>,
        root: PathBuf,
        splits: Vec<String>,
        parts: Vec<(Py<Listing>, u16, Vec<i64>)>,
    ) -> PyResult<Self> {
        finished(detached(py, || {
            let mut builder = Builder::new(root, splits);
            for (listing, split, labels) in &parts {
                listing.get().0.add_to(&mut builder, labels, *split);
            }
            builder.finish()
        })?)
    }

    /// The table of shards, each with its split's number, and what was damaged: (file, exception).
    #[staticmethod]
    fn of_shards(
        py: Python<'_>,
        root: PathBuf,
        splits: Vec<String>,
        files: Vec<(PathBuf, u16)>,
        features: Option<Features>,
        threads: usize,
    ) -> PyResult<(Self, Damaged)> {
        let schema = schema(features)?;
        let found = detached(py, || shards::list(&root, splits, &files, &schema, threads))?;
        let told = |(file, error): (usize, record::Error)| {
            let error = match error {
                record::Error::Io(error) => faults::refused(&error, &root.join(&files[file].0)),
                record::Error::Damage(damage) => {
                    faults::Trouble::Fault(damage.into_fault()).raise(py)
                }
            };
            (file, error.into_value(py).into_any())
        };
        let damaged = found.damaged.into_iter().map(told).collect();
        Ok((finished(found.table)?, damaged))
    }

    /// The table divided anew; one weight a name, and one more for the records that are left out.
    fn divide(
        &self,
        py: Python<'_>,
        names: Vec<String>,
        weights: Vec<u128>,
        seed: u64,
    ) -> PyResult<Self> {
        let asked = Division { names, weights, seed };
        detached(py, || divide(&self.0, &asked)).map(|table| Self(Arc::new(table)))
    }

    /// The same records, with the name of a group for every row.
    fn with_groups(&self, py: Python<'_>, names: Vec<String>) -> PyResult<Self> {
        detached(py, || self.0.with_groups(&names)).map(|table| Self(Arc::new(table)))
    }

    fn __len__(&self) -> usize {
        self.0.len()
    }

    /// The key of a row.
    fn key(&self, row: usize) -> PyResult<&str> {
        Ok(self.0.key(self.inside(row)?))
    }

    /// The keys of the rows from start up to stop.
    fn keys<'py>(
        &self,
        py: Python<'py>,
        start: usize,
        stop: usize,
    ) -> PyResult<Bound<'py, PyList>> {
        if start < stop {
            self.inside(stop - 1)?;
        }
        PyList::new(py, (start..stop).map(|row| self.0.key(row)))
    }

    /// The row of a key.
    fn find(&self, key: &Bound<'_, PyString>) -> Option<usize> {
        // Text that is no Unicode names no record: every key is.
        self.0.find(key.to_str().ok()?)
    }

    /// Where a record's bytes are, as its source named it.
    fn place(&self, row: usize) -> PyResult<&OsStr> {
        Ok(self.0.place(self.inside(row)?))
    }

    /// A record of a shard: its image's bytes, and what a tensor is: height, width, channels, planar.
    fn stored<'py>(
        &self,
        py: Python<'py>,
        row: usize,
        features: Option<Features>,
    ) -> PyResult<Stored<'py>> {
        self.inside(row)?;
        let reader = Shards::new(Arc::clone(&self.0), &schema(features)?);
        let (mut buffer, mut path) = (Vec::new(), PathBuf::new());
        let mut wanted = Wanted::new(row, &mut buffer, &mut path, &|| false);
        let read = reader.read(&mut wanted);
        let (part, raw) = (wanted.part.unwrap_or_default(), wanted.raw);
        match read {
            Ok(()) => {}
            Err(Cause::Io(error)) => return Err(faults::refused(&error, &path)),
            Err(Cause::Fault(fault)) => return Err(faults::Trouble::Fault(fault).raise(py)),
            Err(other) => return Err(PyValueError::new_err(format!("{other:?}"))),
        }
        let raw = raw.map(|raw| (raw.height, raw.width, raw.channels, raw.planar));
        Ok((PyBytes::new(py, &buffer[part]), raw))
    }

    /// Whether records lie in shards.
    #[getter]
    fn sharded(&self) -> bool {
        !self.0.files().is_empty()
    }

    /// The path of a record's file.
    fn path(&self, row: usize) -> PyResult<OsString> {
        let mut path = PathBuf::new();
        self.0.path(self.inside(row)?, &mut path);
        Ok(path.into_os_string())
    }

    /// All ids: a view that keeps the table.
    #[getter]
    fn ids<'py>(this: &Bound<'py, Self>) -> PyResult<Bound<'py, PyArray1<u64>>> {
        view(this, catalogue::Catalogue::ids)
    }

    /// All labels: a view that keeps the table.
    #[getter]
    fn labels<'py>(this: &Bound<'py, Self>) -> PyResult<Bound<'py, PyArray1<i64>>> {
        view(this, catalogue::Catalogue::labels)
    }

    /// Name, first row and the row after the last of every split.
    #[getter]
    fn splits(&self) -> Vec<(&str, usize, usize)> {
        self.0.splits().iter().map(|split| (split.name.as_str(), split.start, split.end)).collect()
    }

    /// SHA-256 of the sorted (key, label, split), in hexadecimal.
    #[getter]
    fn fingerprint(&self, py: Python<'_>) -> PyResult<String> {
        let bytes = detached(py, || self.0.fingerprint())?;
        Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
    }

    /// Whether records have groups.
    #[getter]
    fn grouped(&self) -> bool {
        self.0.groups().is_some()
    }

    /// The folder that relative places start from; empty where places stand alone.
    #[getter]
    fn root(&self) -> &OsStr {
        self.0.root().as_os_str()
    }

    /// The bytes of memory the table holds.
    #[getter]
    fn memory(&self) -> usize {
        self.0.memory()
    }
}

/// What a folder of class folders holds.
#[pyclass(frozen, module = "pixfeed._native")]
pub struct Listing(listing::Listing);

#[pymethods]
impl Listing {
    /// The name and the number of images of every class folder, sorted by name.
    #[getter]
    fn classes(&self) -> Vec<(&str, usize)> {
        self.0.classes.iter().map(|class| (class.name.as_str(), class.images.len())).collect()
    }

    /// Names that begin with a dot: how many, and the first.
    #[getter]
    fn hidden(&self) -> (u64, Option<&OsStr>) {
        tally(&self.0.report.hidden)
    }

    /// Files that are no images by their names: how many, and the first.
    #[getter]
    fn foreign(&self) -> (u64, Option<&OsStr>) {
        tally(&self.0.report.foreign)
    }

    /// Images outside of class folders: how many, and the first.
    #[getter]
    fn loose(&self) -> (u64, Option<&OsStr>) {
        tally(&self.0.report.loose)
    }

    /// Links that were not followed, and why.
    #[getter]
    fn links(&self) -> Vec<(&OsStr, &str)> {
        self.0.report.links.iter().map(|(path, why)| (path.as_os_str(), why.as_str())).collect()
    }

    /// What could not be read, and why.
    #[getter]
    fn unreadable(&self) -> Vec<(&OsStr, &str)> {
        let all = &self.0.report.unreadable;
        all.iter().map(|(path, why)| (path.as_os_str(), why.as_str())).collect()
    }
}

/// Lists the class folders of root/under; the result is the same for any number of threads.
#[pyfunction]
#[pyo3(signature = (root, under, threads=None))]
fn list_folder(
    py: Python<'_>,
    root: PathBuf,
    under: PathBuf,
    threads: Option<usize>,
) -> PyResult<Listing> {
    let cores = || std::thread::available_parallelism().map_or(1, usize::from);
    let threads = threads.unwrap_or_else(|| cores().max(LISTING_THREADS));
    detached(py, || listing::list(&root, &under, threads))?
        .map(Listing)
        // Through its components, so that an empty `under` leaves no slash at the end.
        .map_err(|error| faults::refused(&error, root.join(under).components().as_path()))
}

/// Names of features by what they are: {"encoded": "jpeg", "key": None}.
pub type Features = HashMap<String, Option<String>>;

/// The schema that reads features by these names, and all others by ours.
pub fn schema(features: Option<Features>) -> PyResult<Schema> {
    let mut schema = Schema::default();
    for (word, name) in features.unwrap_or_default() {
        let Some(slot) = Slot::named(&word) else {
            let known: Vec<&str> = Slot::ALL.into_iter().map(Slot::as_str).collect();
            let known = known.join(", ");
            return Err(PyValueError::new_err(format!("{word:?} is none of {known}")));
        };
        schema.map(slot, name.as_deref());
    }
    Ok(schema)
}

fn add(builder: &mut Builder, row: &Bound<'_, PyAny>) -> PyResult<()> {
    let (name, place, label, split, group): Row<'_> = row.extract()?;
    let own = if name.is_none() { key::of_place(&place) } else { Default::default() };
    let key = name.unwrap_or(&own);
    builder.add(&Record { key, place: &place, label, split, group, extent: None });
    Ok(())
}

fn finished(table: Result<catalogue::Catalogue, Collision>) -> PyResult<Catalogue> {
    table
        .map(|table| Catalogue(Arc::new(table)))
        .map_err(|collision| PyValueError::new_err(collision.to_string()))
}

/// Runs native code without the lock; a panic becomes an exception.
fn detached<T: Send>(py: Python<'_>, work: impl FnOnce() -> T + Send) -> PyResult<T> {
    py.detach(|| faults::guarded(|| Ok(work()))).map_err(|trouble| trouble.raise(py))
}

/// A column of a table as an array that owns nothing and cannot be written to.
fn view<'py, T: Element>(
    table: &Bound<'py, Catalogue>,
    column: fn(&catalogue::Catalogue) -> &[T],
) -> PyResult<Bound<'py, PyArray1<T>>> {
    let column = ArrayView1::from(column(&table.get().0));
    // SAFETY: a table never changes once made, and the array's base is the object that keeps it.
    let array = unsafe { PyArray1::borrow_from_array(&column, table.clone().into_any()) };
    // NumPy allows no way back, since the base lends no memory to be written to.
    array.call_method1("setflags", (false,))?;
    Ok(array)
}

fn tally(tally: &Tally) -> (u64, Option<&OsStr>) {
    (tally.count, tally.first.as_deref().map(Path::as_os_str))
}
