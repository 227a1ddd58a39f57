//! The work of an audit: an input is read and checked.

use std::collections::HashMap;
use std::ffi::{OsStr, OsString};

use robots_match::{Crawler, RuleSet, Verdict, as_url};

use super::arguments::Arguments;
use super::inputs::Input;
use super::listed::Listed;
use super::outcome::{Outcome, Row, Status};
use super::sitemaps;
use crate::arguments::{NamedCrawler, is_url, origin};
use crate::check::why;
use crate::extent::{Extent, Measured};
use crate::failure::{Failure, Result};
use crate::network::Sites;
use crate::subject::Subject;
use crate::text::Text;
use crate::uri::uri;
use robots_fetch::warc::{Flags, decide};

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
        let rules: Vec<RuleSet> = self.crawlers.iter().map(|named| subject.rules(&named.crawler)).collect();
        let mut outcome = Outcome {
            name: subject.name.clone(),
            uri: subject
                .origin
                .as_ref()
                .map_or_else(|| uri(argument), |origin| origin.robots_url().to_string()),
            status,
            note: subject.note(),
            flags: Flags::default(),
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
                    true if status == Status::Nothing => self.measure(subject, &rules, &mut outcome),
                    is_unchecked => outcome.is_unchecked = is_unchecked,
                }
                for url in urls {
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
        outcome.flags = decide(subject.body(), &crawlers, &paths, profile, |decided| {
            if let Some(accidental) = accidental.get_mut(decided.agent) {
                *accidental = decided.accidental_group;
            }
        });
        for row in &mut outcome.rows {
            row.accidental_group = accidental.get(row.crawler).is_some_and(|is_set| *is_set);
        }
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
            outcome.rows.push(Row {
                crawler,
                url: None,
                extent,
                verdict,
                decides,
                submitted: false,
                accidental_group: false,
            });
        }
    }

    /// Adds the URLs of the sitemaps that are disallowed.
    fn check_sitemaps(&self, subject: &Subject, rules: &[RuleSet], outcome: &mut Outcome) {
        let Arguments { profile, max_urls, .. } = self.arguments;
        for url in sitemaps::urls(subject, &profile.rules, *max_urls, self.sites, outcome) {
            for (crawler, rules) in rules.iter().enumerate() {
                outcome.submitted += 1;
                let row = row(subject, rules, crawler, &url, true);
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
        flags: Flags::default(),
        rows: Vec::new(),
        is_unchecked: false,
        submitted: 0,
        problems: Vec::new(),
        not_checked: Vec::new(),
    }
}
