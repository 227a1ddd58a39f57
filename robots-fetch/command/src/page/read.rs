//! Reading a page: from its site, hop by hop, or from a file.

use std::ffi::OsStr;
use std::io::{self, Read as _};
use std::path::Path;
use std::time::SystemTime;

use robots_fetch::client::ureq::Looked;
use robots_fetch::page::{
    CrawlerRules, Limits, PageDocument, PagePolicy, PageReader, PageRules, PageVerdict, RobotsStatements,
};
use robots_fetch::{Origin, Permission};
use robots_match::records::CrawlFacts;
use robots_match::syntax::BodyKind;
use robots_match::{Robots, Verdict};
use url::{Position, Url};

use super::arguments::Arguments;
use crate::arguments::{NamedCrawler, NamedProfile, file_hint, is_url, site_url};
use crate::body::{Body, answer_note, body_note, joined_notes};
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
    /// Why the page could not be followed to its end.
    pub(crate) problem: Option<String>,
    /// What is odd about the robots.txt of the hops.
    pub(super) notes: Vec<String>,
    /// Whether no crawler may fetch the page, and it was fetched all the same.
    pub(super) is_looked_at: bool,
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
        Some(rules.with_robots(statements))
    }

    /// Returns whether this may not be the page, because it could not be followed to its end, or because of the last status.
    pub(crate) fn is_doubtful(&self) -> bool {
        let status = self.hops.last().and_then(|hop| hop.status);
        // Status 206 is a part of a page (RFC 9110, section 15.3.7).
        self.problem.is_some() || status.is_some_and(|status| !(200..300).contains(&status) || status == 206)
    }

    fn of_file(input: &OsStr, asked: &[Asked], arguments: &Arguments) -> Result<Self> {
        let limit = Limits::default().html();
        let body = bytes(input, limit)?;
        let fields = match &arguments.headers {
            Some(path) => fields(&bytes(path, limit)?, path)?,
            None => {
                require_page(input, &body)?;
                Vec::new()
            }
        };
        let looked = |asked: &Asked| read(&asked.policy, &fields, &body, false);
        Ok(Self {
            name: input_name(input),
            hops: Vec::new(),
            rules: asked.iter().map(looked).collect(),
            statements: Vec::new(),
            problem: None,
            notes: Vec::new(),
            is_looked_at: false,
        })
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

    /// Reads the page at a URL of a site, hop by hop.
    pub(crate) fn follow(mut url: Url, pages: Pages<'_>) -> Self {
        let Pages { sites, profile, asked, look_anyway } = pages;
        let mut page = Self {
            name: Text(url.as_str().as_bytes()).to_string(),
            hops: Vec::new(),
            rules: Vec::new(),
            statements: Vec::new(),
            problem: None,
            notes: Vec::new(),
            is_looked_at: false,
        };
        let mut before: Vec<Url> = Vec::new();
        loop {
            let origin = match Origin::from_url(&url) {
                Ok(origin) if matches!(url.scheme(), "http" | "https") => origin,
                _ => {
                    page.problem = Some(format!("{} can't be requested", Text(url.as_str().as_bytes())));
                    return page;
                }
            };
            let entries = sites.entries(core::slice::from_ref(&origin));
            let Some(entry) = entries.first() else { return page };
            let now = SystemTime::now();
            let permissions: Vec<Permission> =
                asked.iter().map(|asked| profile.permission(entry, &asked.named.crawler, now)).collect();
            let verdicts: Vec<Verdict> =
                permissions.iter().map(|permission| permission.check_url(&url)).collect();
            let robots = entry.robots(now);
            let kind = robots.map_or(BodyKind::Rules, |robots| Body::of(robots).kind);
            let note = match robots {
                Some(_) => body_note(kind),
                None => answer_note(entry),
            };
            let robots_url = with_host(origin.robots_url().as_str().as_bytes());
            let notes = note.into_iter().chain(robots.into_iter().flat_map(|robots| joined_notes(robots)));
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
            let looked = match sites.look(&url, &before, Limits::default().html() + 1) {
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
                before.push(url);
                url = target;
                continue;
            }
            let path = &url[Position::BeforePath..Position::AfterQuery];
            for (asked, permission) in asked.iter().zip(&permissions) {
                page.rules.push(read_looked(&asked.policy, &looked));
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

/// Refuses a file that is not a page. It has no rules, and an answer about it would look like a permission.
fn require_page(input: &OsStr, body: &[u8]) -> Result<()> {
    let kind = BodyKind::of(body, &robots_match::Profile::default().syntax);
    let has_element = || {
        memchr::memchr_iter(b'<', body).any(|at| {
            body.get(at + 1).is_some_and(|byte| byte.is_ascii_alphabetic() || matches!(byte, b'!' | b'/'))
        })
    };
    let is_xhtml = || memchr::memmem::find(&body.to_ascii_lowercase(), b"<html").is_some();
    // Pages in UTF-16 begin with a byte order mark.
    let is_utf_16 = matches!(body.get(..2), Some(b"\xFF\xFE" | b"\xFE\xFF"));
    let is_page = match kind {
        _ if is_utf_16 => true,
        BodyKind::Html | BodyKind::HtmlWithRules => true,
        BodyKind::Xml => is_xhtml(),
        BodyKind::Text | BodyKind::Rules | BodyKind::NoGroup => has_element(),
        _ => false,
    };
    if is_page {
        return Ok(());
    }
    let what = match kind {
        BodyKind::Rules | BodyKind::NoGroup => "a robots.txt file".to_owned(),
        BodyKind::Empty => "empty".to_owned(),
        kind => kind.to_string(),
    };
    Err(Failure::new(format!(
        "{} is {what}, not an HTML page; name the file of a page, or `--headers` with the fields of its \
         response",
        input_name(input)
    )))
}

fn read_looked(policy: &PagePolicy, looked: &Looked) -> PageRules {
    read(policy, &looked.fields, &looked.body, looked.is_cut || looked.status == 206)
}

fn read(policy: &PagePolicy, fields: &[(String, Vec<u8>)], body: &[u8], is_cut: bool) -> PageRules {
    let mut reader = PageReader::new(*policy).reading_to_the_end();
    for (name, value) in fields {
        reader.field(name.as_bytes(), value);
    }
    reader.html(body);
    if is_cut {
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
        let (name, hint) = (input_name(argument), file_hint(argument));
        Failure::new(format!("can't read {name}: {}{hint}", reason(&error)))
    })
}

/// Reads response fields, one a line. A status line at the start is skipped, and an empty line ends them.
fn fields(text: &[u8], path: &OsStr) -> Result<Vec<(String, Vec<u8>)>> {
    let mut fields = Vec::new();
    let text = text.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(text);
    for (index, line) in text.split(|&byte| byte == b'\n').enumerate() {
        let line = line.trim_ascii_end();
        if line.is_empty() {
            break;
        }
        // The name of a field is a token (RFC 9110, section 5.6.2). Space after it is removed, as clients do.
        let is_token = |byte: &u8| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(byte);
        let is_name = |name: &[u8]| !name.is_empty() && name.iter().all(is_token);
        let colon = memchr::memchr(b':', line);
        let name = colon.and_then(|colon| line.get(..colon)).map(<[u8]>::trim_ascii_end);
        let (Some(colon), Some(name)) = (colon, name.filter(|name| is_name(name))) else {
            if line.starts_with(b"HTTP/") && fields.is_empty() {
                continue;
            }
            return Err(Failure::new(format!(
                "{}:{}: expected a field such as `X-Robots-Tag: noindex`",
                input_name(path),
                index + 1
            )));
        };
        let name = String::from_utf8_lossy(name).into_owned();
        fields.push((name, line.get(colon + 1..).unwrap_or_default().trim_ascii().to_vec()));
    }
    if fields.is_empty() {
        return Err(Failure::new(format!(
            "{} has no field such as `X-Robots-Tag: noindex`",
            input_name(path)
        )));
    }
    Ok(fields)
}
