use alloc::format;

use robots_groups::Crawler;
use robots_groups::syntax::Field;

use crate::catalogue::closeness::{EVERYONE, after_operator, nearest};
use crate::catalogue::{KnownCrawler, product};
use crate::lint::declaration::lint;
use crate::lint::draft::{Draft, Drafts};
use crate::lint::known_names::{is_known, read_as};
use crate::lint::severity::Severity;
use crate::lint::subject::{AgentFault, GroupView};
use crate::lint::text::shown;

lint! {
    code: "agent-misspelt",
    severity: warning,
    title: "The name of a crawler is misspelt",
    check: Group(check),
    /// A crawler obeys the group that has its exact name, apart from letter case. `Google` is not a name by which a crawler finds
    /// its group, but `Googlebot` is, and for all crawlers the name is `*`. A group with another name has no effect. Where the group
    /// also has the right name, the finding is a note.
    ///
    /// A name is misspelt if it is the name of a known crawler with one mistake, or with two mistakes in a long name. Another letter in
    /// a short name makes another name, so it is not reported. The known crawlers are those that `robots crawlers`
    /// lists. The operator of a crawler is not part of its name either: `OpenAI-GPTBot` is not `GPTBot`. `Robots` as the only name of a
    /// group does not mean all crawlers. A name of which no operator says anything, such as `Grok`, is not reported, because a
    /// crawler may look for it.
    ///
    /// Write the name that the documentation of the crawler gives. No name is suggested for a group that blocks much of the site,
    /// such as one with `Disallow: /`: with the name of a search engine's crawler, the site would leave the search engine. Then the
    /// message only states the nearest name.
    ///
    /// A file with this finding:
    ///
    /// ```robots.txt found
    /// User-agent: Google
    /// Disallow: /private
    /// ```
    ///
    /// A file without it:
    ///
    /// ```robots.txt clean
    /// User-agent: googlebot
    /// Disallow: /private
    /// ```
}

/// Words for crawlers in general. Lists of names have them, too, next to other names.
const CRAWLERS: [&str; 7] =
    ["robots", "bots", "crawlers", "spiders", "search engines", "search-engines", "searchengines"];

/// Words that people write for a crawler, each with its name.
const MEANT: [(&str, &str); 25] = [
    ("google", "Googlebot"),
    ("googlebots", "Googlebot"),
    ("googlecrawler", "Googlebot"),
    ("googlespider", "Googlebot"),
    ("bingspider", "bingbot"),
    ("bingcrawler", "bingbot"),
    ("google-bot", "Googlebot"),
    ("bing", "bingbot"),
    ("bing-bot", "bingbot"),
    ("baidu", "Baiduspider"),
    ("baidubot", "Baiduspider"),
    ("yahoo", "Slurp"),
    ("duckduckgo", "DuckDuckBot"),
    ("msn", "msnbot"),
    ("apple", "Applebot"),
    ("amazon", "Amazonbot"),
    ("gpt-bot", "GPTBot"),
    ("googlebot-img", "Googlebot-Image"),
    ("googlebot-images", "Googlebot-Image"),
    ("googlebot image", "Googlebot-Image"),
    ("googlebot-new", "Googlebot-News"),
    ("googlebot smartphone", "Googlebot"),
    ("googlebot desktop", "Googlebot"),
    ("apple-extended", "Applebot-Extended"),
    ("duckduck", "DuckDuckBot"),
];

fn check(view: &GroupView<'_, '_>, drafts: &mut Drafts<'_>) {
    for agent in view.group.agents() {
        if let Some(meant) = meant(agent, view) {
            let line = view.file.index.line_of(agent.span());
            let draft = |more: &str| {
                let message = format!("no known crawler has the name `{}`{more}", shown(agent.bytes()));
                Draft::new(line, agent.span(), message)
            };
            // The crawler obeys the group as it is.
            let is_same_group = view.file.group_of(meant) == Some(view.index);
            let now = read_as(agent.bytes());
            drafts.add(match view.closes() {
                _ if is_same_group => draft("")
                    .help(format!("remove it: the group names `{meant}`"))
                    .severity(Severity::Note)
                    .idle(),
                Some(extent) if meant == "*" => {
                    draft("; the name for all crawlers is `*`").help(extent.in_place_of_a_star())
                }
                Some(_) if now == Some(meant) => draft(&format!("; crawlers read it as `{meant}`"))
                    .help(format!("write only `{meant}`"))
                    .suggest(agent.span(), meant),
                Some(extent) => match now {
                    Some(now) => draft(&format!(
                        "; crawlers read it as `{now}`, and the nearest name is `{meant}`"
                    ))
                    .help(format!(
                        "the group blocks `{now}` from {}; write `{meant}` if only this crawler is meant",
                        extent.name()
                    ))
                    .suggest(agent.span(), meant),
                    None => {
                        draft(&format!("; the nearest name is `{meant}`")).help(extent.in_place_of_a_name())
                    }
                },
                None => draft("").help(format!("did you mean `{meant}`?")).suggest(agent.span(), meant),
            });
        }
    }
}

/// Returns the name of the crawler that someone most likely meant who wrote another name.
fn meant(agent: &Field<'_>, view: &GroupView<'_, '_>) -> Option<&'static str> {
    let value = agent.bytes();
    let is_name = match AgentFault::of(value, &view.file.facts.profile.groups) {
        AgentFault::None => true,
        // Some parsers read a part of it, and others the whole name.
        AgentFault::Byte(_) => core::str::from_utf8(value).is_ok_and(|name| Crawler::new(name).is_ok()),
        _ => false,
    };
    if !is_name {
        return None;
    }
    let is = |name: &str| value.eq_ignore_ascii_case(name.as_bytes());
    if is_known(value) || product(value).is_some() {
        return None;
    }
    let is_only_name = view.group.agents().len() == 1;
    if EVERYONE.iter().any(|word| is(word)) || is_only_name && CRAWLERS.iter().any(|word| is(word)) {
        return Some("*");
    }
    let known = MEANT.iter().find(|(word, _)| is(word)).map(|(_, name)| *name);
    known.or_else(|| after_operator(value, KnownCrawler::ALL)).or_else(|| nearest(value, KnownCrawler::ALL))
}
