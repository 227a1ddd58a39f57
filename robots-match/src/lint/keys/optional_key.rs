use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use robots_groups::syntax::Lines;

use crate::lint::declaration::lint;
use crate::lint::draft::{Draft, Drafts};
use crate::lint::obedience::{Obeys, obeys};
use crate::lint::subject::File;
use crate::lint::text::shown;
use crate::records::{OtherRecord, RecordKind, Records};

lint! {
    code: "optional-key",
    severity: note,
    title: "A crawler does not obey this line",
    check: File(check),
    /// RFC 9309 does not define `Crawl-delay`, `Request-rate`, `Visit-time` and `Clean-param`. Each crawler decides whether it obeys
    /// them:
    ///
    /// - `Crawl-delay`: bingbot, Slurp, ClaudeBot, CCBot, SemrushBot (10 seconds at most), AhrefsBot, MJ12bot and DotBot obey it.
    ///   Google's crawlers, Yandex (since February 2018) and Amazonbot ignore it. Google's crawlers slow down when a server is
    ///   slow or answers with status 429 or 503, and Yandex Webmaster has a setting for the rate.
    /// - `Clean-param`: Yandex obeys it, in a group for any crawler.
    /// - `Request-rate` and `Visit-time`: no large crawler says that it obeys them.
    ///
    /// A line for a crawler that obeys it is not reported. By default, a line for `*` and for crawlers about which nothing is known
    /// is not reported, either. To slow down all crawlers, limit requests on the server.
    ///
    /// A file with this finding:
    ///
    /// ```robots.txt found
    /// User-agent: Yandex
    /// Crawl-delay: 5
    /// ```
    ///
    /// A file without it:
    ///
    /// ```robots.txt clean
    /// User-agent: bingbot
    /// Crawl-delay: 5
    /// Disallow: /private
    /// ```
}

fn check(file: &File<'_>, drafts: &mut Drafts<'_>) {
    let syntax = &file.facts.profile.syntax;
    let records = Records::from_lines(Lines::new(file.body, syntax), &file.groups, syntax);
    for record in records.all() {
        let kind = match record.kind {
            RecordKind::CrawlDelay
            | RecordKind::RequestRate
            | RecordKind::VisitTime
            | RecordKind::CleanParam => record.kind,
            _ => continue,
        };
        if let Some(draft) = draft(record, kind, file) {
            drafts.add(draft);
        }
    }
}

fn draft(record: &OtherRecord<'_>, kind: RecordKind, file: &File<'_>) -> Option<Draft> {
    let key = shown(record.key.bytes());
    let draft = |message: String| Draft::new(record.line, record.key.span(), message);
    let group = record.group.and_then(|index| file.groups.get(index));
    let agents = group.as_ref().map_or(&[][..], |group| group.agents());
    let answers: Vec<_> =
        agents.iter().filter_map(|agent| Some((agent, obeys(kind, agent.bytes())?))).collect();
    let ignoring = answers.iter().find_map(|(agent, entry)| match entry.answer {
        Obeys::No(instead) => Some((agent, instead)),
        Obeys::Yes => None,
    });
    if let Some((agent, instead)) = ignoring {
        return Some(draft(format!("`{}` ignores `{key}`", shown(agent.bytes()))).help(instead));
    }
    if !agents.is_empty() && answers.len() == agents.len() {
        return None;
    }
    let draft = match kind {
        RecordKind::CrawlDelay => draft(format!("only some crawlers obey `{key}`"))
            .help("bingbot obeys it; Google's crawlers and Yandex ignore it"),
        RecordKind::CleanParam => {
            draft(format!("only Yandex obeys `{key}`")).help("keep it for Yandex; other crawlers ignore it")
        }
        _ => draft(format!("no large crawler obeys `{key}`"))
            .help("do not rely on it; limit requests on the server"),
    };
    Some(draft.idle())
}
