use alloc::format;

use robots_groups::syntax::Span;

use crate::lint::declaration::lint;
use crate::lint::draft::{Draft, Drafts};
use crate::lint::subject::{Pattern, is_whole};
use crate::lint::text::shown;
use crate::lint::url::is_file_end;

lint! {
    code: "dollar-inside",
    severity: warning,
    title: "A dollar sign is not at the end of its pattern",
    check: Pattern(check),
    /// `$` matches the end of the path only at the end of a pattern (RFC 9309, section 2.2.3). Anywhere else it
    /// matches a dollar sign.
    ///
    /// A sign before a letter is meant literally, as in `/page$history`, except after the name of a file.
    ///
    /// Remove what follows the sign, or the sign itself, or write `%24` for a literal dollar sign.
    ///
    /// A file with this finding:
    ///
    /// ```robots.txt found
    /// User-agent: *
    /// Disallow: /*.gif$?
    /// ```
    ///
    /// A file without it:
    ///
    /// ```robots.txt clean
    /// User-agent: *
    /// Disallow: /*.gif$
    /// ```
}

fn check(pattern: &Pattern<'_>, drafts: &mut Drafts<'_>) {
    let bytes = pattern.bytes();
    let Some(at) = memchr::memchr(b'$', bytes).filter(|at| at + 1 < bytes.len()) else { return };
    // The start of a name or a placeholder, as in `/page$history` and `${name}`, is meant literally.
    let after = bytes.get(at + 1..).unwrap_or_default();
    let is_name = after.first().is_some_and(|byte| byte.is_ascii_alphabetic() || *byte == b'{');
    // After the name of a file it is meant as its end, as in `/*.html$foo`.
    let before = bytes.get(..at).unwrap_or_default();
    let is_file =
        before.rsplit(|byte| *byte == b'.').next().is_some_and(is_file_end) && before.contains(&b'.');
    if is_name && !is_file || after.get(..3).is_some_and(|after| after.eq_ignore_ascii_case(b"%7B")) {
        return;
    }
    let place = pattern.rule.pattern.span().start() + at;
    let draft = Draft::new(
        pattern.rule.line(),
        Span::new(place, place + 1),
        "this dollar sign matches only a dollar sign",
    );
    let to_end = [before, b"$"].concat();
    let is_rooted = matches!(before.first(), Some(b'/' | b'*')) && before != b"/";
    let is_noise = after.iter().all(|byte| matches!(byte, b'/' | b'*' | b'?' | b'$' | b' ' | b'\t'));
    drafts.add(if is_rooted && is_noise && !is_whole(&to_end) {
        let help = format!("write `{}`: `$` matches the end of the path only at the end of a pattern", shown(&to_end));
        draft.help(help).suggest(pattern.rule.pattern.span(), to_end)
    } else if is_rooted && is_file {
        draft.help(format!(
            "`$` matches the end of the path only at the end of a pattern; write `{}` if the end of the path is meant, or `%24` for a dollar sign",
            shown(&to_end)
        ))
    } else {
        let without = [before, after].concat();
        let or = if is_whole(&without) { "" } else { "remove it, or " };
        let help =
            format!("`$` matches the end of the path only at the end of a pattern; {or}write `%24` for a dollar sign");
        draft.help(help)
    });
}
