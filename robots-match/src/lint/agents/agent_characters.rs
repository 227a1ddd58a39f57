use alloc::format;
use alloc::string::String;

use robots_groups::syntax::Field;
use robots_groups::{Crawler, UserAgent};

use crate::document::Document;
use crate::known_names::KNOWN_NAMES;
use crate::lint::declaration::lint;
use crate::lint::draft::{Draft, Drafts};
use crate::lint::known_names::{is_known, is_start_of_known};
use crate::lint::severity::Severity;
use crate::lint::subject::{AgentFault, GroupView, stray};
use crate::lint::text::{documents, shown};
use crate::profile::Profile;

lint! {
    code: "agent-characters",
    severity: warning,
    title: "A crawler name has characters that some parsers do not read",
    check: Group(check),
    /// RFC 9309, section 2.2.1, asks crawlers to choose a name of letters, `_` and `-`. Some crawlers have digits, dots or
    /// spaces in their names, such as `MJ12bot`. A line with such a name is right, because the crawler reads its own name.
    /// But parsers that read only letters, `_` and `-`, such as Google's, read `MJ12bot` as `MJ`, or ignore the line.
    ///
    /// Names of known crawlers are not reported.
    ///
    /// Names have no negation: `!ExampleBot` does not mean all crawlers except one. Google's parser reads `* except ExampleBot` as `*`, which
    /// is an error if the group blocks much of the site.
    ///
    /// Check the name in the documentation of the crawler. Keep the line if the name is right.
    ///
    /// A file with this finding:
    ///
    /// ```robots.txt found
    /// User-agent: Bot4all
    /// Disallow: /private
    /// ```
    ///
    /// A file without it:
    ///
    /// ```robots.txt clean
    /// User-agent: Bot-for_all
    /// Disallow: /private
    /// ```
}

/// Whether a name has a star that is meant as a wildcard. After a whole name most crawlers skip it, as in `ExampleBot*`; after a part of
/// the name of a known crawler, as in `Google*`, it is meant for all names that begin so.
fn is_wildcard(value: &[u8]) -> bool {
    let end = value.iter().rposition(|byte| *byte != b'*').map_or(0, |at| at + 1);
    let (start, stars) = value.split_at_checked(end).unwrap_or_default();
    if start.contains(&b'*') || start.is_empty() || !stars.is_empty() && matches!(start, b"." | b"/") {
        return true;
    }
    let words: [&[u8]; 6] = [b"bot", b"crawl", b"spider", b"robot", b"mozilla", b"gpt"];
    !stars.is_empty()
        && !is_known(start)
        && (words.iter().any(|word| start.eq_ignore_ascii_case(word)) || is_start_of_known(start))
}

/// Whether today's parsers do not find a crawler by a value.
fn is_lost_today(value: &[u8], name: &str) -> bool {
    Document::CURRENT.iter().any(|&document| !Profile::from(document).groups.names(value, name))
}

fn check(view: &GroupView<'_, '_>, drafts: &mut Drafts<'_>) {
    for agent in view.group.agents() {
        match AgentFault::of(agent.bytes(), &view.file.facts.profile.groups) {
            AgentFault::Byte(at) => check_name(view, agent, at, drafts),
            AgentFault::Header if agent.bytes().starts_with(b"* ") => {
                check_star(view, agent, drafts);
                check_remark(view, agent, drafts);
            }
            // As in `User-agent: /`.
            AgentFault::Header if !agent.bytes().iter().any(u8::is_ascii_alphanumeric) => {
                check_name(view, agent, 0, drafts);
            }
            _ => {}
        }
    }
}

/// The name after a word for "not", as in `!ExampleBot` and `all except ExampleBot`.
fn negated(value: &[u8]) -> Option<&[u8]> {
    let words: [&[u8]; 6] = [b"!", b"not ", b"no ", b"except ", b"all except ", b"everyone except "];
    words.iter().find_map(|word| {
        let (start, name) = value.split_at_checked(word.len())?;
        (start.eq_ignore_ascii_case(word) && is_known(name.trim_ascii())).then_some(name.trim_ascii())
    })
}

/// The name of a known crawler with signs around it, as in `@ExampleBot` and `[ExampleBot]`.
fn within_signs(value: &[u8]) -> Option<&str> {
    let is_sign = |char: char| char.is_ascii_punctuation() && char != '*';
    core::str::from_utf8(value)
        .ok()
        .map(|name| name.trim_matches(is_sign))
        .filter(|name| is_known(name.as_bytes()))
}

/// Reports a star with text after it that some parsers read as a star, if the group closes much of the site.
fn check_star(view: &GroupView<'_, '_>, agent: &Field<'_>, drafts: &mut Drafts<'_>) {
    let value = agent.bytes();
    let general = documents(|profile| value.len() > 1 && profile.groups.is_general(value));
    let Some(extent) = view.closes().filter(|_| !general.is_empty()) else { return };
    let message = format!(
        "Google's parser reads `{}` as `*`, so the group blocks all crawlers of Google from {}",
        shown(value),
        extent.name()
    );
    drafts.add(
        Draft::new(view.file.index.line_of(agent.span()), agent.span(), message)
            .severity(Severity::Error)
            .help("write one name on each user-agent line, or only `*` if all crawlers are meant; text after a star has no effect")
            .readers(general),
    );
}

/// Reports a remark after a star, as in `* (all bots)`.
fn check_remark(view: &GroupView<'_, '_>, agent: &Field<'_>, drafts: &mut Drafts<'_>) {
    let value = agent.bytes();
    let message = format!("text follows the star in `{}`, so not all crawlers read it as `*`", shown(value));
    let draft = Draft::new(view.file.index.line_of(agent.span()), agent.span(), message)
        .readers(documents(|profile| !profile.groups.is_general(value)));
    drafts.add(match view.closes() {
        Some(extent) => draft.help(extent.in_place_of_a_star()),
        None => draft.help("write only `*` if all crawlers are meant, and put other words after `#`"),
    });
}

/// Checks a name with a byte at this position that some parsers do not read.
fn check_name(view: &GroupView<'_, '_>, agent: &Field<'_>, at: usize, drafts: &mut Drafts<'_>) {
    let value = agent.bytes();
    let line = view.file.index.line_of(agent.span());
    if let Some(name) = negated(value) {
        let name = shown(name);
        let message = format!("`{}` is not a crawler name: names have no negation", shown(value));
        drafts.add(Draft::new(line, agent.span(), message).help(format!(
            "write the rules in a group for `*`, and the rules for `{name}`, such as `Disallow:`, in a group with this name"
        )));
        return;
    }
    check_star(view, agent, drafts);
    // The name is right, and the owner of the site can't change it.
    if is_known(value) {
        return;
    }
    let (start, rest) = value.split_at_checked(at).unwrap_or_default();
    let character = rest.utf8_chunks().next().map_or_else(String::new, |chunk| {
        let char = chunk.valid().chars().next();
        char.map_or_else(|| shown(chunk.invalid()), |char| char.escape_debug().collect())
    });
    let is_name = core::str::from_utf8(value).is_ok_and(|name| Crawler::new(name).is_ok());
    let message = if is_name {
        match start {
            [] => format!("parsers that read only letters, `_` and `-` ignore the name `{}`", shown(value)),
            _ => format!(
                "parsers that read only letters, `_` and `-` read `{}` as `{}`",
                shown(value),
                shown(start)
            ),
        }
    } else {
        format!("`{}` is not a crawler name: `{character}` is not allowed in names", shown(value))
    };
    let help = match start {
        _ if is_name => String::from("keep the line if the documentation of the crawler gives this name"),
        [] => String::from("write the name of the crawler; crawlers ignore this line"),
        _ => format!("write the name of the crawler; some crawlers read this as `{}`", shown(start)),
    };
    let strict = documents(|profile| stray(value, &profile.groups).is_some());
    let draft = Draft::new(line, agent.span(), &*message).help(help).readers(strict);
    // A name that its crawler looks for is right, whatever others read.
    let header = UserAgent::read(value, &KNOWN_NAMES);
    let known = header.name().filter(|_| header.known().is_some());
    drafts.add(match known.or_else(|| within_signs(value)) {
        // Most crawlers skip a star at the end; Google's documentation had `Mediapartners-Google*` once.
        Some(_) if start.eq_ignore_ascii_case(b"Mediapartners-Google") && rest == b"*" => {
            draft.severity(Severity::Note).idle()
        }
        Some(known) if is_known(start) && rest.iter().all(|&byte| byte == b'*') => draft
            .severity(Severity::Note)
            .help(format!("write `{known}`: a star is not a wildcard in a name, and some crawlers skip the line")),
        _ if is_name => draft.severity(Severity::Note).idle(),
        Some(known) => match view.closes().filter(|_| is_lost_today(value, known)) {
            Some(extent) => {
                let message = format!("{message}; the nearest name is `{known}`");
                Draft { message, ..draft }.help(extent.in_place_of_a_name())
            }
            // The group may be meant for all crawlers.
            None if value.starts_with(b"*") => draft.help(format!(
                "write only `*` if all crawlers are meant, and only `{known}` if no other crawler is"
            )),
            None => draft.help(format!("write only `{known}`")).suggest(agent.span(), known),
        },
        // A star is not a wildcard in a name, and a letter of another alphabet may be a mistake.
        None if is_wildcard(value) => draft.help(match view.closes() {
            Some(extent) => format!("a star is not a wildcard in a name: {}", extent.in_place_of_a_star()),
            None => String::from(
                "a star is not a wildcard in a name: write the whole name of each crawler, or only `*` for all crawlers",
            ),
        }),
        None if !value.is_ascii()
            || value.starts_with(b"/")
            || !value.iter().any(u8::is_ascii_alphanumeric) =>
        {
            draft
        }
        // Names of old lists.
        None => draft.severity(Severity::Note).idle(),
    });
}
