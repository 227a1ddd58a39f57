//! Differences for people and for programs.

use alloc::borrow::Cow;
use core::fmt;
use std::collections::HashSet;

use robots_match::syntax::Lines;
use robots_match::{Verdict, VerdictDocument};
use schemars::JsonSchema;
use serde::{Serialize, Serializer};

use super::compare::{Cause, Change, Combined, Direction, GroupName};
use super::report::Report;
use crate::arguments::is_url;
use crate::body::joined_notes;
use crate::output::annotations::Place;
use crate::output::{Annotations, Style, TextLines};
use crate::rule_counts::{UrlRow, UrlRows};
use crate::subject::Subject;
use crate::text::{Text, listed};
use crate::verdict::why;

/// The names of both sides.
fn sides(report: &Report<'_>) -> [String; 2] {
    let Report { arguments, old, new, .. } = report;
    match arguments.against {
        Some(against) if report.is_of_profiles() || arguments.profile.name != against.name => {
            [format!("{} ({})", old.name, arguments.profile.name), format!("{} ({})", new.name, against.name)]
        }
        _ => [old.name.clone(), new.name.clone()],
    }
}

/// Returns the crawlers for which nothing changes, with a proof.
fn unchanged<'r>(report: &'r Report<'_>) -> Vec<&'r str> {
    let compared = &report.compared;
    let others: HashSet<usize> =
        compared.changed().chain(compared.undecided.iter().map(|(crawler, _)| *crawler)).collect();
    (0..report.crawlers.len())
        .filter(|index| !others.contains(index))
        .map(|index| report.name(index))
        .collect()
}

/// Returns what to say of directions in which other rules may change paths, too.
fn incomplete<'r>(report: &'r Report<'_>) -> impl Iterator<Item = String> + use<'r> {
    Direction::ALL.into_iter().filter_map(|direction| {
        let of_direction = report.compared.incomplete.iter().filter(|(_, other)| *other == direction);
        let names: Vec<&str> = of_direction.map(|(crawler, _)| report.name(*crawler)).collect();
        let (some, what) = (listed(names.iter().copied(), MOST_NAMES), direction.name().replace('-', " "));
        (!names.is_empty())
            .then(|| format!("not complete for {some}: other rules may make paths {what}, too"))
    })
}

/// The lines of both files, read once.
struct FileLines<'r>([Vec<&'r [u8]>; 2]);

impl<'r> FileLines<'r> {
    fn new(report: &'r Report<'_>) -> Self {
        Self([&report.old, &report.new].map(|subject| {
            let lines = Lines::new(subject.body(), &subject.robots.profile().syntax);
            lines.map(|line| line.bytes().trim_ascii()).collect()
        }))
    }

    /// Returns a line of one of the files, counted from 1.
    fn text(lines: &[&[u8]], line: usize) -> String {
        Text(line.checked_sub(1).and_then(|at| lines.get(at)).copied().unwrap_or_default()).short()
    }
}

/// The most crawlers that a line names.
const MOST_NAMES: usize = 12;

fn group(group: &Option<GroupName>) -> String {
    match group {
        Some(group) => format!("the group for `{}` (line {})", Text(&group.name), group.line),
        None => "no group".to_owned(),
    }
}

/// Returns the cause of a change as a clause.
fn cause(change: &Change<'_>, sides: &[String; 2], lines: &FileLines<'_>) -> String {
    let [old, new] = sides;
    let FileLines([old_lines, new_lines]) = lines;
    if let Some([before, after]) = change.groups {
        return format!("{} applies in {new}, and {} in {old}", group(after), group(before));
    }
    match &change.found.cause {
        Cause::Added(line) => {
            format!("line {line} of {new} is new for the crawler: {}", FileLines::text(new_lines, *line))
        }
        Cause::Removed(line) => {
            format!("line {line} of {old} is gone for the crawler: {}", FileLines::text(old_lines, *line))
        }
        Cause::Site => "a site answers without rules".to_owned(),
        Cause::Order => "both have the rules, and read them in different ways".to_owned(),
    }
}

pub(super) fn human(report: &Report<'_>) -> TextLines {
    let sides = sides(report);
    let [old, new] = &sides;
    let lines = FileLines::new(report);
    let mut text = TextLines::new();
    for (subject, name) in [(&report.old, old), (&report.new, new)] {
        for note in subject.notes() {
            text.add(format_args!("{name}: {note}"));
        }
    }
    for Combined { first, crawlers } in report.compared.combined() {
        let (found, names) = (first.found, crawlers.iter().map(|crawler| report.name(*crawler)));
        let (word, style) = match found.direction {
            Direction::NewlyDisallowed => ("newly disallowed", Style::Disallowed),
            Direction::NewlyAllowed => ("newly allowed", Style::Allowed),
        };
        let word = style.paint(word);
        text.add(format_args!("{word} for {}: {}", listed(names, MOST_NAMES), found.path));
        text.add(format_args!("  before   {}", why(&found.before, report.old.body(), report.old.kind)));
        text.add(format_args!("  after    {}", why(&found.after, report.new.body(), report.new.kind)));
        text.add(format_args!("  because  {}", cause(&first, &sides, &lines)));
    }
    for (crawler, direction) in &report.compared.undecided {
        text.add(format_args!(
            "undecided for {}: whether a path is {} (the search reached its limit)",
            report.name(*crawler),
            direction.name().replace('-', " ")
        ));
    }
    for message in incomplete(report) {
        text.add(format_args!("{message}"));
    }
    let unchanged = unchanged(report);
    if !unchanged.is_empty() {
        let is_cut = [&report.old, &report.new].iter().any(|side| side.cut_note().is_some());
        let proved = if is_cut { "proved for the part that is read" } else { "proved" };
        text.add(format_args!(
            "nothing changes for {} ({proved})",
            listed(unchanged.iter().copied(), MOST_NAMES)
        ));
    }
    if let Some(urls) = &report.urls {
        let mut rows = UrlRows::new("", "URLs", Style::Plain);
        for (url, crawler, before, after) in &urls.changes {
            let url = urls.list.urls.get(*url).unwrap_or_default();
            let word = if after.is_allowed() { "newly allowed" } else { "newly disallowed" };
            let name = report.name(*crawler);
            let before = why(before, report.old.body(), report.old.kind);
            rows.add(UrlRow {
                style: Style::of_verdict(after.is_allowed()),
                word,
                about: format!(" for {name}: "),
                url: Text(url).to_string(),
                cause: format!("{before} -> {}", why(after, report.new.body(), report.new.kind)),
            });
        }
        text.append(rows.lines("`--format json`"));
        let skipped = match urls.list.skipped {
            0 => String::new(),
            lines => format!(", lines without a URL: {lines}"),
        };
        text.add(format_args!(
            "URLs: {}, verdicts that change: {}{skipped}",
            urls.list.urls.len(),
            urls.changes.len()
        ));
    }
    text
}

pub(super) fn github(report: &Report<'_>) -> Annotations {
    let sides = sides(report);
    let [old, new] = &sides;
    let lines = FileLines::new(report);
    let mut notes = Annotations::new();
    for (subject, name) in [(&report.old, old), (&report.new, new)] {
        for note in subject.notes() {
            notes.add("warning", &Place::default(), "robots diff", &format!("{name}: {note}"));
        }
    }
    let mut all = Annotations::new();
    for Combined { first, crawlers } in report.compared.combined() {
        let (found, names) = (first.found, crawlers.iter().map(|crawler| report.name(*crawler)));
        let level = if report.denies(found.direction) { "error" } else { "notice" };
        let what = match found.direction {
            Direction::NewlyDisallowed => "is newly disallowed",
            Direction::NewlyAllowed => "is newly allowed",
        };
        let (file, line) = match &found.cause {
            Cause::Removed(line) if first.groups.is_none() => (&report.arguments.old, Some(*line)),
            _ => (report.arguments.new.as_ref().unwrap_or(&report.arguments.old), found.after.line()),
        };
        let file = file.as_encoded_bytes();
        let is_local = !is_url(std::ffi::OsStr::new(&*String::from_utf8_lossy(file))) && file != b"-";
        let path = match file.strip_prefix(b"git:") {
            Some(object) => object.splitn(2, |&byte| byte == b':').nth(1).unwrap_or_default(),
            None => file,
        };
        let path = Text(path).to_string();
        let place = if is_local { Place { file: Some(&path), line, column: None } } else { Place::default() };
        let message = format!(
            "{} {what} for {}: {}, because {}",
            found.path,
            listed(names, MOST_NAMES),
            why(&found.after, report.new.body(), report.new.kind),
            cause(&first, &sides, &lines)
        );
        all.add(level, &place, found.direction.name(), &message);
    }
    for (crawler, direction) in &report.compared.undecided {
        let message = format!(
            "for {}, it is undecided whether a path is {}",
            Text(report.name(*crawler).as_bytes()),
            direction.name().replace('-', " ")
        );
        all.add("warning", &Place::default(), "undecided", &message);
    }
    for message in incomplete(report) {
        all.add("notice", &Place::default(), "incomplete", &message);
    }
    if let Some(urls) = &report.urls {
        for (url, crawler, _, after) in &urls.changes {
            let url = urls.list.urls.get(*url).unwrap_or_default();
            let direction =
                if after.is_allowed() { Direction::NewlyAllowed } else { Direction::NewlyDisallowed };
            let level = if report.denies(direction) { "error" } else { "notice" };
            let message = format!(
                "{} for {}: {}",
                Text(url),
                Text(report.name(*crawler).as_bytes()),
                why(after, report.new.body(), report.new.kind)
            );
            all.add(level, &Place::default(), direction.name(), &message);
        }
    }
    if all.is_empty() {
        all.add("notice", &Place::default(), "robots diff", &format!("{old} and {new}: nothing changes"));
    }
    notes.append(all);
    notes
}

/// The output of `robots diff --format json`.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Output<'r> {
    version: u8,
    old: SideDocument<'r>,
    new: SideDocument<'r>,
    /// `changes`, `nothing-changes`, which is proved, or `undecided`.
    result: &'static str,
    /// The crawlers that were compared.
    crawlers: Vec<CrawlerDocument<'r>>,
    #[schemars(with = "Vec<ChangeDocument<'_>>")]
    changes: Changes<'r>,
    /// The crawlers for which nothing changes; this is proved for the part that is read.
    unchanged: Vec<&'r str>,
    /// Searches that reached their limit and found no path.
    undecided: Vec<SearchDocument<'r>>,
    /// Searches that found paths, and after which other rules may change more of them.
    incomplete: Vec<SearchDocument<'r>>,
    urls: Option<UrlsDocument<'r>>,
    /// The number of states that the searches visited.
    states: usize,
}

/// One of both robots.txt.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Side")]
struct SideDocument<'r> {
    name: &'r str,
    profile: &'static str,
    /// The site that was asked.
    site: Option<&'r str>,
    /// The answer of a site that has no rules, and what it means.
    answer: Option<String>,
    /// Notes on lines in which records for crawlers ran together, so that crawlers do not read all of them.
    joined: Vec<String>,
    /// Whether the file is over the size limit of the profile, so that its last lines are not read.
    cut: bool,
}

#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Crawler")]
struct CrawlerDocument<'r> {
    name: &'r str,
    /// The names that the crawler tries, in this order.
    tokens: Vec<&'r str>,
    obeys_wildcard: bool,
}

/// The changes of each crawler, each of which is made when it is written: many crawlers may share many.
struct Changes<'r>(&'r Report<'r>);

impl fmt::Debug for Changes<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Changes").field(&self.0.compared).finish()
    }
}

impl Serialize for Changes<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let report = self.0;
        serializer.collect_seq(report.compared.changes().map(|change| ChangeDocument::new(report, &change)))
    }
}

/// A path whose verdict changes.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Change")]
struct ChangeDocument<'r> {
    crawler: &'r str,
    /// `newly-disallowed` or `newly-allowed`.
    change: &'static str,
    /// A path and query in percent-encoded ASCII, as `robots check` accepts it.
    path: &'r str,
    /// Whether it is proved that no shorter path changes in this direction.
    shortest: bool,
    before: VerdictDocument,
    after: VerdictDocument,
    cause: CauseDocument<'r>,
}

#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Cause")]
struct CauseDocument<'r> {
    /// `rule-added` or `rule-removed` for a rule that only one file has for the crawler; `group` if another group applies; `site`
    /// for a site without rules; `order` for the order in which rules are read.
    kind: &'static str,
    /// The file with the rule: `old` or `new`.
    file: Option<&'static str>,
    /// The line of the rule.
    line: Option<usize>,
    /// The group that applied before, and the one that applies after.
    groups: Option<[Option<GroupDocument<'r>>; 2]>,
}

/// The name in a `user-agent` line, and the line.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Group")]
struct GroupDocument<'r> {
    name: Cow<'r, str>,
    line: usize,
}

#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Search")]
struct SearchDocument<'r> {
    crawler: &'r str,
    /// `newly-disallowed` or `newly-allowed`.
    change: &'static str,
}

/// The URLs of `--urls`.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Urls")]
struct UrlsDocument<'r> {
    /// The number of URLs.
    compared: usize,
    /// The number of lines without a URL.
    skipped: usize,
    changes: Vec<UrlDocument<'r>>,
}

/// A URL whose verdict changes.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Url")]
struct UrlDocument<'r> {
    crawler: &'r str,
    url: Cow<'r, str>,
    before: VerdictDocument,
    after: VerdictDocument,
}

pub(super) fn json<'r>(report: &'r Report<'_>) -> Output<'r> {
    let side = |subject: &'r Subject, profile: &'static str| SideDocument {
        name: &subject.name,
        profile,
        site: subject.origin.as_ref().map(|origin| origin.as_str()),
        answer: subject.note(),
        joined: joined_notes(&subject.robots),
        cut: subject.cut_note().is_some(),
    };
    let searches = |list: &[(usize, Direction)]| -> Vec<SearchDocument<'_>> {
        let document = |(crawler, direction): &(usize, Direction)| SearchDocument {
            crawler: report.name(*crawler),
            change: direction.name(),
        };
        list.iter().map(document).collect()
    };
    let urls = report.urls.as_ref().map(|urls| UrlsDocument {
        compared: urls.list.urls.len(),
        skipped: urls.list.skipped,
        changes: urls
            .changes
            .iter()
            .map(|(url, crawler, old, new)| UrlDocument {
                crawler: report.name(*crawler),
                url: String::from_utf8_lossy(urls.list.urls.get(*url).unwrap_or_default()),
                before: verdict_document(report, &report.old, *crawler, old),
                after: verdict_document(report, &report.new, *crawler, new),
            })
            .collect(),
    });
    let compared = &report.compared;
    let has_changes =
        !compared.has_no_changes() || report.urls.as_ref().is_some_and(|urls| !urls.changes.is_empty());
    let result = match (has_changes, compared.undecided.is_empty()) {
        (true, _) => "changes",
        (false, true) => "nothing-changes",
        (false, false) => "undecided",
    };
    let crawlers = report.crawlers.iter().map(|named| CrawlerDocument {
        name: &named.name,
        tokens: named.crawler.names().collect(),
        obeys_wildcard: named.crawler.obeys_wildcard(),
    });
    let profile = report.arguments.profile.name;
    let against = report.arguments.against.map_or(profile, |against| against.name);
    Output {
        version: 1,
        old: side(&report.old, profile),
        new: side(&report.new, against),
        result,
        crawlers: crawlers.collect(),
        changes: Changes(report),
        unchanged: unchanged(report),
        undecided: searches(&compared.undecided),
        incomplete: searches(&compared.incomplete),
        urls,
        states: compared.states,
    }
}

/// Returns the verdict about a crawler of one side.
fn verdict_document(
    report: &Report<'_>,
    subject: &Subject,
    crawler: usize,
    verdict: &Verdict,
) -> VerdictDocument {
    let document = VerdictDocument::new(verdict).with_file(subject.body()).with_kind(verdict, subject.kind);
    match report.crawlers.get(crawler) {
        Some(named) => document.with_profile(subject.profile_of(&named.crawler).document),
        None => document,
    }
}

impl<'r> ChangeDocument<'r> {
    fn new(report: &'r Report<'_>, change: &Change<'r>) -> Self {
        let Change { crawler, found, .. } = *change;
        Self {
            crawler: report.name(crawler),
            change: found.direction.name(),
            path: &found.path,
            shortest: found.is_shortest,
            before: verdict_document(report, &report.old, crawler, &found.before),
            after: verdict_document(report, &report.new, crawler, &found.after),
            cause: CauseDocument::new(change),
        }
    }
}

impl<'r> CauseDocument<'r> {
    fn new(change: &Change<'r>) -> Self {
        let group = |group: &'r Option<GroupName>| {
            group
                .as_ref()
                .map(|group| GroupDocument { name: String::from_utf8_lossy(&group.name), line: group.line })
        };
        if let Some([before, after]) = change.groups {
            let groups = Some([group(before), group(after)]);
            return Self { kind: "group", file: None, line: None, groups };
        }
        let (kind, file, line) = match &change.found.cause {
            Cause::Added(line) => ("rule-added", Some("new"), Some(*line)),
            Cause::Removed(line) => ("rule-removed", Some("old"), Some(*line)),
            Cause::Site => ("site", None, None),
            Cause::Order => ("order", None, None),
        };
        Self { kind, file, line, groups: None }
    }
}
