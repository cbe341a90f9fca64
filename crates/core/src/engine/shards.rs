//! Records in TFRecord shards as a reader: one positional read a record, checked, and no copy.

use std::path::PathBuf;
use std::sync::{Arc, OnceLock};

use super::failure::Cause;
use super::reader::{Raw, Reader, Wanted};
use crate::catalogue::{Catalogue, Extent};
use crate::fault::{Code, Fault};
use crate::record::{Error, Layout, Limits, Schema, Shard, Slot, View};

/// What a reader of pixels needs to know of a record.
const NEEDED: [Slot; 6] =
    [Slot::Encoded, Slot::Format, Slot::Height, Slot::Width, Slot::Channels, Slot::Order];

/// The shards of a table, opened as they are needed and kept open.
pub struct Shards {
    table: Arc<Catalogue>,
    open: Box<[OnceLock<Shard>]>,
    schema: Schema,
    limits: Limits,
}

impl Shards {
    /// A reader of the table's extents; features go by the names of the schema.
    #[must_use]
    pub fn new(table: Arc<Catalogue>, schema: &Schema) -> Self {
        let open = table.files().iter().map(|_| OnceLock::new()).collect();
        let mut needed = Schema::of(&NEEDED);
        for slot in NEEDED {
            needed.map(slot, schema.name(slot));
        }
        Self { table, open, schema: needed, limits: Limits::default() }
    }

    fn shard(&self, extent: Extent, row: usize, path: &mut PathBuf) -> Result<&Shard, Cause> {
        let place = &self.open[extent.file as usize];
        if place.get().is_none() {
            let opened = Shard::open(self.table.path(row, path)).map_err(Cause::Io)?;
            // Another thread may have been first; either will do.
            let _ = place.set(opened);
        }
        Ok(place.get().expect("it was set above"))
    }
}

impl Reader for Shards {
    fn read(&self, wanted: &mut Wanted<'_>) -> Result<(), Cause> {
        let Some(extent) = self.table.extent(wanted.row) else {
            let found = format!("row {} lies in no shard", wanted.row);
            return Err(Cause::Fault(Fault::new(Code::BadRequest, "", found)));
        };
        let shard = self.shard(extent, wanted.row, wanted.path)?;
        let read = shard.read(extent.offset, extent.length, wanted.buffer, self.limits);
        let payload = read.map_err(|error| match error {
            Error::Io(error) => Cause::Io(error),
            Error::Damage(damage) => Cause::Fault(damage.into_fault()),
        })?;
        let bytes = &wanted.buffer[payload.clone()];
        let view = View::read(bytes, &self.schema).map_err(Cause::Fault)?;
        let Some(part) = view.encoded_in(bytes) else {
            let name = self.schema.name(Slot::Encoded).unwrap_or_default();
            let found = format!("no image: the feature {name:?} is not there");
            return Err(Cause::Fault(Fault::new(Code::FeatureValue, "tf.train.Example", found)));
        };
        wanted.raw = raw(&view);
        wanted.part = Some(payload.start + part.start..payload.start + part.end);
        Ok(())
    }
}

/// What a tensor says of itself; none for an image file.
fn raw(view: &View<'_>) -> Option<Raw> {
    if view.format? != "tensor" {
        return None;
    }
    Some(Raw {
        width: view.width.unwrap_or(0),
        height: view.height.unwrap_or(0),
        channels: view.channels.and_then(|channels| u8::try_from(channels).ok()).unwrap_or(0),
        planar: view.order == Some(Layout::Chw),
    })
}
