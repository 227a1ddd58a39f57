//! Rows about access: scripted answers, and what a crawler may do then. How they are written is in EXCHANGES.md.

mod expect;
mod script;

use core::time::Duration;
use std::time::SystemTime;

use robots_fetch::{Entry, Origin, Outcome, Profile, Validators, retrieve};
use serde::Deserialize;

use crate::case::Told;

pub use expect::Expect;
use script::Script;
pub use script::{Answer, Scripted, shown};

/// A row `[[exchange]]`: one retrieval.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Exchange {
    /// Its name, unique in its table.
    pub name: String,
    /// The ids of the statements that it shows.
    pub cites: Vec<String>,
    /// The profiles under which it holds.
    pub profiles: Vec<String>,
    /// The knobs it turns.
    #[serde(default)]
    pub turn: Vec<String>,
    /// Whose robots.txt is retrieved.
    pub origin: Option<String>,
    /// What servers answer.
    pub answers: Vec<Answer>,
    /// What holds then. The keys of [`Expect`].
    pub requests: Option<Vec<String>>,
    /// See [`Expect`].
    pub access: String,
    /// See [`Expect`].
    pub site: Option<String>,
    /// See [`Expect`].
    pub class: Option<String>,
    /// See [`Expect`].
    pub cause: Option<String>,
    /// See [`Expect`].
    pub agent: Option<String>,
    /// See [`Expect`].
    #[serde(default)]
    pub decisions: Vec<String>,
    /// See [`Expect`].
    pub lasts: Option<String>,
    /// See [`Expect`].
    pub again: Option<String>,
    /// See [`Expect`].
    pub html: Option<bool>,
    /// See [`Expect`].
    pub octets: Option<usize>,
    /// See [`Expect`].
    pub cut: Option<bool>,
}

/// A row `[[timeline]]`: retrievals and looks at given times.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Timeline {
    /// Its name, unique in its table.
    pub name: String,
    /// The ids of the statements that it shows.
    pub cites: Vec<String>,
    /// The profiles under which it holds.
    pub profiles: Vec<String>,
    /// The knobs it turns.
    #[serde(default)]
    pub turn: Vec<String>,
    /// Whose robots.txt is retrieved.
    pub origin: Option<String>,
    /// What happens, in order.
    pub steps: Vec<Expect>,
}

/// Where what was got is not what a row expects.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Mismatch {
    /// The key.
    pub what: &'static str,
    /// The step and the answers, where there are several; may be empty.
    pub place: String,
    /// What the row says.
    pub expected: String,
    /// What is so.
    pub got: String,
}

impl Exchange {
    /// The same as a timeline with one step.
    #[must_use]
    pub fn timeline(&self) -> Timeline {
        let row = self.clone();
        let step = Expect {
            at: "0s".to_owned(),
            answers: Some(row.answers),
            requests: row.requests,
            access: Some(row.access),
            site: row.site,
            class: row.class,
            cause: row.cause,
            agent: row.agent,
            decisions: row.decisions,
            lasts: row.lasts,
            again: row.again,
            fresh: None,
            due: None,
            html: row.html,
            octets: row.octets,
            cut: row.cut,
        };
        Timeline {
            name: row.name,
            cites: row.cites,
            profiles: row.profiles,
            turn: row.turn,
            origin: row.origin,
            steps: vec![step],
        }
    }

    /// Runs the row; see [`Timeline::run`].
    #[must_use]
    pub fn run<'f>(&self, file: impl Fn(&str) -> Option<&'f [u8]>, profile: &Profile) -> Vec<Mismatch> {
        self.timeline().run(file, profile)
    }

    /// What is wrong with the row as such; see [`Timeline::verify`].
    ///
    /// # Errors
    ///
    /// A sentence that says it.
    pub fn verify<'f>(&self, file: impl Fn(&str) -> Option<&'f [u8]>) -> Result<(), String> {
        self.timeline().verify(file)
    }

    pub(crate) fn tell(&self) -> Told {
        self.timeline().tell()
    }
}

impl Timeline {
    /// Where the stack departs from the row under `profile`, whose knobs are turned already; nothing if the row holds.
    /// `file` gives the octets of the files of its table.
    #[must_use]
    pub fn run<'f>(&self, file: impl Fn(&str) -> Option<&'f [u8]>, profile: &Profile) -> Vec<Mismatch> {
        self.run_over(file, profile, by_script)
    }

    /// The same over something else than the script of the row, which gets its answers and makes the retrieval: over sockets,
    /// say; nothing if such answers can't be given there, and the rest of the row is passed over. The times of its outcomes are replaced by those of the row.
    #[must_use]
    pub fn run_over<'f>(
        &self,
        file: impl Fn(&str) -> Option<&'f [u8]>,
        profile: &Profile,
        mut retrieve: impl FnMut(Retrieval<'_>) -> Option<Retrieved>,
    ) -> Vec<Mismatch> {
        let variants = self.answers().map(Answer::variants).max().unwrap_or(1);
        let mut all = Vec::new();
        for variant in 0..variants {
            if let Err(wrong) = self.run_variant(variant, &file, profile, &mut retrieve, &mut all) {
                let expected = "a row that is whole".to_owned();
                all.push(Mismatch { what: "row", place: String::new(), expected, got: wrong });
            }
            if all.len() > 10 {
                break;
            }
        }
        all
    }

    /// What is wrong with the row as such: files that are not there, durations and kinds that are none.
    ///
    /// # Errors
    ///
    /// A sentence that says it.
    pub fn verify<'f>(&self, file: impl Fn(&str) -> Option<&'f [u8]>) -> Result<(), String> {
        self.parsed_origin()?;
        if self.steps.is_empty() {
            return Err("no steps".to_owned());
        }
        for step in &self.steps {
            step.validate()?;
        }
        self.answers().try_for_each(|answer| answer.validate(&file))
    }

    pub(crate) fn tell(&self) -> Told {
        let mut told = Told::default();
        told.ask_given("origin", self.origin.as_ref());
        for step in &self.steps {
            if self.steps.len() > 1 {
                told.ask("at", &*step.at);
                told.want("at", &*step.at);
            }
            for answer in step.answers.iter().flatten() {
                if let Some(body) = &answer.body {
                    told.file(body);
                }
                told.ask("answer", answer.to_string());
            }
            step.tell(&mut told);
        }
        told
    }

    fn answers(&self) -> impl Iterator<Item = &Answer> {
        self.steps.iter().flat_map(|step| step.answers.iter().flatten())
    }

    fn parsed_origin(&self) -> Result<Origin, String> {
        let origin = self.origin.as_deref().unwrap_or("https://example.com");
        Origin::parse(origin).map_err(|error| error.to_string())
    }

    fn run_variant<'f>(
        &self,
        variant: usize,
        file: &impl Fn(&str) -> Option<&'f [u8]>,
        profile: &Profile,
        retrieve: &mut impl FnMut(Retrieval<'_>) -> Option<Retrieved>,
        mismatches: &mut Vec<Mismatch>,
    ) -> Result<(), String> {
        let origin = self.parsed_origin()?;
        let mut entry: Option<Entry> = None;
        for step in &self.steps {
            let now = start() + duration(&step.at)?;
            let mut requests = None;
            let mut place = if self.steps.len() > 1 { step.at.clone() } else { String::new() };
            if let Some(answers) = &step.answers {
                let answers = answers.iter().map(|answer| answer.scripted(variant, file)).collect::<Result<
                    Vec<_>,
                    String,
                >>(
                )?;
                if self.answers().any(|answer| answer.variants() > 1) {
                    let named: Vec<String> = answers.iter().map(Scripted::name).collect();
                    place = format!("{place} {}", named.join(", ")).trim_start().to_owned();
                }
                let validators = entry.as_ref().map(Entry::validators).unwrap_or_default();
                let retrieval = Retrieval { origin: &origin, validators: &validators, profile, answers, now };
                let Some(Retrieved { mut outcome, requests: made, departs }) = retrieve(retrieval) else {
                    return Ok(());
                };
                (outcome.sent, outcome.received) = (now, now);
                entry = Some(Entry::from_outcome(entry.as_ref(), outcome, profile));
                if let Some(wrong) = departs {
                    let expected = "as many answers as requests".to_owned();
                    mismatches.push(Mismatch { what: "answers", place: place.clone(), expected, got: wrong });
                }
                requests = Some(made);
            }
            let entry = entry.as_ref().ok_or("the first step has no answers")?;
            mismatches.extend(step.compare(&place, entry, requests.as_deref(), now)?);
        }
        Ok(())
    }
}

/// A retrieval of a row.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Retrieval<'r> {
    /// Whose robots.txt is retrieved.
    pub origin: &'r Origin,
    /// On which condition.
    pub validators: &'r Validators,
    /// Under which profile.
    pub profile: &'r Profile,
    /// What servers answer.
    pub answers: Vec<Scripted>,
    /// The time of the row.
    pub now: SystemTime,
}

/// What came of a [`Retrieval`].
#[derive(Clone, Debug)]
#[expect(clippy::exhaustive_structs, reason = "who retrieves has to say all of it")]
pub struct Retrieved {
    /// The outcome.
    pub outcome: Outcome,
    /// The requests that were made, as [`shown`].
    pub requests: Vec<String>,
    /// What is wrong with their number.
    pub departs: Option<String>,
}

/// A retrieval by the script of a row: its answers, in their order.
#[must_use]
pub fn by_script(retrieval: Retrieval<'_>) -> Option<Retrieved> {
    let mut script = Script::new(retrieval.answers, retrieval.now);
    let outcome = retrieve(&mut script, retrieval.origin, retrieval.validators, retrieval.profile);
    let departs = script.departs();
    Some(Retrieved { outcome, requests: script.into_requests(), departs })
}

/// When the clock of all rows starts: the date of which RFC 9110 is fond.
fn start() -> SystemTime {
    SystemTime::UNIX_EPOCH + Duration::from_secs(784_111_777)
}

/// A sum of numbers with units, as `23h 59m 59s`.
pub(crate) fn duration(text: &str) -> Result<Duration, String> {
    let wrong = || format!("`{text}` is no duration, such as `30d` or `23h 59m 59s`");
    let mut sum = Duration::ZERO;
    for part in text.split_whitespace() {
        let unit = match part.chars().last() {
            Some('s') => 1,
            Some('m') => 60,
            Some('h') => 60 * 60,
            Some('d') => 24 * 60 * 60,
            _ => return Err(wrong()),
        };
        let number: u32 = part.get(..part.len() - 1).and_then(|text| text.parse().ok()).ok_or_else(wrong)?;
        sum = sum.saturating_add(Duration::from_secs(u64::from(number) * unit));
    }
    if text.trim().is_empty() { Err(wrong()) } else { Ok(sum) }
}

#[cfg(test)]
mod tests;
