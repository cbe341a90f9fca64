//! What a table is, in 32 bytes: no file is opened for it.
//!
//! SHA-256 over the line `pixfeed catalogue 1\n` and, for every row in the order of its key (splits
//! do not matter for the order): the key's length in bytes (u32, little endian), the key in UTF-8,
//! the label (i64, little endian), the split's length and the split's name likewise. SHA-256 rather
//! than a faster hash since states are compared by it for years and anybody can reckon it; a million
//! rows take a tenth of a second.

use sha2::{Digest, Sha256};

use super::table::Catalogue;

const TITLE: &[u8] = b"pixfeed catalogue 1\n";

/// The fingerprint of a table.
#[must_use]
pub fn of(table: &Catalogue) -> [u8; 32] {
    let mut hash = Sha256::new();
    hash.update(TITLE);
    for row in table.by_key() {
        add_text(&mut hash, table.key(row));
        hash.update(table.label(row).to_le_bytes());
        add_text(&mut hash, split_of(table, row));
    }
    hash.finalize().into()
}

fn add_text(hash: &mut Sha256, text: &str) {
    hash.update((text.len() as u32).to_le_bytes());
    hash.update(text.as_bytes());
}

fn split_of(table: &Catalogue, row: usize) -> &str {
    let after = table.splits().partition_point(|split| split.end <= row);
    &table.splits()[after].name
}
