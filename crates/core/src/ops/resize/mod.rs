//! Resizing with PIL's antialiased filters, plane by plane, in 16-bit fixed point: first across, from
//! strips of sixteen rows, then down, where the planes become colours and are rounded once.

mod across;
mod bilinear;
mod down;
pub mod op;
mod planes;
mod taps;

pub use down::Blend;
pub use planes::{Geometry, PlaneGrid, Resizer};
pub use taps::{Axis, Filter, Grid, Taps};
