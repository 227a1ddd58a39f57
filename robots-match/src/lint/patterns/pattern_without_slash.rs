use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use robots_groups::syntax::Rule;

use crate::lint::declaration::lint;
use crate::lint::draft::{Draft, Drafts};
use crate::lint::subject::{File, Hosted, are_paths, expression, is_whole, key_in};
use crate::lint::text::shown;

lint! {
    code: "pattern-without-slash",
    severity: error,
    title: "A pattern does not begin with a slash",
    check: File(check),
    /// Crawlers compare a pattern with the start of the path, and a path begins with a slash. `private` matches
    /// nothing, `/private` matches paths that begin with it, and `/*private` matches paths that contain it.
    ///
    /// Put a slash before the pattern, or `/*` if it may be anywhere in the path, as in `/*.css` and `/*?sort=`. Write one path per
    /// line. Put a `Sitemap` line that was written into a rule on a line of its own.
    ///
    /// A robots.txt file applies only to its own host (RFC 9309, section 2.3). If the pattern begins with the name of this site, write
    /// only the path. Otherwise, or if there is nothing after the name, remove the line.
    ///
    /// A regular expression has the finding `regular-expression` instead.
    ///
    /// A file with this finding:
    ///
    /// ```robots.txt found
    /// User-agent: *
    /// Disallow: private
    /// ```
    ///
    /// A file without it:
    ///
    /// ```robots.txt clean
    /// User-agent: *
    /// Disallow: /*private
    /// ```
}

fn check(file: &File<'_>, drafts: &mut Drafts<'_>) {
    for rule in file.rules() {
        if let Some(draft) = draft(file, &rule) {
            drafts.add(draft);
        }
    }
}

fn draft(file: &File<'_>, rule: &Rule<'_>) -> Option<Draft> {
    let (bytes, span) = (rule.pattern.bytes(), rule.pattern.span());
    // Regular expressions have a lint of their own.
    if matches!(bytes.first(), None | Some(b'/' | b'*' | b'$')) || expression(bytes).is_some() {
        return None;
    }
    let draft = |message| Draft::new(rule.line(), span, message);
    let hosted = Hosted::find(bytes, &file.facts.profile.matching);
    if hosted.as_ref().is_some_and(|hosted| hosted.has_scheme) {
        // URLs have a lint of their own.
        return None;
    }
    if let Some(key) = key_in(bytes, &file.facts.profile.syntax) {
        let message = format!("this rule contains a `{}` line, so it matches nothing", key.name());
        return Some(draft(message).help(format!("put `{}` on a line of its own", shown(bytes))));
    }
    if let Some(hosted) = hosted {
        let message = format!("no path begins with `{}`, which is the name of a host", shown(hosted.host));
        return Some(hosted.advise(draft(message), span, file.facts, file.is_needed(rule.line())));
    }
    let draft = draft(format!("no path begins with `{}`", shown(bytes)));
    if are_paths(bytes) {
        return Some(draft.help("write one path per line, each with a slash at its start"));
    }
    let (meant, help) = meant(bytes);
    Some(match is_whole(&meant) {
        true => draft.help(format!(
            "write a path that begins with a slash; `{}` would be the whole site",
            shown(&meant)
        )),
        false => draft.help(help).suggest(span, meant),
    })
}

/// The pattern that was most likely meant, and the advice to write it.
fn meant(bytes: &[u8]) -> (Vec<u8>, String) {
    let anywhere = |rest: &[u8]| {
        let meant = [b"/*", rest].concat();
        let help = format!("write `{}`, which matches `{}` anywhere in the path", shown(&meant), shown(rest));
        (meant, help)
    };
    if let Some(rest) = bytes.strip_prefix(b".*") {
        return anywhere(rest);
    }
    let dots = bytes.iter().take_while(|byte| matches!(byte, b'.' | b'/')).count();
    let (dots, rest) = bytes.split_at_checked(dots).unwrap_or_default();
    if dots.contains(&b'/') {
        // A path from the folder of the file, such as `./private`.
        let meant = [b"/", rest].concat();
        let help = format!("write `{}`", shown(&meant));
        return (meant, help);
    }
    if matches!(bytes.first(), Some(b'.' | b'?' | b'&' | b';' | b'=')) {
        return anywhere(bytes);
    }
    let help = "put a slash before it, or `*` if it may be anywhere in the path";
    ([b"/", bytes].concat(), String::from(help))
}
