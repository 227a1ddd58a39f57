//! The records of a file.

use alloc::vec::Vec;

use robots_groups::Groups;
use robots_groups::syntax::{Line, Record, SyntaxPolicy};
use url::Url;

use super::place::Place;
use super::problem::RecordProblem;
use super::record::OtherRecord;
use super::value::RecordValue;
use crate::robots::Robots;

/// The other records of a file, in the order of the file (RFC 9309, section 2.2.4).
///
/// ```
/// use robots_match::records::{RecordKind, Records};
/// use robots_match::{Profile, Robots};
///
/// let body = "Sitemap: https://example.com/map.xml\nLLM-Policy: ask\n";
/// let robots = Robots::new(body, Profile::RFC9309);
/// let groups = robots.groups();
/// let records = Records::new(&robots, &groups);
/// assert_eq!(records.sitemaps().map(|url| url.as_str()).collect::<Vec<_>>(), ["https://example.com/map.xml"]);
/// let unknown = &records.all()[1];
/// assert_eq!((unknown.kind, unknown.key.bytes(), unknown.raw.bytes()), (RecordKind::Unknown, &b"LLM-Policy"[..], &b"ask"[..]));
/// ```
#[derive(Clone, Debug)]
pub struct Records<'a> {
    all: Vec<OtherRecord<'a>>,
}

impl<'a> Records<'a> {
    /// Reads the records of `robots`. `groups` are the groups of the same file.
    ///
    /// # Complexity
    ///
    /// O(*n*) for a file of *n* bytes.
    #[must_use]
    pub fn new(robots: &'a Robots, groups: &Groups<'_>) -> Self {
        Self::from_lines(robots.lines(), groups, &robots.profile().syntax)
    }

    /// Reads the records of `lines`. The lines were read with `policy`, and `groups` are the groups of the same file.
    #[must_use]
    pub fn from_lines(
        lines: impl IntoIterator<Item = Line<'a>>,
        groups: &Groups<'_>,
        policy: &SyntaxPolicy,
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

    /// Returns all records, in the order of the file.
    #[must_use]
    pub fn all(&self) -> &[OtherRecord<'a>] {
        &self.all
    }

    /// Iterates over the sitemaps that are absolute URLs.
    pub fn sitemaps(&self) -> impl Iterator<Item = &Url> {
        self.all.iter().filter_map(|record| match &record.value {
            Some(RecordValue::Sitemap(url)) => Some(url),
            _ => None,
        })
    }

    /// Iterates over the problems, each with its record.
    pub fn problems(&self) -> impl Iterator<Item = (&OtherRecord<'a>, &RecordProblem)> {
        self.all.iter().flat_map(|record| record.problems.iter().map(move |problem| (record, problem)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::Document;
    use crate::profile::Profile;
    use crate::records::RecordKind;
    use alloc::string::{String, ToString};
    use alloc::{format, vec};

    fn robots(body: &[u8], profile: Profile) -> Robots {
        Robots::new(body, profile)
    }

    fn places(body: &[u8], profile: Profile) -> Vec<Option<usize>> {
        let robots = robots(body, profile);
        let groups = robots.groups();
        Records::new(&robots, &groups).all().iter().map(|record| record.group).collect()
    }

    #[test]
    fn records_are_in_the_groups_of_the_rules() {
        let body =
            b"x: 0\nuser-agent: a\nx: 1\nuser-agent: b\nx: 1\nallow: /\nx: 1\n\nx: 1\nuser-agent:\nx: 2";
        assert_eq!(places(body, Profile::RFC9309), [None, Some(0), Some(0), Some(0), Some(0), Some(1)]);
        assert_eq!(places(body, Profile::KOSTER_1996), [None, Some(0), Some(0), Some(0), None, Some(1)]);
        assert_eq!(places(b"user-agent: a\n\nuser-agent: b\nx:1\n", Profile::RFC9309), [Some(0)]);
        assert_eq!(places(b"user-agent: a\n\nuser-agent: b\nx:1\n", Profile::KOSTER_1996), [Some(1)]);
    }

    /// A rule between two records of a group belongs to the same group in `robots-groups`.
    #[test]
    fn places_agree_with_the_groups() {
        let pieces: [&[u8]; 4] = [b"user-agent: a\n", b"allow: /a\n", b"\n", b"x: y\n"];
        for profile in Document::ALL.map(Profile::from) {
            for mut code in 0..4_usize.pow(5) {
                let mut body = vec![];
                for _ in 0..5 {
                    body.extend_from_slice(pieces[code % 4]);
                    body.extend_from_slice(b"x: y\n");
                    code /= 4;
                }
                let robots = robots(&body, profile);
                let groups = robots.groups();
                let records = Records::new(&robots, &groups);
                let group_of = |line: usize| {
                    groups.iter().position(|group| group.rules().iter().any(|rule| rule.line() == line))
                };
                for line in robots.lines() {
                    if matches!(line.record, Record::Rule(_)) {
                        let after = records.all().iter().find(|record| record.line == line.number + 1);
                        assert_eq!(after.unwrap().group, group_of(line.number), "{}", body.escape_ascii());
                    }
                }
            }
        }
    }

    #[test]
    fn every_value_is_read_or_has_a_problem() {
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
        for kind in RecordKind::KNOWN {
            for value in &values {
                let body = [b"user-agent: *\n", kind.name().as_bytes(), b":", value, b"\n"].concat();
                let mut profile = Profile::RFC9309;
                profile.syntax.max_size = None;
                let robots = robots(&body, profile);
                let groups = robots.groups();
                let records = Records::new(&robots, &groups);
                let [record] = records.all() else { panic!("one record") };
                assert_eq!(record.kind, *kind);
                assert!(record.value.is_some() || !record.problems.is_empty());
                for problem in &record.problems {
                    assert!(problem.span.end() <= body.len() && !problem.to_string().is_empty());
                }
                let selection = groups.select(&robots_groups::Crawler::unnamed());
                let mine = records.for_crawler(&selection);
                let _ = (mine.crawl_delay(), mine.signal("search", b"/a"), mine.licenses().count());
                #[cfg(feature = "usage")]
                let _ = mine.usage(b"/a", &robots.rules(&robots_groups::Crawler::unnamed()));
            }
        }
    }

    #[test]
    fn keys_are_read_with_the_spellings_of_the_policy() {
        let body = b"Site-map: https://example.com/\nCRAWL-DELAY: 1\nCrawl_delay: 1\n";
        let kinds = |profile| {
            let robots = robots(body, profile);
            let groups = robots.groups();
            let all: Vec<String> = Records::new(&robots, &groups)
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
