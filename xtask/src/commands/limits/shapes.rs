//! Files of any size that take much work or memory.

use core::fmt::Write as _;
use std::collections::BTreeMap;
use std::sync::LazyLock;

/// A file of any size: pieces one after another, each repeated until it has its part of the size.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Shape {
    pub(super) name: String,
    pub(super) pieces: Vec<Piece>,
}

/// A text that is repeated. `{n}` stands for the number of the repetition, `{N}` for one of many digits, `{l}` for the number in
/// letters, `{m}` for it modulo 10, `{a}` for so many letters `a`, `{s}` for so many `*a`, `{r}` for eight random characters of
/// `a`, `b` and `*`, `{b}` for the number in binary of `a` and `b`, `{t}` for two bytes that are not UTF-8, `{C}` for 16 letters
/// whose case has the number, and `{k}` for the name of a known crawler.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Piece {
    /// The part of the size in percent; 0 for a text that stands once.
    pub(super) share: usize,
    pub(super) text: String,
}

/// The shapes of `shapes.json`: those of robots.txt files, of pages with their fields, and of the lists, tables and documents that commands
/// read beside a robots.txt. Each has a name, and pieces: the share and the text.
static SHAPES: LazyLock<BTreeMap<String, Vec<Shape>>> = LazyLock::new(|| {
    type Written = BTreeMap<String, Vec<(String, Vec<(usize, String)>)>>;
    let written: Written = serde_json::from_str(include_str!("shapes.json")).expect("the shapes are in JSON");
    let piece = |(share, text)| Piece { share, text };
    let shape = |(name, pieces): (_, Vec<_>)| Shape { name, pieces: pieces.into_iter().map(piece).collect() };
    written.into_iter().map(|(of, shapes)| (of, shapes.into_iter().map(shape).collect())).collect()
});

/// Returns all shapes of `robots`, `pages` or `lists`.
pub(super) fn shapes(of: &str) -> &'static [Shape] {
    SHAPES.get(of).map_or(&[], Vec::as_slice)
}

/// Names that have their own entry in the catalogue.
const KNOWN: &str =
    "Googlebot Bingbot GPTBot CCBot ClaudeBot Applebot Yandex Baiduspider Amazonbot Bytespider";

impl Shape {
    /// Returns a file of at most `size` bytes.
    pub(super) fn file(&self, size: usize) -> Vec<u8> {
        let once: usize =
            self.pieces.iter().filter(|piece| piece.share == 0).map(|piece| piece.text.len()).sum();
        let shares: usize = self.pieces.iter().map(|piece| piece.share).sum();
        let left = size.saturating_sub(once);
        let mut random = Random(1);
        let mut file = Vec::with_capacity(size);
        for piece in &self.pieces {
            let end = file.len() + left * piece.share / shares.max(1);
            for number in 0.. {
                let text = piece.filled(number, &mut random);
                if text.is_empty() || piece.share > 0 && file.len() + text.len() > end {
                    break;
                }
                file.extend_from_slice(&text);
                if piece.share == 0 {
                    break;
                }
            }
        }
        file
    }
}

impl Piece {
    fn filled(&self, number: usize, random: &mut Random) -> Vec<u8> {
        let mut text = Vec::new();
        let mut rest = self.text.as_str();
        while let Some((before, after)) = rest.split_once('{') {
            text.extend_from_slice(before.as_bytes());
            let place = after.as_bytes().first().copied().filter(|_| after.as_bytes().get(1) == Some(&b'}'));
            let filled = place.and_then(|place| filled(place, number, random));
            match filled {
                Some(filled) => {
                    text.extend_from_slice(&filled);
                    rest = after.get(2..).unwrap_or_default();
                }
                None => {
                    text.push(b'{');
                    rest = after;
                }
            }
        }
        text.extend_from_slice(rest.as_bytes());
        text
    }
}

/// Returns the text in place of a letter in braces.
fn filled(place: u8, number: usize, random: &mut Random) -> Option<Vec<u8>> {
    let mut text = String::new();
    // Writing to a string can't fail.
    let _ = match place {
        b'n' => write!(text, "{number}"),
        b'N' => write!(text, "{number:010}"),
        b'm' => write!(text, "{}", number % 10),
        b'l' => {
            let mut left = number + 1;
            while left > 0 {
                text.push(letter(left));
                left /= 26;
            }
            Ok(())
        }
        b'a' => write!(text, "{}", "a".repeat(number)),
        b's' => write!(text, "{}", "*a".repeat(number)),
        b'r' => {
            text.extend((0..8).map(|_| ['a', 'b', '*'].get(random.below(3)).copied().unwrap_or('a')));
            Ok(())
        }
        b'b' => {
            text.extend(format!("{number:b}").chars().map(|bit| if bit == '0' { 'a' } else { 'b' }));
            Ok(())
        }
        b'C' => {
            let in_case = |bit: usize| {
                if number >> bit & 1 == 1 { letter(bit).to_ascii_uppercase() } else { letter(bit) }
            };
            text.extend((0..16).map(in_case));
            Ok(())
        }
        b'k' => write!(text, "{}", KNOWN.split(' ').nth(number % 10).unwrap_or_default()),
        b't' => return Some(b"\xFF\xFE".to_vec()),
        _ => return None,
    };
    Some(text.into_bytes())
}

fn letter(number: usize) -> char {
    u8::try_from(number % 26).map_or('a', |number| char::from(b'a' + number))
}

/// Pseudo-random numbers, the same for the same seed.
pub(super) struct Random(pub(super) u64);

impl Random {
    /// Returns a number below `end`, which is not 0.
    pub(super) fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap_or_default() % end.max(1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_have_nearly_the_size_that_is_asked() {
        for shape in ["robots", "pages", "lists"].into_iter().flat_map(shapes) {
            for size in [4096, 128 << 10] {
                let file = shape.file(size);
                // A repetition may have many letters.
                assert!(
                    file.len() <= size && file.len() + 2048 > size,
                    "{}: {} of {size}",
                    shape.name,
                    file.len()
                );
            }
        }
    }

    #[test]
    fn places_are_filled() {
        let piece = Piece { share: 1, text: "{n}{m}{l}{a}{s}{k}{{x{n}}}{N}{C}{b}{".to_owned() };
        let text = piece.filled(12, &mut Random(1));
        let expected = "122naaaaaaaaaaaa*a*a*a*a*a*a*a*a*a*a*a*aGPTBot{{x12}}0000000012abCDefghijklmnopbbaa{";
        assert_eq!(String::from_utf8_lossy(&text), expected);
    }
}
