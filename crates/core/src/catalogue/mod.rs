//! The table every source yields: one row per record with key, label, split and where the bytes are.
