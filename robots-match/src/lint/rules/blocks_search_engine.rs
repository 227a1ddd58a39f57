use alloc::format;
use core::cell::OnceCell;

use robots_groups::syntax::Field;

use crate::document::Document;
use crate::lint::declaration::lint;
use crate::lint::draft::{Draft, Drafts};
use crate::lint::known_names::{SearchEngine, readers_today, search_engine};
use crate::lint::severity::Severity;
use crate::lint::subject::{GroupView, is_all};
use crate::lint::text::shown;

lint! {
    code: "blocks-search-engine",
    severity: warning,
    title: "The crawler of a large search engine is blocked from the whole site",
    check: Group(check),
    /// A search engine whose crawler may fetch nothing shows pages without their text, or not at all. Such a group is often left over
    /// from a test, or its name was meant for something else: `Google-Extended` is for Gemini, `Googlebot` for Google's search.
    ///
    /// For DuckDuckBot and Applebot, and where a few paths are allowed, the finding is a note. Slurp (Yahoo) and msnbot are reported only
    /// on request, because they read little today. Crawlers that many sites block on purpose, such as those for AI, for advertising or of
    /// search engines of one country, are not reported, nor is a group of that kind in a file that blocks everybody, about which
    /// `blocks-all` reports.
    ///
    /// Today's parsers read a name up to the first space, comma or star, so `Googlebot images` is `Googlebot`. Where several groups have the
    /// name, their rules count together.
    ///
    /// Remove the group if the site is to be found. Otherwise keep it, and write `# robots-lint: ignore blocks-search-engine`.
    ///
    /// A file with this finding:
    ///
    /// ```robots.txt found
    /// User-agent: Googlebot
    /// Disallow: /
    ///
    /// User-agent: *
    /// Disallow: /private
    /// ```
    ///
    /// A file without it:
    ///
    /// ```robots.txt clean
    /// User-agent: Google-Extended
    /// Disallow: /
    ///
    /// User-agent: *
    /// Disallow: /private
    /// ```
}

fn check(view: &GroupView<'_, '_>, drafts: &mut Drafts<'_>) {
    let policy = &view.file.facts.profile.matching;
    let rules = view.group.rules();
    let Some(all) = rules.iter().find(|rule| is_all(rule, policy)) else { return };
    // Everybody is blocked.
    if view.file.general.all.is_some() && view.file.general.allow.is_none() {
        return;
    }
    // Looked for once: the names of a group may fill the file.
    let is_apart = OnceCell::new();
    for agent in view.group.agents() {
        let Some(SearchEngine { crawler, engine, loss }) = search_engine(agent.bytes()) else { continue };
        // All groups with the name count.
        let (blocking, count) = view.file.blocked_engine(crawler);
        let mut readers = readers_today(agent.bytes(), crawler);
        readers.retain(|document| blocking.contains(document));
        // Many exceptions are a choice.
        if readers.is_empty() || count > MOST_EXCEPTIONS {
            continue;
        }
        let line = view.file.index.line_of(agent.span());
        let name = shown(agent.bytes());
        let is_name = agent_name(agent.bytes()).eq_ignore_ascii_case(crawler.as_bytes());
        let who = match is_name {
            true => format!("`{name}`, the crawler of {engine}'s search,"),
            false => {
                let read = shown(agent.bytes().get(..crawler.len()).unwrap_or_default());
                format!("`{name}` is read as `{read}`, so the crawler of {engine}'s search")
            }
        };
        let draft = |what: &str| Draft::new(line, agent.span(), format!("{who} is blocked from {what}"));
        let draft = match count {
            0 => draft("the whole site"),
            _ => draft("nearly all paths of the site").severity(Severity::Note),
        };
        // As all read it, unless today's parsers disagree.
        let draft = if readers.len() < Document::CURRENT.len() { draft.readers(readers) } else { draft };
        let draft = match loss {
            Some(Severity::Note) => draft.severity(Severity::Note),
            Some(_) => draft,
            None => draft.severity(Severity::Note).idle(),
        };
        let advice = match view.group.agents() {
            [_] => format!("remove the group if {engine} is to show the site; keep it if not"),
            agents if *is_apart.get_or_init(|| is_across_blank(view, agents)) => format!(
                "a blank line does not end a group, only a rule does: write a rule below this line, such as `Disallow:`, if {engine} is to show the site"
            ),
            _ => format!(
                "remove this line if {engine} is to show the site, and leave the others, which the rules still block; keep it if not"
            ),
        };
        let advice = match is_name {
            true => advice,
            false => format!(
                "text after a name is not a part of it: write each name that is meant on a line of its own; {advice}"
            ),
        };
        drafts.add(draft.help(advice).other(all.pattern.span(), "this rule is about the whole site"));
    }
}

/// The name in a value, without the version that may follow it.
fn agent_name(value: &[u8]) -> &[u8] {
    value.split(|&byte| byte == b'/').next().unwrap_or_default()
}

/// Whether an empty line is between the user-agent lines of a group, so that they were most likely meant as two groups.
fn is_across_blank(view: &GroupView<'_, '_>, agents: &[Field<'_>]) -> bool {
    let line = |agent: Option<&Field<'_>>| agent.map_or(0, |agent| view.file.index.line_of(agent.span()));
    view.file.index.has_blank_line(line(agents.first()), line(agents.last()))
}

/// The most exceptions with which a block looks like a mistake.
const MOST_EXCEPTIONS: usize = 2;
