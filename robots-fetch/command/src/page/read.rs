//! Reading a page: from its site, hop by hop, or from a file.

use std::ffi::OsStr;
use std::io::{self, Read as _};
use std::path::Path;
use std::time::SystemTime;

use robots_fetch::page::{
    Answer, CrawlerRules, InWords, Limits, PageDocument, PagePolicy, PageRules, PageVerdict, Question,
    RobotsStatements, Timestamp,
};
use robots_fetch::{Origin, Permission};
use robots_match::records::CrawlFacts;
use robots_match::syntax::BodyKind;
use robots_match::{Robots, Verdict};
use url::{Position, Url};

use super::arguments::Arguments;
use super::response::{Remark, Response, head};
use crate::arguments::{NamedCrawler, NamedProfile, file_hint, is_url, site_url};
use crate::body::{Body, answer_note, cut_note, joined_notes};
use crate::failure::{Failure, Result, reason};
use crate::network::Sites;
use crate::output::{self, Style};
use crate::source::{self, Admitted};
use crate::text::{Text, input_name, with_host};

/// A crawler that is asked about.
pub(crate) struct Asked {
    pub(crate) named: NamedCrawler,
    /// The document by which robots.txt is read for it.
    pub(crate) profile: NamedProfile,
    /// The document by which the page is read for it.
    pub(crate) document: PageDocument,
    pub(super) policy: PagePolicy,
}

/// A request for a page.
pub(crate) struct Hop {
    pub(crate) url: Url,
    /// The verdict for each crawler.
    pub(crate) verdicts: Vec<Verdict>,
    /// What the robots.txt is.
    pub(super) kind: BodyKind,
    /// The status; `None` if the page was not fetched.
    pub(crate) status: Option<u16>,
}

/// A page, as far as it could be read.
pub(crate) struct Page {
    /// The name for people.
    pub(super) name: String,
    /// The requests; none for a file.
    pub(crate) hops: Vec<Hop>,
    /// The rules of the page by the document of each crawler; none if it was not fetched.
    pub(super) rules: Vec<PageRules>,
    /// What robots.txt states about the page for each crawler.
    statements: Vec<RobotsStatements>,
    /// The status of the last response, if it is known.
    status: Option<u16>,
    /// What the body is, if it should be HTML and is not.
    not_a_page: Option<String>,
    /// Why the page could not be followed to its end.
    pub(crate) problem: Option<String>,
    /// What is odd about the robots.txt of the hops.
    pub(super) notes: Vec<String>,
    /// What the responses say beside their rules.
    pub(crate) remarks: Vec<Remark>,
    /// Whether no crawler may fetch the page, and it was fetched all the same.
    pub(super) is_looked_at: bool,
    /// The time of the answers.
    now: Timestamp,
}

/// The most redirects that are followed.
const MOST_HOPS: usize = 10;

/// How pages are asked for.
#[derive(Clone, Copy)]
pub(crate) struct Pages<'p> {
    pub(crate) sites: &'p Sites,
    pub(crate) profile: &'p NamedProfile,
    pub(crate) asked: &'p [Asked],
    /// Whether pages that no crawler may fetch are fetched.
    pub(crate) look_anyway: bool,
}

impl Asked {
    /// A crawler whose pages are read by `document`, or else by that of its operator.
    pub(crate) fn new(named: NamedCrawler, profile: &NamedProfile, document: Option<PageDocument>) -> Self {
        let document = document.unwrap_or_else(|| PageDocument::of_crawler(named.crawler.names()));
        let profile = profile.of(&named.crawler);
        Self { named, profile, document, policy: PagePolicy::from(document) }
    }
}

impl Page {
    pub(super) fn read(input: &OsStr, asked: &[Asked], arguments: &Arguments) -> Result<Self> {
        if is_url(input) {
            if arguments.headers.is_some() {
                return Err(Failure::new(
                    "`--headers` is for a page in a file; a site sends the fields of its pages itself",
                ));
            }
            Self::of_url(input, asked, arguments)
        } else {
            Self::of_file(input, asked, arguments)
        }
    }

    /// Returns the verdict for the crawler with this index.
    pub(crate) fn verdict(&self, asked: &[Asked], index: usize) -> PageVerdict<'_> {
        let denied =
            self.hops.iter().filter_map(|hop| hop.verdicts.get(index)).find(|verdict| !verdict.is_allowed());
        let last = self.hops.last().and_then(|hop| hop.verdicts.get(index));
        let access = denied.or(last).copied().unwrap_or_else(|| {
            // A file is read as if it may be fetched.
            let nothing = Robots::new("", robots_match::Profile::default());
            nothing.rules(&robots_match::Crawler::unnamed()).check("/")
        });
        match self.rules_of(asked, index) {
            Some(rules) => PageVerdict::new(access, || rules),
            None => PageVerdict::NotFetched(access),
        }
    }

    /// Returns what the robots.txt is that has the verdict for the crawler with this index.
    pub(crate) fn kind_for(&self, index: usize) -> BodyKind {
        let is_denied = |hop: &&Hop| hop.verdicts.get(index).is_some_and(|verdict| !verdict.is_allowed());
        let hop = self.hops.iter().find(is_denied).or(self.hops.last());
        hop.map_or(BodyKind::Rules, |hop| hop.kind)
    }

    /// Returns the rules of the page for a crawler, whether it may fetch the page or not.
    pub(crate) fn rules_of(&self, asked: &[Asked], index: usize) -> Option<CrawlerRules<'_>> {
        let rules = self.rules.get(index)?.for_crawler(&asked.get(index)?.named.crawler);
        let statements = self.statements.get(index).map_or(&[][..], RobotsStatements::records);
        Some(rules.with_robots(statements).at(self.now))
    }

    /// Returns why this may not be the page, or why it was not understood.
    pub(crate) fn doubt(&self) -> Option<String> {
        let of_status = |status| format!("the site answered status {status}, so this may not be the page");
        let of_body =
            |what: &String| format!("the body is {what}, not an HTML page, so its rules are not known");
        let problem = self.problem.clone();
        problem
            .or_else(|| self.doubtful_status().map(of_status))
            .or_else(|| self.not_a_page.as_ref().map(of_body))
    }

    /// Returns the last status, if it does not come with the page.
    pub(crate) fn doubtful_status(&self) -> Option<u16> {
        // Status 206 is a part of a page (RFC 9110, section 15.3.7), 202, 204 and 205 have something else or nothing.
        self.status.filter(|status| !matches!(status, 200 | 201 | 203))
    }

    /// Returns whether an answer is known: a rule restricts the use, or the page was read to its end.
    pub(super) fn knows(&self, question: Question, answer: &Answer<'_, InWords>) -> bool {
        let restricts = answer.value.is_limited || question == Question::UnavailableAfter;
        answer.source.is_some() && restricts || self.doubt().is_none() && answer.is_complete
    }

    fn of_file(input: &OsStr, asked: &[Asked], arguments: &Arguments) -> Result<Self> {
        let limit = Limits::default().html();
        let mut response = match &arguments.headers {
            Some(path) => head(&bytes(path, limit)?, path)?,
            None => Response::default(),
        };
        response.body = bytes(input, limit)?;
        let mut page = Self::new(input_name(input));
        page.status = response.status;
        page.read_body(&response, None);
        // It has no rules, and an answer about it would look like a permission.
        if let (Some(what), None) = (&page.not_a_page, &arguments.headers) {
            return Err(Failure::new(format!(
                "{} is {what}, not an HTML page; name the file of a page, or `--headers` with the fields of \
                 its response",
                page.name
            )));
        }
        page.rules = asked.iter().map(|asked| read(&asked.policy, &response)).collect();
        Ok(page)
    }

    fn new(name: String) -> Self {
        let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
        Self {
            name,
            hops: Vec::new(),
            rules: Vec::new(),
            statements: Vec::new(),
            status: None,
            not_a_page: None,
            problem: None,
            notes: Vec::new(),
            remarks: Vec::new(),
            is_looked_at: false,
            now: Timestamp::new(i64::try_from(now.as_secs()).unwrap_or(i64::MAX)),
        }
    }

    /// Reads what the last response says beside its rules.
    fn read_body(&mut self, response: &Response, url: Option<&Url>) {
        if self.doubtful_status().is_none() {
            self.not_a_page = response.not_a_page();
        }
        self.remarks.extend(response.remarks(url));
    }

    fn of_url(input: &OsStr, asked: &[Asked], arguments: &Arguments) -> Result<Self> {
        let (url, _) = site_url(input)?;
        let profile = arguments.site.site_profile();
        let crawlers: Vec<NamedCrawler> = asked.iter().map(|asked| asked.named.clone()).collect();
        let sites = arguments.site.network().sites(profile, crate::check::only(&crawlers))?;
        let profile = &arguments.site.profile;
        let page =
            Self::follow(url, Pages { sites: &sites, profile, asked, look_anyway: arguments.look_anyway });
        for note in &page.notes {
            output::complain("note", Style::Note, note);
        }
        Ok(page)
    }

    /// Reads the page at a URL of a site, hop by hop, in the time of one site.
    pub(crate) fn follow(mut url: Url, pages: Pages<'_>) -> Self {
        let Pages { sites, profile, asked, look_anyway } = pages;
        let mut page = Self::new(Text(url.as_str().as_bytes()).to_string());
        let mut before: Vec<Url> = Vec::new();
        let time = sites.start();
        loop {
            let origin = match Origin::from_url(&url) {
                Ok(origin) if matches!(url.scheme(), "http" | "https") => origin,
                _ => {
                    page.problem = Some(format!("{} can't be requested", Text(url.as_str().as_bytes())));
                    return page;
                }
            };
            if time.left().is_zero() {
                page.problem = Some(sites.ended(&url));
                return page;
            }
            let entry = sites.entry(&origin, time);
            let now = SystemTime::now();
            let permissions: Vec<Permission> =
                asked.iter().map(|asked| profile.permission(&entry, &asked.named.crawler, now)).collect();
            let verdicts: Vec<Verdict> =
                permissions.iter().map(|permission| permission.check_url(&url)).collect();
            let robots = entry.robots(now);
            let body = robots.map(|robots| Body::of(robots));
            let kind = body.map_or(BodyKind::Rules, |body| body.kind);
            let note = match body {
                Some(body) => body.note(),
                None => answer_note(&entry),
            };
            let robots_url = with_host(origin.robots_url().as_str().as_bytes());
            let cut = robots.and_then(|_| cut_note(&entry));
            let notes = note.into_iter().chain(cut);
            let notes = notes.chain(robots.into_iter().flat_map(|robots| joined_notes(robots)));
            page.notes.extend(notes.map(|note| format!("{robots_url}: {note}")));
            page.hops.push(Hop { url: url.clone(), verdicts, kind, status: None });
            // A crawler that may not request one hop does not come to the next.
            let is_allowed = (0..asked.len()).any(|index| {
                page.hops.iter().filter_map(|hop| hop.verdicts.get(index)).all(Verdict::is_allowed)
            });
            if !is_allowed {
                if !look_anyway {
                    return page;
                }
                page.is_looked_at = true;
            }
            let looked = match sites.look(&url, &before, Limits::default().html() + 1, time) {
                Ok(looked) => looked,
                Err(what) => {
                    page.problem = Some(what);
                    return page;
                }
            };
            if let Some(hop) = page.hops.last_mut() {
                hop.status = Some(looked.status);
            }
            if let Some(target) = looked.location.clone() {
                if before.len() == MOST_HOPS {
                    page.problem = Some(format!("more than {MOST_HOPS} redirects"));
                    return page;
                }
                page.remarks.extend(Response::from(looked).redirect_remark(&url));
                before.push(url);
                url = target;
                continue;
            }
            page.status = Some(looked.status);
            let response = Response::from(looked);
            page.read_body(&response, Some(&url));
            let path = &url[Position::BeforePath..Position::AfterQuery];
            for (asked, permission) in asked.iter().zip(&permissions) {
                page.rules.push(read(&asked.policy, &response));
                let statements = match (robots, permission.rules()) {
                    (Some(robots), Some(rules)) => {
                        let robots = Robots::new(robots.body(), asked.profile.rules);
                        let facts = CrawlFacts::new(&robots, &asked.named.crawler);
                        RobotsStatements::from_facts(&facts, rules, path.as_bytes())
                    }
                    _ => RobotsStatements::default(),
                };
                page.statements.push(statements);
            }
            return page;
        }
    }
}

fn read(policy: &PagePolicy, response: &Response) -> PageRules {
    let mut reader = response.reader(*policy).reading_to_the_end();
    reader.html(&response.body);
    if response.is_cut || response.status == Some(206) {
        // What follows is not known.
        reader.cut();
    }
    reader.finish()
}

/// Reads a file or standard input, up to one byte more than `most`.
fn bytes(argument: &OsStr, most: usize) -> Result<Vec<u8>> {
    if argument == "-" {
        let mut bytes = Vec::new();
        let read = io::stdin().lock().take(most as u64 + 1).read_to_end(&mut bytes);
        read.map_err(|error| Failure::new(format!("can't read standard input: {}", reason(&error))))?;
        return Ok(bytes);
    }
    source::require_name(argument)?;
    source::read_within(Path::new(argument), Admitted::Any, most).map_err(|error| {
        let (name, why) = (input_name(argument), source::reason_of(argument, &error));
        Failure::new(format!("can't read {name}: {why}{}", file_hint(argument)))
    })
}
