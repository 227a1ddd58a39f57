//! The other records, typed: sitemaps, crawl delays, preferences, licenses (RFC 9309, section 2.2.4).
//!
//! RFC 9309 knows "allow" and "disallow"; what else stands in files has documents of its own, or none. [`Records`]
//! reads it beside the rules: it never changes which groups there are, nor what they allow.
//!
//! * Every other record of the file is an [`OtherRecord`]: its line, spans and octets are kept whatever it says.
//! * A value that can be understood is a [`Value`]; what is wrong with it is a [`Finding`], never an error.
//! * [`OtherRecord::scope`] tells whom it concerns: everyone, or the crawlers of a group.
//! * [`Records::for_crawler`] gives what concerns the crawler that selected its groups.
//!
//! Reading takes time that grows with the octets of the file.
//!
//! ```
//! use core::time::Duration;
//! use robots_match::records::{Records, Value};
//! use robots_match::{ProductToken, Profile, Robots};
//!
//! let body = "User-agent: ExampleBot\nCrawl-delay: 2.5\nSitemap: /map.xml\n";
//! let robots = Robots::new(body.as_bytes(), Profile::RFC9309);
//! let groups = robots.groups();
//! let records = Records::of(&robots, &groups);
//!
//! let selection = groups.select(&ProductToken::new("ExampleBot")?);
//! assert_eq!(records.for_crawler(&selection).crawl_delay(), Some(Duration::from_millis(2500)));
//!
//! let sitemap = &records.all()[1];
//! assert!(sitemap.value.is_none());
//! assert_eq!(sitemap.findings[0].to_string(), "a URL must be absolute: scheme, host and path");
//! assert_eq!(sitemap.findings[0].span.of(robots.body()), b"/map.xml");
//! # Ok::<(), robots_match::InvalidToken>(())
//! ```

mod address;
mod crawler;
mod finding;
mod param;
mod signal;
mod time;
mod usage;

use alloc::boxed::Box;
use alloc::vec::Vec;

use robots_groups::syntax::{self, Field, Key, Line, Record};
use robots_groups::{Boundary, Groups};
use url::Url;

use crate::robots::Robots;

pub use address::Host;
pub use crawler::CrawlerRecords;
pub use finding::{Finding, Wrong};
pub use param::CleanParam;
pub use signal::{ContentSignal, Signal};
pub use time::{RequestRate, Window};
pub use usage::ContentUsage;
#[cfg(feature = "usage")]
pub use usage::{NoDictionary, Preference, Preferences};

/// The other records of a file, in its order.
///
/// ```
/// use robots_match::records::{Kind, Records};
/// use robots_match::{Profile, Robots};
///
/// let body = "Sitemap: https://example.com/map.xml\nLLM-Policy: ask\n";
/// let robots = Robots::new(body.as_bytes(), Profile::RFC9309);
/// let groups = robots.groups();
/// let records = Records::of(&robots, &groups);
/// assert_eq!(records.sitemaps().map(|url| url.as_str()).collect::<Vec<_>>(), ["https://example.com/map.xml"]);
/// let unknown = &records.all()[1];
/// assert_eq!((unknown.kind, unknown.key.bytes(), unknown.raw.bytes()), (Kind::Unknown, &b"LLM-Policy"[..], &b"ask"[..]));
/// ```
#[derive(Clone, Debug)]
pub struct Records<'a> {
    all: Vec<OtherRecord<'a>>,
}

impl<'a> Records<'a> {
    /// The other records of `robots`, whose groups are `groups`.
    #[must_use]
    pub fn of(robots: &'a Robots, groups: &Groups<'_>) -> Self {
        Self::collect(robots.lines(), groups, &robots.profile().syntax)
    }

    /// The other records of `lines`, which form `groups` and were read with `policy`.
    #[must_use]
    pub fn collect(
        lines: impl IntoIterator<Item = Line<'a>>,
        groups: &Groups<'_>,
        policy: &syntax::SyntaxPolicy,
    ) -> Self {
        let mut place = Place::new(groups);
        let mut all = Vec::new();
        for line in lines {
            let group = place.of(&line);
            if let Record::Other { key, value } = line.record {
                all.push(OtherRecord::read(&line, key, value, group, policy));
            }
        }
        Self { all }
    }

    /// All of them, in the order of the file.
    #[must_use]
    pub fn all(&self) -> &[OtherRecord<'a>] {
        &self.all
    }

    /// The sitemaps of the file, those that are absolute URLs.
    pub fn sitemaps(&self) -> impl Iterator<Item = &Url> {
        self.all.iter().filter_map(|record| match &record.value {
            Some(Value::Sitemap(url)) => Some(url),
            _ => None,
        })
    }

    /// The names by which the site wants to be known (`Host`).
    pub fn hosts(&self) -> impl Iterator<Item = &Host> {
        self.all.iter().filter_map(|record| match &record.value {
            Some(Value::Host(host)) => Some(host),
            _ => None,
        })
    }

    /// The parameters that do not change what a page shows (`Clean-param`).
    pub fn clean_params(&self) -> impl Iterator<Item = &CleanParam<'a>> {
        self.all.iter().filter_map(|record| match &record.value {
            Some(Value::CleanParam(param)) => Some(param),
            _ => None,
        })
    }

    /// What was found wrong, with the record it concerns.
    pub fn findings(&self) -> impl Iterator<Item = (&OtherRecord<'a>, &Finding)> {
        self.all.iter().flat_map(|record| record.findings.iter().map(move |finding| (record, finding)))
    }
}

/// In which group lines stand.
struct Place {
    /// Where the first `user-agent` value of each group stands.
    starts: Vec<usize>,
    boundary: Boundary,
    /// How many groups have begun.
    begun: usize,
    is_open: bool,
}

impl Place {
    fn new(groups: &Groups<'_>) -> Self {
        let starts = groups.iter().filter_map(|group| Some(group.agents().first()?.span().start())).collect();
        Self { starts, boundary: groups.policy().boundary, begun: 0, is_open: false }
    }

    /// The group of `line`, which follows those asked about before.
    fn of(&mut self, line: &Line<'_>) -> Option<usize> {
        // The value of a first `user-agent` line, even an empty one, lies within that line.
        let begins = self.starts.get(self.begun).is_some_and(|&start| start <= line.span().end());
        if begins && matches!(line.record, Record::UserAgent(_)) {
            self.begun += 1;
            self.is_open = true;
        }
        if self.boundary == Boundary::BlankLine && line.record == Record::Blank {
            self.is_open = false;
        }
        if self.is_open { self.begun.checked_sub(1) } else { None }
    }
}

/// A record other than "user-agent", "allow" and "disallow".
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct OtherRecord<'a> {
    /// The number of its line, from 1.
    pub line: usize,
    /// The octets of its line, line end included.
    pub span: syntax::Span,
    /// The key, as it is written.
    pub key: Field<'a>,
    /// The value, as it is written.
    pub raw: Field<'a>,
    /// The index of the group in which it stands, from 0; `None` before the first.
    pub group: Option<usize>,
    /// What the key says it is.
    pub kind: Kind,
    /// What the value says, if it can be understood.
    pub value: Option<Value<'a>>,
    /// What is wrong with it.
    pub findings: Box<[Finding]>,
}

impl<'a> OtherRecord<'a> {
    fn read(
        line: &Line<'a>,
        key: Field<'a>,
        raw: Field<'a>,
        group: Option<usize>,
        policy: &syntax::SyntaxPolicy,
    ) -> Self {
        let kind = Kind::of(key.bytes(), policy);
        let mut findings = Vec::new();
        let value = if raw.is_empty() && kind != Kind::Unknown {
            findings.push(Finding::new(Wrong::Empty, line.content().span()));
            None
        } else {
            Value::read(kind, raw, &mut findings)
        };
        if kind.is_of_groups() && group.is_none() {
            findings.push(Finding::new(Wrong::NoGroup, key.span()));
        }
        let findings = findings.into_boxed_slice();
        Self { line: line.number, span: line.span(), key, raw, group, kind, value, findings }
    }

    /// Whom it concerns, as the documents of its kind say.
    ///
    /// ```
    /// use robots_match::records::{Records, Scope};
    /// use robots_match::{Profile, Robots};
    ///
    /// let body = "User-agent: *\nCrawl-delay: 1\nSitemap: https://example.com/map.xml\n";
    /// let robots = Robots::new(body.as_bytes(), Profile::RFC9309);
    /// let groups = robots.groups();
    /// let scopes: Vec<Scope> = Records::of(&robots, &groups).all().iter().map(|record| record.scope()).collect();
    /// assert_eq!(scopes, [Scope::Group(0), Scope::File]);
    /// ```
    #[must_use]
    pub const fn scope(&self) -> Scope {
        match self.group {
            Some(group) if self.kind.is_of_groups() || matches!(self.kind, Kind::License) => {
                Scope::Group(group)
            }
            None if self.kind.is_of_groups() => Scope::Nobody,
            _ => Scope::File,
        }
    }
}

/// Whom a record concerns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Scope {
    /// All who read the file.
    File,
    /// The crawlers of the group of this index, from 0.
    Group(usize),
    /// Nobody: it should stand in a group, and stands in none.
    Nobody,
}

macro_rules! kinds {
    ($($(#[$doc:meta])* $name:ident = $key:literal;)*) => {
        /// The kinds of records that are understood.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum Kind {
            $($(#[$doc])* $name,)*
            /// Any other key.
            Unknown,
        }

        impl Kind {
            /// All that are known.
            pub const KNOWN: &'static [Self] = &[$(Self::$name),*];

            /// The key in lower case; empty for [`Kind::Unknown`].
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $(Self::$name => $key,)* Self::Unknown => "" }
            }
        }
    };
}

kinds! {
    /// The URL of a sitemap (sitemaps.org; RFC 9309, section 2.2.4).
    Sitemap = "sitemap";
    /// How long to wait between requests.
    CrawlDelay = "crawl-delay";
    /// The name by which the site wants to be known.
    Host = "host";
    /// Parameters of queries that do not change what a page shows.
    CleanParam = "clean-param";
    /// How many requests in how much time (the extended standard of 2002).
    RequestRate = "request-rate";
    /// The hours in which requests are welcome (the extended standard of 2002).
    VisitTime = "visit-time";
    /// What content may be used for (the Content Signals Policy of 2025).
    ContentSignal = "content-signal";
    /// Preferences about the use of content (draft-ietf-aipref-attach).
    ContentUsage = "content-usage";
    /// The URL of a license (RSL 1.0).
    License = "license";
}

impl Kind {
    /// The kind that `key` names under `policy`. Case never counts.
    fn of(key: &[u8], policy: &syntax::SyntaxPolicy) -> Self {
        if policy.spelling(key).is_some_and(|spelling| spelling.key == Key::Sitemap) {
            return Self::Sitemap;
        }
        let named = Self::KNOWN.iter().find(|kind| key.eq_ignore_ascii_case(kind.name().as_bytes()));
        named.copied().unwrap_or(Self::Unknown)
    }

    /// Whether records of this kind concern the crawlers of the group in which they stand, and outside of groups nobody.
    const fn is_of_groups(self) -> bool {
        matches!(
            self,
            Self::CrawlDelay | Self::RequestRate | Self::VisitTime | Self::ContentSignal | Self::ContentUsage
        )
    }
}

/// What the value of a record says.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Value<'a> {
    /// The URL of a sitemap.
    Sitemap(Url),
    /// How long to wait between requests.
    CrawlDelay(core::time::Duration),
    /// The name by which the site wants to be known.
    Host(Host),
    /// Parameters that do not change what a page shows.
    CleanParam(CleanParam<'a>),
    /// How many requests in how much time.
    RequestRate(RequestRate),
    /// The hours in which requests are welcome.
    VisitTime(Window),
    /// What content may be used for.
    ContentSignal(ContentSignal<'a>),
    /// Preferences about the use of content.
    ContentUsage(ContentUsage<'a>),
    /// The URL of a license.
    License(Url),
}

impl<'a> Value<'a> {
    fn read(kind: Kind, raw: Field<'a>, findings: &mut Vec<Finding>) -> Option<Self> {
        let value = match kind {
            Kind::Sitemap => address::url(raw).map(Self::Sitemap),
            Kind::CrawlDelay => time::delay(raw).map(Self::CrawlDelay),
            Kind::Host => Host::read(raw).map(Self::Host),
            Kind::CleanParam => CleanParam::read(raw).map(Self::CleanParam),
            Kind::RequestRate => RequestRate::read(raw).map(Self::RequestRate),
            Kind::VisitTime => Window::read(raw).map(Self::VisitTime),
            Kind::ContentSignal => Ok(Self::ContentSignal(ContentSignal::read(raw, findings))),
            Kind::ContentUsage => Ok(Self::ContentUsage(ContentUsage::read(raw, findings))),
            Kind::License => address::license(raw, findings).map(Self::License),
            Kind::Unknown => return None,
        };
        value.map_err(|finding| findings.push(finding)).ok()
    }
}

/// The octets of `field` from `start` up to `end`, counted within it.
fn part(field: Field<'_>, start: usize, end: usize) -> Field<'_> {
    let octets = field.bytes().get(start..end).unwrap_or_default();
    Field::new(octets, field.span().start() + start)
}

/// `field` without blanks and tabs round it.
fn trimmed(field: Field<'_>) -> Field<'_> {
    let octets = field.bytes();
    let is_blank = |octet: &u8| matches!(octet, b' ' | b'\t');
    let start = octets.iter().position(|octet| !is_blank(octet)).unwrap_or(octets.len());
    let end = octets.iter().rposition(|octet| !is_blank(octet)).map_or(start, |last| last + 1);
    part(field, start, end)
}

/// What stands before the first blank or tab of `field`, and what behind it, without blanks round it.
fn first_word(field: Field<'_>) -> (Field<'_>, Field<'_>) {
    let end = memchr::memchr2(b' ', b'\t', field.bytes()).unwrap_or(field.bytes().len());
    (part(field, 0, end), trimmed(part(field, end, field.bytes().len())))
}

/// The path with which a value may begin, and the rest.
fn scoped(raw: Field<'_>) -> (Option<Field<'_>>, Field<'_>) {
    if raw.bytes().first() != Some(&b'/') {
        return (None, raw);
    }
    let (path, rest) = first_word(raw);
    (Some(path), rest)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::profile::Profile;
    use alloc::string::{String, ToString};
    use alloc::{format, vec};

    fn robots(body: &[u8], profile: Profile) -> Robots {
        Robots::new(body, profile)
    }

    fn places(body: &[u8], profile: Profile) -> Vec<Option<usize>> {
        let robots = robots(body, profile);
        let groups = robots.groups();
        Records::of(&robots, &groups).all().iter().map(|record| record.group).collect()
    }

    #[test]
    fn records_stand_in_the_groups_that_the_rules_make() {
        let body =
            b"x: 0\nuser-agent: a\nx: 1\nuser-agent: b\nx: 1\nallow: /\nx: 1\n\nx: 1\nuser-agent:\nx: 2";
        assert_eq!(places(body, Profile::RFC9309), [None, Some(0), Some(0), Some(0), Some(0), Some(1)]);
        assert_eq!(places(body, Profile::KOSTER_1996), [None, Some(0), Some(0), Some(0), None, Some(1)]);
        assert_eq!(places(b"user-agent: a\n\nuser-agent: b\nx:1\n", Profile::RFC9309), [Some(0)]);
        assert_eq!(places(b"user-agent: a\n\nuser-agent: b\nx:1\n", Profile::KOSTER_1996), [Some(1)]);
    }

    /// The groups are those of robots-groups: a rule between two records of a group belongs to the same group.
    #[test]
    fn places_agree_with_the_groups() {
        let pieces: [&[u8]; 4] = [b"user-agent: a\n", b"allow: /a\n", b"\n", b"x: y\n"];
        for (_, profile) in Profile::NAMED {
            for mut code in 0..4_usize.pow(5) {
                let mut body = vec![];
                for _ in 0..5 {
                    body.extend_from_slice(pieces[code % 4]);
                    body.extend_from_slice(b"x: y\n");
                    code /= 4;
                }
                let robots = robots(&body, profile);
                let groups = robots.groups();
                let records = Records::of(&robots, &groups);
                let group_of = |line: usize| {
                    groups.iter().position(|group| group.rules().iter().any(|rule| rule.line() == line))
                };
                for line in robots.lines() {
                    if matches!(line.record, Record::Rule(_)) {
                        let behind = records.all().iter().find(|record| record.line == line.number + 1);
                        assert_eq!(behind.unwrap().group, group_of(line.number), "{}", body.escape_ascii());
                    }
                }
            }
        }
    }

    #[test]
    fn every_value_has_an_answer() {
        let mut values: Vec<Vec<u8>> = [
            "",
            "NaN",
            "nan",
            "inf",
            "-0",
            "-1",
            "+1",
            "1e9",
            "0x10",
            "1/0",
            "0/1",
            "1/1m 2400-2401",
            "\u{0}",
            "99999999999999999999999999999999999999",
            "1/99999999999999999999d",
            "18446744073709551615",
            "18446744073709551616",
            "18446744073709551615/18446744073709551615d",
            "0.",
            ".",
            ".5",
            "/",
            "/ ",
            "&",
            "a=",
            "=",
            ",",
            ";",
            "://",
            "http://",
            "http:///",
            "http://[",
            "http://a:99999/",
            "é",
            "xn--",
            "xn--\u{80}",
            "a b c d",
            "/a",
            "/*$ train-ai=",
            "\"",
            "(((((",
            "train-ai=(((((",
        ]
        .iter()
        .map(|value| value.as_bytes().to_vec())
        .collect();
        values.push(vec![0xFF; 9]);
        values.push(b"a.".repeat(250 * 1024));
        for piece in ["9", "a", "/", "é", "a.", "xn--a.", "http://", "a&", "a=b,", "(", "%", ";a", "1/", " x"]
        {
            values.push(piece.repeat(64 * 1024 / piece.len()).into_bytes());
            values.push([b"http://", piece.repeat(64 * 1024 / piece.len()).as_bytes()].concat());
        }
        for kind in Kind::KNOWN {
            for value in &values {
                let body = [b"user-agent: *\n", kind.name().as_bytes(), b":", value, b"\n"].concat();
                let mut profile = Profile::RFC9309;
                profile.syntax.max_size = None;
                let robots = robots(&body, profile);
                let groups = robots.groups();
                let records = Records::of(&robots, &groups);
                let [record] = records.all() else { panic!("one record") };
                assert_eq!(record.kind, *kind);
                assert!(record.value.is_some() || !record.findings.is_empty());
                for finding in &record.findings {
                    assert!(finding.span.end() <= body.len() && !finding.to_string().is_empty());
                }
                let selection = groups.select(robots_groups::Crawler::unnamed());
                let mine = records.for_crawler(&selection);
                let _ = (mine.crawl_delay(), mine.signal("search", b"/a"), mine.licenses().count());
                #[cfg(feature = "usage")]
                let _ = mine.usage(b"/a", &robots.rules(robots_groups::Crawler::unnamed()));
            }
        }
    }

    #[test]
    fn keys_are_read_as_the_policy_spells_them() {
        let body = b"Site-map: https://example.com/\nCRAWL-DELAY: 1\nCrawl_delay: 1\n";
        let kinds = |profile| {
            let robots = robots(body, profile);
            let groups = robots.groups();
            let all: Vec<String> = Records::of(&robots, &groups)
                .all()
                .iter()
                .map(|record| format!("{:?}", record.kind))
                .collect();
            all
        };
        assert_eq!(kinds(Profile::GOOGLE), ["Sitemap", "CrawlDelay", "Unknown"]);
        assert_eq!(kinds(Profile::RFC9309), ["Unknown", "CrawlDelay", "Unknown"]);
    }
}
