//! The order of records and the draws of random numbers: pure arithmetic, no state but what is named.
//!
//! [`Permutation`] maps a position of an epoch to a record, [`Plan`] maps (epoch, step, rank) to
//! positions, and [`Draws`] gives the random numbers of one op on one record. Whoever asks, in
//! whatever order and on whatever machine, gets the same answer.

pub mod permutation;
pub mod philox;
pub mod plan;

pub use permutation::Permutation;
pub use philox::Draws;
pub use plan::{Epoch, Last, Plan, Slot};
