//! The headers of any format, under the limits people have: little memory, whatever they claim.
#![no_main]

use libfuzzer_sys::fuzz_target;
use pixfeed_core::decode::front::{self, Picture, Policy, View};
use pixfeed_core::decode::raster::Limits;
use pixfeed_core::decode::sniff;
use pixfeed_jpeg::Jpeg;

fuzz_target!(|data: &[u8]| {
    let probed = front::probe(data, &Limits::default());
    let opened = Picture::open(data, Policy::default(), View::default());
    if let (Ok(probe), Ok(picture)) = (&probed, &opened) {
        let (width, height) = picture.size();
        let turned = probe.orientation > 4;
        assert_eq!(
            if turned { (height, width) } else { (width, height) },
            (probe.width, probe.height)
        );
    }
    if let Ok(jpeg) = Jpeg::open(data, pixfeed_jpeg::Limits::default()) {
        assert!(probed.is_ok() || sniff::format(data).is_err());
        let _ = (jpeg.check_length(), jpeg.header().subsampling());
    }
});
