use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use robots_groups::syntax::Span;

use crate::lint::declaration::lint;
use crate::lint::draft::{Draft, Drafts};
use crate::lint::subject::{Damage, Damaged, Separator};
use crate::lint::text::shown;

lint! {
    code: "joined-records",
    severity: error,
    title: "Line breaks are missing between records",
    check: Damaged(check),
    /// A record ends where its line ends. If a line break is missing, the next records become a part of the value: a rule is
    /// lost, a name becomes one that no crawler has, and a pattern matches nothing. It happens when an editor, a form or a
    /// program removes line breaks, writes `\n` or `<br>` for them, or puts two files together.
    ///
    /// This concerns all crawlers. The message names the records that are lost.
    ///
    /// Put each record on a line of its own. The suggestion shows the lines as they were most likely meant.
    ///
    /// A comment ends where its line ends, too. Records in a comment are reported only if the file is without rules or without
    /// user-agent lines otherwise, or if the comment has rules, and belongs to a user-agent line above another one, or
    /// to one without rules below it.
    ///
    /// A file with this finding:
    ///
    /// ```robots.txt found
    /// User-agent: ExampleBot Disallow: /
    /// ```
    ///
    /// A file without it:
    ///
    /// ```robots.txt clean
    /// User-agent: ExampleBot
    /// Disallow: /
    /// ```
}

/// The most records that a message lists.
const MOST: usize = 4;

fn check(damaged: &Damaged<'_>, drafts: &mut Drafts<'_>) {
    let Damage::Joined(joined) = &damaged.damage else { return };
    let lost = if joined.is_comment { &*joined.records } else { joined.records.get(1..).unwrap_or_default() };
    let lost = if lost.is_empty() { &*joined.records } else { lost };
    let names: Vec<String> = lost.iter().take(MOST).map(|record| format!("`{}`", shown(record))).collect();
    let more = if lost.len() > MOST { format!(" and {} more", lost.len() - MOST) } else { String::new() };
    let sign = match joined.separator {
        Separator::None => "",
        Separator::Escape => " (a code such as `\\n` is not one)",
        Separator::Element => " (an HTML tag is not one)",
        Separator::Character => " (U+2028, U+2029 and U+0085 are not one)",
    };
    let lost = names.join(", ");
    let is_repeated = joined.records.len() == 1 && !joined.is_comment && joined.separator == Separator::None;
    let message = match joined.is_comment {
        _ if is_repeated => {
            format!("the name of the line is there twice, so crawlers take {lost} for the value")
        }
        true => format!(
            "line breaks are missing{sign}: {lost}{more} are part of a comment, so crawlers read none of these records"
        ),
        false => format!(
            "a line break is missing{sign}: {lost}{more} ran together with the record before and is lost"
        ),
    };
    let start = damaged.content.start();
    let place = Span::new(start + joined.place.start(), start + joined.place.end());
    let draft = Draft::new(damaged.line, place, message);
    let draft = match is_repeated {
        true => draft.help(format!("write {lost}")),
        false => draft.help("put each record on a line of its own"),
    };
    drafts.add(match damaged.closes {
        Some(extent) => {
            let line = if is_repeated { lost.as_str() } else { "each record on a line of its own" };
            let caution = extent.in_place_of_a_line(line);
            draft.help(caution)
        }
        None if joined.is_clear => {
            draft.suggest(damaged.content, lines(damaged, &joined.before, &joined.records))
        }
        None => draft,
    });
}

/// The lines as they were meant.
fn lines(damaged: &Damaged<'_>, before: &[u8], records: &[Vec<u8>]) -> Vec<u8> {
    let mut lines: Vec<Vec<u8>> = Vec::new();
    let is_text = before.iter().any(u8::is_ascii_alphanumeric);
    if is_text {
        let sign: &[u8] = if before.starts_with(b"#") { b"" } else { b"# " };
        lines.push([sign, before].concat());
    }
    lines.extend(records.iter().cloned());
    lines.join(damaged.line_end)
}
