//! TIFF through the front door: whole, in part, resized.
#![no_main]

use libfuzzer_sys::{Corpus, fuzz_target};
use pixfeed_core::decode::sniff::Format;
use pixfeed_fuzz::answers;

fuzz_target!(|data: &[u8]| -> Corpus {
    if answers::only(Format::Tiff, data) { Corpus::Keep } else { Corpus::Reject }
});
