//! Rules for code that no lint of the compiler checks.

use super::source::{Source, uncommented};

/// Finds public enums that are neither `non_exhaustive` nor documented as complete.
pub(crate) fn enums(source: &Source) -> Vec<String> {
    let lines: Vec<&str> = source.text.lines().collect();
    let is_excused = |line: usize| {
        let before = lines.iter().take(line).rev();
        let attributes: Vec<&str> = before
            .map(|line| line.trim())
            .take_while(|line| !line.is_empty() && !line.ends_with('}') && !line.ends_with(';'))
            .collect();
        attributes.iter().any(|line| line.contains("#[non_exhaustive]") || line.contains("exhaustive_enums"))
    };
    let declared = source.code().filter(|(_, code)| code.trim_start().starts_with("pub enum "));
    declared
        .filter(|(line, _)| !is_excused(line - 1))
        .map(|(line, _)| {
            source.finding(line, "add #[non_exhaustive], or expect exhaustive_enums with a reason")
        })
        .collect()
}

/// Finds the keyword that the lint `unsafe_code` forbids, also in files to which the lint does not apply.
pub(crate) fn unsafe_code(source: &Source) -> Vec<String> {
    let word = concat!("un", "safe");
    let is_word = |code: &str| {
        code.split(|char: char| !char.is_alphanumeric() && char != '_').any(|found| found == word)
    };
    let lines = source.text.lines().map(uncommented);
    (1..)
        .zip(lines)
        .filter(|(_, code)| is_word(code))
        .map(|(line, _)| source.finding(line, "this keyword is not allowed in the workspace"))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn enums_are_open_or_excused() {
        let text = "#[derive(Debug)]\n#[non_exhaustive]\npub enum A {}\n\n/// It.\npub enum B {}\n#[expect(clippy::exhaustive_enums, reason = \"\")]\npub enum C {}\n";
        assert_eq!(enums(&Source::new("a.rs", text)).len(), 1);
        assert!(enums(&Source::new("a.rs", text))[0].starts_with("a.rs:6:"));
    }

    #[test]
    fn the_keyword_is_found() {
        let code =
            format!("let a = {} {{ b() }};\n{}_code = 1;\n", concat!("un", "safe"), concat!("un", "safe"));
        assert_eq!(unsafe_code(&Source::new("a.rs", &code)).len(), 1);
    }
}
