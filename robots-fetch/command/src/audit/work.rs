//! The work of an audit: an input is read and checked.

use alloc::sync::Arc;
use std::collections::HashMap;
use std::ffi::{OsStr, OsString};

use robots_fetch::warc::examine;
use robots_match::{Comparer, KnownCrawler, RuleSet, Target, Verdict};

use super::arguments::Arguments;
use super::inputs::Input;
use super::listed::Listed;
use super::row::{About, Decided, Place, Row, Status, What};
use super::sitemaps;
use crate::arguments::{NamedCrawler, NamedProfile, is_url, origin};
use crate::extent::Measured;
use crate::failure::{Failure, Result};
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
    /// The input is checked, with so many verdicts about URLs of its sitemaps.
    Done(Arc<Place>, usize),
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
}

impl<'w> Work<'w> {
    pub(super) fn new(
        arguments: &'w Arguments,
        sites: &'w Sites,
        crawlers: &'w [NamedCrawler],
        list: Option<&'w Listed>,
    ) -> Self {
        let names = crawlers.iter().map(|named| Arc::from(&*named.name)).collect();
        let may_ignore = |named: &NamedCrawler| {
            let known = named.crawler.names().next().and_then(KnownCrawler::find);
            known.is_some_and(KnownCrawler::may_ignore_robots_txt)
        };
        let may_ignore = crawlers.iter().map(may_ignore).collect();
        let profiles = crawlers.iter().map(|named| arguments.profile.of(&named.crawler)).collect();
        Self { arguments, sites, crawlers, names, may_ignore, profiles, list }
    }

    /// Checks an input, and sends its rows.
    pub(super) fn check(&self, input: &Input, turn: &mut Turn<'_, Message>) {
        let time = self.sites.start();
        let (name, argument, message) = match input {
            Input::Argument(argument, admitted) => match self.subject(argument, *admitted) {
                Ok(subject) => return self.checked(argument, &subject, time, turn),
                Err(Failure::Message(message)) => {
                    (Text(argument.as_encoded_bytes()).to_string(), argument.as_os_str(), message)
                }
                Err(Failure::Closed) => return,
            },
            Input::Failed(name, message) => (name.clone(), OsStr::new(name), message.clone()),
        };
        let status = Some(Status::Failed);
        let place = Place { name, uri: uri(argument), status, flags: None };
        let mut rows = Rows { place: Arc::new(place), rows: Vec::new(), weight: 0, turn };
        rows.push(What::Failed(message));
        rows.end(0);
    }

    fn subject(&self, argument: &OsString, admitted: Admitted) -> Result<Subject> {
        if is_url(argument) {
            let origin = origin(argument)?;
            let entry = self.sites.refresh(&origin);
            return Ok(Subject::of_entry(origin, &entry, &self.arguments.profile));
        }
        let no_site = || Err(Failure::new("not a site"));
        Subject::read(argument, admitted, &self.arguments.profile, no_site)
    }

    fn checked(&self, argument: &OsString, subject: &Subject, time: SiteTime, turn: &mut Turn<'_, Message>) {
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
        };
        let mut rows = Rows { place: Arc::new(place), rows: Vec::new(), weight: 0, turn };
        let mut rules = Rules { shared: subject.rules_for(crawlers()), kept: HashMap::new(), memory: 0 };
        let urls = self.list.map(|list| list.of(subject.origin.as_ref()));
        match &urls {
            Some(urls) => {
                // Also without a URL, it matters that a site allows nothing.
                match urls.is_empty() {
                    true if status == Status::Nothing => {
                        self.measure(subject, &accidental, &rules, &mut rows);
                    }
                    true => rows.push(What::Unchecked),
                    false => self.check_urls(subject, &accidental, &mut rules, urls, None, &mut rows),
                }
            }
            None => self.measure(subject, &accidental, &rules, &mut rows),
        }
        let mut submitted = 0;
        if self.arguments.sitemaps && status == Status::Rules {
            let found = sitemaps::urls(subject, profile, self.arguments.max_urls, self.sites, time);
            let urls: Vec<Arc<[u8]>> = found.urls.into_iter().map(Arc::from).collect();
            self.check_urls(subject, &accidental, &mut rules, &urls, Some(&mut submitted), &mut rows);
            found.problems.into_iter().for_each(|problem| rows.push(What::Problem(problem)));
            found.limits.into_iter().for_each(|what| rows.push(What::LeftOut(what)));
        }
        rows.end(submitted);
    }

    /// Adds how much of the site each crawler may access.
    fn measure(&self, subject: &Subject, accidental: &[bool], rules: &Rules<'_>, rows: &mut Rows<'_, '_>) {
        let mut comparer = Comparer::new(Comparer::work_for(subject.body().len()));
        let shared = &rules.shared;
        let measured: Vec<Measured> =
            (0..shared.sets()).map(|set| Measured::of_shared(shared, set, &mut comparer)).collect();
        for (crawler, name) in self.names.iter().enumerate() {
            let Some(measured) = measured.get(shared.set_of(crawler)) else { continue };
            let verdict = measured.verdict.map(|verdict| subject.verdict(verdict));
            let measured = Measured { verdict, ..measured.clone() };
            rows.push(What::Verdict(Decided {
                crawler: Arc::clone(name),
                about: About::Site(measured.extent),
                verdict,
                decides: measured.why(subject.body(), subject.kind),
                accidental_group: accidental.get(crawler).copied().unwrap_or_default(),
                profile: self.profiles.get(crawler).copied().unwrap_or_default(),
                may_ignore: self.may_ignore.get(crawler).copied().unwrap_or_default(),
            }));
        }
    }

    /// Adds a verdict for each crawler and URL. With `submitted`, the URLs are those of sitemaps: the verdicts are counted, and
    /// only those that disallow are added.
    fn check_urls(
        &self,
        subject: &Subject,
        accidental: &[bool],
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
                rows.push(What::Verdict(Decided {
                    crawler: Arc::clone(name),
                    about,
                    decides: decides(subject, rules, url, &verdict),
                    verdict: Some(verdict),
                    accidental_group: accidental.get(crawler).copied().unwrap_or_default(),
                    profile: self.profiles.get(crawler).copied().unwrap_or_default(),
                    may_ignore: self.may_ignore.get(crawler).copied().unwrap_or_default(),
                }));
            }
        }
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

    fn end(mut self, submitted: usize) {
        self.send();
        self.turn.send(Message::Done(self.place, submitted), 0);
    }
}
