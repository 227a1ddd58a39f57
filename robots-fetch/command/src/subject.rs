//! A robots.txt that a person named: a file, standard input, a site, or a version that Git keeps.

use std::ffi::OsStr;
use std::time::SystemTime;

use robots_fetch::{Access, AccessResult, Entry, Origin};
use robots_match::syntax::BodyKind;
use robots_match::{Crawler, Reason, Robots, SharedRules, Verdict};

use crate::arguments::{NamedProfile, bytes_of, is_url, note_cut, origin};
use crate::body::body_note;
use crate::failure::{Failure, Result};
use crate::network::{Network, Sites};
use crate::text::{Text, input_name, with_host};

/// A robots.txt, or the answer of a site that has none whose rules apply.
#[derive(Debug)]
pub(crate) struct Subject {
    /// The name for people, safe to show.
    pub(crate) name: String,
    /// The file; without rules, one that allows everything or nothing.
    pub(crate) robots: Robots,
    /// The answer of the site, if no rules apply.
    pub(crate) answer: Option<Reason>,
    /// The site, if one was asked.
    pub(crate) origin: Option<Origin>,
    /// What kind of thing the body is.
    pub(crate) kind: BodyKind,
}

impl Subject {
    /// Reads the robots.txt that an argument names. Sites are asked by `sites`.
    pub(crate) fn read(
        argument: &OsStr,
        profile: &NamedProfile,
        sites: impl FnOnce() -> Result<Sites>,
    ) -> Result<Self> {
        if is_url(argument) {
            let origin = origin(argument)?;
            let entry = sites()?.refresh(&origin);
            if let Some(cause) = entry.cause().filter(|_| entry.is_local_failure()) {
                // Nothing is known about the site.
                let site = with_host(origin.as_str().as_bytes());
                return Err(Failure::new(format!(
                    "can't ask {site}: {}",
                    Text(cause.to_string().as_bytes())
                )));
            }
            return Ok(Self::of_entry(origin, &entry, profile));
        }
        let bytes = bytes_of(argument, &profile.rules)?;
        note_cut(&bytes, &profile.rules, argument);
        Ok(Self::of_bytes(argument, &bytes, profile))
    }

    /// Creates the subject of a file or of standard input, with its bytes.
    pub(crate) fn of_bytes(argument: &OsStr, bytes: &[u8], profile: &NamedProfile) -> Self {
        let name = input_name(argument);
        let kind = BodyKind::of(bytes, &profile.rules.syntax);
        Self { name, robots: Robots::new(bytes, profile.rules), answer: None, origin: None, kind }
    }

    /// Creates the subject that a site has by its entry.
    pub(crate) fn of_entry(origin: Origin, entry: &Entry, profile: &NamedProfile) -> Self {
        let now = SystemTime::now();
        let name = with_host(origin.as_str().as_bytes());
        let (robots, answer) = match entry.access(now) {
            Access::Rules(robots) => (Robots::new(robots.body(), profile.rules), None),
            Access::Everything(..) => (Robots::new("", profile.rules), site_answer(entry, now)),
            Access::Nothing(..) => {
                (Robots::new("User-agent: *\nDisallow: /\n", profile.rules), site_answer(entry, now))
            }
        };
        let kind = BodyKind::of(robots.body(), &profile.rules.syntax);
        Self { name, robots, answer, origin: Some(origin), kind }
    }

    /// Selects the rules for crawlers. The answer of a site without rules is for every crawler.
    pub(crate) fn rules_for<'c>(&self, crawlers: impl IntoIterator<Item = &'c Crawler>) -> SharedRules<'_> {
        match self.answer {
            None => self.robots.rules_for(crawlers),
            Some(_) => {
                let everyone = Crawler::unnamed();
                self.robots.rules_for(crawlers.into_iter().map(|_| &everyone))
            }
        }
    }

    /// Returns the verdict of this robots.txt where the rules have this one.
    pub(crate) fn verdict(&self, verdict: Verdict) -> Verdict {
        match self.answer {
            // The robots.txt itself may be requested at any time, where the profile says so.
            Some(answer) if verdict.reason() != Reason::RobotsTxt => Verdict::new(answer),
            _ => verdict,
        }
    }

    /// Returns the bytes in which lines and spans of verdicts are.
    pub(crate) fn body(&self) -> &[u8] {
        if self.answer.is_some() { b"" } else { self.robots.body() }
    }

    /// Returns whether a site was asked and gave no answer that says what may be accessed.
    pub(crate) fn is_unknown(&self) -> bool {
        let unknown = [AccessResult::Unreachable, AccessResult::Throttled];
        matches!(self.answer, Some(Reason::Site { result, .. }) if unknown.contains(&result))
    }

    /// Returns the answer of a site without rules, as a sentence such as `the site has no robots.txt (status 404): everything
    /// is allowed`, or what a body is that is not a robots.txt file.
    pub(crate) fn note(&self) -> Option<String> {
        let Some(answer) = self.answer else { return body_note(self.kind) };
        let what =
            if Verdict::new(answer).is_allowed() { "everything is allowed" } else { "nothing is allowed" };
        Some(format!("{answer}: {what}"))
    }
}

fn site_answer(entry: &Entry, now: SystemTime) -> Option<Reason> {
    match entry.permission(&Crawler::unnamed(), now).check("/").reason() {
        answer @ Reason::Site { .. } => Some(answer),
        _ => None,
    }
}

/// Returns how the sites of subjects are asked: each time, because the present answer is wanted.
pub(crate) fn sites_of(network: &Network, profile: &NamedProfile) -> Result<Sites> {
    network.sites(profile.with_access(), Crawler::unnamed())
}
