//! The figures of a log for people and for programs.

use robots_fetch::log::{AnswersSeen, CrawlerKind, CrawlerReport, HostReport, LogIdentity, LogReport};
use schemars::JsonSchema;
use serde::Serialize;

use super::arguments::Arguments;
use super::chart;
use crate::failure::Result;
use crate::output::{Failures, Markup, Printable, TextLines, csv, json, markup};
use crate::text::{Text, counted_requests};

/// The output of `robots log --format json`.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Output<'r> {
    version: u8,
    /// The name of a document, or `auto`: crawlers that are read by another one than the files have it.
    profile: &'static str,
    #[serde(flatten)]
    report: &'r LogReport,
    /// The logs that could not be read, or not well.
    failed: Failures,
}

impl<'r> Output<'r> {
    pub(super) fn new(report: &'r LogReport, arguments: &Arguments, failed: Failures) -> Self {
        Self { version: 1, profile: arguments.profile.name, report, failed }
    }
}

/// A line of `--format jsonl`: a crawler with its host.
#[derive(Serialize)]
struct Line<'r> {
    host: Option<&'r str>,
    #[serde(flatten)]
    crawler: &'r CrawlerReport,
}

pub(super) fn jsonl(report: &LogReport) -> Result<Printable> {
    let mut text = Printable::default();
    for (host, crawler) in crawlers(report) {
        text.append(json::line(&Line { host: host.host.as_deref(), crawler })?);
    }
    Ok(text)
}

fn crawlers(report: &LogReport) -> impl Iterator<Item = (&HostReport, &CrawlerReport)> {
    report.hosts.iter().flat_map(|host| host.crawlers.iter().map(move |crawler| (host, crawler)))
}

const HEAD: [&str; 9] = [
    "CRAWLER",
    "OPERATOR",
    "REQUESTS",
    "DISALLOWED",
    "BROKEN MOST",
    "ROBOTS.TXT READ",
    "SHORT GAPS",
    "IDENTITY",
    "SAYS IT OBEYS",
];

/// Returns the cells of a crawler for people.
fn cells(crawler: &CrawlerReport) -> Vec<String> {
    let share = crawler.share.filter(|_| crawler.disallowed > 0);
    let share = share.map(|share| format!(" ({:.1} %)", share * 100.0)).unwrap_or_default();
    let grace = match crawler.in_grace {
        0 => String::new(),
        grace => format!(", {grace} in grace"),
    };
    // Requests of others, who only have its name, are not the crawler's.
    let verified = match crawler.identity {
        LogIdentity::Claimed => String::new(),
        _ => format!(", {} verified", crawler.disallowed_verified),
    };
    let broken = crawler.lines.first().map_or_else(String::new, |line| match line.line {
        0 => String::new(),
        number => format!("line {number}: {}", Text(line.text.as_bytes()).short()),
    });
    let times = match crawler.read {
        0 => "not in the log".to_owned(),
        1 => "once".to_owned(),
        read => format!("{read} times"),
    };
    let read = match (crawler.read, crawler.never, crawler.late) {
        (0, Some(never), _) if never > 0 => "never".to_owned(),
        (_, _, Some(1)) => format!("{times}, 1 request late"),
        (_, _, Some(late)) if late > 0 => format!("{times}, {late} requests late"),
        _ => times,
    };
    let short = match (crawler.crawl_delay, crawler.short, crawler.gaps) {
        (Some(delay), Some(short), Some(gaps)) => format!("{short} of {gaps} (delay {delay} s)"),
        _ => String::new(),
    };
    let identity = match crawler.identity {
        LogIdentity::Claimed => "claimed".to_owned(),
        _ => {
            let unknown = match crawler.no_ranges {
                0 => String::new(),
                unknown => format!(", {unknown} unknown"),
            };
            let without = match crawler.no_address {
                0 => String::new(),
                without => format!(", {without} without the client's address"),
            };
            format!("{} verified, {} not{without}{unknown}", crawler.verified, crawler.unverified)
        }
    };
    let name =
        if crawler.name.is_empty() { "others".into() } else { Text(crawler.name.as_bytes()).to_string() };
    let profile = crawler.profile.map(|profile| format!(" ({profile})")).unwrap_or_default();
    let name = name + &profile;
    vec![
        name,
        crawler.operator.unwrap_or_default().to_owned(),
        crawler.requests.to_string(),
        format!("{}{share}{verified}{grace}", crawler.disallowed),
        broken,
        read,
        short,
        identity,
        crawler.claims.respects.to_owned(),
    ]
}

/// Returns the rows of a kind that are shown, and the number of those that are not.
fn rows(host: &HostReport, kind: CrawlerKind, arguments: &Arguments) -> (Vec<Vec<String>>, usize) {
    let of_kind = host.crawlers.iter().filter(|crawler| crawler.kind == kind);
    let is_shown = |crawler: &&CrawlerReport| {
        arguments.all || kind != CrawlerKind::Unlisted && (crawler.disallowed > 0 || crawler.disputed > 0)
    };
    let (shown, hidden): (Vec<_>, Vec<_>) = of_kind.partition(is_shown);
    (shown.into_iter().map(cells).collect(), hidden.len())
}

/// Returns how many requests are of whom.
fn summary(host: &HostReport) -> String {
    let totals = &host.totals;
    let mut text = format!(
        "requests: {}, of crawlers by their names: {}, of others: {}",
        host.lines, totals.crawler_requests, totals.not_crawlers
    );
    for (count, what) in
        [(totals.no_user_agent, "without a User-Agent"), (totals.several_names, "with several names")]
    {
        if count > 0 {
            text.push_str(&format!(", {count} {what}"));
        }
    }
    text
}

/// Returns how the host answered requests of its robots.txt, by whomever they were made; `None` if there are none in the log.
fn answers(host: &HostReport) -> Option<String> {
    let sum = |figure: fn(&AnswersSeen) -> u64| host.answers.iter().map(figure).sum::<u64>();
    let all = [
        (sum(|seen| seen.read), "read"),
        (sum(|seen| seen.redirected), "redirected"),
        (sum(|seen| seen.missing), "4xx"),
        (sum(|seen| seen.failed), "5xx"),
        (sum(|seen| seen.other), "others"),
    ];
    let all = all.into_iter().filter(|(count, _)| *count > 0);
    let all = all.map(|(count, what)| format!("{what} {count}")).reduce(|all, part| all + ", " + &part);
    all.map(|all| format!("answers for robots.txt, to anybody: {all}"))
}

fn unlisted(host: &HostReport) -> Option<String> {
    let totals = &host.totals.unlisted;
    (totals.crawlers > 0).then(|| {
        format!(
            "Crawlers that are not in the catalogue: {}, {}, {} disallowed",
            totals.crawlers,
            counted_requests(totals.requests),
            totals.disallowed
        )
    })
}

fn are(requests: u64) -> String {
    format!("{} {}", counted_requests(requests), if requests == 1 { "is" } else { "are" })
}

/// Returns what the figures lack, if something.
pub(super) fn notes(report: &LogReport) -> Vec<String> {
    let mut notes = Vec::new();
    let excused: u64 = crawlers(report).map(|(_, crawler)| crawler.excused).sum();
    if excused > 0 {
        notes.push(format!(
            "{} excused: every answer for robots.txt was 4xx for a day, and none was 429",
            are(excused)
        ));
    }
    let disputed: u64 = crawlers(report).map(|(_, crawler)| crawler.disputed).sum();
    if disputed > 0 {
        notes.push(format!(
            "{} disputed: disallowed only if encoded bytes are equal to others, or without a query that the log leaves out",
            are(disputed)
        ));
    }
    for host in &report.hosts {
        // Of a log that counts header fields, too, no answer has the size of a version.
        if host.larger_answers > 0 && host.answers_of_same_size > 0 {
            let name = host.host.as_deref().map(|name| Text(name.as_bytes()).to_string());
            notes.push(format!(
                "{} of {} answers{} with robots.txt have more bytes than every version, so another server may add to the file, or a \
                 version is missing",
                host.larger_answers,
                host.answers_of_same_size + host.answers_of_other_size,
                name.map(|name| format!(" of {name}")).unwrap_or_default()
            ));
        }
    }
    let no_robots: u64 = crawlers(report).map(|(_, crawler)| crawler.no_robots).sum();
    if no_robots > 0 {
        notes.push(format!("{} to hosts without a robots.txt, or before its first version", are(no_robots)));
    }
    if report.top_paths_error > 0 {
        notes.push(format!(
            "There are more than 400,000 different disallowed paths, so the counts of paths may be too small by up to {}",
            report.top_paths_error
        ));
    }
    if report.is_behind_proxy {
        notes.push(
            "Crawlers of several operators come from the same few networks, so the addresses are those of a proxy; name those of \
             the clients with `--address forwarded:1`"
                .to_owned(),
        );
    }
    if !report.old_ranges.is_empty() {
        notes.push(format!(
            "The ranges of {} were published more than 90 days before or after the log, so requests may be verified wrongly",
            report.old_ranges.join(", ")
        ));
    }
    if report.are_addresses_approximate {
        notes.push(
            "There are more addresses than are counted one by one, so figures about addresses are too small"
                .to_owned(),
        );
    }
    notes
}

pub(super) fn human(report: &LogReport, arguments: &Arguments) -> TextLines {
    let mut text = TextLines::new();
    for (index, host) in report.hosts.iter().enumerate() {
        if index > 0 {
            text.add_blank();
        }
        match &host.host {
            Some(name) => text.add(format_args!("{name}: {}", summary(host))),
            None => text.add(summary(host)),
        }
        if let Some(answers) = answers(host) {
            text.add(answers);
        }
        for (kind, title) in KINDS {
            let (mut shown, hidden) = rows(host, kind, arguments);
            if !shown.is_empty() {
                text.add_blank();
                text.add(title);
                shown.insert(0, HEAD.map(str::to_owned).to_vec());
                text.add_columns(&shown);
            }
            if hidden > 0 && kind != CrawlerKind::Unlisted {
                text.add(format_args!("{title} without a disallowed request: {hidden}"));
            }
        }
        if let Some(unlisted) = unlisted(host) {
            text.add(unlisted);
        }
        let mut has_paths = false;
        for crawler in
            host.crawlers.iter().filter(|crawler| arguments.all || crawler.kind != CrawlerKind::Unlisted)
        {
            if crawler.top_paths.is_empty() {
                continue;
            }
            if !core::mem::replace(&mut has_paths, true) {
                text.add_blank();
                text.add("Disallowed paths that were requested most");
            }
            let name = &crawler.name;
            for (path, count) in &crawler.top_paths {
                text.add(format_args!("  {name}: {count}  {}", Text(path.as_bytes()).short()));
            }
            for network in &crawler.top_networks {
                text.add(format_args!("  {name}: network {network}"));
            }
            for address in &crawler.top_addresses {
                text.add(format_args!("  {name}: address {address}"));
            }
        }
    }
    for note in notes(report) {
        text.add(note);
    }
    text
}

/// The kinds of crawlers with their titles.
const KINDS: [(CrawlerKind, &str); 3] = [
    (CrawlerKind::Automatic, "Crawlers"),
    (CrawlerKind::UserTriggered, "Fetchers that people trigger"),
    (CrawlerKind::Unlisted, "Crawlers that are not in the catalogue"),
];

const fn kind_name(kind: CrawlerKind) -> &'static str {
    match kind {
        CrawlerKind::Automatic => "automatic",
        CrawlerKind::UserTriggered => "user_triggered",
        _ => "unlisted",
    }
}

pub(super) fn csv(report: &LogReport) -> Result<Printable> {
    type Column = (&'static str, fn(&CrawlerReport) -> String);
    fn some(figure: Option<impl ToString>) -> String {
        figure.map(|figure| figure.to_string()).unwrap_or_default()
    }
    let columns: [Column; 49] = [
        ("crawler", |c| Text(c.name.as_bytes()).to_string()),
        ("kind", |c| kind_name(c.kind).to_owned()),
        ("operator", |c| some(c.operator)),
        ("purpose", |c| some(c.purpose)),
        ("profile", |c| some(c.profile)),
        ("respects", |c| c.claims.respects.to_owned()),
        ("identity", |c| if c.identity == LogIdentity::Verified { "verified" } else { "claimed" }.to_owned()),
        ("requests", |c| c.requests.to_string()),
        ("robots_txt", |c| c.robots_txt.to_string()),
        ("read", |c| c.read.to_string()),
        ("redirected", |c| c.redirected.to_string()),
        ("missing", |c| c.missing.to_string()),
        ("failed", |c| c.failed.to_string()),
        ("head", |c| c.head.to_string()),
        ("no_target", |c| c.no_target.to_string()),
        ("no_robots", |c| c.no_robots.to_string()),
        ("checked", |c| c.checked.to_string()),
        ("disallowed", |c| c.disallowed.to_string()),
        ("share", |c| some(c.share)),
        ("disputed", |c| c.disputed.to_string()),
        ("in_grace", |c| c.in_grace.to_string()),
        ("beyond_grace", |c| c.beyond_grace.to_string()),
        ("excused", |c| c.excused.to_string()),
        ("unreachable", |c| c.unreachable.to_string()),
        ("served", |c| c.served.to_string()),
        ("fresh", |c| some(c.fresh)),
        ("late", |c| some(c.late)),
        ("never", |c| some(c.never)),
        ("unknown", |c| some(c.unknown)),
        ("reads_per_day", |c| some(c.reads_per_day)),
        ("longest_unread", |c| some(c.longest_unread)),
        ("crawl_delay", |c| some(c.crawl_delay)),
        ("gaps", |c| some(c.gaps)),
        ("short", |c| some(c.short)),
        ("median_gap", |c| some(c.median_gap)),
        ("gaps_per_address", |c| some(c.gaps_per_address)),
        ("short_per_address", |c| some(c.short_per_address)),
        ("out_of_order", |c| c.out_of_order.to_string()),
        ("verified", |c| c.verified.to_string()),
        ("unverified", |c| c.unverified.to_string()),
        ("addresses", |c| some(c.addresses)),
        ("networks", |c| some(c.networks)),
        ("first", |c| c.first.clone()),
        ("last", |c| c.last.clone()),
        ("days", |c| c.days.to_string()),
        ("no_ranges", |c| c.no_ranges.to_string()),
        ("no_address", |c| c.no_address.to_string()),
        ("unasked", |c| some(c.unasked)),
        ("unordered", |c| c.unordered.to_string()),
    ];
    let mut head = vec!["host".to_owned()];
    head.extend(columns.iter().map(|(name, _)| (*name).to_owned()));
    let mut rows = vec![head];
    for (host, crawler) in crawlers(report) {
        let mut row =
            vec![host.host.as_deref().map(|host| Text(host.as_bytes()).to_string()).unwrap_or_default()];
        row.extend(columns.iter().map(|(_, cell)| cell(crawler)));
        rows.push(row);
    }
    csv::csv(&rows)
}

pub(super) fn html(report: &LogReport, arguments: &Arguments, failed: &Failures) -> Markup {
    let mut body = markup!("<h1>Who obeys robots.txt?</h1>\n");
    if let (Some(first), Some(last)) = (&report.first, &report.last) {
        body.append(markup!("<p>From {} to {}.</p>\n", first, last));
    }
    body.append(markup!(
        "<p>Requests only say by their User-Agent header who they are of, unless addresses were verified. A request is \
         disallowed if the robots.txt that was in force disallows it. In the grace time after a change, crawlers may still use \
         the version before.</p>\n",
    ));
    let head = [
        "Crawler",
        "Operator",
        "Requests",
        "Disallowed",
        "Broken most",
        "robots.txt read",
        "Short gaps",
        "Identity",
        "Says it obeys",
    ];
    for host in &report.hosts {
        let name = host.host.as_deref().unwrap_or("All hosts");
        let name = Text(name.as_bytes()).to_string();
        body.append(markup!("<h2>{}</h2>\n<p>{}.</p>\n", name, summary(host)));
        if let Some(answers) = answers(host) {
            body.append(markup!("<p>{}.</p>\n", answers));
        }
        for (kind, title) in KINDS {
            let (shown, hidden) = rows(host, kind, arguments);
            if !shown.is_empty() {
                body.append(markup::table(title, &head, &shown));
            }
            if hidden > 0 && kind != CrawlerKind::Unlisted {
                body.append(markup!("<p>{} without a disallowed request: {}.</p>\n", title, hidden));
            }
        }
        if let Some(unlisted) = unlisted(host) {
            body.append(markup!("<p>{}.</p>\n", unlisted));
        }
        let mut paths = Vec::new();
        for crawler in
            host.crawlers.iter().filter(|crawler| arguments.all || crawler.kind != CrawlerKind::Unlisted)
        {
            for (path, count) in &crawler.top_paths {
                let path = Text(path.as_bytes()).short().to_string();
                paths.push(vec![Text(crawler.name.as_bytes()).to_string(), path, count.to_string()]);
            }
        }
        if !paths.is_empty() {
            body.append(markup::table(
                "Disallowed paths that were requested most",
                &["Crawler", "Path", "Requests"],
                &paths,
            ));
        }
        body.append(chart::charts(host));
    }
    for note in notes(report) {
        body.append(markup!("<p>{}.</p>\n", note));
    }
    if !failed.is_empty() {
        body.append(markup!("<p>Logs that could not be read, or not well:</p>\n"));
        for failure in failed.iter() {
            body.append(markup!("<p>{}</p>\n", failure.message.clone()));
        }
    }
    markup::page("Who obeys robots.txt?", &body)
}
