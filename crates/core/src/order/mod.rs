//! The order of records: a keyed bijection from position to record, and the draws of random numbers.
