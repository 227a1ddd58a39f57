use alloc::collections::BTreeMap;
use alloc::format;

use robots_groups::syntax::{Field, Rule};
use robots_groups::{Group, UserAgent};

use crate::document::Document;
use crate::known_names::KNOWN_NAMES;
use crate::lint::declaration::lint;
use crate::lint::draft::{Draft, Drafts};
use crate::lint::severity::Severity;
use crate::lint::subject::{AgentFault, GroupView};
use crate::lint::text::{documents, shown};
use crate::profile::Profile;

lint! {
    code: "agent-is-header",
    severity: error,
    title: "A user-agent line has a whole User-Agent header",
    check: Group(check),
    /// A crawler finds its group by its product token, which is only a part of the `User-Agent` header that it sends
    /// (RFC 9309, section 2.2.1). From `Mozilla/5.0 (...)` crawlers read `Mozilla`, which is not the name of a crawler.
    ///
    /// If the value begins with the name, as in `ExampleBot/2.1`, today's crawlers find it, and the finding is a note. Parsers that
    /// follow the drafts before RFC 9309 compare the whole value, and do not find the crawler. If a known crawler is named, and a text in
    /// parentheses follows, the whole header was copied, and the finding is a warning.
    ///
    /// Where another line has the name of the crawler, for the same rules, the finding is a note. If the line is the only one with a
    /// name in its group, the whole group can go; if only the line goes, its rules belong to the group before.
    ///
    /// Write only the product token, which the documentation of the crawler states. No name is suggested for the headers of browsers,
    /// and where it is not clear where the name ends, as in `Example Browser/1.0`. If the crawler does not obey the group now, and
    /// would be blocked from much of the site if it did, the name is only stated.
    ///
    /// A file with this finding:
    ///
    /// ```robots.txt found
    /// User-agent: Mozilla/5.0 (compatible; ExampleBot/2.1)
    /// Disallow: /private
    /// ```
    ///
    /// A file without it:
    ///
    /// ```robots.txt clean
    /// User-agent: ExampleBot
    /// Disallow: /private
    /// ```
}

fn check(view: &GroupView<'_, '_>, drafts: &mut Drafts<'_>) {
    let (group, file) = (&view.group, view.file);
    let is_name = |agent: &Field<'_>| {
        matches!(
            AgentFault::of(agent.bytes(), &file.facts.profile.groups),
            AgentFault::None | AgentFault::Byte(_)
        )
    };
    // Whether the rules of a group before or after are the same. Each group is compared once.
    let mut same = BTreeMap::new();
    let mut has_name = None;
    for agent in group.agents() {
        let value = agent.bytes();
        // Text after a star is a matter of names.
        if value.starts_with(b"* ")
            || !matches!(AgentFault::of(value, &file.facts.profile.groups), AgentFault::Header)
        {
            continue;
        }
        let draft = |more: &str| {
            let what = "looks like a full User-Agent header, not the name of a crawler";
            Draft::new(
                file.index.line_of(agent.span()),
                agent.span(),
                format!("`{}` {what}{more}", shown(value)),
            )
        };
        let header = UserAgent::read(value, &KNOWN_NAMES);
        // It is not clear where a name of several words ends, unless it is known, nor one such as `Example_(X)`.
        let rest = header.span().and_then(|span| value.get(span.end..)).unwrap_or_default();
        let is_clear = |name: &&str| !name.contains(' ') && !rest.starts_with(b"_");
        // As in `ExampleBot/1.8+cvs`, where something after the version looks like a name.
        let is_browser = value.get(..7).is_some_and(|start| start.eq_ignore_ascii_case(b"mozilla"));
        let is_late = !is_browser
            && header.span().is_some_and(|span| span.start > 0)
            && !value.contains(&b'(')
            && header.known().is_none();
        let name = header.name().filter(|name| header.known().is_some() || is_clear(name) && !is_late);
        let index = name.and_then(|name| file.group_of(name));
        let is_same = index.is_some_and(|index| {
            *same
                .entry(index)
                .or_insert_with(|| file.groups.get(index).is_some_and(|other| has_rules_of(group, &other)))
        });
        let is_lost = |name: &str| {
            // Where no line can name the crawler, the finding changes nothing.
            documents(|Profile { groups, .. }| groups.can_name(name) && !groups.names(value, name))
        };
        // A name of several words is not suggested, but some crawlers have one.
        let readers = header.name().map(is_lost);
        drafts.add(match name {
            // The crawler obeys the same rules, whether it reads this line or not.
            Some(name) if is_same => draft("")
                .help(match *has_name.get_or_insert_with(|| group.agents().iter().any(is_name)) {
                    true => format!("remove it: another line has the name `{name}`, for the same rules"),
                    // Without the line, the rules would belong to the group before.
                    false => {
                        format!("remove its group: another group has the name `{name}`, and the same rules")
                    }
                })
                .severity(Severity::Note)
                .idle(),
            Some(name) => {
                let is_lost_today = Document::CURRENT
                    .iter()
                    .any(|document| readers.as_ref().is_some_and(|readers| readers.contains(document)));
                let draft = match view.closes().filter(|_| is_lost_today) {
                    Some(extent) => draft(&format!("; the name is most likely `{name}`"))
                        .help(extent.in_place_of_a_name()),
                    None => draft("")
                        .help(format!("write only the name of the crawler, most likely `{name}`"))
                        .suggest(agent.span(), name),
                };
                // Today's crawlers find their name at the start of a header, but a text in parentheses shows that all of it was copied.
                let is_copied = header.known().is_some() && value.contains(&b'(');
                match readers.unwrap_or_default() {
                    readers if is_copied && !drafts.are_all(&readers) => draft.severity(Severity::Warning),
                    readers => draft.readers(readers),
                }
            }
            None => {
                let draft = draft("")
                    .help("write the name by which the crawler finds its group; its documentation gives the name")
                    .readers(readers.unwrap_or_default());
                // Headers of browsers, which old and long lists have.
                if is_of_crawler(value) {
                    draft
                } else if file.groups.len() <= MOST_GROUPS && is_of_today(value) {
                    draft.severity(Severity::Warning)
                } else {
                    draft.severity(Severity::Note).idle()
                }
            }
        });
    }
}

/// The most groups of a file in which the header of a browser is reported.
const MOST_GROUPS: usize = 10;

/// Whether a header is of a browser of today, which all pretend to be others.
fn is_of_today(header: &[u8]) -> bool {
    header.starts_with(b"Mozilla/5.0 (") || memchr::memmem::find(header, b"AppleWebKit/").is_some()
}

/// Whether a header has a word that crawlers have in their names.
fn is_of_crawler(header: &[u8]) -> bool {
    let header = header.to_ascii_lowercase();
    ["bot", "spider", "crawl", "slurp"]
        .iter()
        .any(|word| memchr::memmem::find(&header, word.as_bytes()).is_some())
}

/// Returns whether two groups have the same rules in the same order.
fn has_rules_of(group: &Group<'_, '_>, other: &Group<'_, '_>) -> bool {
    let (rules, others) = (group.rules(), other.rules());
    let is_equal = |(rule, other): (&Rule<'_>, &Rule<'_>)| {
        rule.effect == other.effect && rule.pattern.bytes() == other.pattern.bytes()
    };
    rules.len() == others.len() && rules.iter().zip(others).all(is_equal)
}
