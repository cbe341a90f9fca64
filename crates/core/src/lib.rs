//! The engine of pixfeed, without Python: what turns bytes into pixels and, later, pixels into batches.

pub mod catalogue;
pub mod decode;
pub mod engine;
pub mod fault;
pub mod ops;
pub mod order;
pub mod record;
