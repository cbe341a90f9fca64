//! The one EXIF tag that changes pixels: orientation.

/// Reads the orientation (1..=8) out of an APP1 payload; anything broken is 1.
pub(crate) fn orientation(payload: &[u8]) -> Option<u8> {
    let tiff = payload.strip_prefix(b"Exif\0\0")?;
    let big = match tiff.get(..4)? {
        b"II*\0" => false,
        b"MM\0*" => true,
        _ => return None,
    };
    let u16_at = |at: usize| -> Option<u16> {
        let bytes: [u8; 2] = tiff.get(at..at.checked_add(2)?)?.try_into().ok()?;
        Some(if big { u16::from_be_bytes(bytes) } else { u16::from_le_bytes(bytes) })
    };
    let u32_at = |at: usize| -> Option<u32> {
        let bytes: [u8; 4] = tiff.get(at..at.checked_add(4)?)?.try_into().ok()?;
        Some(if big { u32::from_be_bytes(bytes) } else { u32::from_le_bytes(bytes) })
    };
    let directory = u32_at(4)? as usize;
    let entries = u16_at(directory)? as usize;
    for entry in 0..entries {
        let at = directory.checked_add(2 + 12 * entry)?;
        if u16_at(at)? != 0x0112 {
            continue;
        }
        let value = match u16_at(at + 2)? {
            3 => u32::from(u16_at(at + 8)?),
            4 => u32_at(at + 8)?,
            _ => return None,
        };
        return u8::try_from(value).ok().filter(|value| (1..=8).contains(value));
    }
    None
}

#[cfg(test)]
mod tests {
    use super::orientation;

    fn block(big: bool, value: u16, kind: u16) -> Vec<u8> {
        let mut out = b"Exif\0\0".to_vec();
        out.extend(if big { b"MM\0*" } else { b"II*\0" });
        let word = |v: u16| if big { v.to_be_bytes() } else { v.to_le_bytes() };
        let long = |v: u32| if big { v.to_be_bytes() } else { v.to_le_bytes() };
        out.extend(long(8));
        out.extend(word(1));
        out.extend(word(0x0112));
        out.extend(word(kind));
        out.extend(long(1));
        out.extend(word(value));
        out.extend([0, 0]);
        out
    }

    #[test]
    fn both_byte_orders_are_read() {
        for value in 1..=8 {
            assert_eq!(orientation(&block(false, value, 3)), Some(value as u8));
            assert_eq!(orientation(&block(true, value, 3)), Some(value as u8));
        }
    }

    #[test]
    fn broken_blocks_say_nothing() {
        assert_eq!(orientation(&block(false, 9, 3)), None);
        assert_eq!(orientation(&block(false, 6, 2)), None);
        assert_eq!(orientation(b"Exif\0\0II*\0\xff\xff\xff\xff"), None);
        let whole = block(true, 6, 3);
        for cut in 0..whole.len() - 2 {
            assert_eq!(orientation(&whole[..cut]), None, "cut at {cut}");
        }
    }
}
