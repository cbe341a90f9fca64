//! The table every source yields: one row per record with key, label, split, group and where the
//! bytes are.
//!
//! Sources push rows in any order into a [`Builder`]; it gives a [`Catalogue`] sorted by split and
//! key, with every key and every id there once. A row's number is the record's place in all orders.
//!
//! | module | what it knows |
//! |---|---|
//! | [`key`] | how a place becomes a key, a key an id, and which names are images |
//! | [`listing`], [`links`] | the images of a class folder, found by names alone |
//! | [`names`], [`report`] | what a listing found, and what it left out |
//! | [`shards`] | the records of TFRecord shards |
//! | [`divide`], [`groups`], [`rounding`] | which record belongs to which split |
//! | [`fingerprint`] | a table in 32 bytes |

pub mod divide;
pub mod fingerprint;
pub mod groups;
pub mod key;
pub mod links;
pub mod listing;
pub mod names;
pub mod report;
pub mod rounding;
pub mod shards;

mod build;
mod table;

pub use build::{Builder, Collision, Record};
pub use table::{Catalogue, Extent, Split};
