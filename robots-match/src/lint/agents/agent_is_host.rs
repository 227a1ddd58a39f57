use alloc::format;

use crate::catalogue::{KnownCrawler, product};
use crate::lint::declaration::lint;
use crate::lint::draft::{Draft, Drafts};
use crate::lint::known_names::is_known;
use crate::lint::severity::Severity;
use crate::lint::subject::{AgentFault, GroupView};
use crate::lint::text::shown;
use crate::lint::url::{host, scheme};

lint! {
    code: "agent-is-host",
    severity: error,
    title: "A user-agent line has a host or a URL",
    check: Group(check),
    /// A user-agent line has the name of a crawler. A host or URL is not one, so no crawler obeys the group. Often the host of the site itself
    /// is written, as if the group were about the site, or the page of a crawler that its `User-Agent` header has.
    ///
    /// Crawlers of old lists have hosts as their names, such as `sitecheck.internetseer.com`. So a host without `www.` is a warning, and only in
    /// a file of one group.
    ///
    /// Some old crawlers sent only a URL as their `User-Agent` header. So a URL with a path, or with `bot` or `crawler` in it, is a note if it
    /// has no name of a known crawler or operator.
    ///
    /// This concerns all crawlers. Write the name of a crawler, or `*` for all crawlers. `*` is not advised for a group that blocks much
    /// of the site.
    ///
    /// A file with this finding:
    ///
    /// ```robots.txt found
    /// User-agent: www.example.com
    /// Disallow: /private
    /// ```
    ///
    /// A file without it:
    ///
    /// ```robots.txt clean
    /// User-agent: archive.org_bot
    /// Disallow: /private
    /// ```
}

/// The most groups of a file in which a host without `www.` is reported: long lists name programs that have a host as their name.
const MOST_GROUPS: usize = 1;

/// The most groups of a file in which an address is reported: longer lists are copied as a whole from other sites.
const LONG_LIST: usize = 100;

fn check(view: &GroupView<'_, '_>, drafts: &mut Drafts<'_>) {
    let file = view.file;
    for agent in view.group.agents() {
        let value = agent.bytes();
        let is_short = file.groups.len() <= MOST_GROUPS;
        let is_domain = || {
            // Hosts are written in lower case, and names of crawlers such as `ExampleBot.com` often not.
            if value.iter().any(u8::is_ascii_uppercase) {
                return false;
            }
            let is_all = host(value).is_some_and(|host| host.len() == value.len());
            let is_mail = value.split(|&byte| byte == b'@').nth(1).is_some_and(|after| host(after).is_some());
            (is_all || is_mail)
                && is_short
                && view.group.agents().len() == 1
                && !is_known(value)
                && product(value).is_none()
        };
        let is_certain = matches!(AgentFault::of(value, &file.facts.profile.groups), AgentFault::Host);
        let is_host = match AgentFault::of(value, &file.facts.profile.groups) {
            AgentFault::Host => true,
            AgentFault::None | AgentFault::Byte(_) => is_domain(),
            _ => false,
        };
        if is_certain && is_sent(value) {
            let message = format!(
                "`{}` is a URL, and the standard compares only names of letters, `-` and `_`, so the group has no effect",
                shown(value)
            );
            let draft = Draft::new(file.index.line_of(agent.span()), agent.span(), message)
                .help("remove the line, or write the name of the crawler if it has one; some old crawlers sent only such a text")
                .severity(Severity::Note);
            drafts.add(if file.groups.len() > LONG_LIST { draft.idle() } else { draft });
        } else if is_host {
            let message =
                format!("`{}` is a host, URL or address, and no crawler has it as its name", shown(value));
            let draft = Draft::new(file.index.line_of(agent.span()), agent.span(), message);
            let draft = match view.closes() {
                Some(extent) => draft.help(extent.in_place_of_a_star()),
                None => draft.help("write the name of a crawler, or `*` for all crawlers"),
            };
            drafts.add(match is_certain {
                _ if file.groups.len() > LONG_LIST => draft.severity(Severity::Note).idle(),
                true => draft,
                false => draft.severity(Severity::Warning),
            });
        }
    }
}

/// Whether a URL is most likely all that a crawler sends: it has a path or a word for crawlers, and no name that is known.
fn is_sent(value: &[u8]) -> bool {
    let rest = scheme(value).and_then(|scheme| value.get(scheme.len() + 3..)).unwrap_or(value);
    let lower = rest.to_ascii_lowercase();
    let has = |word: &[u8]| memchr::memmem::find(&lower, word).is_some();
    let has_path = memchr::memchr(b'/', rest).is_some_and(|at| at + 1 < rest.len());
    let is_name = |part: &[u8]| {
        is_known(part)
            || product(part).is_some()
            || KnownCrawler::ALL
                .iter()
                .filter_map(|known| known.operator)
                .any(|operator| operator.as_bytes().eq_ignore_ascii_case(part))
    };
    let mut parts = lower.split(|byte| !byte.is_ascii_alphanumeric() && !matches!(byte, b'-' | b'_'));
    host(rest).is_some()
        && (has_path || has(b"bot") || has(b"crawler"))
        && !has(b"robots.txt")
        && !parts.any(is_name)
}
