use alloc::format;
use alloc::string::String;

use robots_groups::syntax::Span;

use crate::lint::declaration::lint;
use crate::lint::draft::{Draft, Drafts};
use crate::lint::severity::Severity;
use crate::lint::subject::{Damage, Damaged, Meant, Problem};
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
    /// A record after signs such as `--`, `!` and `'` was most likely switched off, so the suggestion is a comment. A pattern such as `/*&nbsp;`
    /// may be there to block broken URLs; without the characters, the rule would be about the whole site.
    ///
    /// Letters such as `Ã©` for `é` show that text in UTF-8 was read in another encoding, and written again.
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
        Problem::Lost
        | Problem::Mojibake
        | Problem::Entity
        | Problem::Backslash
        | Problem::Escape
        | Problem::Comment => draft.severity(Severity::Warning),
        _ => draft,
    };
    // A name with a space is read only to the space, with a backslash before it or without one.
    let is_name = |line: &str| line.starts_with("User-agent:");
    let draft = match &repair.meant {
        Meant::Line(line) if repair.problem == Problem::Escape && is_name(line) => {
            draft.severity(Severity::Note).idle()
        }
        _ => draft,
    };
    if repair.problem == Problem::Removed {
        drafts.add(draft.help("remove the line: the file after the change does not have it"));
        return;
    }
    let line = match &repair.meant {
        Meant::Unclear if repair.problem == Problem::Lost => {
            drafts.add(draft.help("write the letter that was there before"));
            return;
        }
        Meant::Unclear => {
            drafts.add(draft.help("remove it; if a path of the site has it, write its percent-encoding"));
            return;
        }
        Meant::Kept(pattern) => {
            let signs = pattern.trim_matches(['/', '*', '$']);
            let about =
                if signs.is_empty() { "the whole site" } else { &format!("every URL with `{signs}`") };
            drafts.add(draft.severity(Severity::Warning).help(format!(
                "without it, the rule would be about {about}: keep the line if the site gets such broken URLs, and remove the line if not"
            )));
            return;
        }
        Meant::Line(line) | Meant::Off(line) => line.clone(),
        Meant::Comment(text) if text.is_empty() => String::from("#"),
        Meant::Comment(text) => format!("# {text}"),
    };
    // What follows, such as a comment, stays.
    let content = damaged.content.of(damaged.body);
    let code = content.split(|&byte| byte == b'#').next().unwrap_or_default();
    let is_reference = content.get(..code.len() + 1).is_some_and(|code| code.ends_with(b"&#"));
    let is_comment = matches!(repair.meant, Meant::Comment(_));
    let code = if is_reference || is_comment { content } else { code };
    let span = Span::new(start, start + code.trim_ascii_end().len());
    let quoted = format!("`{}`", shown(line.as_bytes()));
    let caution = damaged.closes.map(|extent| extent.in_place_of_a_line(&quoted));
    drafts.add(match (&repair.meant, caution) {
        (Meant::Off(_), caution) => {
            let or = caution.unwrap_or_else(|| format!("write {quoted} if crawlers should obey it"));
            let comment = format!("# {line}");
            draft
                .help(format!("write `{}` if the line is switched off; {or}", shown(comment.as_bytes())))
                .suggest(span, comment)
        }
        (_, Some(caution)) => draft.help(caution),
        (_, None) => draft.help(format!("write {quoted}")).suggest(span, line),
    });
}
