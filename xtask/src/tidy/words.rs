//! Wordings that must not come back. `words.txt` lists them with better wordings.

use super::prose::prose;

/// A wording to replace.
#[derive(Debug)]
pub(crate) struct Wording {
    text: String,
    /// Only at the start of a sentence that is not a question.
    is_at_start: bool,
    better: String,
    /// Longer wordings that contain this one and are plain English.
    exceptions: Vec<String>,
}

/// Returns the wordings of `words.txt`.
///
/// # Errors
///
/// If a line is neither an entry nor an exception with a reason.
pub(crate) fn wordings() -> Result<Vec<Wording>, String> {
    parse(include_str!("words.txt"))
}

fn parse(list: &str) -> Result<Vec<Wording>, String> {
    let mut wordings: Vec<Wording> = Vec::new();
    // One entry may give several wordings; its exceptions count for all of them.
    let mut of_entry = 0;
    for (number, line) in (1..).zip(list.lines()) {
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        if let Some(exception) = line.strip_prefix("  ") {
            let (exception, _reason) = exception
                .split_once(" # ")
                .ok_or_else(|| format!("words.txt:{number}: an exception needs a reason after ` # `"))?;
            for wording in wordings.iter_mut().skip(of_entry) {
                wording.exceptions.extend(alternatives(exception));
            }
        } else {
            let (text, better) = line
                .split_once(" => ")
                .ok_or_else(|| format!("words.txt:{number}: an entry needs a better wording after ` => `"))?;
            of_entry = wordings.len();
            let (is_at_start, text) = text.strip_prefix("^ ").map_or((false, text), |text| (true, text));
            wordings.extend(alternatives(text).into_iter().map(|text| Wording {
                text,
                is_at_start,
                better: better.to_owned(),
                exceptions: Vec::new(),
            }));
        }
    }
    Ok(wordings)
}

/// Returns the texts that `a|b c` stands for: `a c` and `b c`.
fn alternatives(pattern: &str) -> Vec<String> {
    let mut texts = vec![String::new()];
    for word in pattern.split(' ') {
        texts = texts
            .iter()
            .flat_map(|text| {
                word.split('|')
                    .map(move |word| if text.is_empty() { word.to_owned() } else { format!("{text} {word}") })
            })
            .collect();
    }
    texts
}

/// Returns a finding for each wording of a file that is to be replaced.
pub(crate) fn words(name: &str, text: &str, wordings: &[Wording]) -> Vec<String> {
    let mut found = Vec::new();
    for prose in prose(name, text).unwrap_or_default() {
        let lower = prose.text.to_ascii_lowercase();
        for wording in wordings.iter().filter(|wording| prose.has_sentences || !wording.is_at_start) {
            found.extend(places(&lower, wording).map(|at| (prose.line(at), wording)));
        }
    }
    found.sort_by_key(|(line, _)| *line);
    let message = |(line, wording): (usize, &Wording)| {
        format!("{name}:{line}: {}: better: {}", wording.text, wording.better)
    };
    found.into_iter().map(message).collect()
}

/// Returns the offsets of a wording as whole words, without exceptions.
fn places<'a>(text: &'a str, wording: &'a Wording) -> impl Iterator<Item = usize> + 'a {
    text.match_indices(&wording.text).map(|(at, _)| at).filter(|&at| {
        let (before, after) = text.split_at(at);
        let after = after.get(wording.text.len()..).unwrap_or_default();
        let is_whole = !wording.text.starts_with(char::is_alphanumeric) || !before.ends_with(is_of_word);
        let is_excused =
            || wording.exceptions.iter().any(|exception| is_within(text, at, &wording.text, exception));
        let starts = before.is_empty() || before.ends_with('\n') || before.ends_with(". ");
        let is_question = || after.split_inclusive(['.', '?']).next().is_some_and(|end| end.ends_with('?'));
        is_whole
            && !after.starts_with(|c| is_of_word(c) || c == '(')
            && (!wording.is_at_start || starts && !is_question())
            && !is_excused()
    })
}

fn is_of_word(char: char) -> bool {
    char.is_alphanumeric() || char == '_' || char == '-'
}

/// Whether the words at `at` are part of an exception.
fn is_within(text: &str, at: usize, words: &str, exception: &str) -> bool {
    exception.match_indices(words).any(|(offset, _)| {
        at.checked_sub(offset)
            .and_then(|start| text.get(start..))
            .is_some_and(|text| text.starts_with(exception))
    })
}

/// Whether a person reads the file, and the project wrote it. Recorded files keep their words, and snapshots have those of
/// the rows and the code.
pub(crate) fn is_checked(name: &str) -> bool {
    !["corpus/", "snapshots/", "seeds/"].iter().any(|folder| name.contains(folder))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(name: &str, text: &str) -> Vec<String> {
        words(name, text, &wordings().unwrap())
    }

    #[test]
    fn wordings_are_found_where_a_person_reads_them() {
        let comment = found("a.rs", "// This is\n// no rule.\nfn tolerated() {}\n");
        assert_eq!(comment, ["a.rs:1: is no: better: not a; or `has no`"]);
        assert_eq!(found("a.rs", "fn a() { say(\"nobody knows\"); }").len(), 1);
        assert_eq!(found("a.md", "It waits, for it has time.\n").len(), 1);
        assert_eq!(found("Cargo.toml", "# Stands in the file.\n").len(), 1);
        assert_eq!(found("a.rs", "fn told() {}\n").len(), 1);
        assert_eq!(found("a.rs", "#[test]\nfn a_star_is_no_name() {}\n").len(), 1);
        assert_eq!(found("tables/a.toml", "name = \"star-names-nobody\"\n").len(), 1);
        assert_eq!(found("statements/a.toml", "says = \"there is no rule\"\n").len(), 1);
    }

    #[test]
    fn plain_english_code_and_quotations_are_not_found() {
        let plain = "No rule matches. It is no longer there, and is no more than 3 of them. A site behind a proxy.\n\
                     The key `told` and \"an octet\".\n\n> Any octet is no rule.\n";
        assert_eq!(found("a.md", plain), [""; 0]);
        assert_eq!(found("a.rs", "let address = octets(is_no);\nlet key = \"octet\";\n"), [""; 0]);
        assert_eq!(found("a.md", "The `control-octet` lint is no-store and control-octet.\n"), [""; 0]);
    }

    #[test]
    fn the_start_of_sentences_is_checked() {
        assert_eq!(found("a.rs", "/// What a rule says.\nstruct A;\n").len(), 1);
        assert_eq!(found("a.rs", "//! What does a line say?\n"), [""; 0]);
        assert_eq!(found("a.rs", "// Why. What a rule says.\nlet a = \"What a rule says\";\n").len(), 1);
        assert_eq!(found("a.rs", "#[test]\nfn what_a_rule_says() {}\nfn what_it_is() {}\n").len(), 1);
    }

    #[test]
    fn each_entry_needs_a_better_wording_and_each_exception_a_reason() {
        assert!(parse("is no\n").is_err());
        assert!(parse("is no => not a\n  is no more\n").is_err());
        assert_eq!(parse("is|are no => not a\n  is no more # plain\n").unwrap().len(), 2);
    }

    #[test]
    fn recorded_files_keep_their_words() {
        assert!(!is_checked("robots-conformance/corpus/exchanges.toml"));
        assert!(is_checked("robots-conformance/statements/rfc9309.toml"));
        assert!(is_checked("PEERS.md"));
        assert!(is_checked("robots-match/src/lib.rs"));
    }
}
