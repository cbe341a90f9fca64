//! The record layer: against TensorFlow's files, a naive parser, and every kind of damage.

mod damage;
mod examples;
mod given;
mod goldens;
mod shards;
mod speed;
mod views;
