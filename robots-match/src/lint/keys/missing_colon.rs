use alloc::format;

use crate::lint::declaration::lint;
use crate::lint::draft::{Draft, Drafts};
use crate::lint::subject::{KeyFault, KeyProblem};
use crate::lint::text::shown;

lint! {
    code: "missing-colon",
    severity: error,
    title: "A colon is missing",
    corrects: true,
    check: Key(check),
    /// A line without a colon is not valid. Lenient crawlers, such as Google's, still read it as a rule if it
    /// consists of two words. All others ignore it and fetch the paths that it should disallow.
    ///
    /// Add a colon after the first word.
    ///
    /// A file with this finding:
    ///
    /// ```robots.txt found
    /// User-agent: *
    /// Disallow /private
    /// ```
    ///
    /// A file without it:
    ///
    /// ```robots.txt clean
    /// User-agent: *
    /// Disallow: /private
    /// ```
}

fn check(problem: &KeyProblem<'_>, drafts: &mut Drafts<'_>) {
    match &problem.fault {
        KeyFault::ColonOfUrl { key, at } => {
            let name = key.name();
            let message = format!(
                "missing colon after `{name}`, so the colon of the URL is taken for it and no crawler finds the URL"
            );
            drafts.add(
                Draft::new(problem.line, *at, message)
                    .help(format!("add a colon after `{name}`"))
                    .fix(*at, ": "),
            );
        }
        KeyFault::NoColon { key, value, at, strict } => {
            let message = format!("only lenient crawlers read this line as `{}`", key.name());
            let draft = Draft::new(problem.line, *at, message).readers(strict.clone());
            let line = format!("{}: {}", key.name(), shown(value.bytes()));
            drafts.add(match problem.closes(&line) {
                Some(extent) => draft.help(extent.in_place_of_a_line(&format!("`{line}`"))),
                None => draft
                    .help(format!("add a colon after `{}`; other crawlers ignore the line", key.name()))
                    .fix(*at, ": "),
            });
        }
        _ => {}
    }
}
