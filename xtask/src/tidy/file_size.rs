//! Long source files.

use super::source::Source;

/// The number of lines after which a file is split, unless it is in `LONG`.
const MOST: usize = 1_000;

/// Longer files, each with the reason why it is one file.
const LONG: &[(&str, &str)] = &[];

/// Finds files with more than `MOST` lines that are not in `LONG`, and entries of `LONG` that are not needed.
pub(crate) fn file_size(sources: &[Source]) -> Vec<String> {
    findings(sources, LONG)
}

fn findings(sources: &[Source], long: &[(&str, &str)]) -> Vec<String> {
    let lines = |source: &Source| source.text.lines().count();
    let is_listed =
        |source: &Source| long.iter().any(|(name, reason)| *name == source.name && !reason.is_empty());
    let too_long = sources.iter().filter(|source| lines(source) > MOST && !is_listed(source));
    let mut found: Vec<String> = too_long
        .map(|source| {
            let lines = lines(source);
            format!(
                "{}: {lines} lines: split the file, or list it in file_size.rs with a reason",
                source.name
            )
        })
        .collect();
    let is_needed = |name: &str| sources.iter().any(|source| source.name == name && lines(source) > MOST);
    found.extend(
        long.iter()
            .filter(|(name, _)| !is_needed(name))
            .map(|(name, _)| format!("{name}: not longer than {MOST} lines: remove it from file_size.rs")),
    );
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn source(name: &str, lines: usize) -> Source {
        Source::new(name, &"x\n".repeat(lines))
    }

    #[test]
    fn long_files_need_a_reason() {
        let sources = [source("a.rs", 1_001), source("b.rs", 1_000), source("c.rs", 1_200)];
        let found = findings(&sources, &[("c.rs", "a table")]);
        assert_eq!(found.len(), 1);
        assert!(found[0].starts_with("a.rs: 1001 lines"));
        assert_eq!(findings(&sources, &[("a.rs", ""), ("c.rs", "a table")]).len(), 1);
    }

    #[test]
    fn entries_that_are_not_needed_are_found() {
        assert_eq!(findings(&[source("a.rs", 10)], &[("a.rs", "a table"), ("gone.rs", "a table")]).len(), 2);
    }
}
