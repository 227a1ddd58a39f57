use alloc::format;
use core::cell::OnceCell;

use robots_groups::syntax::{Effect, Field, Lines, Record, Span};

use crate::lint::declaration::lint;
use crate::lint::draft::{Draft, Drafts};
use crate::lint::severity::Severity;
use crate::lint::subject::{GroupView, closing_rule};
use crate::lint::text::shown;
use crate::profile::Profile;

lint! {
    code: "accidental-group",
    severity: warning,
    title: "A Sitemap or Crawl-delay line does not end a group, so crawlers share rules",
    check: Group(check),
    /// User-agent lines form one group until a rule follows. A sitemap or another line between them does not end the
    /// group. A group for `*` that seems to allow everything, followed by a group for a crawler that is blocked, is
    /// then one group that blocks all crawlers.
    ///
    /// Where a crawler is blocked from the whole site in this way, the finding is an error. Where the group disallows nothing, and where it
    /// ends with `*`, it is a note and only on request, because the crawlers may fetch the same in groups of their own.
    ///
    /// Add a rule to the first group (`Disallow:` allows everything). If one group is intended, put the user-agent
    /// lines together.
    ///
    /// A file with this finding, in which a crawler is blocked that was only to wait between requests:
    ///
    /// ```robots.txt found
    /// User-agent: ExampleBot
    /// Crawl-delay: 5
    ///
    /// User-agent: OtherBot
    /// Disallow: /
    /// ```
    ///
    /// Another file with this finding:
    ///
    /// ```robots.txt found
    /// User-agent: *
    /// Sitemap: https://example.com/sitemap.xml
    /// User-agent: ExampleBot
    /// Disallow: /
    /// ```
    ///
    /// A file without it:
    ///
    /// ```robots.txt clean
    /// User-agent: *
    /// Disallow:
    /// Sitemap: https://example.com/sitemap.xml
    ///
    /// User-agent: ExampleBot
    /// Disallow: /
    /// ```
}

fn check(view: &GroupView<'_, '_>, drafts: &mut Drafts<'_>) {
    let (group, file) = (&view.group, view.file);
    let agents = group.agents();
    let policy = &file.facts.profile.groups;
    let closes = group.rules().iter().any(|rule| rule.effect == Effect::Disallow && !rule.pattern.is_empty());
    // Crawlers without a group would obey the rules for `*` as well.
    let ends_with_all = agents.last().is_some_and(|agent| policy.is_general(agent.bytes()));
    let blocks_all = OnceCell::new();
    let mut is_first = true;
    for (agent, next) in agents.iter().zip(agents.iter().skip(1)) {
        let between = Span::new(agent.span().end(), next.span().start());
        let Some(key) = key_between(file.body, between, &file.facts.profile) else { continue };
        let (first, second, name) = (shown(agent.bytes()), shown(next.bytes()), shown(key.bytes()));
        let line = file.index.line_of(next.span());
        if agent.bytes().eq_ignore_ascii_case(next.bytes()) {
            continue;
        }
        let draft = match *blocks_all.get_or_init(|| closing_rule(group.rules(), &file.facts.profile.matching).is_some()) {
            true => Draft::new(
                line,
                next.span(),
                format!("`{first}` is blocked from the whole site, because its group does not end before `{second}`"),
            )
            .severity(Severity::Error),
            false => {
                let draft = Draft::new(line, next.span(), format!("`{first}` and `{second}` form one group"));
                // Where nothing is disallowed, the crawlers may fetch everything, as they might in groups of their own. One finding is
                // enough for one group.
                let matters = closes && !ends_with_all && is_first;
                is_first &= !matters;
                if matters { draft } else { draft.severity(Severity::Note).idle() }
            }
        };
        drafts.add(
            draft
                .help(format!(
                    "give `{first}` a rule (`Disallow:` allows everything), or put the two lines together if one group is meant"
                ))
                .other(key.span(), format!("`{name}` does not end a group")),
        );
    }
}

/// The key of the first record between two user-agent lines that is neither a rule nor a user-agent line.
fn key_between<'a>(body: &'a [u8], between: Span, profile: &Profile) -> Option<Field<'a>> {
    // Most user-agent lines are followed by another at once.
    let mut syntax = profile.syntax;
    syntax.max_size = None;
    let text = between.of(body);
    let key = Lines::new(text, &syntax).skip(1).find_map(|line| match line.record {
        Record::Other { key, .. } => Some(key),
        _ => None,
    })?;
    Some(Field::new(key.bytes(), between.start() + key.span().start()))
}
