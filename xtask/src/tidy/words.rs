//! Wordings that must not come back. `words.txt` lists them with better wordings.

/// Returns the wordings of `words.txt`, each with a better one.
pub(super) fn wordings() -> Vec<(&'static str, &'static str)> {
    let lines = include_str!("words.txt").lines().filter(|line| !line.starts_with('#'));
    lines.filter_map(|line| line.split_once(" => ")).collect()
}

/// Finds wordings that are to be replaced. Quotations (`> ` at the start of a line) and inline code are left out.
pub(super) fn words(name: &str, text: &str, wordings: &[(&str, &str)]) -> Vec<String> {
    let lines = (1..).zip(text.lines()).filter(|(_, line)| !line.trim_start().starts_with("> "));
    lines
        .flat_map(|(number, line)| {
            let prose: String = line.split('`').step_by(2).collect::<Vec<_>>().join("`").to_ascii_lowercase();
            let found = wordings.iter().filter(move |(wording, _)| contains(&prose, wording));
            found.map(move |(wording, better)| format!("{name}:{number}: {wording}: better: {better}"))
        })
        .collect()
}

fn contains(text: &str, wording: &str) -> bool {
    let is_word = |char: char| char.is_alphanumeric() || char == '_' || char == '-';
    text.match_indices(wording).any(|(at, _)| {
        let (before, after) =
            (text.get(..at).unwrap_or_default(), text.get(at + wording.len()..).unwrap_or_default());
        // A word between quotation marks is data.
        let is_data = before.ends_with('"') && after.starts_with('"');
        let goes_on = before.ends_with(is_word) && wording.starts_with(is_word) || after.starts_with(is_word);
        !is_data && !goes_on
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wordings_are_found_as_words() {
        let found = |text: &str| words("a.md", text, &wordings()).len();
        assert_eq!(found("x\nIt is Told, and nobody\n"), 2);
        assert_eq!(found("It waits, for it has time."), 1);
        assert_eq!(found("> It is told.\nThe key `told`, and tolerated, told_by, un-told, \"told\".\n"), 0);
    }
}
