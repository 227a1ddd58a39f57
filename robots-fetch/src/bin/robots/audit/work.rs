//! The work of an audit: each input is read and checked, several at a time.

use alloc::collections::BTreeMap;
use core::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::collections::HashMap;
use std::ffi::{OsStr, OsString};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError, mpsc};
use std::thread;

use robots_fetch::Origin;
use robots_match::{Robots, RuleSet, Verdict, as_url};
use url::Url;

use super::arguments::Arguments;
use super::inputs::Input;
use crate::arguments::{NamedCrawler, is_url, origin};
use crate::check::why;
use crate::extent::{Extent, Measured};
use crate::failure::{Failure, Result};
use crate::network::Sites;
use crate::subject::Subject;
use crate::text::Text;
use crate::uri::uri;
use crate::url_list::{UrlList, submitted};

/// How far the work may be ahead of the output, in inputs, so that one slow site does not make the others pile up.
const AHEAD: usize = 256;

/// The access that an input gives to crawlers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Status {
    /// The rules of a file decide.
    Rules,
    /// The site has no robots.txt: everything is allowed.
    Everything,
    /// The robots.txt is unreachable or restricted: nothing is allowed.
    Nothing,
    /// The input could not be read.
    Failed,
}

impl Status {
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Rules => "rules",
            Self::Everything => "everything",
            Self::Nothing => "nothing",
            Self::Failed => "failed",
        }
    }
}

/// The findings about one input.
#[derive(Debug)]
pub(super) struct Outcome {
    /// The name of the input, safe to show.
    pub(super) name: String,
    /// The robots.txt as a URI reference.
    pub(super) uri: String,
    pub(super) status: Status,
    /// The answer of a site without rules, or why the input could not be read.
    pub(super) note: Option<String>,
    pub(super) rows: Vec<Row>,
    /// The number of verdicts about URLs of sitemaps.
    pub(super) submitted: usize,
    /// Sitemaps that could not be read, and limits that were reached.
    pub(super) problems: Vec<String>,
}

/// A verdict for a crawler.
#[derive(Debug)]
pub(super) struct Row {
    /// The position of the crawler.
    pub(super) crawler: usize,
    /// The URL; without one, the row is about the whole site.
    pub(super) url: Option<Vec<u8>>,
    /// How much of the site is allowed, if the row is about the whole site.
    pub(super) extent: Option<Extent>,
    pub(super) verdict: Verdict,
    /// The deciding line, for people.
    pub(super) decides: String,
    /// Whether a sitemap has the URL.
    pub(super) submitted: bool,
}

/// The work on each input.
pub(super) struct Work<'w> {
    arguments: &'w Arguments,
    sites: &'w Sites,
    crawlers: &'w [NamedCrawler],
    list: Option<&'w UrlList>,
    /// Paths of the list, which every site has, and the URLs of each site.
    paths: Vec<usize>,
    by_site: HashMap<Origin, Vec<usize>>,
}

impl<'w> Work<'w> {
    pub(super) fn new(
        arguments: &'w Arguments,
        sites: &'w Sites,
        crawlers: &'w [NamedCrawler],
        list: Option<&'w UrlList>,
    ) -> Self {
        let mut work = Self { arguments, sites, crawlers, list, paths: Vec::new(), by_site: HashMap::new() };
        for (index, url) in list.into_iter().flat_map(|list| &list.urls).enumerate() {
            match core::str::from_utf8(url).ok().and_then(|url| Origin::parse(url).ok()) {
                Some(origin) if url.first() != Some(&b'/') => {
                    work.by_site.entry(origin).or_default().push(index);
                }
                _ => work.paths.push(index),
            }
        }
        work
    }

    fn outcome(&self, input: &Input) -> Outcome {
        let argument = match input {
            Input::Argument(argument) => argument,
            Input::Failed(name, message) => return failed(name.clone(), OsStr::new(name), message.clone()),
        };
        match self.subject(argument) {
            Ok(subject) => self.checked(argument, &subject),
            Err(failure) => {
                let message = match failure {
                    Failure::Message(message) => message,
                    Failure::Closed => "the input was closed".to_owned(),
                };
                failed(Text(argument.as_encoded_bytes()).to_string(), argument, message)
            }
        }
    }

    fn subject(&self, argument: &OsString) -> Result<Subject> {
        if is_url(argument) {
            let origin = origin(argument)?;
            let entry = self.sites.refresh(&origin);
            return Ok(Subject::of_entry(origin, &entry, &self.arguments.profile));
        }
        let no_site = || Err(Failure::new("not a site"));
        Subject::read(argument, &self.arguments.profile, no_site)
    }

    fn checked(&self, argument: &OsString, subject: &Subject) -> Outcome {
        let status = match subject.answer {
            None => Status::Rules,
            Some(answer) if Verdict::new(answer).is_allowed() => Status::Everything,
            Some(_) => Status::Nothing,
        };
        let rules: Vec<RuleSet> = self.crawlers.iter().map(|named| subject.rules(&named.crawler)).collect();
        let mut outcome = Outcome {
            name: subject.name.clone(),
            uri: subject
                .origin
                .as_ref()
                .map_or_else(|| uri(argument), |origin| origin.robots_url().to_string()),
            status,
            note: subject.note(),
            rows: Vec::new(),
            submitted: 0,
            problems: Vec::new(),
        };
        match self.list {
            Some(list) => {
                for url in self.urls_of(list, subject.origin.as_ref()) {
                    for (crawler, rules) in rules.iter().enumerate() {
                        outcome.rows.push(row(subject, rules, crawler, url, false));
                    }
                }
            }
            None => self.measure(subject, &rules, &mut outcome),
        }
        if self.arguments.sitemaps && status == Status::Rules {
            self.check_sitemaps(subject, &rules, &mut outcome);
        }
        outcome
    }

    /// Returns the URLs of the list that are about a site; for files, all of them.
    fn urls_of<'l>(&self, list: &'l UrlList, origin: Option<&Origin>) -> Vec<&'l [u8]> {
        let Some(origin) = origin else { return list.urls.iter().map(Vec::as_slice).collect() };
        let own = self.by_site.get(origin).map(Vec::as_slice).unwrap_or_default();
        let mut places: Vec<usize> = self.paths.iter().chain(own).copied().collect();
        places.sort_unstable();
        places.into_iter().filter_map(|place| list.urls.get(place)).map(Vec::as_slice).collect()
    }

    /// Adds how much of the site each crawler may access.
    fn measure(&self, subject: &Subject, rules: &[RuleSet], outcome: &mut Outcome) {
        let mut known: HashMap<&RuleSet, Measured> = HashMap::new();
        for (crawler, rules) in rules.iter().enumerate() {
            let profile = &self.arguments.profile.rules;
            let measured = known.entry(rules).or_insert_with(|| Measured::new(rules, profile)).clone();
            let verdict = subject.verdict(measured.verdict);
            let decides = why(&verdict, subject.body());
            let decides = match measured.extent {
                Extent::Parts => format!("{decides} ({})", measured.path),
                _ => decides,
            };
            let extent = Some(measured.extent);
            outcome.rows.push(Row { crawler, url: None, extent, verdict, decides, submitted: false });
        }
    }

    /// Adds the URLs of the sitemaps that are disallowed.
    fn check_sitemaps(&self, subject: &Subject, rules: &[RuleSet], outcome: &mut Outcome) {
        let robots = Robots::new(subject.body(), self.arguments.profile.rules);
        let mut urls = Vec::new();
        for value in robots.sitemaps() {
            let url = core::str::from_utf8(value).ok().and_then(|value| Url::parse(value).ok());
            match url.filter(|url| matches!(url.scheme(), "http" | "https")) {
                Some(url) if !urls.contains(&url) => urls.push(url),
                Some(_) => {}
                None => outcome
                    .problems
                    .push(format!("the sitemap `{}` is not a URL by http or https", Text(value))),
            }
        }
        // The user did not name the sitemaps of a file either. A host that is not known counts as public.
        let named_by = match &subject.origin {
            Some(origin) => Some(origin.robots_url().clone()),
            None => Url::parse("http://file.invalid/robots.txt").ok(),
        };
        let found = submitted(&urls, named_by.as_ref(), self.arguments.max_urls, self.sites);
        outcome.problems.extend(found.problems);
        for url in &found.urls {
            let site = core::str::from_utf8(url).ok().and_then(|url| Origin::parse(url).ok());
            // The robots.txt of another site decides about it.
            if site.is_none() || subject.origin.is_some() && site != subject.origin {
                continue;
            }
            for (crawler, rules) in rules.iter().enumerate() {
                outcome.submitted += 1;
                let row = row(subject, rules, crawler, url, true);
                if !row.verdict.is_allowed() {
                    outcome.rows.push(row);
                }
            }
        }
    }
}

fn row(subject: &Subject, rules: &RuleSet, crawler: usize, url: &[u8], submitted: bool) -> Row {
    let verdict = subject.verdict(rules.check_text(as_url(url)));
    let decides = why(&verdict, subject.body());
    Row { crawler, url: Some(url.to_vec()), extent: None, verdict, decides, submitted }
}

fn failed(name: String, argument: &OsStr, message: String) -> Outcome {
    Outcome {
        name,
        uri: uri(argument),
        status: Status::Failed,
        note: Some(message),
        rows: Vec::new(),
        submitted: 0,
        problems: Vec::new(),
    }
}

/// The inputs, and the work.
pub(super) struct Subjects<'s> {
    pub(super) work: &'s Work<'s>,
    pub(super) inputs: &'s [Input],
}

impl Subjects<'_> {
    /// Calls `take` with the outcome of each input, in the order of the inputs. At most `jobs` inputs are checked at a time.
    ///
    /// # Memory
    ///
    /// At most 256 outcomes wait for an earlier one.
    pub(super) fn for_each(&self, jobs: usize, mut take: impl FnMut(Outcome) -> Result<()>) -> Result<()> {
        let next = AtomicUsize::new(0);
        let is_over = AtomicBool::new(false);
        let gate = Gate::default();
        let (sender, receiver) = mpsc::sync_channel::<(usize, Outcome)>(jobs);
        thread::scope(|scope| {
            for _ in 0..jobs.min(self.inputs.len()) {
                let sender = sender.clone();
                let (next, is_over, gate) = (&next, &is_over, &gate);
                scope.spawn(move || {
                    loop {
                        let index = next.fetch_add(1, Ordering::Relaxed);
                        let Some(input) = self.inputs.get(index) else { break };
                        gate.wait(index, is_over);
                        if is_over.load(Ordering::Relaxed)
                            || sender.send((index, self.work.outcome(input))).is_err()
                        {
                            break;
                        }
                    }
                });
            }
            drop(sender);
            let mut waiting = BTreeMap::new();
            let mut done = 0;
            let mut result = Ok(());
            'all: for (index, outcome) in receiver {
                waiting.insert(index, outcome);
                while let Some(outcome) = waiting.remove(&done) {
                    done += 1;
                    result = take(outcome);
                    if result.is_err() {
                        break 'all;
                    }
                }
                gate.open(done);
            }
            is_over.store(true, Ordering::Relaxed);
            gate.open(usize::MAX);
            result
        })
    }
}

/// Lets workers wait that are too far ahead of the output.
#[derive(Default)]
struct Gate {
    done: Mutex<usize>,
    changed: Condvar,
}

impl Gate {
    fn lock(&self) -> MutexGuard<'_, usize> {
        self.done.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait(&self, index: usize, is_over: &AtomicBool) {
        let mut done = self.lock();
        while index >= done.saturating_add(AHEAD) && !is_over.load(Ordering::Relaxed) {
            done = self.changed.wait(done).unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn open(&self, done: usize) {
        *self.lock() = done;
        self.changed.notify_all();
    }
}
