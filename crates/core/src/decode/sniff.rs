//! The type of an image, told from its first bytes and never from its name.

use crate::fault::{Code, Fault};

/// The formats that are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Format {
    /// JPEG, baseline and progressive.
    Jpeg,
    /// PNG and APNG.
    Png,
    /// WebP, lossy, lossless and animated.
    WebP,
    /// GIF.
    Gif,
    /// Windows bitmaps.
    Bmp,
    /// TIFF and BigTIFF.
    Tiff,
}

impl Format {
    /// All formats there are.
    pub const ALL: [Format; 6] =
        [Format::Jpeg, Format::Png, Format::WebP, Format::Gif, Format::Bmp, Format::Tiff];

    /// The name users meet: "JPEG", "PNG", "WEBP", "GIF", "BMP" or "TIFF".
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Format::Jpeg => "JPEG",
            Format::Png => "PNG",
            Format::WebP => "WEBP",
            Format::Gif => "GIF",
            Format::Bmp => "BMP",
            Format::Tiff => "TIFF",
        }
    }
}

/// The format of `data`, by content only; otherwise a fault that says what the data looks like.
pub fn format(data: &[u8]) -> Result<Format, Fault> {
    if data.is_empty() {
        return Err(Fault::new(Code::Empty, "", "no bytes at all"));
    }
    known(data).ok_or_else(|| Fault::new(Code::UnknownFormat, "", describe(data)).at(0))
}

fn known(data: &[u8]) -> Option<Format> {
    match data {
        [0xFF, 0xD8, 0xFF, ..] | [0xFF, 0xD8] => Some(Format::Jpeg),
        [0x89, b'P', b'N', b'G', ..] => Some(Format::Png),
        [b'G', b'I', b'F', b'8', ..] => Some(Format::Gif),
        [b'I', b'I', 42 | 43, 0, ..] | [b'M', b'M', 0, 42 | 43, ..] => Some(Format::Tiff),
        [b'B', b'M', ..] if is_bitmap(data) => Some(Format::Bmp),
        _ if data.starts_with(b"RIFF") && data.get(8..12) == Some(b"WEBP") => Some(Format::WebP),
        _ => None,
    }
}

/// "BM" alone begins many texts: the size of the second header must be one of those in use.
fn is_bitmap(data: &[u8]) -> bool {
    match data.get(14..18) {
        Some(size) => {
            let size = u32::from_le_bytes([size[0], size[1], size[2], size[3]]);
            [12, 16, 40, 52, 56, 64, 108, 124].contains(&size)
        }
        None => data.len() > 2 && !data.is_ascii(),
    }
}

/// Beginnings of things people hand over by mistake.
const BEGINNINGS: &[(&[u8], &str)] = &[
    (b"\xFF\x0A", "a JPEG XL image, which is not read"),
    (b"\0\0\0\x0CJXL ", "a JPEG XL image, which is not read"),
    (b"\0\0\0\x0CjP  ", "a JPEG 2000 image, which is not read"),
    (b"\xFF\x4F\xFF\x51", "a JPEG 2000 image, which is not read"),
    (b"8BPS", "a Photoshop (PSD) image, which is not read"),
    (b"\0\0\x01\0", "an icon (ICO), which is not read"),
    (b"\0\0\x02\0", "a cursor (CUR), which is not read"),
    (b"qoif", "a QOI image, which is not read"),
    (b"\x76\x2F\x31\x01", "an OpenEXR image, which is not read"),
    (b"DDS ", "a DDS texture, which is not read"),
    (b"#?RADIANCE", "a Radiance HDR image, which is not read"),
    (b"SIMPLE  =", "a FITS image, which is not read"),
    (b"%PDF", "a PDF document, not an image"),
    (b"PK\x03\x04", "a ZIP archive, not an image"),
    (b"\x1F\x8B", "gzip-compressed data, not an image"),
    (b"\x93NUMPY", "a NumPy array file, not an image"),
    (b"RIFF", "a RIFF file that is no WebP (sound or video), not an image"),
    (b"version https://git-lfs", "a Git LFS pointer, not the file it stands for"),
    (b"data:image/", "a data: URL, not the bytes in it"),
    (b"/9j/", "JPEG in base64 text, not its bytes"),
    (b"iVBORw0KGgo", "PNG in base64 text, not its bytes"),
    (b"http://", "a URL, not the bytes behind it"),
    (b"https://", "a URL, not the bytes behind it"),
];

fn describe(data: &[u8]) -> String {
    if let Some((_, what)) = BEGINNINGS.iter().find(|(begin, _)| data.starts_with(begin)) {
        return (*what).to_owned();
    }
    if let Some(what) = boxed(data).or_else(|| markup(data)).or_else(|| netpbm(data)) {
        return what.to_owned();
    }
    text(data).unwrap_or_else(|| format!("unknown first bytes {}", hex(data)))
}

/// Files made of ISO boxes: the brand says which.
fn boxed(data: &[u8]) -> Option<&'static str> {
    if data.get(4..8)? != b"ftyp" {
        return None;
    }
    Some(match data.get(8..12)? {
        b"avif" | b"avis" => "an AVIF image, which is not read",
        b"heic" | b"heix" | b"heim" | b"heis" | b"hevc" | b"hevx" | b"mif1" | b"msf1" => {
            "a HEIC image, which is not read"
        }
        b"jp2 " => "a JPEG 2000 image, which is not read",
        _ => "a video (MP4 or QuickTime), not an image",
    })
}

fn markup(data: &[u8]) -> Option<&'static str> {
    let head = String::from_utf8_lossy(&data[..data.len().min(1024)]).to_ascii_lowercase();
    let head = head.trim_start_matches('\u{feff}').trim_start();
    if head.starts_with("<!doctype html") || head.starts_with("<html") || head.starts_with("<head")
    {
        return Some("an HTML page (often a server's error message), not an image");
    }
    if head.starts_with("<svg") || (head.starts_with("<?xml") && head.contains("<svg")) {
        return Some("an SVG drawing, which is not read");
    }
    head.starts_with("<?xml").then_some("an XML document, not an image")
}

fn netpbm(data: &[u8]) -> Option<&'static str> {
    match data {
        [b'P', b'1'..=b'7', b' ' | b'\n' | b'\r' | b'\t', ..] => {
            Some("a Netpbm image (PBM, PGM, PPM), which is not read")
        }
        _ => None,
    }
}

fn text(data: &[u8]) -> Option<String> {
    let head = std::str::from_utf8(&data[..data.len().min(80)]).ok()?;
    if head.chars().any(|c| c.is_control() && !c.is_whitespace()) {
        return None;
    }
    let shown: String = head.chars().take(40).collect();
    let one_line = data.len() <= 1024 && !data.contains(&b'\n');
    if one_line && (head.contains('/') || head.contains('\\') || has_ending(data)) {
        return Some(format!("what looks like a path ({shown:?}), not the file's bytes"));
    }
    Some(format!("text that begins {shown:?}, not an image"))
}

fn has_ending(data: &[u8]) -> bool {
    let lower = data.to_ascii_lowercase();
    ["jpg", "jpeg", "png", "webp", "gif", "bmp", "tif", "tiff"].iter().any(|ending| {
        lower.strip_suffix(ending.as_bytes()).is_some_and(|rest| rest.ends_with(b"."))
    })
}

fn hex(data: &[u8]) -> String {
    let shown: Vec<String> = data.iter().take(8).map(|byte| format!("{byte:02X}")).collect();
    shown.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_format_is_known_by_its_first_bytes() {
        let bitmap = b"BM\0\0\0\0\0\0\0\0\x36\0\0\0\x28\0\0\0";
        let cases: [(&[u8], Format); 9] = [
            (b"\xFF\xD8\xFF\xE0", Format::Jpeg),
            (b"\x89PNG\r\n\x1A\n", Format::Png),
            (b"RIFF\x04\0\0\0WEBP", Format::WebP),
            (b"GIF89a", Format::Gif),
            (b"GIF87a", Format::Gif),
            (bitmap, Format::Bmp),
            (b"II*\0", Format::Tiff),
            (b"MM\0*", Format::Tiff),
            (b"MM\0+", Format::Tiff),
        ];
        for (data, expected) in cases {
            assert_eq!(format(data), Ok(expected));
        }
    }

    #[test]
    fn no_bytes_are_empty() {
        assert_eq!(format(b"").unwrap_err().code, Code::Empty);
    }

    #[test]
    fn mistakes_are_named() {
        let cases: [(&[u8], &str); 20] = [
            (b"\n  <!DOCTYPE HTML><html>", "HTML"),
            (b"\xEF\xBB\xBF<html>", "HTML"),
            (b"<svg xmlns=''>", "SVG"),
            (b"<?xml version='1.0'?><svg>", "SVG"),
            (b"<?xml version='1.0'?><note>", "XML"),
            (b"\0\0\0\x18ftypheic\0\0", "HEIC"),
            (b"\0\0\0\x18ftypavif\0\0", "AVIF"),
            (b"\0\0\0\x18ftypisom\0\0", "video"),
            (b"\0\0\0\x0CJXL \r\n", "JPEG XL"),
            (b"\0\0\0\x0CjP  \r\n", "JPEG 2000"),
            (b"8BPS\0\x01", "PSD"),
            (b"%PDF-1.7", "PDF"),
            (b"\0\0\x01\0\x01\0", "ICO"),
            (b"P6\n2 2\n255\n", "Netpbm"),
            (b"photos/cat.jpg", "path"),
            (b"cat.jpg", "path"),
            (b"C:\\photos\\cat", "path"),
            (b"hello there", "text"),
            (b"version https://git-lfs.example", "Git LFS"),
            (b"\x01\x02\x03", "01 02 03"),
        ];
        for (data, word) in cases {
            let fault = format(data).unwrap_err();
            assert_eq!(fault.code, Code::UnknownFormat);
            assert!(fault.found.contains(word), "{word}: {fault}");
        }
    }

    #[test]
    fn text_that_begins_with_bm_is_no_bitmap() {
        assert_eq!(
            format(b"BMW makes cars and other things").unwrap_err().code,
            Code::UnknownFormat
        );
    }
}
