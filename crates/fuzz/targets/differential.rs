//! Vector kernels against their scalar twins: the same bytes or the same error. On a machine without
//! AVX2 both are the scalar ones, and nothing is compared.
#![no_main]

use libfuzzer_sys::fuzz_target;
use pixfeed_core::decode::front::Scratch;
use pixfeed_core::decode::sniff;
use pixfeed_fuzz::{answers, made};
use pixfeed_jpeg::Isa;

fuzz_target!(|data: &[u8]| {
    let made;
    let file = if sniff::format(data).is_ok() {
        data
    } else {
        made = made::jpeg(data);
        &made
    };
    let [ours, twins] =
        [Isa::Avx2, Isa::Scalar].map(|isa| answers::picture(file, &mut Scratch::new(isa)));
    assert!(ours == twins, "AVX2 and scalar pixels differ");
    let [ours, twins] = [Isa::Avx2, Isa::Scalar].map(|isa| answers::coefficients(file, isa));
    assert!(ours == twins, "AVX2 and scalar coefficients differ");
});
