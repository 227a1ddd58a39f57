//! Lists of crawlers for people and for programs.

use alloc::borrow::Cow;

use robots_fetch::sitemap::LONGEST_URL;
use robots_match::VerdictDocument;
use schemars::JsonSchema;
use serde::{Serialize, Serializer};

use super::rows::{Listed, Row};
use crate::arguments::catalogue;
use crate::body::{Body, joined_notes};
use crate::failure::Result;
use crate::names::Applied;
use crate::other_lines::{CleanParam, CrawlDelay, ForCrawler, Preference};
use crate::output::csv::CsvArguments;
use crate::output::{Failures, Markup, Printable, TextLines, markup};
use crate::text::{self, Text};
use crate::verdict::why;

const HEAD: [&str; 5] = ["Crawler", "Purpose", "Group", "Access", "Decides"];

/// The columns that a list has if a file has such lines for one of the crawlers.
const DELAY: &str = "Delay";
const USES: &str = "Uses";

/// Returns the names of the columns for people.
fn head(listed: &Listed) -> Vec<String> {
    let [delay, uses] = more_columns(listed);
    let more = [(delay, DELAY), (uses, USES)].into_iter().filter(|(has, _)| *has).map(|(_, name)| name);
    let [start @ .., decides] = HEAD;
    start.into_iter().chain(more).chain([decides]).map(str::to_owned).collect()
}

/// Returns whether a list has the columns for delays and for uses.
fn more_columns(listed: &Listed) -> [bool; 2] {
    let has = |is: fn(&ForCrawler) -> bool| listed.rows.iter().any(|row| is(&row.other));
    [has(|other| other.delay.is_some()), has(|other| !other.preferences.is_empty())]
}

/// Returns the lines that state for what the crawler may use pages.
fn uses(row: &Row) -> String {
    row.other.preferences.iter().map(Preference::shown).collect::<Vec<_>>().join("; ")
}

/// Returns a line about the parameters that crawlers leave out, if there are any.
fn params(listed: &Listed) -> Option<String> {
    let mut names = Vec::new();
    let mut params = None;
    for row in listed.rows.iter().filter(|row| !row.other.params.is_empty()) {
        names.push(Text(row.named.name.as_bytes()).to_string());
        params.get_or_insert(&row.other.params);
    }
    let params: Vec<String> = params?.iter().map(CleanParam::shown).collect();
    Some(format!("Clean-param for {}: {}", names.join(", "), params.join(", ")))
}

/// The most crawlers of a product that a cell names.
const MOST_MEANT: usize = 3;

/// Returns the cells of a row for people.
fn cells(row: &Row, listed: &Listed, [has_delays, has_uses]: [bool; 2]) -> Vec<String> {
    let profile = listed.subject.profile_of(&row.named.crawler);
    let decides = row.access.why(listed.subject.body(), listed.subject.kind) + &profile.suffix();
    let name = Text(row.named.name.as_bytes());
    // A file may name a product in place of its crawlers.
    let meant = if row.line.is_some() { catalogue().of_product(&row.named.name) } else { &[] };
    let name = match row.suggestion {
        _ if !meant.is_empty() => {
            format!("{name} (did you mean {}?)", text::listed(meant.iter().copied(), MOST_MEANT))
        }
        Some("*") => format!("{name} (did you mean `*`?)"),
        Some(other) => format!("{name} (did you mean {other}?)"),
        None => name.to_string(),
    };
    let group = row.group.as_ref().map_or_else(|| "none".to_owned(), Applied::shown);
    let access = match row.may_ignore() {
        true => format!("{} (may ignore robots.txt)", row.access.extent.name()),
        false => row.access.extent.name().to_owned(),
    };
    let mut cells = vec![name, row.purpose().to_string(), group, access];
    if has_delays {
        cells.push(row.other.delay.map(CrawlDelay::shown).unwrap_or_default());
    }
    if has_uses {
        cells.push(uses(row));
    }
    cells.push(decides);
    cells
}

pub(super) fn human(lists: &[Listed]) -> TextLines {
    let mut text = TextLines::new();
    for (index, listed) in lists.iter().enumerate() {
        if index > 0 {
            text.add_blank();
        }
        text.add(format_args!("{}: {}", listed.subject.name, listed.summary()));
        for note in listed.subject.notes() {
            text.add(note);
        }
        let mut rows = vec![head(listed).iter().map(|name| name.to_uppercase()).collect()];
        let more = more_columns(listed);
        rows.extend(listed.rows.iter().map(|row| cells(row, listed, more)));
        text.add_columns(&rows);
        if let Some(params) = params(listed) {
            text.add(params);
        }
    }
    text
}

pub(super) fn csv(lists: &[Listed], csv: &CsvArguments) -> Result<Printable> {
    let head = [
        "file",
        "crawler",
        "tokens",
        "operator",
        "purpose",
        "respects",
        "trigger",
        "group",
        "group_line",
        "access",
        "path",
        "allowed",
        "line",
        "decides",
        "suggestion",
        "profile",
        "source",
        "date",
        "crawl_delay",
        "obeys_crawl_delay",
        "clean_param",
        "uses",
    ];
    let mut rows = vec![head.map(str::to_owned).to_vec()];
    for listed in lists {
        for row in &listed.rows {
            let known = |field: fn(&robots_match::KnownCrawler) -> &str| {
                row.known.map(field).unwrap_or_default().to_owned()
            };
            let number = |line: Option<usize>| line.map(|line| line.to_string()).unwrap_or_default();
            let [delay, obeys] = row.other.delay.map(CrawlDelay::cells).unwrap_or_default();
            rows.push(vec![
                listed.subject.name.clone(),
                Text(row.named.name.as_bytes()).to_string(),
                row.named.crawler.names().collect::<Vec<_>>().join(","),
                known(|known| known.operator.unwrap_or_default()),
                row.purpose().to_string(),
                respects(row).to_owned(),
                known(|known| known.trigger.name()),
                row.group.as_ref().map(|group| Text(&group.name).to_string()).unwrap_or_default(),
                number(row.group.as_ref().map(|group| group.line)),
                row.access.extent.name().to_owned(),
                path_of(row).into_owned(),
                row.access.verdict.map(|verdict| verdict.is_allowed().to_string()).unwrap_or_default(),
                number(row.access.verdict.and_then(|verdict| verdict.line())),
                row.access
                    .verdict
                    .map(|verdict| why(&verdict, listed.subject.body(), listed.subject.kind))
                    .unwrap_or_default(),
                row.suggestion.unwrap_or_default().to_owned(),
                listed.subject.profile_of(&row.named.crawler).document.to_string(),
                known(|known| known.source),
                known(|known| known.date),
                delay,
                obeys,
                row.other.params.iter().map(CleanParam::value).collect::<Vec<_>>().join(" & "),
                uses(row),
            ]);
        }
    }
    csv.rows(&rows)
}

/// Returns the path that the verdict is about. One that is too long for a URL is cut, because many crawlers may have the same.
fn path_of(row: &Row) -> Cow<'_, str> {
    match row.access.path.len() {
        ..=LONGEST_URL => Cow::Borrowed(&row.access.path),
        _ => Cow::Owned(Text(row.access.path.as_bytes()).short()),
    }
}

fn respects(row: &Row) -> &'static str {
    match row.known.and_then(|known| known.respects) {
        Some(true) => "yes",
        Some(false) => "no",
        None => "unknown",
    }
}

pub(super) fn html(lists: &[Listed]) -> Markup {
    let mut body = markup!("<h1>Access of crawlers</h1>\n");
    for listed in lists {
        body.append(markup!("<h2>{}</h2>\n<p>{}</p>\n", listed.subject.name, listed.summary()));
        for note in listed.subject.notes().chain(params(listed)) {
            body.append(markup!("<p>{}</p>\n", note));
        }
        let more = more_columns(listed);
        let rows: Vec<Vec<String>> = listed.rows.iter().map(|row| cells(row, listed, more)).collect();
        let head = head(listed);
        let head: Vec<&str> = head.iter().map(String::as_str).collect();
        body.append(markup::table("Crawlers", &head, &rows));
    }
    markup::page("Access of crawlers", &body)
}

/// The output of `robots crawlers --format json`.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Output<'l> {
    pub(super) version: u8,
    /// The name of a document, or `auto`: each verdict has its own.
    pub(super) profile: &'static str,
    pub(super) files: Vec<FileDocument<'l>>,
    /// The inputs that could not be read.
    pub(super) failed: Failures,
}

/// A robots.txt and its crawlers.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "File")]
pub(super) struct FileDocument<'l> {
    file: &'l str,
    /// The site that was asked.
    site: Option<&'l str>,
    /// The answer of a site that has no rules, and what it means.
    answer: Option<String>,
    /// What the file is; null if the site has no rules.
    body: Option<Body>,
    /// Notes on lines in which records for crawlers ran together, so that crawlers do not read all of them.
    joined: Vec<String>,
    #[schemars(with = "Vec<CrawlerDocument<'_>>")]
    crawlers: Crawlers<'l>,
}

/// The crawlers of a file, each of which is made when it is written: many may have the same long rule.
#[derive(Debug)]
struct Crawlers<'l>(&'l Listed);

impl Serialize for Crawlers<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> core::result::Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.rows.iter().map(|row| CrawlerDocument::new(row, self.0)))
    }
}

/// A crawler and its access.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Crawler")]
struct CrawlerDocument<'l> {
    name: &'l str,
    /// The names that the crawler tries, in this order.
    tokens: Vec<&'l str>,
    operator: Option<&'l str>,
    purpose: &'static str,
    /// Whether the operator says that the crawler respects robots.txt: `yes`, `no` or `unknown`.
    respects: &'static str,
    /// What makes the crawler request a page: `automatic` or `user`; null for crawlers that are not in the catalogue.
    trigger: Option<&'static str>,
    /// Whether something is disallowed to the crawler, and it may ignore that.
    may_ignore: bool,
    obeys_wildcard: bool,
    /// In what the crawler differs from others, as its operator says.
    differences: Option<&'l str>,
    /// The URL of the page on which the entry of the catalogue is based, and its date.
    source: Option<&'l str>,
    date: Option<&'l str>,
    /// Whether the page of the operator was read; null for crawlers that are not in the catalogue.
    verified: Option<bool>,
    /// The line of the file that names the crawler.
    named_in_line: Option<usize>,
    /// The name that was meant, if this one is not known.
    suggestion: Option<&'l str>,
    /// The group that applies.
    group: Option<GroupDocument<'l>>,
    /// `all`, `parts`, `nothing` or `undecided`.
    access: &'static str,
    /// The path that the verdict is about: a shortest one that is disallowed, or `/`. One of more than 8 KiB is cut, and its length
    /// follows.
    path: Cow<'l, str>,
    /// The verdict on the path; null if the file takes too much work.
    verdict: Option<VerdictDocument>,
    /// The time that the file asks the crawler to wait between requests.
    crawl_delay: Option<CrawlDelay>,
    /// The Clean-param lines of the file, for crawlers that obey them.
    clean_params: &'l [CleanParam],
    /// The Content-Signal and Content-Usage lines for the crawler.
    preferences: &'l [Preference],
}

/// The name in a `user-agent` line, and the line.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Group")]
struct GroupDocument<'g> {
    name: Cow<'g, str>,
    line: usize,
    /// The lines of other groups that apply as well.
    others: &'g [usize],
}

impl<'l> CrawlerDocument<'l> {
    fn new(row: &'l Row, listed: &'l Listed) -> Self {
        let body = listed.subject.body();
        let Row { named, known, line, group, access, other, suggestion } = row;
        Self {
            name: &named.name,
            tokens: named.crawler.names().collect(),
            operator: known.and_then(|known| known.operator),
            purpose: row.purpose().name(),
            respects: respects(row),
            trigger: known.map(|known| known.trigger.name()),
            may_ignore: row.may_ignore(),
            obeys_wildcard: named.crawler.obeys_wildcard(),
            differences: known.and_then(|known| known.differences),
            source: known.map(|known| known.source),
            date: known.map(|known| known.date),
            verified: known.map(|known| known.is_verified()),
            named_in_line: *line,
            suggestion: *suggestion,
            group: group.as_ref().map(|group| GroupDocument {
                name: String::from_utf8_lossy(&group.name),
                line: group.line,
                others: &group.others,
            }),
            access: access.extent.name(),
            path: path_of(row),
            verdict: access.verdict.map(|verdict| {
                let document = listed.subject.profile_of(&named.crawler).document;
                let kind = listed.subject.kind;
                VerdictDocument::new(&verdict)
                    .with_file(body)
                    .with_kind(&verdict, kind)
                    .with_profile(document)
            }),
            crawl_delay: other.delay,
            clean_params: &other.params,
            preferences: &other.preferences,
        }
    }
}

pub(super) fn json(listed: &Listed) -> FileDocument<'_> {
    FileDocument {
        file: &listed.subject.name,
        site: listed.subject.origin.as_ref().map(|origin| origin.as_str()),
        answer: listed.subject.note(),
        body: listed.subject.answer.is_none().then(|| Body::of(&listed.subject.robots)),
        joined: joined_notes(&listed.subject.robots),
        crawlers: Crawlers(listed),
    }
}
