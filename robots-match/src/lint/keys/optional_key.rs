use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use robots_groups::syntax::Field;

use crate::lint::declaration::lint;
use crate::lint::draft::{Draft, Drafts};
use crate::lint::obedience::{Obeys, obeys};
use crate::lint::subject::File;
use crate::lint::text::shown;
use crate::records::{OtherRecord, RecordKind};

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
    // What is known of the crawlers of the last group, which may have many names and many records, for each kind.
    let mut of_group: Vec<(RecordKind, Known<'_>)> = Vec::new();
    let mut last_group = None;
    for record in file.records.all() {
        let kind = match record.kind {
            RecordKind::CrawlDelay
            | RecordKind::RequestRate
            | RecordKind::VisitTime
            | RecordKind::CleanParam => record.kind,
            _ => continue,
        };
        let known = record.group.and_then(|index| {
            let group = file.groups.get(index)?;
            if last_group.replace(index) != Some(index) {
                of_group.clear();
            }
            let found = of_group.iter().find(|(of, _)| *of == kind).map(|(_, known)| *known);
            Some(found.unwrap_or_else(|| {
                let known = Known::of(group.agents(), kind);
                of_group.push((kind, known));
                known
            }))
        });
        if let Some(draft) = draft(record, kind, known.unwrap_or(Known::Nothing)) {
            drafts.add(draft);
        }
    }
}

/// What is known of the crawlers of a group.
#[derive(Clone, Copy)]
enum Known<'a> {
    /// One ignores the record; what to do instead.
    Ignoring(Field<'a>, &'static str),
    /// All obey it.
    Obeying,
    /// No crawler is known to ignore it.
    Nothing,
}

impl<'a> Known<'a> {
    fn of(agents: &[Field<'a>], kind: RecordKind) -> Self {
        let mut all_obey = !agents.is_empty();
        for agent in agents {
            match obeys(kind, agent.bytes()).map(|fact| &fact.answer) {
                Some(Obeys::No(instead)) => return Self::Ignoring(*agent, instead),
                Some(Obeys::Yes) => {}
                None => all_obey = false,
            }
        }
        if all_obey { Self::Obeying } else { Self::Nothing }
    }
}

fn draft(record: &OtherRecord<'_>, kind: RecordKind, known: Known<'_>) -> Option<Draft> {
    let key = shown(record.key.bytes());
    let draft = |message: String| Draft::new(record.line, record.key.span(), message);
    match known {
        Known::Ignoring(agent, instead) => {
            return Some(draft(format!("`{}` ignores `{key}`", shown(agent.bytes()))).help(instead));
        }
        Known::Obeying => return None,
        Known::Nothing => {}
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
