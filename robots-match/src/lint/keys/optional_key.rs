use alloc::collections::BTreeSet;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use robots_groups::syntax::Field;

use crate::lint::declaration::lint;
use crate::lint::draft::{Draft, Drafts};
use crate::lint::obedience::{Obeys, obeys};
use crate::lint::subject::{File, agents_above};
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
    /// A line is for the crawlers of the user-agent lines directly above it. It is reported if all of them ignore it, once for each
    /// crawler. By default, a line for `*` and for crawlers about which nothing is known is not reported. To slow down all crawlers,
    /// limit requests on the server.
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
    // What is known of the crawlers of the last block, which may have many names and many records, for each kind.
    let mut of_block: Vec<(RecordKind, Known<'_>)> = Vec::new();
    let mut last_block = None;
    let mut reported = BTreeSet::new();
    for record in file.records.all() {
        let kind = match record.kind {
            RecordKind::CrawlDelay
            | RecordKind::RequestRate
            | RecordKind::VisitTime
            | RecordKind::CleanParam => record.kind,
            _ => continue,
        };
        let agents = agents_above(file, record);
        let block = agents.first().map(|agent| agent.span().start());
        if last_block.replace(block) != Some(block) {
            of_block.clear();
        }
        let found = of_block.iter().find(|(of, _)| *of == kind).map(|(_, known)| *known);
        let known = found.unwrap_or_else(|| {
            let known = Known::of(agents, kind);
            of_block.push((kind, known));
            known
        });
        if let Known::Ignoring(agent, _) = known {
            if !reported.insert((kind.name(), agent.bytes().to_ascii_lowercase())) {
                continue;
            }
        }
        let draft = draft(record, kind, known);
        // A crawler that may fetch nothing has no use for the line either.
        let is_closed = record.group.is_some_and(|index| file.is_closed(index));
        if let Some(draft) = draft {
            drafts.add(if is_closed { draft.idle() } else { draft });
        }
    }
}

/// What is known of the crawlers that a record is written for.
#[derive(Clone, Copy)]
enum Known<'a> {
    /// All ignore the record: the first of them, and what to do instead.
    Ignoring(Field<'a>, &'static str),
    /// Some obey it, and all are known.
    Obeying,
    /// Something is not known.
    Nothing,
}

impl<'a> Known<'a> {
    fn of(agents: &[Field<'a>], kind: RecordKind) -> Self {
        let (mut first, mut obey) = (None, false);
        for agent in agents {
            match obeys(kind, agent.bytes()).map(|fact| &fact.answer) {
                Some(Obeys::No(instead)) => first = first.or(Some((*agent, *instead))),
                Some(Obeys::Yes) => obey = true,
                None => return Self::Nothing,
            }
        }
        match first {
            _ if obey => Self::Obeying,
            Some((agent, instead)) => Self::Ignoring(agent, instead),
            None => Self::Nothing,
        }
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
