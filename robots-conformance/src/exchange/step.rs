//! Steps of a timeline.

use std::time::SystemTime;

use robots_fetch::matching::Crawler;
use robots_fetch::matching::syntax::BodyKind;
use robots_fetch::{Access, Entry, Permission};
use serde::{Deserialize, Serialize};

use crate::exchange::{Answer, Mismatch, duration};

/// A step of a timeline: its time, the answers of servers, and what is expected then.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Step {
    /// The time of the step, counted from the start.
    #[serde(default)]
    pub at: String,
    /// The answers of servers; `None` for a check without a retrieval.
    pub answers: Option<Vec<Answer>>,
    /// The URLs that the crawler knows to be disallowed by the robots.txt of their own origins.
    #[serde(default)]
    pub disallowed: Vec<String>,
    /// The requests that were made.
    pub requests: Option<Vec<String>>,
    /// The access: `rules`, `everything` or `nothing`.
    pub access: Option<String>,
    /// The answers of the site to requests for other URLs: `answers` or `fails`.
    pub site: Option<String>,
    /// The access result of the last answer.
    pub class: Option<String>,
    /// The code for why the file is missing.
    pub cause: Option<String>,
    /// The crawler of `decisions`.
    pub agent: Option<String>,
    /// Decision, path, and the line if a rule decided.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub decisions: Vec<String>,
    /// How long the answer is fresh.
    pub lasts: Option<String>,
    /// How long the answer may be used after its lifetime while it is retrieved again.
    pub stale: Option<String>,
    /// How long after the step the next retrieval is due.
    pub again: Option<String>,
    /// Whether the last answer is fresh.
    pub fresh: Option<bool>,
    /// Whether a retrieval is due.
    pub due: Option<bool>,
    /// Whether the file looks like an HTML page.
    pub html: Option<bool>,
    /// How many bytes of the body were read.
    pub bytes: Option<usize>,
    /// Whether the size limit cut the file.
    pub cut: Option<bool>,
    /// Further facts about the last answer and the outage.
    pub facts: Option<Box<Facts>>,
}

impl Step {
    pub(super) fn validate(&self) -> Result<(), String> {
        duration(&self.at)?;
        self.facts.as_deref().map_or(Ok(()), Facts::validate)?;
        for text in [&self.lasts, &self.stale, &self.again].into_iter().flatten() {
            duration(text)?;
        }
        self.site_answers()?;
        self.crawler()?;
        let one_of = |key: &str, value: &Option<String>, known: &[&str]| match value {
            Some(value) if !known.contains(&value.as_str()) => {
                Err(format!("`{key}` is {}, not `{value}`", known.join(", ")))
            }
            _ => Ok(()),
        };
        one_of("access", &self.access, &["rules", "everything", "nothing"])?;
        one_of("class", &self.class, &["success", "unavailable", "unreachable", "throttled", "restricted"])?;
        if self.answers.is_none() && self.requests.is_some() {
            return Err("a step without answers makes no requests".to_owned());
        }
        self.decisions.iter().try_for_each(|decision| Decision::read(decision).map(|_| ()))
    }

    /// Returns what crawlers may access, by what the row says of other URLs of the site.
    pub(super) fn access<'e>(&self, entry: &'e Entry, now: SystemTime) -> Result<Access<'e>, String> {
        Ok(if self.site_answers()? { entry.access_if_site_answers(now) } else { entry.access(now) })
    }

    fn site_answers(&self) -> Result<bool, String> {
        match self.site.as_deref() {
            None | Some("fails") => Ok(false),
            Some("answers") => Ok(true),
            Some(other) => Err(format!("`site` is answers or fails, not `{other}`")),
        }
    }

    pub(super) fn crawler(&self) -> Result<Crawler, String> {
        Crawler::new(self.agent.as_deref().unwrap_or("ExampleBot")).map_err(|error| error.to_string())
    }

    /// Returns how `entry` differs from the step at `now`.
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
        let seconds = |text: &Option<String>| -> Result<Option<String>, String> {
            text.as_deref().map(|text| Ok(format!("{}s", duration(text)?.as_secs()))).transpose()
        };
        let yes = |expected: Option<bool>| expected.map(|yes| yes.to_string());
        hold(
            "requests",
            self.requests.as_ref().map(|requests| requests.join("\n")),
            requests.unwrap_or_default().join("\n"),
        );
        let hops: Vec<&str> = entry.hops().iter().map(|hop| hop.url.as_str()).collect();
        let urls = self.requests.as_ref().map(|requests| without_conditions(requests).join("\n"));
        hold("hops", urls, hops.join("\n"));
        hold("access", self.access.clone(), self.access(entry, now)?.name().to_owned());
        hold("class", self.class.clone(), entry.access_result().name().to_owned());
        let code = entry.cause().map_or("", |cause| cause.code());
        hold("cause", self.cause.clone(), code.to_owned());
        let until = entry.fresh_until().duration_since(now).unwrap_or_default();
        hold("lasts", seconds(&self.lasts)?, format!("{}s", until.as_secs()));
        hold("stale", seconds(&self.stale)?, format!("{}s", entry.stale_while_revalidate().as_secs()));
        for next in [entry.next_retrieval(), entry.received() + entry.lifetime()] {
            let next = next.duration_since(now).unwrap_or_default();
            hold("again", seconds(&self.again)?, format!("{}s", next.as_secs()));
        }
        hold("fresh", yes(self.fresh), entry.is_fresh(now).to_string());
        hold("due", yes(self.due), entry.is_due(now).to_string());
        hold("html", yes(self.html), entry.body_kind().is_some_and(BodyKind::is_html).to_string());
        hold("bytes", self.bytes.map(|bytes| bytes.to_string()), entry.body_bytes().to_string());
        let cut = entry.good_file().is_some_and(|file| file.dropped() > 0);
        hold("cut", yes(self.cut), cut.to_string());
        if let Some(facts) = &self.facts {
            facts.compare(entry, &mut hold)?;
        }
        let permission = entry.permission(&self.crawler()?, now);
        let is_ruled = permission.rules().is_some();
        if is_ruled != entry.robots(now).is_some() || is_ruled == permission.cause().is_some() {
            let expected = "rules or a cause, and a file if there are rules".to_owned();
            hold("permission", Some(expected), format!("{permission:?}"));
        }
        let cause = self.cause.clone().filter(|_| !is_ruled);
        hold("cause", cause, permission.cause().map_or("", |cause| cause.code()).to_owned());
        for (decision, got) in self.decisions.iter().zip(self.decided(&permission)?) {
            hold("decisions", Some(Decision::read(decision)?.to_string()), got);
        }
        Ok(all)
    }

    /// Returns the decisions of the implementation about the paths of [`Step::decisions`].
    pub(super) fn decided(&self, permission: &Permission) -> Result<Vec<String>, String> {
        let decide = |decision: &String| {
            let path = Decision::read(decision)?.path;
            let got = permission.check(path.as_bytes());
            Ok(Decision { allowed: got.is_allowed(), path, line: got.line() }.to_string())
        };
        self.decisions.iter().map(decide).collect()
    }
}

/// Returns the URLs of requests.
fn without_conditions(requests: &[String]) -> Vec<&str> {
    requests.iter().map(|request| request.split(' ').next().unwrap_or_default()).collect()
}

/// A decision as rows write it, such as `disallow /private 2`.
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

/// Further facts about the last answer and the outage.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Facts {
    /// The status of the last answer; 0 without an answer.
    pub status: Option<u16>,
    /// Where the lifetime comes from, such as `max-age`.
    pub source: Option<String>,
    /// How long the answer would be fresh without the limits of the profile.
    pub asked: Option<String>,
    /// Whether the answer may be written to a disk or a server.
    pub storable: Option<bool>,
    /// Whether the answer has `must-revalidate`.
    pub must_revalidate: Option<bool>,
    /// The failed attempts of the outage; 0 without an outage.
    pub attempts: Option<u32>,
    /// How much longer the outage has to last until crawlers may access something else; 0 if that does not change.
    pub changes: Option<String>,
}

impl Facts {
    pub(super) fn validate(&self) -> Result<(), String> {
        [&self.asked, &self.changes].into_iter().flatten().try_for_each(|text| duration(text).map(|_| ()))
    }

    /// Calls `hold` with each fact that the row names: key, value of the row, and value of `entry`.
    pub(super) fn compare(
        &self,
        entry: &Entry,
        hold: &mut impl FnMut(&'static str, Option<String>, String),
    ) -> Result<(), String> {
        let seconds = |text: &Option<String>| -> Result<Option<String>, String> {
            text.as_deref().map(|text| Ok(duration(text)?.as_secs().to_string())).transpose()
        };
        let text = |expected: Option<bool>| expected.map(|expected| expected.to_string());
        let status = self.status.map(|status| status.to_string());
        hold("status", status, entry.status().unwrap_or_default().to_string());
        hold("source", self.source.clone(), entry.lifetime_source().to_owned());
        hold("asked", seconds(&self.asked)?, entry.asked_lifetime().as_secs().to_string());
        hold("storable", text(self.storable), entry.is_storable().to_string());
        hold("must_revalidate", text(self.must_revalidate), entry.must_revalidate().to_string());
        let attempts = self.attempts.map(|attempts| attempts.to_string());
        hold("attempts", attempts, entry.outage().map_or(0, |outage| outage.attempts).to_string());
        let changes = entry.next_outage_access().map_or(0, |(after, _)| after.as_secs());
        hold("changes", seconds(&self.changes)?, changes.to_string());
        Ok(())
    }
}
