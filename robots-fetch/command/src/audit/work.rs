//! The work of an audit: an input is read and checked.

use alloc::sync::Arc;
use std::collections::{HashMap, HashSet};
use std::ffi::{OsStr, OsString};

use robots_fetch::Entry;
use robots_fetch::warc::examine;
use robots_match::syntax::BodyKind;
use robots_match::{Comparer, KnownCrawler, RuleSet, SelectionBasis, Target, Verdict};
use sha2::{Digest as _, Sha256};

use super::arguments::Arguments;
use super::inputs::Input;
use super::listed::Listed;
use super::page_answers::{Found, PageWork};
use super::row::{About, Decided, Place, Received, Row, Status, What};
use super::sitemaps;
use crate::arguments::{NamedCrawler, NamedProfile, is_url, origin};
use crate::expect::{Answer, Closed, Wanted, outcomes};
use crate::extent::{Extent, Measured};
use crate::failure::{Failure, Result};
use crate::fetch::time;
use crate::in_order::Turn;
use crate::network::{SiteTime, Sites};
use crate::source::Admitted;
use crate::subject::{RulesByProfile, Subject};
use crate::text::Text;
use crate::uri::uri;
use crate::url_list::path_in;
use crate::verdict::why;

/// The bytes of rows that are sent together.
const TOGETHER: usize = 64 << 10;

/// The bytes of compiled rules that are kept for other crawlers and URLs of the same input.
const KEPT: usize = 4 << 20;

/// What a worker sends.
pub(super) enum Message {
    Rows(Vec<Row>),
    /// The input is checked.
    Done(Arc<Place>, Counts),
}

/// What has no row of an input.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Counts {
    /// Verdicts about URLs of its sitemaps.
    pub(super) submitted: usize,
    /// Wanted access that crawlers have.
    pub(super) kept: usize,
}

/// The work on each input.
pub(super) struct Work<'w> {
    arguments: &'w Arguments,
    sites: &'w Sites,
    crawlers: &'w [NamedCrawler],
    /// The names of the crawlers.
    names: Vec<Arc<str>>,
    /// Whether each crawler may ignore robots.txt, by the catalogue.
    may_ignore: Vec<bool>,
    /// The profile by which each crawler is read.
    profiles: Vec<NamedProfile>,
    list: Option<&'w Listed>,
    wanted: Option<&'w Wanted>,
    pages: Option<PageWork>,
}

impl<'w> Work<'w> {
    pub(super) fn new(
        arguments: &'w Arguments,
        sites: &'w Sites,
        crawlers: &'w [NamedCrawler],
        list: Option<&'w Listed>,
        wanted: Option<&'w Wanted>,
    ) -> Self {
        let names = crawlers.iter().map(|named| Arc::from(&*named.name)).collect();
        let may_ignore = |named: &NamedCrawler| {
            let known = named.crawler.names().next().and_then(KnownCrawler::find);
            known.is_some_and(KnownCrawler::may_ignore_robots_txt)
        };
        let may_ignore = crawlers.iter().map(may_ignore).collect();
        let profiles = crawlers.iter().map(|named| arguments.profile.of(&named.crawler)).collect();
        let pages = arguments.pages.then(|| PageWork::new(crawlers, &arguments.profile, arguments.max_pages));
        Self { arguments, sites, crawlers, names, may_ignore, profiles, list, wanted, pages }
    }

    /// Checks an input, and sends its rows.
    pub(super) fn check(&self, input: &Input, turn: &mut Turn<'_, Message>) {
        let time = self.sites.start();
        let (name, argument, message) = match input {
            Input::Argument(argument, admitted) => match self.answered(argument, *admitted) {
                Ok(answered) => return self.checked(argument, &answered, time, turn),
                Err(Failure::Message(message)) => {
                    (Text(argument.as_encoded_bytes()).to_string(), argument.as_os_str(), message)
                }
                Err(Failure::Closed) => return,
            },
            Input::Failed(name, message) => (name.clone(), OsStr::new(name), message.clone()),
        };
        let status = Some(Status::Failed);
        let place = Place { name, uri: uri(argument), status, flags: None, received: Received::default() };
        let mut rows = Rows { place: Arc::new(place), rows: Vec::new(), weight: 0, turn };
        rows.push(What::Failed(message));
        rows.end(Counts::default());
    }

    fn answered(&self, argument: &OsString, admitted: Admitted) -> Result<Answered<'w>> {
        // An input for which the file of wanted access has no environment is not asked.
        let environment = match self.wanted {
            Some(wanted) => wanted.environment(argument, self.arguments.environment.as_deref())?,
            None => None,
        };
        if is_url(argument) {
            let origin = origin(argument)?;
            let entry = self.sites.refresh(&origin);
            let subject = Subject::of_entry(origin, &entry, &self.arguments.profile);
            let received = received_from(&entry, &subject);
            return Ok(Answered { subject, received, environment });
        }
        let no_site = || Err(Failure::new("not a site"));
        let subject = Subject::read(argument, admitted, &self.arguments.profile, no_site)?;
        let received = Received { body: Some(subject.kind.name()), ..of_body(subject.body()) };
        Ok(Answered { subject, received, environment })
    }

    fn checked(
        &self,
        argument: &OsString,
        answered: &Answered<'_>,
        time: SiteTime,
        turn: &mut Turn<'_, Message>,
    ) {
        let subject = &answered.subject;
        let status = match subject.answer {
            None => Status::Rules,
            Some(answer) if Verdict::new(answer).is_allowed() => Status::Everything,
            Some(_) => Status::Nothing,
        };
        let profile = &self.arguments.profile.rules;
        let crawlers = || self.crawlers.iter().map(|named| &named.crawler);
        let (flags, accidental) = match status {
            Status::Rules => {
                let (flags, accidental) = examine(subject.body(), crawlers(), profile);
                (Some(flags), accidental)
            }
            _ => (None, Vec::new()),
        };
        let of_site = subject.origin.as_ref().map(|origin| origin.robots_url().to_string());
        let place = Place {
            name: subject.name.clone(),
            uri: of_site.unwrap_or_else(|| uri(argument)),
            status: Some(status),
            flags,
            received: answered.received.clone(),
        };
        let mut rows = Rows { place: Arc::new(place), rows: Vec::new(), weight: 0, turn };
        let mut rules = Rules { shared: subject.rules_for(crawlers()), kept: HashMap::new(), memory: 0 };
        let mut counts = Counts::default();
        let closed = self.closed(answered, &rules.shared);
        let habits = Habits { accidental: &accidental, closed: &closed };
        let urls = self.list.map(|list| list.of(subject.origin.as_ref()));
        match &urls {
            Some(urls) => {
                // Also without a URL, it matters that a site allows nothing.
                match urls.is_empty() {
                    true if status == Status::Nothing => {
                        self.measure(subject, &habits, &rules, &mut rows);
                    }
                    true => rows.push(What::Unchecked),
                    false => self.check_urls(subject, &habits, &mut rules, urls, None, &mut rows),
                }
            }
            None => self.measure(subject, &habits, &rules, &mut rows),
        }
        let mut of_pages = urls.unwrap_or_default();
        if self.arguments.sitemaps && status == Status::Rules {
            let found = sitemaps::urls(subject, profile, self.arguments.max_urls, self.sites, time);
            let urls: Vec<Arc<[u8]>> = found.urls.into_iter().map(Arc::from).collect();
            let submitted = Some(&mut counts.submitted);
            self.check_urls(subject, &habits, &mut rules, &urls, submitted, &mut rows);
            found.problems.into_iter().for_each(|problem| rows.push(What::Problem(problem)));
            found.limits.into_iter().for_each(|what| rows.push(What::LeftOut(what)));
            let mut known: HashSet<Arc<[u8]>> = of_pages.iter().cloned().collect();
            of_pages.extend(urls.into_iter().filter(|url| known.insert(Arc::clone(url))));
        }
        if let Some(pages) = &self.pages {
            pages.read(subject, &of_pages, &self.names, self.sites, |found| {
                rows.push(match found {
                    Found::Said(said) => What::Page(said),
                    Found::Problem(problem) => What::Problem(problem),
                    Found::LeftOut(what) => What::LeftOut(what),
                });
            });
        }
        counts.kept = self.check_wanted(answered, &mut rows);
        rows.end(counts);
    }

    /// Returns what the file of wanted access closes to each crawler; nothing for a site about which nothing is known.
    fn closed(&self, answered: &Answered<'_>, shared: &RulesByProfile<'_>) -> Vec<Closed> {
        let Some(wanted) = self.wanted.filter(|_| !answered.subject.is_unknown()) else { return Vec::new() };
        let site = answered.subject.origin.as_ref();
        let names = self.names.iter().enumerate();
        names
            .map(|(crawler, name)| {
                let is_named = shared.basis(shared.set_of(crawler)) == SelectionBasis::Named;
                let names = if is_named { &[&**name][..] } else { &[&**name, "*"] };
                wanted.closed(answered.environment, site, names)
            })
            .collect()
    }

    /// Adds wanted access that crawlers do not have, and returns how often they have it.
    fn check_wanted(&self, answered: &Answered<'_>, rows: &mut Rows<'_, '_>) -> usize {
        let Some(wanted) = self.wanted else { return 0 };
        let found = outcomes(wanted, &answered.subject, answered.environment, &self.arguments.profile);
        let mut kept = 0;
        match found {
            Ok(found) => {
                for outcome in found {
                    match outcome.result {
                        Answer::Kept => kept += 1,
                        _ => {
                            let reason = wanted.reason(outcome.entry);
                            rows.push(What::Expected(outcome, reason));
                        }
                    }
                }
            }
            Err(failure) => rows.push(What::Problem(failure.to_string())),
        }
        kept
    }

    /// Adds how much of the site each crawler may access.
    fn measure(&self, subject: &Subject, habits: &Habits<'_>, rules: &Rules<'_>, rows: &mut Rows<'_, '_>) {
        let mut comparer = Comparer::new(Comparer::work_for(subject.body().len()));
        let shared = &rules.shared;
        let measured: Vec<Measured> =
            (0..shared.sets()).map(|set| Measured::of_shared(shared, set, &mut comparer)).collect();
        for (crawler, name) in self.names.iter().enumerate() {
            let Some(measured) = measured.get(shared.set_of(crawler)) else { continue };
            let verdict = measured.verdict.map(|verdict| subject.verdict(verdict));
            let measured = Measured { verdict, ..measured.clone() };
            let is_wanted = measured.extent == Extent::Nothing
                && habits.closed.get(crawler).is_some_and(|closed| closed.has_pattern(b"/", &mut comparer));
            rows.push(What::Verdict(Decided {
                crawler: Arc::clone(name),
                about: About::Site(measured.extent),
                verdict,
                decides: measured.why(subject.body(), subject.kind),
                accidental_group: habits.accidental.get(crawler).copied().unwrap_or_default(),
                profile: self.profiles.get(crawler).copied().unwrap_or_default(),
                may_ignore: self.may_ignore.get(crawler).copied().unwrap_or_default(),
                is_wanted,
            }));
        }
    }

    /// Adds a verdict for each crawler and URL. With `submitted`, the URLs are those of sitemaps: the verdicts are counted, and
    /// only those that disallow are added.
    fn check_urls(
        &self,
        subject: &Subject,
        habits: &Habits<'_>,
        rules: &mut Rules<'_>,
        urls: &[Arc<[u8]>],
        mut submitted: Option<&mut usize>,
        rows: &mut Rows<'_, '_>,
    ) {
        for (crawler, name) in self.names.iter().enumerate() {
            let rules = rules.get(rules.shared.set_of(crawler));
            for url in urls {
                let verdict = subject.verdict(rules.check(path_in(url)));
                let about = match &mut submitted {
                    None => About::Listed(Arc::clone(url)),
                    Some(count) => {
                        **count += 1;
                        if verdict.is_allowed() {
                            continue;
                        }
                        About::Submitted(Arc::clone(url))
                    }
                };
                let is_wanted = !verdict.is_allowed()
                    && habits.closed.get(crawler).is_some_and(|closed| closed.has_path(path_in(url)));
                rows.push(What::Verdict(Decided {
                    crawler: Arc::clone(name),
                    about,
                    decides: decides(subject, rules, url, &verdict),
                    verdict: Some(verdict),
                    accidental_group: habits.accidental.get(crawler).copied().unwrap_or_default(),
                    profile: self.profiles.get(crawler).copied().unwrap_or_default(),
                    may_ignore: self.may_ignore.get(crawler).copied().unwrap_or_default(),
                    is_wanted,
                }));
            }
        }
    }
}

/// The robots.txt of an input, and the environment that the file of wanted access has for it.
struct Answered<'w> {
    subject: Subject,
    received: Received,
    environment: Option<&'w str>,
}

/// What is known of the crawlers besides their rules, in their order.
struct Habits<'h> {
    accidental: &'h [bool],
    closed: &'h [Closed],
}

/// Returns the size and the hash of a file.
fn of_body(body: &[u8]) -> Received {
    let hash = Sha256::digest(body);
    let sha256 = hash.iter().map(|byte| format!("{byte:02x}")).collect();
    Received { bytes: Some(body.len()), sha256: Some(sha256), ..Received::default() }
}

fn received_from(entry: &Entry, subject: &Subject) -> Received {
    let file = entry.good_file().filter(|_| subject.answer.is_none());
    let of_file = match file {
        Some(_) => Received { body: Some(subject.kind.name()), ..of_body(subject.body()) },
        None => Received { body: entry.body_kind().map(BodyKind::name), ..Received::default() },
    };
    let last = entry.hops().last().map(|hop| hop.url.to_string());
    Received {
        http_status: entry.status(),
        final_url: file.map(|file| file.url.as_str().to_owned()).or(last),
        redirects: Some(entry.hops().len().saturating_sub(1)),
        time: Some(time(entry.received())),
        ..of_file
    }
}

/// Returns what decides about a URL, also where the rules decide differently about it as it is written.
fn decides(subject: &Subject, rules: &RuleSet, url: &[u8], verdict: &Verdict) -> String {
    let decides = why(verdict, subject.body(), subject.kind);
    let target = Target::parse(url).ok().filter(|_| subject.answer.is_none());
    match target.and_then(|target| target.differs_as_written(rules)) {
        Some(written) => {
            let word = if written.is_allowed() { "allowed" } else { "disallowed" };
            format!("{decides} (as it is written, the URL would be {word})")
        }
        None => decides,
    }
}

/// The rules of an input. As many are kept as there is room for; others are compiled again.
struct Rules<'s> {
    shared: RulesByProfile<'s>,
    kept: HashMap<usize, RuleSet>,
    memory: usize,
}

impl Rules<'_> {
    fn get(&mut self, set: usize) -> &RuleSet {
        let Self { shared, kept, memory } = self;
        if !kept.contains_key(&set) {
            let rules = shared.rules(set);
            if *memory + rules.memory() > KEPT {
                kept.clear();
                *memory = 0;
            }
            *memory += rules.memory();
            kept.insert(set, rules);
        }
        kept.get(&set).expect("the rules were just compiled")
    }
}

/// Rows of an input that are sent soon.
struct Rows<'t, 'l> {
    place: Arc<Place>,
    rows: Vec<Row>,
    weight: usize,
    turn: &'t mut Turn<'l, Message>,
}

impl Rows<'_, '_> {
    fn push(&mut self, what: What) {
        let row = Row { place: Arc::clone(&self.place), what };
        self.weight += row.weight();
        self.rows.push(row);
        if self.weight >= TOGETHER {
            self.send();
        }
    }

    fn send(&mut self) {
        let (rows, weight) = (core::mem::take(&mut self.rows), core::mem::take(&mut self.weight));
        if !rows.is_empty() {
            self.turn.send(Message::Rows(rows), weight);
        }
    }

    fn end(mut self, counts: Counts) {
        self.send();
        self.turn.send(Message::Done(self.place, counts), 0);
    }
}
