//! Names that are close to other names.

/// Words that people write where they mean `*`.
const EVERYONE: [&str; 7] = ["all", "any", "every", "everyone", "everybody", "allbots", "all-bots"];

/// The ends of names of crawlers that people leave out.
const ENDINGS: [&str; 5] = ["bot", "-bot", "spider", "crawler", "-google"];

/// The length in bytes from which one mistake is allowed.
const LONG: usize = 5;

/// Returns the one of `names` that was most likely meant by `text`, if it is not `text`.
pub(crate) fn closest(text: &str, names: impl Iterator<Item = &'static str> + Clone) -> Option<&'static str> {
    if names.clone().any(|name| name.eq_ignore_ascii_case(text)) {
        return None;
    }
    if EVERYONE.iter().any(|word| word.eq_ignore_ascii_case(text)) {
        return Some("*");
    }
    let is_beginning = |name: &&str| {
        let rest = name.split_at_checked(text.len()).filter(|(start, _)| start.eq_ignore_ascii_case(text));
        rest.is_some_and(|(_, rest)| ENDINGS.iter().any(|ending| ending.eq_ignore_ascii_case(rest)))
    };
    names.clone().find(is_beginning).or_else(|| {
        let mut names = names;
        names.find(|name| {
            text.len().min(name.len()) >= LONG && is_one_mistake(text.as_bytes(), name.as_bytes())
        })
    })
}

/// Returns whether two texts differ by one byte that is missing, added or another one, or by two neighbours that changed
/// places. Case does not count.
fn is_one_mistake(one: &[u8], other: &[u8]) -> bool {
    let same = |(one, other): &(&u8, &u8)| one.eq_ignore_ascii_case(other);
    let start = one.iter().zip(other).take_while(same).count();
    let (one, other) = (one.get(start..).unwrap_or_default(), other.get(start..).unwrap_or_default());
    let end = one.iter().rev().zip(other.iter().rev()).take_while(same).count();
    let one = one.get(..one.len() - end).unwrap_or_default();
    let other = other.get(..other.len() - end).unwrap_or_default();
    match (one, other) {
        ([], [_]) | ([_], [] | [_]) => true,
        ([a, b], [c, d]) => a.eq_ignore_ascii_case(d) && b.eq_ignore_ascii_case(c),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn closest_of(text: &str) -> Option<&'static str> {
        closest(text, ["Googlebot", "bingbot", "Baiduspider", "Slurp", "Code"].into_iter())
    }

    #[test]
    fn names_that_were_meant_are_found() {
        for (text, expected) in [
            ("google", Some("Googlebot")),
            ("Bing", Some("bingbot")),
            ("baidu", Some("Baiduspider")),
            ("Googelbot", Some("Googlebot")),
            ("Goglebot", Some("Googlebot")),
            ("googlebott", Some("Googlebot")),
            ("slorp", Some("Slurp")),
            ("ALL", Some("*")),
            ("googlebot", None),
            ("cove", None),
            ("Gogelbot", None),
            ("", None),
            ("*", None),
        ] {
            assert_eq!(closest_of(text), expected, "{text}");
        }
    }
}
