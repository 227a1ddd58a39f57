use alloc::collections::BTreeSet;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use robots_groups::SelectionBasis;
use robots_groups::syntax::{Effect, Rule};

use crate::catalogue::{KnownCrawler, Purpose};
use crate::lint::declaration::lint;
use crate::lint::draft::{Draft, Drafts};
use crate::lint::form::form;
use crate::lint::subject::{File, is_all, is_for_robots_txt, is_whole};
use crate::lint::text::shown;
use crate::rule_set::RuleSet;

lint! {
    code: "group-drops-rules",
    severity: note,
    title: "A named crawler does not get the rules for `*`",
    check: File(check),
    /// A crawler that finds a group with its name obeys only this group. The rules for `*` do not apply to it, so what they
    /// disallow is allowed for this crawler (RFC 9309, section 2.2.1).
    ///
    /// This concerns all crawlers. The finding is at the first group in which no rule of `*` is repeated: one with other rules, with
    /// `Allow: /`, or without any rule, such as only a `Crawl-delay`. The message counts the others.
    ///
    /// Reported are crawlers for search and AI that `robots crawlers` lists, and in files of at most three groups also unknown ones.
    ///
    /// A group is meant so, and is not reported, if it repeats a rule of `*`, has an exception to one, has `Disallow:` without a value, or
    /// disallows nothing to a crawler of advertising, of previews, of pictures or of news. Nothing is reported where `*` is blocked from the whole site.
    ///
    /// Repeat the rules of `*` in the named group, or remove the group.
    ///
    /// A file with this finding:
    ///
    /// ```robots.txt found
    /// User-agent: *
    /// Disallow: /admin/
    ///
    /// User-agent: ExampleBot
    /// Disallow: /search
    /// ```
    ///
    /// A file without it:
    ///
    /// ```robots.txt clean
    /// User-agent: *
    /// Disallow: /admin/
    ///
    /// User-agent: ExampleBot
    /// Disallow: /admin/
    /// Disallow: /search
    /// ```
}

/// The most rules for `*` with which groups are compared, the most comparisons, and the most patterns that a message lists.
const MOST_RULES: usize = 20_000;
const MOST_COMPARISONS: usize = 400_000;
const MOST_SHOWN: usize = 3;
/// The most groups of a file in which crawlers are reported about which nothing is known.
const MOST_GROUPS: usize = 3;

fn check(file: &File<'_>, drafts: &mut Drafts<'_>) {
    let profile = &file.facts.profile;
    let policy = &profile.matching;
    let is_general = |bytes: &[u8]| profile.groups.is_general(bytes);
    let of_general: Vec<Rule<'_>> = file
        .groups
        .iter()
        .filter(|group| group.agents().iter().any(|agent| is_general(agent.bytes())))
        .flat_map(|group| group.rules())
        .copied()
        .collect();
    let closes = |rule: &&Rule<'_>| {
        rule.effect == Effect::Disallow && !rule.pattern.is_empty() && !is_for_robots_txt(rule, policy)
    };
    let closed: Vec<&Rule<'_>> = of_general.iter().filter(closes).collect();
    // Where everything is closed, groups are exceptions.
    if closed.is_empty() || closed.iter().any(|rule| is_all(rule, policy)) || of_general.len() > MOST_RULES {
        return;
    }
    let forms: BTreeSet<Vec<u8>> =
        closed.iter().map(|rule| form(rule.pattern.bytes(), policy).into_owned()).collect();
    let general = RuleSet::from_rules(of_general.iter().copied(), SelectionBasis::Named, policy);
    let path = |rule: &Rule<'_>| -> Vec<u8> {
        let pattern = form(rule.pattern.bytes(), policy);
        pattern.iter().copied().filter(|byte| !matches!(byte, b'*' | b'$')).collect()
    };
    let mut budget = MOST_COMPARISONS;
    let mut first_draft: Option<(Draft, String)> = None;
    let mut more_groups = 0_usize;
    for group in file.groups.iter() {
        let agents = group.agents();
        let Some(agent) = agents.first().filter(|_| !agents.iter().any(|agent| is_general(agent.bytes())))
        else {
            continue;
        };
        // Another group of the same name may have the rules.
        let is_only = file.groups_of(agent.bytes(), false).len() < 2;
        let rules = group.rules();
        let is_meant = |rule: &Rule<'_>| {
            rule.pattern.is_empty()
                || is_all(rule, policy)
                || forms.contains(&*form(rule.pattern.bytes(), policy))
        };
        // An owner who disallows something to a crawler does not want everything open to it.
        let disallows = rules.iter().any(|rule| rule.effect == Effect::Disallow)
            && !agents.iter().any(|agent| has_own_rules(agent.bytes()));
        if !disallows && agents.iter().all(|agent| is_opened(agent.bytes()))
            || rules.iter().any(is_meant)
            || !is_only
            || rules.len() + closed.len() > budget
        {
            continue;
        }
        budget -= rules.len() + closed.len();
        let set = RuleSet::from_rules(rules.iter().copied(), SelectionBasis::Named, policy);
        // An exception to a rule for `*` shows that its rules are known.
        let mut allows =
            rules.iter().filter(|rule| rule.effect == Effect::Allow && !is_whole(rule.pattern.bytes()));
        let is_exception = allows.any(|rule| !general.check(path(rule)).is_allowed());
        if is_exception {
            continue;
        }
        let opened: Vec<&&Rule<'_>> = closed
            .iter()
            .filter(|rule| {
                let path = path(rule);
                path.starts_with(b"/") && set.check(&path).is_allowed() && !general.check(&path).is_allowed()
            })
            .take(MOST_SHOWN + 1)
            .collect();
        let Some(first) = opened.first() else { continue };
        let names: Vec<String> =
            opened.iter().take(MOST_SHOWN).map(|rule| format!("`{}`", shown(rule.pattern.bytes()))).collect();
        let more = if opened.len() > MOST_SHOWN { " and more" } else { "" };
        let name = shown(agent.bytes());
        // Long files have groups for many tools, which are meant so.
        let is_short = file.groups.len() <= MOST_GROUPS;
        // Someone who allows everything to a crawler that is not known most likely knows it.
        let opens_all =
            rules.iter().all(|rule| rule.effect == Effect::Allow && is_whole(rule.pattern.bytes()));
        // A delay without a rule is hardly meant to open anything.
        let has_only_other = rules.is_empty();
        let is_reported = |name: &[u8]| {
            is_wanted(name)
                || is_short && (is_unknown(name) || disallows && is_opened(name)) && !opens_all
                || is_short && has_only_other && is_name_like(name)
        };
        let is_idle = !agents.iter().any(|agent| is_reported(agent.bytes()));
        if is_idle || first_draft.is_some() {
            more_groups += usize::from(!is_idle);
            continue;
        }
        let may = format!("{}{more} may be fetched", names.join(", "));
        let draft = Draft::new(file.index.line_of(agent.span()), agent.span(), name)
            .help("repeat the rules for `*` in this group if they are also for this crawler")
            .other(first.pattern.span(), "a rule for `*`");
        first_draft = Some((draft, may));
    }
    let Some((mut draft, may)) = first_draft else { return };
    let name = core::mem::take(&mut draft.message);
    draft.message = match more_groups {
        0 => format!("`{name}` obeys only its own group, so the rules for `*` do not apply to it: {may}"),
        1 => format!(
            "`{name}` and the crawlers of 1 more group obey only their own group, so the rules for `*` do not apply to them: {may}"
        ),
        count => format!(
            "`{name}` and the crawlers of {count} more groups obey only their own group, so the rules for `*` do not apply to them: {may}"
        ),
    };
    drafts.add(draft);
}

/// Crawlers to which sites open everything on purpose: those of advertising and of previews of links, whose operators ask for it, and
/// those for pictures and news, which have rules of their own.
const OPENED: [&str; 20] = [
    "mediapartners-google",
    "adsbot-google",
    "adsbot-google-mobile",
    "adidxbot",
    "google-hoteladsverifier",
    "gsa-crawler",
    "twitterbot",
    "facebookexternalhit",
    "facebookbot",
    "linkedinbot",
    "pinterest",
    "pinterestbot",
    "slackbot",
    "whatsapp",
    "telegrambot",
    "discordbot",
    "googlebot-image",
    "googlebot-news",
    "googlebot-video",
    "ia_archiver",
];

/// Whether a name is of a crawler for advertising or for news. Some of the former do not obey the rules for `*`, and sites close other
/// pages for news than for searches.
fn has_own_rules(name: &[u8]) -> bool {
    let starts = [
        "adsbot-google",
        "mediapartners-google",
        "adidxbot",
        "google-hoteladsverifier",
        "gsa-crawler",
        "googlebot-news",
    ];
    starts
        .iter()
        .any(|start| name.get(..start.len()).is_some_and(|name| name.eq_ignore_ascii_case(start.as_bytes())))
}

/// Whether a name is of a crawler for search or AI. About others, such as the tools of the site itself, hardly anything is known.
fn is_wanted(name: &[u8]) -> bool {
    KnownCrawler::ALL.iter().any(|known| {
        !matches!(
            known.purpose,
            Purpose::Seo
                | Purpose::Ads
                | Purpose::Archive
                | Purpose::Social
                | Purpose::Other
                | Purpose::Unknown
        ) && known.tokens.iter().any(|token| token.as_bytes().eq_ignore_ascii_case(name))
    })
}

/// Whether nothing is known about a crawler of this name.
fn is_unknown(name: &[u8]) -> bool {
    is_name_like(name)
        && !KnownCrawler::ALL
            .iter()
            .any(|known| known.tokens.iter().any(|token| token.as_bytes().eq_ignore_ascii_case(name)))
}

fn is_name_like(name: &[u8]) -> bool {
    name.iter().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'))
}

fn is_opened(name: &[u8]) -> bool {
    OPENED.iter().any(|opened| name.eq_ignore_ascii_case(opened.as_bytes()))
}
