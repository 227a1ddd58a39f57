//! The work of an audit: an input is read and checked.

use alloc::sync::Arc;
use core::time::Duration;
use std::collections::{HashMap, HashSet};
use std::ffi::{OsStr, OsString};
use std::fs;
use std::time::Instant;

use robots_fetch::warc::examine;
use robots_fetch::{Entry, Origin};
use robots_match::syntax::BodyKind;
use robots_match::{Comparer, Crawler, KnownCrawler, RuleSet, SelectionBasis, Target, Verdict};
use sha2::{Digest as _, Sha256};

use super::arguments::Arguments;
use super::budget::{Budget, Part};
use super::inputs::Input;
use super::large::Large;
use super::listed::{Listed, OfInput};
use super::page_answers::{Found, PageWork};
use super::row::{About, Decided, Place, Received, Row, Status, What};
use super::sitemaps;
use crate::arguments::{NamedCrawler, NamedProfile, catalogue, is_url, origin};
use crate::body::{Body, joined_notes};
use crate::expect::{Answer, Closed, Wanted, outcomes};
use crate::extent::{Extent, Measured};
use crate::failure::{Failure, Result};
use crate::fetch::time;
use crate::in_order::Turn;
use crate::network::{SiteTime, Sites};
use crate::output::{self, Style};
use crate::sarif::uri;
use crate::source::Admitted;
use crate::subject::{RulesByProfile, Subject};
use crate::text::Text;
use crate::url_list::{Room, Urls, path_in};
use crate::verdict::why;

/// The bytes of rows that are sent together.
const TOGETHER: usize = 64 << 10;

/// The bytes of compiled rules that are kept for other crawlers and URLs of the same input.
const KEPT: usize = 4 << 20;

/// The memory in bytes for all inputs that are worked on: their files, rules, comparisons and URLs.
const BUDGET: usize = 48 << 20;

/// The bytes of memory for the work on a byte of a file: `cargo xtask limits` measures the most expensive files.
const FOR_A_BYTE: usize = 100;

/// The bytes of a large file. The work on such files is done for one at a time.
const LARGE: usize = 32 << 10;

/// The bytes of memory for the download of a sitemap and the first URLs in it.
const FOR_SITEMAPS: usize = 2 << 20;

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
    budget: Budget,
    /// What comparing the rules of a site needs, whatever they are.
    comparer: Comparer,
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
            let known = named.crawler.names().next().and_then(|name| catalogue().find(name));
            known.is_some_and(KnownCrawler::may_ignore_robots_txt)
        };
        let may_ignore = crawlers.iter().map(may_ignore).collect();
        let profiles: Vec<NamedProfile> =
            crawlers.iter().map(|named| arguments.profile.of(&named.crawler)).collect();
        let mut comparer = Comparer::new(usize::MAX);
        for profile in &profiles {
            Measured::prepare(&profile.rules, &mut comparer);
        }
        let pages = arguments.pages.then(|| PageWork::new(crawlers, &arguments.profile, arguments.max_pages));
        let budget = Budget::new(BUDGET);
        Self {
            arguments,
            sites,
            crawlers,
            names,
            may_ignore,
            profiles,
            list,
            wanted,
            pages,
            budget,
            comparer,
        }
    }

    /// Returns inputs with their parts of the memory.
    pub(super) fn with_parts<'i>(&self, inputs: &'i [Input]) -> impl Iterator<Item = (&'i Input, Part<'_>)> {
        inputs.iter().map(|input| (input, self.budget.part()))
    }

    /// Checks an input, and sends its rows.
    pub(super) fn check(
        &'w self,
        large: &Large<'w>,
        (input, mut part): (&Input, Part<'_>),
        turn: &mut Turn<'_, Message>,
    ) {
        let (name, argument, message) = match input {
            Input::Argument(argument, admitted) => {
                part.resize(self.most_to_read(argument));
                let time = self.sites.start();
                match self.answered(argument, *admitted) {
                    Ok(answered) => {
                        let memory = answered.subject.memory();
                        let by_large = (memory > LARGE).then_some(large);
                        let time = time.later(part.resize(match by_large {
                            Some(_) => 2 * memory,
                            None => FOR_A_BYTE * memory,
                        }));
                        let input = OfInputWork { work: self, by_large, answered: Arc::new(answered) };
                        return input.check(argument, time, &mut part, turn);
                    }
                    Err(Failure::Message(message)) => {
                        (Text(argument.as_encoded_bytes()).to_string(), argument.as_os_str(), message)
                    }
                    Err(Failure::Closed) => return,
                }
            }
            Input::Failed(name, message) => (name.clone(), OsStr::new(name), message.clone()),
        };
        let status = Some(Status::Failed);
        let place = Place {
            name,
            uri: uri(argument),
            status,
            flags: None,
            joined: Vec::new(),
            received: Received::default(),
        };
        let mut rows = Rows { place: Arc::new(place), rows: Vec::new(), weight: 0, turn };
        rows.push(What::Failed(message));
        rows.end(Counts::default());
    }

    /// Returns how many bytes of memory reading an input takes at most.
    fn most_to_read(&self, argument: &OsString) -> usize {
        let most = self.arguments.profile.with_access().max_size();
        let most = match fs::metadata(argument) {
            Ok(found) if !is_url(argument) => usize::try_from(found.len()).unwrap_or(most).min(most),
            _ => most,
        };
        // The room for a body doubles as it grows.
        2 * most + (64 << 10)
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
            complain_of_cut(&subject);
            return Ok(Answered { subject, received, environment });
        }
        let no_site = || Err(Failure::new("not a site"));
        let subject = Subject::read(argument, admitted, &self.arguments.profile, no_site)?;
        // The files of folders and lists are counted. The user named this one as a robots.txt file.
        if admitted == Admitted::Any && subject.is_other_file() {
            let note = subject.note().unwrap_or_default();
            let name = Text(argument.as_encoded_bytes());
            return Err(Failure::new(format!(
                "{note}; `--list {name}` reads a list of files and sites, and `--urls {name}` one of URLs"
            )));
        }
        complain_of_cut(&subject);
        let received = of_body(&subject);
        Ok(Answered { subject, received, environment })
    }

    fn crawlers(&self) -> impl Iterator<Item = &Crawler> {
        self.crawlers.iter().map(|named| &named.crawler)
    }

    /// Returns what is decided for the crawler at a position.
    fn decided(&self, crawler: usize, habits: &Habits, about: About, decides: String) -> Decided {
        Decided {
            crawler: self.names.get(crawler).map(Arc::clone).unwrap_or_default(),
            about,
            verdict: None,
            decides,
            accidental_group: habits.accidental.get(crawler).copied().unwrap_or_default(),
            profile: self.profiles.get(crawler).copied().unwrap_or_default(),
            may_ignore: self.may_ignore.get(crawler).copied().unwrap_or_default(),
            is_wanted: false,
        }
    }

    /// Returns how much of a site each crawler may access.
    fn measure(&self, subject: &Subject, habits: &Habits) -> Vec<What> {
        let shared = subject.rules_for(self.crawlers());
        let mut comparer = self.comparer.with_work(Comparer::work_for(subject.body().len()));
        let measured: Vec<Measured> =
            (0..shared.sets()).map(|set| Measured::of_shared(&shared, set, &mut comparer)).collect();
        let mut of_crawler = |crawler| {
            let measured: &Measured = measured.get(shared.set_of(crawler))?;
            let verdict = measured.verdict.map(|verdict| subject.verdict(verdict));
            let measured = Measured { verdict, ..measured.clone() };
            let why = measured.why(subject.body(), subject.kind);
            let is_wanted = measured.extent == Extent::Nothing
                && habits.closed.get(crawler).is_some_and(|closed| closed.has_pattern(b"/", &mut comparer));
            let decided = self.decided(crawler, habits, About::Site(measured.extent), why);
            Some(What::Verdict(Decided { verdict, is_wanted, ..decided }))
        };
        (0..self.names.len()).filter_map(&mut of_crawler).collect()
    }

    /// Adds verdicts about URLs to `found`, from a position on, until they have the weight of rows that are sent together. Returns
    /// the position of the next ones, unless these were the last.
    fn check_some(
        &self,
        rules: &mut Rules<'_>,
        habits: &Habits,
        urls: &Chosen<'_>,
        mut at: Position,
        found: &mut Vec<What>,
    ) -> Option<Position> {
        let (subject, mut weight) = (rules.subject, 0);
        while at.crawler < self.names.len() {
            let rules = rules.get(at.crawler);
            while let Some(url) = urls.get(at.url) {
                at.url += 1;
                let verdict = subject.verdict(rules.check(path_in(url)));
                // Of the URLs of sitemaps, only those that are disallowed are reported.
                let about = match urls {
                    Chosen::Listed(_) => About::Listed(Arc::from(url)),
                    Chosen::Submitted(_) if verdict.is_allowed() => continue,
                    Chosen::Submitted(_) => About::Submitted(Arc::from(url)),
                };
                let decided = self.decided(at.crawler, habits, about, decides(subject, rules, url, &verdict));
                weight += size_of::<Row>() + decided.decides.len() + url.len();
                let is_wanted = !verdict.is_allowed()
                    && habits.closed.get(at.crawler).is_some_and(|closed| closed.has_path(path_in(url)));
                found.push(What::Verdict(Decided { verdict: Some(verdict), is_wanted, ..decided }));
                if weight >= TOGETHER {
                    return Some(at);
                }
            }
            at = Position { crawler: at.crawler + 1, url: 0 };
        }
        None
    }

    /// Returns what the file of wanted access closes to each crawler; nothing for a site about which nothing is known.
    fn closed(&self, answered: &Answered<'_>) -> Vec<Closed> {
        let Some(wanted) = self.wanted.filter(|_| !answered.subject.is_unknown()) else { return Vec::new() };
        let shared = answered.subject.rules_for(self.crawlers());
        let site = answered.subject.origin.as_ref();
        let of_all = wanted.closed(answered.environment, site, "*");
        let names = self.names.iter().enumerate();
        names
            .map(|(crawler, name)| {
                let is_named = shared.basis(shared.set_of(crawler)) == SelectionBasis::Named;
                let own = wanted.closed(answered.environment, site, name);
                if is_named { own } else { own.and(&of_all) }
            })
            .collect()
    }
}

/// URLs that are checked.
enum Chosen<'w> {
    Listed(OfInput<'w>),
    Submitted(Urls),
}

impl Chosen<'_> {
    fn get(&self, index: usize) -> Option<&[u8]> {
        match self {
            Self::Listed(urls) => urls.get(index),
            Self::Submitted(urls) => urls.get(index),
        }
    }
}

/// The next verdict about URLs: the positions of a crawler and of a URL.
#[derive(Clone, Copy, Debug, Default)]
struct Position {
    crawler: usize,
    url: usize,
}

/// The work on an input that was read.
struct OfInputWork<'i, 'w> {
    work: &'w Work<'w>,
    /// The thread that does the work, if the file is large.
    by_large: Option<&'i Large<'w>>,
    answered: Arc<Answered<'w>>,
}

impl<'w> OfInputWork<'_, 'w> {
    /// Does a part of the work.
    fn run<T: Send + 'w>(&self, work: impl FnOnce(&'w Work<'w>, &Answered<'w>) -> T + Send + 'w) -> T {
        let (own, answered) = (self.work, Arc::clone(&self.answered));
        match self.by_large {
            Some(large) => large.run(move || work(own, &answered)),
            None => work(own, &answered),
        }
    }

    fn check(&self, argument: &OsString, time: SiteTime, part: &mut Part<'_>, turn: &mut Turn<'_, Message>) {
        // The site is not asked for anything while it is worked on here.
        let started = Instant::now();
        let (arguments, subject) = (self.work.arguments, &self.answered.subject);
        let status = match subject.answer {
            None => Status::Rules,
            Some(answer) if Verdict::new(answer).is_allowed() => Status::Everything,
            Some(_) => Status::Nothing,
        };
        let (flags, accidental, joined, note) = match status {
            Status::Rules => {
                let examined = self.run(|work, answered| {
                    examine(answered.subject.body(), work.crawlers(), &work.arguments.profile.rules)
                });
                let joined = self.run(|_, answered| joined_notes(&answered.subject.robots));
                let note = self.run(|_, answered| Body::of(&answered.subject.robots).note());
                // A file over the size limit has a flag.
                let cut = || subject.cut_note().filter(|_| !examined.0.cut).map(str::to_owned);
                (Some(examined.0), examined.1, joined, note.or_else(cut))
            }
            _ => (None, Vec::new(), Vec::new(), None),
        };
        let closed = self.run(|work, answered| work.closed(answered));
        let habits = Arc::new(Habits { accidental, closed });
        let of_site = subject.origin.as_ref().map(|origin| origin.robots_url().to_string());
        let place = Place {
            name: subject.name.clone(),
            uri: of_site.unwrap_or_else(|| uri(argument)),
            status: Some(status),
            flags,
            joined,
            received: Received { note, ..self.answered.received.clone() },
        };
        let mut rows = Rows { place: Arc::new(place), rows: Vec::new(), weight: 0, turn };
        let listed = self.work.list.map(|list| list.of(subject.origin.as_ref()));
        let mut of_pages: Vec<Arc<[u8]>> = match &listed {
            Some(urls) if self.work.pages.is_some() => {
                (0..urls.len()).filter_map(|index| urls.get(index)).map(Arc::from).collect()
            }
            _ => Vec::new(),
        };
        match listed {
            Some(urls) if urls.len() > 0 => self.check_urls(&habits, Chosen::Listed(urls), &mut rows),
            // Also without a URL, it matters that a site allows nothing.
            Some(_) if status != Status::Nothing => rows.push(What::Unchecked),
            _ => {
                let habits = Arc::clone(&habits);
                let measured = self.run(move |work, answered| work.measure(&answered.subject, &habits));
                measured.into_iter().for_each(|what| rows.push(what));
            }
        }
        let mut counts = Counts::default();
        if arguments.sitemaps && status != Status::Rules {
            let nothing = "no robots.txt names sitemaps, so no submitted URL was checked";
            rows.push(What::Problem(nothing.to_owned()));
        }
        if arguments.sitemaps && status == Status::Rules {
            let own = KEPT + 2 * subject.memory();
            part.resize(own + FOR_SITEMAPS);
            let time = time.later(started.elapsed());
            let most = sitemaps::most_of(arguments.max_urls);
            let mut room = RoomOfPart { part: &mut *part, own: own + FOR_SITEMAPS, most: most.memory() };
            let (profile, sites) = (&arguments.profile.rules, self.work.sites);
            let redirected = self.answered.redirected_to();
            let most = arguments.max_urls;
            let found = sitemaps::urls(subject, redirected.as_ref(), profile, most, sites, time, &mut room);
            counts.submitted = found.urls.len() * self.work.names.len();
            if self.work.pages.is_some() {
                let mut known: HashSet<Arc<[u8]>> = of_pages.iter().cloned().collect();
                let urls = found.urls.iter().map(Arc::from);
                of_pages.extend(urls.filter(|url| known.insert(Arc::clone(url))));
            }
            self.check_urls(&habits, Chosen::Submitted(found.urls), &mut rows);
            found.problems.into_iter().for_each(|problem| rows.push(What::Problem(problem)));
            found.limits.into_iter().for_each(|what| rows.push(What::LeftOut(what)));
        }
        if let Some(pages) = &self.work.pages {
            pages.read(subject, &of_pages, &self.work.names, self.work.sites, |found| {
                rows.push(match found {
                    Found::Said(said) => What::Page(said),
                    Found::Problem(problem) => What::Problem(problem),
                    Found::LeftOut(what) => What::LeftOut(what),
                });
            });
        }
        if let Some(wanted) = self.work.wanted {
            counts.kept = self.check_wanted(wanted, &mut rows);
        }
        rows.end(counts);
    }

    /// Adds wanted access that crawlers do not have, and returns how often they have it.
    fn check_wanted(&self, wanted: &'w Wanted, rows: &mut Rows<'_, '_>) -> usize {
        let found = self.run(move |work, answered| {
            outcomes(wanted, &answered.subject, answered.environment, &work.arguments.profile)
        });
        let is_kept = |answer: &Answer| matches!(answer, Answer::Kept { .. });
        match found {
            Ok(found) => {
                for outcome in found.iter(wanted, |answer| !is_kept(answer)) {
                    let reason = wanted.reason(outcome.entry);
                    rows.push(What::Expected(outcome, reason));
                }
                found.answers().filter(|answer| is_kept(answer)).count()
            }
            Err(failure) => {
                rows.push(What::Problem(failure.to_string()));
                0
            }
        }
    }

    /// Adds a verdict for each crawler and URL.
    fn check_urls(&self, habits: &Arc<Habits>, urls: Chosen<'w>, rows: &mut Rows<'_, '_>) {
        let mut next = Some(Position::default());
        if self.by_large.is_none() {
            let mut rules = Rules::new(&self.answered.subject, self.work);
            while let Some(at) = next {
                let mut found = Vec::new();
                next = self.work.check_some(&mut rules, habits, &urls, at, &mut found);
                found.into_iter().for_each(|what| rows.push(what));
            }
            return;
        }
        let urls = Arc::new(urls);
        while let Some(at) = next {
            let (urls, habits) = (Arc::clone(&urls), Arc::clone(habits));
            let (after, found) = self.run(move |work, answered| {
                let mut found = Vec::new();
                let mut rules = Rules::new(&answered.subject, work);
                (work.check_some(&mut rules, &habits, &urls, at, &mut found), found)
            });
            next = after;
            found.into_iter().for_each(|what| rows.push(what));
        }
    }
}

/// The robots.txt of an input, and the environment that the file of wanted access has for it.
struct Answered<'w> {
    subject: Subject,
    received: Received,
    environment: Option<&'w str>,
}

impl Answered<'_> {
    /// Returns the site that sent the file, if it is another one than the site that was asked.
    fn redirected_to(&self) -> Option<Origin> {
        let last = Origin::parse(self.received.final_url.as_deref()?).ok()?;
        Some(last).filter(|last| self.subject.origin.as_ref().is_some_and(|asked| asked != last))
    }
}

/// What is known of the crawlers besides their rules, in their order.
struct Habits {
    accidental: Vec<bool>,
    closed: Vec<Closed>,
}

fn complain_of_cut(subject: &Subject) {
    if let Some(note) = subject.cut_note() {
        output::complain("note", Style::Note, &format!("{}: {note}", subject.name));
    }
}

/// Returns what a file is, its size and its hash.
fn of_body(subject: &Subject) -> Received {
    let body = subject.body();
    let hash = Sha256::digest(body);
    let sha256 = hash.iter().map(|byte| format!("{byte:02x}")).collect();
    Received {
        bytes: Some(body.len()),
        sha256: Some(sha256),
        body: Some(subject.kind.name()),
        ..Received::default()
    }
}

fn received_from(entry: &Entry, subject: &Subject) -> Received {
    let file = entry.good_file().filter(|_| subject.answer.is_none());
    let of_file = match file {
        Some(_) => of_body(subject),
        None => Received { body: entry.body_kind().map(BodyKind::name), ..Received::default() },
    };
    let last = entry.hops().last().map(|hop| hop.url.to_string());
    Received {
        http_status: entry.status(),
        final_url: file.map(|file| file.url.as_str().to_owned()).or(last),
        redirects: Some(entry.hops().len().saturating_sub(1)),
        time: Some(time(entry.received())),
        is_unanswered: subject.is_unknown(),
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

/// The room that the part of an input has for URLs of sitemaps, beside its own.
struct RoomOfPart<'p, 'b> {
    part: &'p mut Part<'b>,
    own: usize,
    most: usize,
}

impl Room for RoomOfPart<'_, '_> {
    fn has(&mut self, bytes: usize) -> bool {
        self.part.try_grow(self.own + bytes)
    }

    fn wait(&mut self) -> Duration {
        self.part.resize(self.own + self.most)
    }
}

/// The rules of an input. As many are kept as there is room for; others are compiled again.
struct Rules<'s> {
    subject: &'s Subject,
    shared: RulesByProfile<'s>,
    kept: HashMap<usize, RuleSet>,
    memory: usize,
}

impl<'s> Rules<'s> {
    fn new(subject: &'s Subject, work: &Work<'_>) -> Self {
        Self { subject, shared: subject.rules_for(work.crawlers()), kept: HashMap::new(), memory: 0 }
    }

    /// Returns the rules for the crawler at a position.
    fn get(&mut self, crawler: usize) -> &RuleSet {
        let Self { shared, kept, memory, .. } = self;
        let set = shared.set_of(crawler);
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
