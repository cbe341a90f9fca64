//! Records on disk: TFRecord shards and the `tf.train.Example`s in them, without TensorFlow.
//!
//! [`frame`] is the bytes around one record, [`Scan`] walks a shard, [`Shard`] reads one record by
//! its place, [`Example`] looks into a payload, [`build`] makes one, and [`View`] is what an Example of
//! an image says. All of it takes bytes for hostile: limits come before allocations, nothing recurses
//! and every malformation has a code of its own.

pub mod build;
pub mod compression;
pub mod crc;
pub mod damage;
pub mod example;
pub mod frame;
pub mod scan;
pub mod schema;
pub mod shard;
pub mod values;
pub mod view;

mod entries;
mod window;
mod wire;

pub use build::{Builder, Value};
pub use damage::{Damage, Error};
pub use example::{Example, Feature, List};
pub use frame::{Limits, Writer};
pub use scan::{Record, Scan};
pub use schema::{Schema, Slot};
pub use shard::Shard;
pub use view::{Label, Layout, View};
