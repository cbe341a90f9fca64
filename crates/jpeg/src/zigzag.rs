//! The order coefficients are stored in.

/// Zigzag position to natural (row-major) position; positions past the block map to its last place,
/// so that a run that leaves the block writes nowhere else before it is noticed. The upper half repeats
/// the lower: there the end of a block is noted in the top bit of a position.
pub(crate) static ZIGZAG: [u8; 256] = table();

const fn table() -> [u8; 256] {
    let mut out = [63; 256];
    let (mut row, mut column, mut at) = (0_i32, 0_i32, 0);
    while at < 64 {
        out[at] = (row * 8 + column) as u8;
        out[at + 128] = out[at];
        if (row + column) % 2 == 0 {
            if column == 7 {
                row += 1;
            } else if row == 0 {
                column += 1;
            } else {
                row -= 1;
                column += 1;
            }
        } else if row == 7 {
            column += 1;
        } else if column == 0 {
            row += 1;
        } else {
            row += 1;
            column -= 1;
        }
        at += 1;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::ZIGZAG;

    #[test]
    fn begins_and_ends_as_the_standard_says() {
        assert_eq!(ZIGZAG[..12], [0, 1, 8, 16, 9, 2, 3, 10, 17, 24, 32, 25]);
        assert_eq!(ZIGZAG[60..66], [47, 55, 62, 63, 63, 63]);
        let mut seen = ZIGZAG[..64].to_vec();
        seen.sort_unstable();
        assert!(seen.into_iter().eq(0..64));
    }
}
