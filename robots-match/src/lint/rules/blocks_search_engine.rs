use alloc::format;
use core::cell::OnceCell;

use robots_groups::syntax::{Effect, Field};

use crate::lint::declaration::lint;
use crate::lint::draft::{Draft, Drafts};
use crate::lint::known_names::{SearchEngine, search_engine};
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
    let allows = rules.iter().filter(|rule| rule.effect == Effect::Allow && !rule.pattern.is_empty());
    let (count, is_opened) = allows.fold((0, false), |(count, is_opened), rule| {
        (count + 1, is_opened || matches!(rule.pattern.bytes(), b"/" | b"*" | b"/*"))
    });
    // Many exceptions are a choice.
    if is_opened || count > MOST_EXCEPTIONS {
        return;
    }
    // Looked for once: the names of a group may fill the file.
    let is_apart = OnceCell::new();
    for agent in view.group.agents() {
        let Some(SearchEngine { engine, loss, .. }) = search_engine(agent.bytes()) else { continue };
        let line = view.file.index.line_of(agent.span());
        let name = shown(agent.bytes());
        let draft = match count {
            0 => Draft::new(
                line,
                agent.span(),
                format!("`{name}`, the crawler of {engine}'s search, is blocked from the whole site"),
            ),
            _ => Draft::new(
                line,
                agent.span(),
                format!(
                    "`{name}`, the crawler of {engine}'s search, is blocked from nearly all paths of the site"
                ),
            )
            .severity(Severity::Note),
        };
        let draft = match loss {
            Some(Severity::Note) => draft.severity(Severity::Note),
            Some(_) => draft,
            None => draft.severity(Severity::Note).idle(),
        };
        drafts.add(
            draft
                .help(match view.group.agents() {
                    [_] => format!("remove the group if {engine} is to show the site; keep it if not"),
                    agents if *is_apart.get_or_init(|| is_across_blank(view, agents)) => format!(
                        "a blank line does not end a group, only a rule does: write a rule below this line, such as `Disallow:`, if {engine} is to show the site"
                    ),
                    _ => format!(
                        "remove this line if {engine} is to show the site, and leave the others, which the rules still block; keep it if not"
                    ),
                })
                .other(all.pattern.span(), "this rule is about the whole site"),
        );
    }
}

/// Whether an empty line is between the user-agent lines of a group, so that they were most likely meant as two groups.
fn is_across_blank(view: &GroupView<'_, '_>, agents: &[Field<'_>]) -> bool {
    let line = |agent: Option<&Field<'_>>| agent.map_or(0, |agent| view.file.index.line_of(agent.span()));
    view.file.index.has_blank_line(line(agents.first()), line(agents.last()))
}

/// The most exceptions with which a block looks like a mistake.
const MOST_EXCEPTIONS: usize = 2;
