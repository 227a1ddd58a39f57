use alloc::format;

use robots_groups::syntax::Span;

use crate::lint::declaration::lint;
use crate::lint::draft::{Draft, Drafts};
use crate::lint::severity::Severity;
use crate::lint::subject::{Damage, Damaged, Problem};
use crate::lint::text::shown;

lint! {
    code: "foreign-character",
    severity: error,
    title: "A character can't be seen, or is not the one it looks like",
    check: Damaged(check),
    /// Text that is copied from a web page, a chat or a word processor often has characters that crawlers read literally:
    /// spaces and signs that can't be seen, typographic quotation marks, full-width signs, letters of another alphabet, HTML
    /// such as `&amp;` and `<br>`, and Markdown such as `\_`. Then a key is not known, or a pattern or name matches nothing.
    ///
    /// Paths with backslashes, a second colon, `=` in place of the colon and comments that begin with `//` are reported, too.
    ///
    /// This concerns all crawlers. Write the line as the suggestion shows it. Where a path really has such a character, write
    /// its percent-encoding, such as `%C2%A0` for a no-break space.
    ///
    /// A file with this finding:
    ///
    /// ```robots.txt found
    /// User-agent: *
    /// Disallow: “/private/”
    /// ```
    ///
    /// A file without it:
    ///
    /// ```robots.txt clean
    /// User-agent: *
    /// Disallow: /private/
    /// ```
}

fn check(damaged: &Damaged<'_>, drafts: &mut Drafts<'_>) {
    let Damage::Repair(repair) = &damaged.damage else { return };
    let start = damaged.content.start();
    let place = Span::new(start + repair.place.start(), start + repair.place.end());
    let draft = Draft::new(damaged.line, place, repair.problem.says());
    let draft = match repair.problem {
        Problem::Entity | Problem::Backslash | Problem::Escape | Problem::Comment => {
            draft.severity(Severity::Warning)
        }
        _ => draft,
    };
    if repair.problem == Problem::Removed {
        drafts.add(draft.help("remove the line: the file after the change does not have it"));
        return;
    }
    let Some(meant) = &repair.meant else {
        drafts.add(draft.help("remove it; if a path of the site has it, write its percent-encoding"));
        return;
    };
    // What follows, such as a comment, stays.
    let content = damaged.content.of(damaged.body);
    let code = content.split(|&byte| byte == b'#').next().unwrap_or_default();
    let is_reference = content.get(..code.len() + 1).is_some_and(|code| code.ends_with(b"&#"));
    let code = if is_reference || repair.problem == Problem::Comment { content } else { code };
    let rest_starts = code.trim_ascii_end().len();
    let span = Span::new(start, start + rest_starts);
    drafts.add(draft.help(format!("write `{}`", shown(meant.as_bytes()))).suggest(span, meant.as_bytes()));
}
