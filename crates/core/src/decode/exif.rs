//! The orientation in an EXIF block. Anything broken means "none": a bad tag must not cost a picture.

use super::ifd::Directories;

const ORIENTATION: u16 = 0x0112;

/// The orientation 1..=8 in an EXIF block (a small TIFF structure, with or without the `Exif` prefix).
#[must_use]
pub fn orientation(block: &[u8]) -> Option<u8> {
    let block = block.strip_prefix(b"Exif\0\0").unwrap_or(block);
    let (directories, first) = Directories::open(block)?;
    let (entries, _) = directories.read(first)?;
    let entry = entries.iter().find(|entry| entry.tag == ORIENTATION)?;
    let value = directories.values(entry)?.next()?;
    u8::try_from(value).ok().filter(|value| (1..=8).contains(value))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn block(big_endian: bool, kind: u16, value: u16) -> Vec<u8> {
        let short = |v: u16| if big_endian { v.to_be_bytes() } else { v.to_le_bytes() };
        let long = |v: u32| if big_endian { v.to_be_bytes() } else { v.to_le_bytes() };
        let mut out = if big_endian { b"MM\0*".to_vec() } else { b"II*\0".to_vec() };
        out.extend(long(8));
        out.extend(short(2));
        for (tag, value) in [(0x0100, 77), (ORIENTATION, value)] {
            out.extend(short(tag));
            out.extend(short(kind));
            out.extend(long(1));
            out.extend(short(value));
            out.extend([0, 0]);
        }
        out.extend(long(0));
        out
    }

    #[test]
    fn both_byte_orders_and_the_prefix() {
        for value in 1..=8 {
            for big_endian in [false, true] {
                let data = block(big_endian, 3, value);
                assert_eq!(orientation(&data), Some(value as u8));
                assert_eq!(orientation(&[b"Exif\0\0", &data[..]].concat()), Some(value as u8));
            }
        }
    }

    #[test]
    fn broken_blocks_have_none() {
        assert_eq!(orientation(&block(false, 3, 0)), None);
        assert_eq!(orientation(&block(false, 3, 9)), None);
        assert_eq!(orientation(&block(false, 99, 6)), None);
        assert_eq!(orientation(&block(false, 5, 6)), None);
        assert_eq!(orientation(b"nonsense"), None);
    }

    #[test]
    fn every_cut_ends_without_panic() {
        let data = block(true, 3, 6);
        // The last four bytes are the link to the next directory, which nothing here needs.
        for length in 0..data.len() - 4 {
            assert_eq!(orientation(&data[..length]), None, "{length}");
        }
        assert_eq!(orientation(&data[..data.len() - 4]), Some(6));
    }

    #[test]
    fn a_count_beyond_the_data_is_none() {
        let mut data = block(false, 3, 6);
        data[8..10].copy_from_slice(&u16::MAX.to_le_bytes());
        assert_eq!(orientation(&data), None);
    }
}
