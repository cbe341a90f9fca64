//! Other formats than JPEG: golden pixels, damage of every kind, refusals.

mod damage;
mod files;
mod goldens;
mod refusals;
