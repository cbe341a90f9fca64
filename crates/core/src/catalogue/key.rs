//! Names of records: one spelling for every way a file system may hold a name.

use std::borrow::Cow;
use std::ffi::OsStr;
use std::fmt::Write;

use twox_hash::XxHash3_64;
use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfc_quick};

/// The id of a record: XXH3-64 of its key.
#[must_use]
pub fn id(key: &str) -> u64 {
    XxHash3_64::oneshot(key.as_bytes())
}

/// The keyed hash of some bytes: what decides, for one seed, where a record goes.
#[must_use]
pub fn keyed(seed: u64, bytes: &[u8]) -> u64 {
    XxHash3_64::oneshot_with_seed(seed, bytes)
}

/// The text of a key in Unicode's composed form (NFC), unchanged where it already is.
///
/// ```
/// assert_eq!(pixfeed_core::catalogue::key::composed("e\u{301}"), "\u{e9}");
/// ```
#[must_use]
pub fn composed(text: &str) -> Cow<'_, str> {
    if text.is_ascii() || is_nfc_quick(text.chars()) == IsNormalized::Yes {
        return Cow::Borrowed(text);
    }
    Cow::Owned(text.nfc().collect())
}

/// The key of a place: composed text, with bytes that are no UTF-8 written as `%XX`.
///
/// ```
/// use std::ffi::OsStr;
/// assert_eq!(pixfeed_core::catalogue::key::of_place(OsStr::new("cat/1.jpg")), "cat/1.jpg");
/// ```
#[must_use]
pub fn of_place(place: &OsStr) -> Cow<'_, str> {
    match place.to_str() {
        Some(text) => composed(text),
        None => Cow::Owned(escaped(place.as_encoded_bytes())),
    }
}

fn escaped(bytes: &[u8]) -> String {
    let mut out = String::with_capacity(bytes.len() + 8);
    for chunk in bytes.utf8_chunks() {
        out.push_str(chunk.valid());
        for byte in chunk.invalid() {
            write!(out, "%{byte:02X}").expect("writing to a String cannot fail");
        }
    }
    composed(&out).into_owned()
}

/// Whether a file of this name is listed as an image, by its extension in any case.
///
/// Listing opens no file, so the name decides what is listed; what a file *is* decides its content,
/// when it is decoded.
///
/// ```
/// assert!(pixfeed_core::catalogue::key::is_image("cat.JPEG"));
/// ```
#[must_use]
pub fn is_image(name: &str) -> bool {
    name.rsplit_once('.')
        .is_some_and(|(_, extension)| EXTENSIONS.iter().any(|e| e.eq_ignore_ascii_case(extension)))
}

/// The extensions of files that are listed as images.
pub const EXTENSIONS: [&str; 11] =
    ["jpg", "jpeg", "jpe", "jfif", "png", "webp", "gif", "bmp", "dib", "tif", "tiff"];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_xxh3() {
        assert_eq!(id(""), 0x2d06_8005_38d3_94c2);
        assert_eq!(id("a"), 0xe6c6_32b6_1e96_4e1f);
    }

    #[cfg(unix)]
    #[test]
    fn odd_bytes_are_escaped() {
        use std::os::unix::ffi::OsStrExt;
        let place = OsStr::from_bytes(b"caf\xe9/e\xcc\x81\xff.jpg");
        assert_eq!(of_place(place), "caf%E9/\u{e9}%FF.jpg");
        // The mark joins the digit before it: a key is composed as a whole.
        assert_eq!(of_place(OsStr::from_bytes(b"\xee\xcc\x81")), "%E\u{c9}");
    }

    #[test]
    fn names_decide_what_is_listed() {
        for name in ["a.jpg", "a.b.JPEG", "x.TiF", "x.webp"] {
            assert!(is_image(name), "{name}");
        }
        for name in ["a", "jpg", "a.jpg.txt", "a.", "a.jpg~", "a.json"] {
            assert!(!is_image(name), "{name}");
        }
    }
}
