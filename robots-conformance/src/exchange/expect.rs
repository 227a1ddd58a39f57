//! What a row expects after its answers.

use std::time::SystemTime;

use robots_fetch::matching::ProductToken;
use robots_fetch::{Entry, SiteStatus};
use serde::Deserialize;

use super::{Answer, Mismatch, duration};
use crate::case::Told;

/// A step of a timeline: when it is, what servers answer then, and what holds after that.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Expect {
    /// When it is.
    pub at: String,
    /// What servers answer; nothing for a step that only looks.
    pub answers: Option<Vec<Answer>>,
    /// The requests that were made.
    pub requests: Option<Vec<String>>,
    /// `rules`, `everything` or `nothing`.
    pub access: Option<String>,
    /// What the crawler knows of the site otherwise.
    pub site: Option<String>,
    /// What the last answer meant.
    pub class: Option<String>,
    /// Why there is no file.
    pub cause: Option<String>,
    /// The crawler of `decisions`.
    pub agent: Option<String>,
    /// Decision, path, and the line if a rule decided.
    #[serde(default)]
    pub decisions: Vec<String>,
    /// How long the answer is fresh.
    pub lasts: Option<String>,
    /// How long after the step the next retrieval is due.
    pub again: Option<String>,
    /// Whether the last answer holds.
    pub fresh: Option<bool>,
    /// Whether a retrieval is due.
    pub due: Option<bool>,
    /// Whether the file looks like a page of HTML.
    pub html: Option<bool>,
    /// How many octets of a body were taken.
    pub octets: Option<usize>,
    /// Whether the size limit cut the file.
    pub cut: Option<bool>,
}

impl Expect {
    pub(super) fn validate(&self) -> Result<(), String> {
        duration(&self.at)?;
        for text in [&self.lasts, &self.again].into_iter().flatten() {
            duration(text)?;
        }
        self.site()?;
        self.token()?;
        let one_of = |key: &str, value: &Option<String>, known: &[&str]| match value {
            Some(value) if !known.contains(&value.as_str()) => {
                Err(format!("`{key}` is {}, not `{value}`", known.join(", ")))
            }
            _ => Ok(()),
        };
        one_of("access", &self.access, &["rules", "everything", "nothing"])?;
        one_of("class", &self.class, &["success", "unavailable", "unreachable", "restricted"])?;
        if self.answers.is_none() && self.requests.is_some() {
            return Err("a step without answers makes no requests".to_owned());
        }
        self.decisions.iter().try_for_each(|decision| Decision::read(decision).map(|_| ()))
    }

    pub(super) fn tell(&self, told: &mut Told) {
        told.ask_given("site", self.site.as_ref());
        told.ask_given("agent", self.agent.as_ref());
        if let Some(requests) = &self.requests {
            told.want_all("request", requests);
        }
        told.want_given("access", self.access.as_ref());
        told.want_given("class", self.class.as_ref());
        told.want_given("cause", self.cause.as_ref());
        for decision in &self.decisions {
            told.want("decision", &**decision);
        }
        told.want_given("lasts", self.lasts.as_ref());
        told.want_given("again after", self.again.as_ref());
        told.want_given("fresh", self.fresh.as_ref());
        told.want_given("due", self.due.as_ref());
        told.want_given("html", self.html.as_ref());
        told.want_given("octets", self.octets.as_ref());
        told.want_given("cut", self.cut.as_ref());
    }

    fn site(&self) -> Result<SiteStatus, String> {
        match self.site.as_deref() {
            None => Ok(SiteStatus::Unknown),
            Some("answers") => Ok(SiteStatus::Answers),
            Some("fails") => Ok(SiteStatus::Fails),
            Some(other) => Err(format!("`site` is answers or fails, not `{other}`")),
        }
    }

    fn token(&self) -> Result<ProductToken<'_>, String> {
        ProductToken::new(self.agent.as_deref().unwrap_or("ExampleBot")).map_err(|error| error.to_string())
    }

    /// Where `entry` departs from it at `now`.
    pub(super) fn compare(
        &self,
        place: &str,
        entry: &Entry,
        requests: Option<&[String]>,
        now: SystemTime,
    ) -> Result<Vec<Mismatch>, String> {
        let mut all = Vec::new();
        let mut hold = |what: &'static str, expected: Option<String>, got: String| {
            if let Some(expected) = expected.filter(|expected| *expected != got) {
                all.push(Mismatch { what, place: place.to_owned(), expected, got });
            }
        };
        let standing = entry.cache_status(now);
        let seconds = |text: &Option<String>| -> Result<Option<String>, String> {
            text.as_deref().map(|text| Ok(format!("{}s", duration(text)?.as_secs()))).transpose()
        };
        let yes = |expected: Option<bool>| expected.map(|yes| yes.to_string());
        hold(
            "requests",
            self.requests.as_ref().map(|requests| requests.join("\n")),
            requests.unwrap_or_default().join("\n"),
        );
        hold("access", self.access.clone(), entry.access_with_site(now, self.site()?).name().to_owned());
        hold("class", self.class.clone(), entry.access_result().name().to_owned());
        let code = entry.cause().map_or("", |cause| cause.code());
        hold("cause", self.cause.clone(), code.to_owned());
        let until = standing.until.duration_since(now).unwrap_or_default();
        hold("lasts", seconds(&self.lasts)?, format!("{}s", until.as_secs()));
        let next = standing.next.duration_since(now).unwrap_or_default();
        hold("again", seconds(&self.again)?, format!("{}s", next.as_secs()));
        hold("fresh", yes(self.fresh), standing.fresh.to_string());
        hold("due", yes(self.due), standing.due.to_string());
        hold("html", yes(self.html), entry.looks_like_html().to_string());
        hold("octets", self.octets.map(|octets| octets.to_string()), entry.body_bytes().to_string());
        let cut = entry.good_file().is_some_and(|file| file.dropped() > 0);
        hold("cut", yes(self.cut), cut.to_string());
        let permission = entry.permission(&self.token()?, now);
        for decision in &self.decisions {
            let expected = Decision::read(decision)?;
            let got = permission.check(expected.path.as_bytes());
            let got = Decision { allowed: got.is_allowed(), path: expected.path, line: got.line() };
            hold("decisions", Some(expected.to_string()), got.to_string());
        }
        Ok(all)
    }
}

/// As `disallow /private 2`.
struct Decision<'t> {
    allowed: bool,
    path: &'t str,
    line: Option<usize>,
}

impl<'t> Decision<'t> {
    fn read(text: &'t str) -> Result<Self, String> {
        let mut words = text.split(' ');
        let allowed = match words.next() {
            Some("allow") => true,
            Some("disallow") => false,
            _ => return Err(format!("`{text}` does not begin with allow or disallow")),
        };
        let path = words.next().ok_or_else(|| format!("`{text}` has no path"))?;
        let line = words.next().map(str::parse).transpose();
        let line = line.map_err(|_| format!("`{text}` has no line after its path"))?;
        if words.next().is_some() {
            return Err(format!("`{text}` has more than decision, path and line"));
        }
        Ok(Self { allowed, path, line })
    }
}

impl core::fmt::Display for Decision<'_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "{} {}", if self.allowed { "allow" } else { "disallow" }, self.path)?;
        self.line.map_or(Ok(()), |line| write!(f, " {line}"))
    }
}
