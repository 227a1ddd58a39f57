use alloc::format;

use robots_groups::syntax::Key;

use crate::lint::declaration::lint;
use crate::lint::draft::{Draft, Drafts};
use crate::lint::subject::{KeyFault, KeyProblem};
use crate::lint::text::shown;

lint! {
    code: "misspelt-key",
    severity: error,
    title: "The name before the colon is misspelt",
    corrects: true,
    check: Key(check),
    /// Lenient crawlers, such as Google's, accept some misspelt names. All others ignore the line. A test with one
    /// crawler does not show that the rule works for others.
    ///
    /// Correct the spelling.
    ///
    /// A file with this finding:
    ///
    /// ```robots.txt found
    /// User-agent: *
    /// Disalow: /private
    /// ```
    ///
    /// A file without it:
    ///
    /// ```robots.txt clean
    /// User-agent: *
    /// DISALLOW: /private
    /// ```
}

fn check(problem: &KeyProblem<'_>, drafts: &mut Drafts<'_>) {
    let KeyFault::Misspelt { written, value, key, strict } = &problem.fault else { return };
    let message = format!("only lenient crawlers read `{}` as `{}`", shown(written.bytes()), key.name());
    let draft = Draft::new(problem.line, written.span(), message).readers(strict.clone());
    let line = format!("{}: {}", capital(*key), shown(value.bytes()));
    drafts.add(match problem.closes(&line) {
        Some(extent) => draft.help(extent.in_place_of_a_line(&format!("`{line}`"))),
        None => draft
            .help(format!("write `{}`; other crawlers ignore the line", capital(*key)))
            .fix(written.span(), capital(*key)),
    });
}

/// A key as it is usually written.
const fn capital(key: Key) -> &'static str {
    match key {
        Key::UserAgent => "User-agent",
        Key::Allow => "Allow",
        Key::Disallow => "Disallow",
        _ => "Sitemap",
    }
}
