//! All coefficients of a JPEG, as the transcoder will need them.
#![no_main]

use libfuzzer_sys::{Corpus, fuzz_target};
use pixfeed_fuzz::answers;
use pixfeed_jpeg::Isa;

fuzz_target!(|data: &[u8]| -> Corpus {
    match answers::coefficients(data, Isa::detect()) {
        Some(_) => Corpus::Keep,
        None => Corpus::Reject,
    }
});
