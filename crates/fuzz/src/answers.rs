//! The questions every picture is asked, and what must hold between their answers.

use pixfeed_core::decode::front::{self, Picture, Policy, Scratch, View};
use pixfeed_core::decode::sniff::{self, Format};
use pixfeed_core::fault::Fault;
use pixfeed_core::ops::orient::Rect;
use pixfeed_core::ops::resize::Filter;
use pixfeed_jpeg::{Coefficients, Decoder, Isa, Jpeg};

use crate::dice::Dice;
use crate::{JPEG_LIMITS, LIMITS};

const FILTERS: [Filter; 4] = [Filter::Nearest, Filter::Bilinear, Filter::Bicubic, Filter::Lanczos];

/// Pixels, or why there are none.
pub type Answer = Result<Vec<u8>, Fault>;

/// The same picture in four views.
#[derive(Debug, PartialEq)]
pub struct Answers {
    /// All of it.
    pub whole: Answer,
    /// A part of it.
    pub part: Answer,
    /// That part at another size.
    pub resized: Answer,
    /// A window of that, perhaps mirrored.
    pub window: Answer,
}

/// Asks for a picture in four ways; `None` where its headers are refused.
///
/// # Panics
///
/// When the answers contradict each other.
#[must_use]
pub fn picture(data: &[u8], scratch: &mut Scratch) -> Option<Answers> {
    let mut dice = Dice::of(data);
    let policy = Policy {
        channels: dice.pick(&[1, 3]),
        exif: dice.below(4) > 0,
        background: [10, 200, 30],
        limits: LIMITS,
    };
    let channels = usize::from(policy.channels);
    let seen = Picture::open(data, policy, View::default()).ok()?.size();
    let probe = front::probe(data, &LIMITS).expect("a picture that opens can be probed");
    assert!(seen == (probe.width, probe.height) || seen == (probe.height, probe.width));
    let part = dice.part(seen);
    let size = dice.size(part);
    let in_part = View { part: Some(part), filter: dice.pick(&FILTERS), ..View::default() };
    let resized = View { size: Some(size), ..in_part };
    let (mirrored, flipped) = (dice.below(2) > 0, dice.below(2) > 0);
    let window = dice.part(size);
    let in_window = View { window: Some(window), mirrored, flipped, ..resized };
    let mut ask = |view| decode(data, policy, view, scratch);
    let answers = Answers {
        whole: ask(View::default()),
        part: ask(in_part),
        resized: ask(resized),
        window: ask(in_window),
    };
    if let Ok(whole) = &answers.whole {
        let crop = cropped(whole, seen, part, channels);
        assert!(answers.part.as_ref() == Ok(&crop), "{part:?} of {seen:?} is not the crop");
        assert!(answers.resized.is_ok(), "whole it is read, resized it is not");
    }
    if let Ok(resized) = &answers.resized {
        let crop = cropped(resized, size, window, channels);
        let crop = turned(&crop, window.width as usize, channels, mirrored, flipped);
        assert!(answers.window.as_ref() == Ok(&crop), "{in_window:?} is not the crop");
    }
    Some(answers)
}

/// The same, for bytes of one format only; `false` for others, which a corpus need not keep.
///
/// # Panics
///
/// When buffers that were used before give other answers.
#[must_use]
pub fn only(format: Format, data: &[u8]) -> bool {
    if sniff::format(data) != Ok(format) {
        return false;
    }
    let mut scratch = Scratch::default();
    let first = picture(data, &mut scratch);
    if format == Format::Jpeg {
        assert!(first == picture(data, &mut scratch), "asked again, the answers are others");
    }
    true
}

fn decode(data: &[u8], policy: Policy, view: View, scratch: &mut Scratch) -> Answer {
    let picture = Picture::open(data, policy, view)?;
    let mut out = vec![0; picture.bytes()];
    picture.decode(scratch, &mut out).map(|()| out)
}

fn cropped(whole: &[u8], size: (u32, u32), part: Rect, channels: usize) -> Vec<u8> {
    let row = |y: u32| {
        let start = (y as usize * size.0 as usize + part.x as usize) * channels;
        &whole[start..start + part.width as usize * channels]
    };
    (part.y..part.y + part.height).flat_map(row).copied().collect()
}

fn turned(pixels: &[u8], width: usize, channels: usize, across: bool, down: bool) -> Vec<u8> {
    let mut rows: Vec<Vec<&[u8]>> =
        pixels.chunks(width * channels).map(|row| row.chunks(channels).collect()).collect();
    if across {
        rows.iter_mut().for_each(|row| row.reverse());
    }
    if down {
        rows.reverse();
    }
    rows.concat().concat()
}

/// All coefficients of a JPEG, read thrice: by a decoder that knows the file already, too.
///
/// # Panics
///
/// When the readings differ, or when its pixels cannot be had though its coefficients can.
#[must_use]
pub fn coefficients(data: &[u8], isa: Isa) -> Option<pixfeed_jpeg::Result<Coefficients>> {
    if sniff::format(data) != Ok(Format::Jpeg) {
        return None;
    }
    let jpeg = Jpeg::open(data, JPEG_LIMITS).ok()?;
    let mut kept = Decoder::new(isa);
    let first = kept.coefficients(&jpeg);
    assert!(first == kept.coefficients(&jpeg), "read again, the coefficients are others");
    let pixels = picture(data, &mut Scratch::new(isa));
    assert!(first == kept.coefficients(&jpeg), "a third time, the coefficients are others");
    if first.is_ok() {
        let pixels = pixels.expect("a file with coefficients opens");
        assert!(pixels.whole.is_ok(), "coefficients but no pixels: {:?}", pixels.whole);
    }
    Some(first)
}
