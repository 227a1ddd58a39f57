//! The work of an audit: an input is read and checked.

use std::ffi::{OsStr, OsString};

use robots_match::{Comparer, Crawler, SharedRules, Verdict, as_url};

use super::arguments::Arguments;
use super::inputs::Input;
use super::listed::Listed;
use super::outcome::{Outcome, Row, Status};
use super::sitemaps;
use crate::arguments::{NamedCrawler, is_url, origin};
use crate::check::why;
use crate::extent::Measured;
use crate::failure::{Failure, Result};
use crate::network::Sites;
use crate::subject::Subject;
use crate::text::Text;
use crate::uri::uri;
use robots_fetch::warc::decide;

/// The work on each input.
pub(super) struct Work<'w> {
    arguments: &'w Arguments,
    sites: &'w Sites,
    crawlers: &'w [NamedCrawler],
    list: Option<&'w Listed>,
}

impl<'w> Work<'w> {
    pub(super) const fn new(
        arguments: &'w Arguments,
        sites: &'w Sites,
        crawlers: &'w [NamedCrawler],
        list: Option<&'w Listed>,
    ) -> Self {
        Self { arguments, sites, crawlers, list }
    }

    pub(super) fn outcome(&self, input: &Input) -> Outcome {
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
        let shared = subject.rules_for(self.crawlers.iter().map(|named| &named.crawler));
        let mut outcome = Outcome {
            name: subject.name.clone(),
            uri: subject
                .origin
                .as_ref()
                .map_or_else(|| uri(argument), |origin| origin.robots_url().to_string()),
            status,
            note: subject.note(),
            flags: None,
            rows: Vec::new(),
            is_unchecked: false,
            submitted: 0,
            problems: Vec::new(),
            not_checked: Vec::new(),
        };
        match self.list {
            Some(list) => {
                let urls = list.of(subject.origin.as_ref());
                match urls.is_empty() {
                    // Also without a URL, it matters that a site allows nothing.
                    true if status == Status::Nothing => self.measure(subject, &shared, &mut outcome),
                    is_unchecked => outcome.is_unchecked = is_unchecked,
                }
                outcome.rows.extend(self.rows(subject, &shared, &urls, false));
            }
            None => self.measure(subject, &shared, &mut outcome),
        }
        if self.arguments.sitemaps && status == Status::Rules {
            self.check_sitemaps(subject, &shared, &mut outcome);
        }
        if status == Status::Rules {
            self.flag(subject, &mut outcome);
        }
        outcome
    }

    /// Adds the flags of the file and of its rows.
    fn flag(&self, subject: &Subject, outcome: &mut Outcome) {
        let crawlers: Vec<Crawler> = self.crawlers.iter().map(|named| named.crawler.clone()).collect();
        let mut accidental = vec![false; crawlers.len()];
        let (paths, profile) = (["/".to_owned()], &self.arguments.profile.rules);
        let flags = decide(subject.body(), &crawlers, &paths, profile, |decided| {
            if let Some(accidental) = accidental.get_mut(decided.agent) {
                *accidental = decided.accidental_group;
            }
        });
        outcome.flags = Some(flags);
        for row in &mut outcome.rows {
            row.accidental_group = accidental.get(row.crawler).is_some_and(|is_set| *is_set);
        }
    }

    /// Adds how much of the site each crawler may access. Rules that crawlers share are compiled and measured once, and one
    /// rule set is in memory at a time.
    fn measure(&self, subject: &Subject, shared: &SharedRules<'_>, outcome: &mut Outcome) {
        let profile = &self.arguments.profile.rules;
        let mut comparer = Comparer::new(Comparer::work_for(subject.body().len()));
        let measured: Vec<Measured> =
            (0..shared.sets()).map(|set| Measured::new(&shared.rules(set), profile, &mut comparer)).collect();
        for crawler in 0..self.crawlers.len() {
            let Some(measured) = measured.get(shared.set_of(crawler)) else { continue };
            let Some(verdict) = measured.verdict.map(|verdict| subject.verdict(verdict)) else { continue };
            let measured = Measured { verdict: Some(verdict), ..measured.clone() };
            outcome.rows.push(Row {
                crawler,
                url: None,
                extent: Some(measured.extent),
                verdict,
                decides: measured.why(subject.body()),
                submitted: false,
                accidental_group: false,
            });
        }
    }

    /// Returns a row for each URL and crawler, only of disallowed URLs if they are `submitted`.
    fn rows(&self, subject: &Subject, shared: &SharedRules<'_>, urls: &[&[u8]], submitted: bool) -> Vec<Row> {
        let mut members = vec![Vec::new(); shared.sets()];
        for crawler in 0..self.crawlers.len() {
            if let Some(members) = members.get_mut(shared.set_of(crawler)) {
                members.push(crawler);
            }
        }
        let mut rows = Vec::new();
        for (set, members) in members.iter().enumerate() {
            let rules = shared.rules(set);
            for (at, url) in urls.iter().enumerate() {
                let verdict = subject.verdict(rules.check_text(as_url(url)));
                if submitted && verdict.is_allowed() {
                    continue;
                }
                rows.extend(
                    members.iter().map(|crawler| (at, row(subject, verdict, *crawler, url, submitted))),
                );
            }
        }
        rows.sort_by_key(|(at, row)| (*at, row.crawler));
        rows.into_iter().map(|(_, row)| row).collect()
    }

    /// Adds the URLs of the sitemaps that are disallowed.
    fn check_sitemaps(&self, subject: &Subject, shared: &SharedRules<'_>, outcome: &mut Outcome) {
        let Arguments { profile, max_urls, .. } = self.arguments;
        let urls = sitemaps::urls(subject, &profile.rules, *max_urls, self.sites, outcome);
        let urls: Vec<&[u8]> = urls.iter().map(Vec::as_slice).collect();
        outcome.submitted += urls.len() * self.crawlers.len();
        outcome.rows.extend(self.rows(subject, shared, &urls, true));
    }
}

fn row(subject: &Subject, verdict: Verdict, crawler: usize, url: &[u8], submitted: bool) -> Row {
    let decides = why(&verdict, subject.body());
    Row {
        crawler,
        url: Some(url.to_vec()),
        extent: None,
        verdict,
        decides,
        submitted,
        accidental_group: false,
    }
}

fn failed(name: String, argument: &OsStr, message: String) -> Outcome {
    Outcome {
        name,
        uri: uri(argument),
        status: Status::Failed,
        note: Some(message),
        flags: None,
        rows: Vec::new(),
        is_unchecked: false,
        submitted: 0,
        problems: Vec::new(),
        not_checked: Vec::new(),
    }
}
