//! Where a search for a text goes on after a byte that does not match.

use alloc::vec::Vec;

/// Returns for each prefix of `piece` the length of the longest shorter prefix that it ends with.
pub(crate) fn borders(piece: &[u8]) -> Vec<usize> {
    let mut borders: Vec<usize> = Vec::with_capacity(piece.len() + 1);
    borders.push(0);
    let mut border = 0_usize;
    for (at, byte) in piece.iter().enumerate() {
        if at > 0 {
            while border > 0 && piece.get(border) != Some(byte) {
                border = borders.get(border).copied().unwrap_or(0);
            }
            if piece.get(border) == Some(byte) {
                border += 1;
            }
        }
        borders.push(border);
    }
    borders
}
