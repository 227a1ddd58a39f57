//! Paths of one machine.

use std::env;
use std::path::Path;

/// Returns the starts of paths that are valid on one machine only: this folder and home folders.
pub(crate) fn absolute(root: &Path) -> Vec<String> {
    let mut needles = vec![concat!("/ho", "me/").to_owned(), concat!("/Us", "ers/").to_owned()];
    needles.extend(root.to_str().filter(|root| root.len() > 4).map(str::to_owned));
    needles.extend(env::var("HOME").ok().filter(|home| home.len() > 4).map(|home| format!("{home}/")));
    needles
}

/// Finds paths that are valid on one machine only.
pub(crate) fn paths(name: &str, text: &str, needles: &[String]) -> Vec<String> {
    let holds = |line: &str| needles.iter().any(|needle| line.contains(needle.as_str()));
    (1..)
        .zip(text.lines())
        .filter(|(_, line)| holds(line))
        .map(|(line, _)| format!("{name}:{line}: a path that is valid on one machine only"))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_of_a_machine_are_found() {
        let needles = vec![concat!("/ho", "me/").to_owned()];
        assert_eq!(
            paths("a", &format!("x\ncd {}me\n", concat!("/ho", "me/")), &needles),
            ["a:2: a path that is valid on one machine only"]
        );
    }
}
