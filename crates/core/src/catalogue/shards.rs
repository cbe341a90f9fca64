//! The table of shards: every record of every file, by a walk through each.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::{Builder, Catalogue, Collision, Extent, Record};
use crate::fault::{Code, Fault};
use crate::record::compression::Compression;
use crate::record::{Damage, Error, Limits, Schema, Shard, View};

/// A shard that is to be listed: where it is, relative to the root, and the number of its split.
pub type Listed = (PathBuf, u16);

/// What a walk found.
pub struct Found {
    /// The table of all sound records.
    pub table: Result<Catalogue, Collision>,
    /// What could not be had, and in which file (by its number).
    pub damaged: Vec<(usize, Error)>,
}

struct Draft {
    key: String,
    label: i64,
    extent: Extent,
}

type Walked = (Vec<Draft>, Vec<Error>);

/// Lists shards with some threads; the table is the same for any number of them.
#[must_use]
pub fn list(
    root: &Path,
    splits: Vec<String>,
    files: &[Listed],
    schema: &Schema,
    threads: usize,
) -> Found {
    let next = AtomicUsize::new(0);
    let walked: Vec<Mutex<Walked>> = files.iter().map(|_| Mutex::default()).collect();
    std::thread::scope(|scope| {
        for _ in 0..threads.clamp(1, files.len().max(1)) {
            scope.spawn(|| {
                loop {
                    let at = next.fetch_add(1, Ordering::Relaxed);
                    let Some((file, _)) = files.get(at) else { return };
                    let found = walk(root, file, at as u32, schema);
                    *walked[at].lock().unwrap_or_else(std::sync::PoisonError::into_inner) = found;
                }
            });
        }
    });
    let names = files.iter().map(|(file, _)| file.clone()).collect();
    let mut builder = Builder::new(root, splits).files(names);
    let mut damaged = Vec::new();
    for (at, found) in walked.into_iter().enumerate() {
        let (drafts, errors) =
            found.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
        for Draft { key, label, extent } in drafts {
            let (place, split, extent) = (OsStr::new(""), files[at].1, Some(extent));
            builder.add(&Record { key: &key, place, label, split, group: None, extent });
        }
        damaged.extend(errors.into_iter().map(|error| (at, error)));
    }
    Found { table: builder.finish(), damaged }
}

fn walk(root: &Path, file: &Path, number: u32, schema: &Schema) -> Walked {
    let mut found = Walked::default();
    let shard = match Shard::open(&root.join(file)) {
        Ok(shard) => shard,
        Err(error) => return (Vec::new(), vec![Error::Io(error)]),
    };
    if shard.compression() != Compression::None {
        // Its records have no place that could be read from.
        let found = format!("the shard is one {} stream", shard.compression().as_str());
        return (
            Vec::new(),
            vec![damage(None, 0, Fault::new(Code::CompressedShard, "TFRecord", found))],
        );
    }
    let stem = file.with_extension("");
    let mut scan = shard.scan(Limits::default());
    while let Some(record) = scan.next() {
        match record {
            Ok(record) => {
                let extent = Extent { file: number, offset: record.offset, length: record.length };
                match read(record.payload, schema, || {
                    format!("{}:{:010}", stem.display(), record.index)
                }) {
                    Ok((key, label)) => found.0.push(Draft { key, label, extent }),
                    Err(fault) => found.1.push(damage(Some(record.index), record.offset, fault)),
                }
            }
            Err(error) => found.1.push(error),
        }
    }
    found
}

fn damage(index: Option<u64>, offset: u64, fault: Fault) -> Error {
    Error::Damage(Damage { index, offset, fault })
}

/// The key and the label of a record.
fn read(
    payload: &[u8],
    schema: &Schema,
    unnamed: impl Fn() -> String,
) -> Result<(String, i64), Fault> {
    let view = View::read(payload, schema)?;
    let refuse = |found| Err(Fault::new(Code::FeatureValue, "tf.train.Example", found));
    if view.encoded.is_none() {
        let name = schema.name(crate::record::Slot::Encoded).unwrap_or("image/encoded");
        return refuse(format!("no image: the feature {name:?} is not there"));
    }
    let Some(label) = view.class() else {
        let name = schema.name(crate::record::Slot::Label).unwrap_or("image/class/label");
        return refuse(format!("no label: the feature {name:?} is not one integer"));
    };
    Ok((view.key.map_or_else(unnamed, ToOwned::to_owned), label))
}
