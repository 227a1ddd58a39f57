//! The rows of an audit.

use alloc::borrow::Cow;
use alloc::sync::Arc;

use robots_fetch::warc::Flags;
use robots_match::AccessResult;
use robots_match::{Document as Named, Verdict, VerdictDocument};
use schemars::JsonSchema;
use serde::Serialize;

use super::page_answers::Said;
use crate::arguments::NamedProfile;
use crate::body::{JOINED_RECORDS, refusal};
use crate::expect::{Answer, Outcome};
use crate::extent::Extent;
use crate::text::Text;

/// The access that an input gives to crawlers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
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

/// What a site answered, or what a file is.
#[derive(Clone, Debug, Default)]
pub(super) struct Received {
    /// The status of the last answer; `None` for a file, and without an answer.
    pub(super) http_status: Option<u16>,
    /// The URL of the file after all redirects.
    pub(super) final_url: Option<String>,
    /// The number of redirects; `None` for a file.
    pub(super) redirects: Option<usize>,
    /// The time of the answer in UTC, such as `2026-11-20T18:04:05Z`; `None` for a file.
    pub(super) time: Option<String>,
    /// The size of the file.
    pub(super) bytes: Option<usize>,
    /// The SHA-256 of the file, in hexadecimal.
    pub(super) sha256: Option<String>,
    /// The kind of the body, such as `rules` or `html`.
    pub(super) body: Option<&'static str>,
    /// What is wrong with the file as a whole.
    pub(super) note: Option<String>,
    /// Whether the site gave no answer that says what may be accessed.
    pub(super) is_unanswered: bool,
}

/// An input, or the list of URLs.
#[derive(Debug)]
pub(super) struct Place {
    /// The name, safe to show.
    pub(super) name: String,
    /// The robots.txt as a URI reference.
    pub(super) uri: String,
    /// Nothing for a list.
    pub(super) status: Option<Status>,
    /// The properties of the body; `None` if the site has no file.
    pub(super) flags: Option<Flags>,
    /// Notes on lines in which records for crawlers ran together.
    pub(super) joined: Vec<String>,
    pub(super) received: Received,
}

impl Place {
    /// Returns why crawlers may read other rules in the file than its owner means.
    pub(super) fn doubts(&self) -> impl Iterator<Item = String> {
        let is = |property: fn(&Flags) -> bool| self.flags.as_ref().is_some_and(property);
        let note = self.received.note.clone().or_else(|| self.refusal());
        let all = [
            (is(|flags| flags.not_utf8), "the file is not UTF-8"),
            (is(|flags| flags.cut), "the file was cut at the size limit"),
        ];
        note.into_iter()
            .chain(self.joined.iter().cloned())
            .chain(all.into_iter().filter(|(is_set, _)| *is_set).map(|(_, doubt)| doubt.to_owned()))
    }

    /// Returns what it means if the server refuses access to its robots.txt, and crawlers read that as if there were none.
    pub(super) fn refusal(&self) -> Option<String> {
        let is_open = self.status == Some(Status::Everything);
        refusal(AccessResult::Unavailable, self.received.http_status).filter(|_| is_open)
    }

    /// Returns the flags by the names that `robots batch --warc` has.
    pub(super) fn flags(&self, accidental_group: bool) -> Vec<&'static str> {
        let names = self.flags.into_iter().flat_map(|flags| flags.names(accidental_group));
        names.chain((!self.joined.is_empty()).then_some(JOINED_RECORDS)).collect()
    }

    /// Returns whether the site has a file, and a rule was read in it.
    pub(super) fn has_rules(&self) -> bool {
        self.flags.is_some_and(|flags| flags.rules > 0)
    }

    /// Returns whether the site has a file that is not a robots.txt file.
    pub(super) fn is_not_robots_txt(&self) -> bool {
        self.flags.is_some_and(|flags| !flags.kind.is_robots_txt())
    }
}

/// What is reported about an input or the list, in one row.
#[derive(Debug)]
pub(super) enum What {
    Verdict(Decided),
    /// The input could not be read.
    Failed(String),
    /// What a page says to a crawler.
    Page(Said),
    /// No URL of the list belongs to the input.
    Unchecked,
    /// A sitemap or a list could not be read, or a part of it.
    Problem(String),
    /// A part of the sitemaps was not checked: after a limit, and URLs of other sites.
    LeftOut(String),
    /// Lines or URLs of the list that were not checked, and their number.
    OfList(&'static str, usize),
    /// Access that is not the wanted one, or about which nothing is known, with the reason for which it is wanted.
    Expected(Outcome, Option<String>),
}

/// A verdict for a crawler.
#[derive(Debug)]
pub(super) struct Decided {
    /// The crawler, as it was given.
    pub(super) crawler: Arc<str>,
    pub(super) about: About,
    /// The verdict; `None` if the file takes too much work.
    pub(super) verdict: Option<Verdict>,
    /// The deciding line, for people.
    pub(super) decides: String,
    /// Whether a group applies to the crawler by accident.
    pub(super) accidental_group: bool,
    /// The profile by which the crawler is read.
    pub(super) profile: NamedProfile,
    /// Whether the crawler may ignore robots.txt, so that rules do not keep it away.
    pub(super) may_ignore: bool,
    /// Whether the file of wanted access closes what is disallowed.
    pub(super) is_wanted: bool,
}

/// The subject of a verdict.
#[derive(Debug)]
pub(super) enum About {
    /// The whole site, and how much of it is allowed.
    Site(Extent),
    /// A URL of the list.
    Listed(Arc<[u8]>),
    /// A URL of a sitemap.
    Submitted(Arc<[u8]>),
}

impl Decided {
    /// Returns `all`, `parts`, `nothing` or `undecided` for a site, and `allowed` or `disallowed` for a URL.
    pub(super) fn access(&self) -> &'static str {
        match &self.about {
            About::Site(extent) => extent.name(),
            _ if self.is_allowed() => "allowed",
            _ => "disallowed",
        }
    }

    /// Returns whether a site owner may have to change something. A crawler that may ignore the rules is not blocked by them.
    pub(super) fn is_finding(&self) -> bool {
        !self.may_ignore && !self.is_wanted && self.is_blocked()
    }

    /// Returns whether the whole site, or the URL, is disallowed.
    pub(super) fn is_blocked(&self) -> bool {
        match self.about {
            About::Site(extent) => extent == Extent::Nothing,
            _ => !self.is_allowed(),
        }
    }

    pub(super) fn is_allowed(&self) -> bool {
        self.verdict.is_some_and(|verdict| verdict.is_allowed())
    }

    pub(super) fn url(&self) -> Option<&[u8]> {
        match &self.about {
            About::Site(_) => None,
            About::Listed(url) | About::Submitted(url) => Some(url),
        }
    }
}

/// A row: an input or the list, and what is reported.
#[derive(Debug)]
pub(super) struct Row {
    pub(super) place: Arc<Place>,
    pub(super) what: What,
}

/// Why an input is not checked with a list.
const UNCHECKED: &str = "no URL of the list belongs to this site";

impl Row {
    pub(super) fn decided(&self) -> Option<&Decided> {
        match &self.what {
            What::Verdict(decided) => Some(decided),
            _ => None,
        }
    }

    /// Returns the name of the kind of row, for programs.
    pub(super) const fn kind(&self) -> &'static str {
        match &self.what {
            What::Verdict(Decided { about: About::Site(_), .. }) => "site",
            What::Verdict(Decided { about: About::Listed(_), .. }) => "url",
            What::Verdict(Decided { about: About::Submitted(_), .. }) => "submitted",
            What::Page(_) => "page",
            What::Failed(_) => "failed",
            What::Unchecked => "unchecked",
            What::Problem(_) => "problem",
            What::LeftOut(_) => "left-out",
            What::OfList(..) => "list",
            What::Expected(..) => "expected",
        }
    }

    /// Returns the deciding line, or what happened.
    pub(super) fn reason(&self) -> Cow<'_, str> {
        match &self.what {
            What::Verdict(decided) => {
                let is_open = matches!(decided.access(), "all" | "allowed");
                let ignores = if decided.may_ignore && !is_open { " (may ignore robots.txt)" } else { "" };
                let wanted = if decided.is_wanted { " (as wanted)" } else { "" };
                match decided.profile.suffix() + ignores + wanted {
                    suffix if suffix.is_empty() => Cow::Borrowed(&decided.decides),
                    suffix => Cow::Owned(format!("{}{suffix}", decided.decides)),
                }
            }
            What::Page(said) => Cow::Borrowed(&said.decides),
            What::Failed(reason) | What::Problem(reason) | What::LeftOut(reason) => Cow::Borrowed(reason),
            What::Unchecked => Cow::Borrowed(UNCHECKED),
            What::OfList(what, count) => Cow::Owned(format!("{what}: {count}")),
            What::Expected(outcome, reason) => Cow::Owned(outcome.about(reason.clone())),
        }
    }

    /// Returns the name of the crawler, safe to show; empty without one.
    pub(super) fn crawler(&self) -> String {
        self.crawler_as_given().map(|name| Text(name.as_bytes()).to_string()).unwrap_or_default()
    }

    fn crawler_as_given(&self) -> Option<&str> {
        match &self.what {
            What::Verdict(decided) => Some(&decided.crawler),
            What::Page(said) => Some(&said.crawler),
            What::Expected(outcome, _) => Some(&outcome.crawler),
            _ => None,
        }
    }

    fn url_as_given(&self) -> Option<Cow<'_, str>> {
        match &self.what {
            What::Verdict(decided) => decided.url().map(String::from_utf8_lossy),
            What::Page(said) => Some(String::from_utf8_lossy(&said.url)),
            What::Expected(outcome, _) => Some(Cow::Borrowed(&outcome.target)),
            _ => None,
        }
    }

    /// Returns the URL, safe to show; empty without one.
    pub(super) fn url(&self) -> String {
        match &self.what {
            What::Verdict(decided) => decided.url().map(|url| Text(url).to_string()).unwrap_or_default(),
            What::Page(said) => Text(&said.url).to_string(),
            What::Expected(outcome, _) => Text(outcome.target.as_bytes()).to_string(),
            _ => String::new(),
        }
    }

    /// Returns the access of a verdict, `broken` or `unknown` for wanted access, and otherwise nothing.
    pub(super) fn access(&self) -> &'static str {
        match &self.what {
            What::Verdict(decided) => decided.access(),
            What::Page(said) => said.access.name(),
            What::Expected(outcome, _) => outcome.name(),
            _ => "",
        }
    }

    pub(super) fn line(&self) -> Option<usize> {
        match &self.what {
            What::Verdict(decided) => decided.verdict?.line(),
            What::Expected(outcome, _) => outcome.line(),
            _ => None,
        }
    }

    /// Returns the access that is wanted, if the row is about that.
    pub(super) fn wanted(&self) -> Option<&'static str> {
        match &self.what {
            What::Expected(outcome, _) => Some(outcome.access()),
            What::Verdict(decided) if decided.is_wanted => Some("disallowed"),
            _ => None,
        }
    }

    /// Returns the document by which the crawler is read.
    pub(super) fn profile(&self) -> Option<Named> {
        match &self.what {
            What::Verdict(decided) => Some(decided.profile.document),
            What::Page(said) => Some(said.profile.document),
            _ => None,
        }
    }

    /// Returns the flags of the file, or the problems of the page.
    pub(super) fn flags(&self) -> Vec<&'static str> {
        if let What::Page(said) = &self.what {
            return said.codes.clone();
        }
        self.place.flags(self.decided().is_some_and(|decided| decided.accidental_group))
    }

    /// Returns about how many bytes of memory the row takes.
    pub(super) fn weight(&self) -> usize {
        let own = match &self.what {
            What::Verdict(decided) => decided.decides.len() + decided.url().map_or(0, <[u8]>::len),
            What::Page(said) => said.decides.len() + said.codes.len() * size_of::<&str>(),
            What::Failed(text) | What::Problem(text) | What::LeftOut(text) => text.len(),
            What::Expected(outcome, reason) => {
                // Other rows have the same crawler and the same answer.
                outcome.target.len() + reason.as_ref().map_or(0, String::len)
            }
            What::Unchecked | What::OfList(..) => 0,
        };
        size_of::<Self>() + own
    }

    pub(super) fn document(&self) -> Document<'_> {
        let decided = self.decided();
        let count = match self.what {
            What::OfList(_, count) => Some(count),
            _ => None,
        };
        let verdict = match &self.what {
            What::Verdict(decided) => decided
                .verdict
                .map(|verdict| VerdictDocument::new(&verdict).with_profile(decided.profile.document)),
            What::Expected(outcome, _) => match &*outcome.result {
                Answer::Broken { verdict, .. } => Some(VerdictDocument::new(verdict)),
                _ => None,
            },
            _ => None,
        };
        let received = &self.place.received;
        Document {
            version: 1,
            kind: self.kind(),
            input: &self.place.name,
            robots: &self.place.uri,
            status: self.place.status,
            crawler: self.crawler_as_given(),
            url: self.url_as_given(),
            access: Some(self.access()).filter(|access| !access.is_empty()),
            wanted: self.wanted(),
            may_ignore: decided.map(|decided| decided.may_ignore),
            verdict,
            reason: self.reason(),
            count,
            flags: self.flags(),
            profile: self.profile(),
            http_status: received.http_status,
            final_url: received.final_url.as_deref(),
            redirects: received.redirects,
            time: received.time.as_deref(),
            bytes: received.bytes,
            sha256: received.sha256.as_deref(),
            body: received.body,
        }
    }
}

/// A line of `robots audit --format jsonl`.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Document<'r> {
    version: u8,
    /// `site`, `url` or `submitted` for verdicts; `page` for what a page says; `expected` for access that is not the wanted one; `failed`, `unchecked`, `problem`, `left-out` or `list` for what was not checked.
    kind: &'static str,
    /// The input, or the list.
    input: &'r str,
    /// The robots.txt as a URI reference.
    robots: &'r str,
    /// The access that the input gives; null for a list.
    status: Option<Status>,
    /// The crawler, as it was given.
    crawler: Option<&'r str>,
    /// The URL; null if the row is about the whole site.
    url: Option<Cow<'r, str>>,
    /// `all`, `parts`, `nothing` or `undecided` for a site; `allowed` or `disallowed` for a URL; `indexable`, `not-indexable`, `url-only` or `unknown` for a page; `broken` or `unknown` for wanted access.
    access: Option<&'static str>,
    /// The access that the file of --expect wants: `allowed` or `disallowed`; null if it says nothing about the row.
    wanted: Option<&'static str>,
    /// Whether the crawler may ignore robots.txt, by the catalogue.
    may_ignore: Option<bool>,
    verdict: Option<VerdictDocument>,
    /// The deciding line, or what happened, for people.
    reason: Cow<'r, str>,
    /// The number of lines or URLs of a list that were not checked.
    count: Option<usize>,
    /// The kind of a body that is not a robots.txt file, `accidental-group`, `cut`, `not-utf8` and `joined-records`; for a page, the codes of its problems.
    flags: Vec<&'static str>,
    /// The document by which the crawler is read.
    profile: Option<Named>,
    /// The status of the last answer; null for a file, and without an answer.
    http_status: Option<u16>,
    /// The URL of the file after all redirects.
    final_url: Option<&'r str>,
    /// The number of redirects; null for a file.
    redirects: Option<usize>,
    /// The time of the answer in UTC, such as `2026-11-20T18:04:05Z`; null for a file.
    time: Option<&'r str>,
    /// The number of bytes of the file.
    bytes: Option<usize>,
    /// The SHA-256 of the file, in hexadecimal.
    sha256: Option<&'r str>,
    /// The kind of the body, such as `rules` or `html`.
    body: Option<&'static str>,
}
