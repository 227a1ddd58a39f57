//! Files with faults.

use crate::generate::choices::Choices;

/// Returns a file with faults: bytes and pieces are inserted, removed, doubled and moved.
#[must_use]
pub fn with_faults(file: &[u8], choices: &[u8]) -> Vec<u8> {
    const PIECES: &[&[u8]] = &[
        b"",
        b"\n",
        b"\r",
        b":",
        b"#",
        b" ",
        b"\0",
        b"\x0C",
        b"\xEF\xBB\xBF",
        b"\xE3\x83",
        b"*",
        b"$",
        b"%",
        b"%2F",
        b"disallow: /\n",
        b"allow /x\n",
        b"dissalow: x\n",
        b"user-agent: *\n",
        b"useragent foo bar\n",
        b"allow: /index.html\n",
    ];
    let mut choices = Choices::new(choices);
    let mut file = file.to_vec();
    for _ in 0..choices.below(8) {
        let at = choices.position(file.len() + 1);
        let until = (at + choices.below(12)).min(file.len());
        let piece: Vec<u8> = match choices.below(4) {
            0 => vec![choices.next()],
            1 => file.get(at..until).unwrap_or_default().repeat(2),
            2 => file.split_off(at),
            _ => PIECES.get(choices.below(PIECES.len())).copied().unwrap_or_default().to_vec(),
        };
        let at = at.min(file.len());
        let end = (at + choices.below(3)).min(file.len());
        file.splice(at..end, piece);
    }
    file
}
