use alloc::format;

use robots_groups::syntax::Span;

use crate::lint::declaration::lint;
use crate::lint::draft::{Draft, Drafts};
use crate::lint::severity::Severity;
use crate::lint::subject::{KeyFault, KeyProblem, MARK, Residue, of_joined_files};
use crate::lint::text::shown;
use crate::lint::vocabulary::{meant, translated};
use crate::misspelt::is_one_mistake;

lint! {
    code: "unknown-key",
    severity: warning,
    title: "The name before the colon is unknown",
    corrects: true,
    check: Key(check),
    /// Crawlers ignore a line whose name they do not know, so the line has no effect. It may be a spelling mistake,
    /// or a name that only one crawler knows.
    ///
    /// A misspelt `User-agent`, `Allow`, `Disallow` or `Sitemap` is an error. A rule with a letter or word before it, such as `xDisallow`, was
    /// most likely switched off: begin such a line with `#`.
    ///
    /// Names of lines are English in every country: a program or person that translates a robots.txt file must not translate them.
    ///
    /// Correct the spelling, or remove the line. A correction that would keep crawlers from the site is not suggested. If the line is only
    /// the URL of a sitemap, write `Sitemap:` before it. If the line begins with a byte order mark (the bytes EF BB BF), remove the mark:
    /// editors write it at the start of a file, and it is within a file if files were joined.
    ///
    /// A file with this finding:
    ///
    /// ```robots.txt found
    /// User-agent: *
    /// Dissalllow: /private
    /// ```
    ///
    /// A file without it:
    ///
    /// ```robots.txt clean
    /// User-agent: *
    /// Disallow: /private
    /// Sitemap: https://example.com/sitemap.xml
    /// ```
}

fn check(problem: &KeyProblem<'_>, drafts: &mut Drafts<'_>) {
    let KeyFault::Unknown { key, value, readers, is_for_all } = &problem.fault else { return };
    if let Some(name) = key.bytes().strip_prefix(MARK) {
        let without_mark = [name, b": ", value.bytes()].concat();
        drafts.add(of_joined_files(problem, key.span(), &without_mark).readers(readers.clone()));
        return;
    }
    if let Some(residue) = Residue::of(&[key.bytes(), b":"].concat()) {
        let draft = Draft::new(problem.line, key.span(), residue.says()).readers(readers.clone());
        drafts.add(draft.help(residue.advice));
        return;
    }
    if let Some(name) = translated(key.bytes()) {
        let mut message =
            format!("`{}` means `{name}`, but crawlers know only the English names", shown(key.bytes()));
        if name == "User-agent" {
            message.push_str(", so the rules below are not for the crawler that it names");
        }
        let draft = Draft::new(problem.line, key.span(), message).readers(readers.clone());
        let draft = draft.severity(Severity::Error);
        let line = format!("{name}: {}", shown(value.bytes()));
        drafts.add(match problem.closes(&line) {
            Some(extent) => draft.help(extent.in_place_of_a_line(&format!("`{line}`"))),
            None => draft.help(format!("write `{name}`")).suggest(key.span(), name),
        });
        return;
    }
    let message = if *is_for_all {
        format!("crawlers do not know `{}` and ignore the line", shown(key.bytes()))
    } else {
        format!("some crawlers read `{}`, which they do not know, and ignore the line", shown(key.bytes()))
    };
    let mut draft = Draft::new(problem.line, key.span(), message).readers(readers.clone());
    if let Some(record) = switched_off(key.bytes()) {
        let line = format!("{}: {}", shown(record), shown(value.bytes()));
        let caution = problem.closes(&line).map(|extent| extent.in_place_of_a_line(&format!("`{line}`")));
        let or = caution.unwrap_or_else(|| format!("write `{line}` if crawlers should obey it"));
        let start = key.span().start();
        draft = draft
            .help(format!("begin the line with `#` if it is switched off; {or}"))
            .suggest(Span::new(start, start), "# ");
    } else if let Some((meant, is_misspelt)) = meant(key.bytes()) {
        if meant == "user-agent" {
            draft.message.push_str(", so the rules below are not for the crawler that it names");
        }
        // Google's parser reads some misspelt keys, for which there is an error as well.
        if is_misspelt && !matches!(meant, "crawl-delay" | "content-signal") {
            draft = draft.severity(Severity::Error);
        }
        let line = format!("{meant}: {}", shown(value.bytes()));
        draft = match problem.closes(&line) {
            Some(extent) => draft.help(extent.in_place_of_a_line(&format!("`{line}`"))),
            None => draft.help(format!("did you mean `{meant}`?")).suggest(key.span(), meant),
        };
    } else if value.bytes().starts_with(b"/") && !is_http(key.bytes()) {
        // As in `Block: /a`. Which of the two is meant, only the owner knows.
        let line = format!("Disallow: {}", shown(value.bytes()));
        draft = match problem.closes(&line) {
            Some(extent) => draft.help(format!(
                "remove the line if it is not a rule; {}",
                extent.in_place_of_a_line(&format!("`{line}`"))
            )),
            None => draft
                .help("if it is a rule, begin it with `Disallow:` or `Allow:`; otherwise remove the line"),
        };
    }
    // As in `Map: https://example.com/sitemap.xml`.
    let has_url = value.bytes().get(..4).is_some_and(|start| start.eq_ignore_ascii_case(b"http"));
    let names_sitemap = || memchr::memmem::find(&value.bytes().to_ascii_lowercase(), b"sitemap").is_some();
    if draft.help.is_none() && has_url && names_sitemap() {
        draft = draft.help("write `Sitemap`").suggest(key.span(), "Sitemap");
    }
    // As in `Here is the file: ...`.
    if draft.help.is_none() && key.bytes().iter().filter(|byte| **byte == b' ').count() > 1 {
        draft = draft.help("write `#` before the line if it is a comment; otherwise remove it");
    }
    if key.bytes().starts_with(b"<") {
        draft = draft.help("remove the line: the file is plain text, without marks of HTML");
    }
    // As in `Video Sitemap`.
    if key.bytes().len() > 8 && key.bytes().to_ascii_lowercase().ends_with(b" sitemap") {
        draft = draft.help("write `Sitemap`").suggest(key.span(), "Sitemap");
    }
    let start = key.span().start();
    let is_url = is_http(key.bytes()) && value.bytes().starts_with(b"//");
    if is_url && value.span().start() == key.span().end() + 1 {
        draft = match memchr::memmem::find(&value.bytes().to_ascii_lowercase(), b"sitemap") {
            Some(_) => draft.help("write `Sitemap:` before it").suggest(Span::new(start, start), "Sitemap: "),
            None => draft
                .help("write `Sitemap:` before it if it is the URL of a sitemap; otherwise remove the line"),
        };
    }
    drafts.add(draft);
}

/// The name of a rule after a letter or word with which people switch a rule off, as in `xDisallow` and `old-Disallow`.
fn switched_off(key: &[u8]) -> Option<&[u8]> {
    const LONGEST: usize = 5;
    let ends = |name: &[u8]| {
        let (before, end) = key.split_at_checked(key.len().checked_sub(name.len())?)?;
        (end.eq_ignore_ascii_case(name) && (1..=LONGEST).contains(&before.len())).then_some((before, end))
    };
    let of_disallow = ends(b"disallow");
    // With more letters, the other rule may be meant, as in `Dsallow`.
    let is_letter = |before: &[u8]| matches!(before, [b'x' | b'X' | b'_'] | [.., b'-' | b'_' | b'.']);
    let of_allow =
        || ends(b"allow").filter(|(before, _)| is_letter(before) && !is_one_mistake(key, b"disallow"));
    of_disallow.or_else(of_allow).map(|(_, name)| name)
}

fn is_http(key: &[u8]) -> bool {
    key.eq_ignore_ascii_case(b"http") || key.eq_ignore_ascii_case(b"https")
}
