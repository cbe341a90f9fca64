//! Entropy-coded data, behind headers that are always valid: baseline and progressive.
#![no_main]

use libfuzzer_sys::fuzz_target;
use pixfeed_fuzz::{answers, made};
use pixfeed_jpeg::Isa;

fuzz_target!(|data: &[u8]| {
    let file = made::jpeg(data);
    let answer = answers::coefficients(&file, Isa::detect());
    assert!(answer.is_some(), "headers that are always valid were refused");
});
