use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use robots_groups::Group;
use robots_groups::syntax::{Effect, Field, Rule, Span};

use crate::catalogue::{KnownCrawler, Purpose};
use crate::lint::declaration::lint;
use crate::lint::draft::{Draft, Drafts};
use crate::lint::hidden::hides_agent;
use crate::lint::severity::Severity;
use crate::lint::subject::{File, General, is_all, is_dead, is_whole};
use crate::lint::text::shown;

lint! {
    code: "blocks-all",
    severity: warning,
    title: "Every crawler is blocked from the whole site",
    check: File(check),
    /// The group for `*` disallows `/` without an exception, so crawlers without a group of their own may not fetch
    /// anything. Sites under construction use such a rule, and it is easily forgotten when the site goes live.
    ///
    /// Where another group names a crawler that may fetch something, the finding is a note: the site owner has chosen who may. Crawlers for
    /// previews of links, advertising and the like do not count: no search engine would find the site.
    ///
    /// If at most two paths are allowed, the rule is reported as well: a single page is hardly all that crawlers should read.
    ///
    /// Where the group names crawlers before `*`, remove the line with `*` if only these are to be blocked.
    ///
    /// Write `Disallow:` without the slash if crawlers may fetch the site.
    ///
    /// A file with this finding:
    ///
    /// ```robots.txt found
    /// User-agent: *
    /// Disallow: /
    /// ```
    ///
    /// A file without it:
    ///
    /// ```robots.txt clean
    /// User-agent: *
    /// Disallow:
    /// ```
}

fn check(file: &File<'_>, drafts: &mut Drafts<'_>) {
    if let General { allow: Some(_), all: Some(rule), .. } = file.general {
        with_few_exceptions(file, &rule, drafts);
    }
    if let General { allow: None, all: Some(rule), .. } = file.general {
        let draft = |message: &str| Draft::new(rule.line(), rule.pattern.span(), message);
        drafts.add(if has_exception(file) {
            draft("this blocks every crawler without a group of its own from the whole site")
                .help("crawlers that are not named may fetch nothing; keep the rule if this is intended")
                .severity(Severity::Note)
                .idle()
        } else {
            let message = match exceptions(file).next() {
                Some(_) => "this blocks every search engine from the whole site: no crawler of one has a group that allows something",
                None => "this blocks every crawler from the whole site",
            };
            draft(message).help(match meant_for(file, &rule) {
                MeantFor::All => String::from(
                    "write `Disallow:` without the slash if this is not intended; such a rule is often left over from before a site went live",
                ),
                MeantFor::Named(name) => format!(
                    "if only `{}` is to be blocked, write `Disallow:` below `User-agent: *`: a blank line or a comment does not end a group, only a rule does",
                    shown(name)
                ),
                MeantFor::Listed => String::from(
                    "if only the crawlers that the group names are to be blocked, remove the line `User-agent: *`; if no crawler is, write `Disallow:` without the slash",
                ),
                MeantFor::Hidden => String::from(
                    "first correct the line above that hides a user-agent line",
                ),
            })
        });
    }
}

/// The crawlers that a rule about the whole site is most likely meant for.
enum MeantFor<'a> {
    All,
    /// Those that the group names before `*`.
    Listed,
    /// The last crawler that the group names.
    Named(&'a [u8]),
    /// One that a damaged line names.
    Hidden,
}

fn meant_for<'a>(file: &File<'a>, rule: &Rule<'a>) -> MeantFor<'a> {
    let at = rule.pattern.span().start();
    let group =
        file.groups.iter().find(|group| group.rules().iter().any(|own| own.pattern.span().start() == at));
    let Some(group) = group else { return MeantFor::All };
    let agents = group.agents();
    let Some(last) = agents.last() else { return MeantFor::All };
    let between = Span::new(last.span().end(), at).of(file.body);
    if between.split(|&byte| matches!(byte, b'\n' | b'\r')).any(hides_agent) {
        return MeantFor::Hidden;
    }
    let is_general = |agent: &Field<'_>| file.facts.profile.groups.is_general(agent.bytes());
    // A group that begins with `*` lost its rules, and with them its end.
    match (agents.first().is_some_and(is_general), is_general(last)) {
        (true, false) => MeantFor::Named(last.bytes()),
        _ if agents.iter().all(is_general) => MeantFor::All,
        _ => MeantFor::Listed,
    }
}

/// The most exceptions with which a block looks like a mistake: with more, the site owner has chosen what is open.
const MOST_EXCEPTIONS: usize = 2;

/// Reports a rule that leaves only a few paths open.
fn with_few_exceptions(file: &File<'_>, all: &Rule<'_>, drafts: &mut Drafts<'_>) {
    let groups = file.groups_of(b"*", true).iter().filter_map(|index| file.groups.get(*index));
    let allows = groups
        .flat_map(|group| group.rules())
        .filter(|rule| rule.effect == Effect::Allow && !rule.pattern.is_empty() && !is_dead(rule));
    let patterns: Vec<&[u8]> = allows.map(|rule| rule.pattern.bytes()).take(MOST_EXCEPTIONS + 1).collect();
    if patterns.len() > MOST_EXCEPTIONS
        || patterns.iter().any(|pattern| is_whole(pattern))
        || has_exception(file)
    {
        return;
    }
    // A page or a file, and no folder.
    let is_page = |pattern: &&[u8]| {
        let name = pattern.rsplit(|&byte| byte == b'/').next().unwrap_or_default();
        pattern.ends_with(b"$") || name.contains(&b'.')
    };
    let shown: Vec<String> = patterns.iter().map(|pattern| format!("`{}`", shown(pattern))).collect();
    let draft = Draft::new(
        all.line(),
        all.pattern.span(),
        format!("this blocks every crawler from the whole site except for {}", shown.join(" and ")),
    )
    .help("remove the rule if the site is to be found; keep it if nothing else is to be read");
    drafts.add(if patterns.iter().all(is_page) { draft } else { draft.severity(Severity::Note) });
}

/// Whether a group names a crawler that may fetch something, and that may be one of a search engine. Someone who writes such a group
/// knows that others are blocked.
fn has_exception(file: &File<'_>) -> bool {
    exceptions(file).any(|group| !group.agents().iter().all(|agent| is_no_search_engine(agent.bytes())))
}

/// The groups for named crawlers that may fetch something.
fn exceptions<'f, 'a>(file: &'f File<'a>) -> impl Iterator<Item = Group<'f, 'a>> {
    let policy = &file.facts.profile;
    file.groups.iter().filter(|group| {
        let is_named = group.agents().iter().all(|agent| !policy.groups.is_general(agent.bytes()));
        let is_blocked = group.rules().iter().any(|rule| is_all(rule, &policy.matching));
        is_named && (!is_blocked || group.rules().iter().any(|rule| rule.effect == Effect::Allow))
    })
}

/// Whether a name is of a crawler that is known not to be for searches, such as one for previews of links or for advertising.
fn is_no_search_engine(name: &[u8]) -> bool {
    let known = core::str::from_utf8(name).ok().and_then(KnownCrawler::find);
    known.is_some_and(|known| {
        !matches!(known.purpose, Purpose::Search | Purpose::AiSearch | Purpose::Unknown | Purpose::Other)
    })
}
