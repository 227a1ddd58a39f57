use alloc::collections::BTreeSet;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use robots_groups::SelectionBasis;
use robots_groups::syntax::{Effect, Rule};

use crate::catalogue::{KnownCrawler, Purpose};
use crate::lint::declaration::lint;
use crate::lint::draft::{Draft, Drafts};
use crate::lint::form::{form, shortest_path};
use crate::lint::severity::Severity;
use crate::lint::subject::{File, is_all, is_dead, is_for_robots_txt, is_whole};
use crate::lint::text::{is_one_of, shown};
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
    /// `Allow: /`, or without any rule, such as only a `Crawl-delay`. The message counts the others. Another finding is at the first group
    /// that repeats at least half of the rules for `*`, and has nothing about the others. A group with only `Allow` lines for a part of the
    /// site is a warning, also where `*` is blocked from the whole site: the crawler may fetch everything.
    ///
    /// Reported are crawlers for search and AI that `robots crawlers` lists. In files of at most three groups, unknown ones are reported, too,
    /// if they get none of the rules.
    ///
    /// A group is meant so, and is not reported, if it repeats less than half of the rules for `*`, has an exception to one of them beside
    /// a `Disallow`, has `Disallow:` without a value, or disallows nothing to a crawler of advertising, of previews, of pictures or of news.
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
    if closed.is_empty() || of_general.len() > MOST_RULES {
        return;
    }
    // Where everything is closed, groups are exceptions. Those with `Allow` lines only are reported all the same.
    let is_closed = closed.iter().any(|rule| is_all(rule, policy));
    let forms: BTreeSet<Vec<u8>> =
        closed.iter().map(|rule| form(rule.pattern.bytes(), policy).into_owned()).collect();
    let general = RuleSet::from_rules(of_general.iter().copied(), SelectionBasis::Named, policy);
    let path = |rule: &Rule<'_>| shortest_path(rule.pattern.bytes(), policy);
    let is_closed_by =
        |set: &RuleSet, path: &[u8]| file.may_check(set, path) && !set.check(path).is_allowed();
    let mut budget = MOST_COMPARISONS;
    let (mut not_at_all, mut partly, mut only_exceptions): (Option<Found>, Option<Found>, Option<Found>) =
        (None, None, None);
    for group in file.groups.iter() {
        let agents = group.agents();
        let Some(agent) = agents.first().filter(|_| !agents.iter().any(|agent| is_general(agent.bytes())))
        else {
            continue;
        };
        // Another group of the same name may have the rules.
        let is_only = file.groups_of(agent.bytes(), false).len() < 2;
        let rules = group.rules();
        let is_meant = |rule: &Rule<'_>| rule.pattern.is_empty() || is_all(rule, policy);
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
        let has_only_exceptions = has_only_exceptions(rules);
        if is_closed && !has_only_exceptions {
            continue;
        }
        let set = RuleSet::from_rules(rules.iter().copied(), SelectionBasis::Named, policy);
        // An exception to a rule for `*` shows that its rules are known. Without a rule to be an exception to, it has no effect.
        let mut allows =
            rules.iter().filter(|rule| rule.effect == Effect::Allow && !is_whole(rule.pattern.bytes()));
        let is_exception = allows.any(|rule| is_closed_by(&general, &path(rule)));
        if is_exception && !has_only_exceptions {
            continue;
        }
        let own: BTreeSet<Vec<u8>> = rules
            .iter()
            .filter(|rule| rule.effect == Effect::Disallow)
            .map(|rule| form(rule.pattern.bytes(), policy).into_owned())
            .collect();
        let repeated = forms.intersection(&own).count();
        let is_opened_here = |rule: &&&Rule<'_>| {
            let path = path(rule);
            path.starts_with(b"/") && !is_closed_by(&set, &path) && is_closed_by(&general, &path)
        };
        let most = (MOST_SHOWN + 1).max(repeated + 1);
        let opened: Vec<&&Rule<'_>> = closed.iter().filter(is_opened_here).take(most).collect();
        // Someone who repeats less than half of the rules has chosen them, and so has someone who allows what the others close.
        let is_chosen =
            || opened.len() > repeated || opened.iter().any(|rule| set.deciding_rule(path(rule)).is_some());
        if repeated > 0 && is_chosen() {
            continue;
        }
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
        if !agents.iter().any(|agent| is_reported(agent.bytes())) {
            continue;
        }
        let may = format!("{}{more} may be fetched", names.join(", "));
        let draft = |message: String| {
            Draft::new(file.index.line_of(agent.span()), agent.span(), message)
                .other(first.pattern.span(), "a rule for `*`")
        };
        // Sites open a part of what they close to their own tools and to crawlers of advertising.
        if (has_only_exceptions || repeated > 0) && !agents.iter().any(|agent| is_wanted(agent.bytes())) {
            continue;
        }
        let found = match (has_only_exceptions, repeated) {
            (true, _) => &mut only_exceptions,
            (false, 0) => &mut not_at_all,
            _ => &mut partly,
        };
        match found {
            Some(found) => found.more_groups += 1,
            None => *found = Some(Found { draft: draft(name), may, more_groups: 0 }),
        }
    }
    let found = [
        (not_at_all, "so the rules for `*` do not apply to", REPEAT, Severity::Note),
        (
            partly,
            "and it repeats only some of the rules for `*`; the others do not apply to",
            REPEAT,
            Severity::Note,
        ),
        (
            only_exceptions,
            "which disallows nothing, so its `Allow` lines open nothing more to",
            "repeat the rules for `*` in this group, so that `Allow` is an exception to them",
            Severity::Warning,
        ),
    ];
    for (found, why, help, severity) in found {
        if let Some(found) = found {
            drafts.add(found.finish(why).help(help).severity(severity));
        }
    }
}

const REPEAT: &str = "repeat the rules for `*` in this group if they are also for this crawler";

/// The first group of a kind, and how many more there are.
struct Found {
    /// The finding, with the name of the crawler as its message.
    draft: Draft,
    may: String,
    more_groups: usize,
}

impl Found {
    fn finish(self, why: &str) -> Draft {
        let (name, may) = (&self.draft.message, &self.may);
        let message = match self.more_groups {
            0 => format!("`{name}` obeys only its own group, {why} it: {may}"),
            1 => format!(
                "`{name}` and the crawlers of 1 more group obey only their own group, {why} them: {may}"
            ),
            count => format!(
                "`{name}` and the crawlers of {count} more groups obey only their own group, {why} them: {may}"
            ),
        };
        Draft { message, ..self.draft }
    }
}

/// Whether a group has only `Allow` lines, and none for the whole site.
fn has_only_exceptions(rules: &[Rule<'_>]) -> bool {
    !rules.is_empty()
        && rules
            .iter()
            .all(|rule| rule.effect == Effect::Allow && !is_dead(rule) && !is_whole(rule.pattern.bytes()))
}

/// Crawlers to which sites open everything on purpose: those of advertising and of previews of links, whose operators ask for it, and
/// those for pictures and news, which have rules of their own.
const OPENED: &str = "mediapartners-google adsbot-google adsbot-google-mobile adidxbot google-hoteladsverifier gsa-crawler \
    twitterbot facebookexternalhit facebookbot linkedinbot pinterest pinterestbot slackbot whatsapp \
    telegrambot discordbot googlebot-image googlebot-news googlebot-video ia_archiver";

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
    is_one_of(name, OPENED)
}
