//! Rows about access: scripted answers, and what a crawler may access then. EXCHANGES.md explains their format.

mod answers;
mod script;
mod step;

use core::time::Duration;
use std::time::SystemTime;

use robots_fetch::{Entry, Origin, Outcome, SiteProfile, Validators};

use crate::row::row;

use script::ScriptedTransport;
pub(crate) use script::duration;
pub use script::{Answer, Scripted, shown};
pub use step::{Facts, Step};

row! {
    /// A row `[[exchange]]`: one retrieval. Its keys are those of a timeline with one step.
    pub struct Exchange {
        origin: Option<String>,
        #[serde(flatten)]
        step: Step,
    }
}

row! {
    /// A row `[[timeline]]`: retrievals and checks at given times.
    pub struct Timeline {
        origin: Option<String>,
        /// The steps, in order.
        pub steps: Vec<Step>,
    }
}

/// A difference between a row and the implementation.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Mismatch {
    /// The key.
    pub what: &'static str,
    /// The step and the answers, if the row has several; may be empty.
    pub place: String,
    /// The value of the row.
    pub expected: String,
    /// The value of the implementation.
    pub got: String,
}

impl Exchange {
    /// Returns the row as a timeline with one step.
    #[must_use]
    pub fn timeline(&self) -> Timeline {
        let Self { name, cites, profiles, turn, origin, step } = self.clone();
        let at = if step.at.is_empty() { "0s".to_owned() } else { step.at };
        Timeline { name, cites, profiles, turn, origin, steps: vec![Step { at, ..step }] }
    }
}

impl Timeline {
    /// Runs the row under `profile`, whose knobs are already set. Returns how the implementation differs; nothing if
    /// the row holds. `file` returns the files of the table.
    #[must_use]
    pub fn run<'f>(&self, file: impl Fn(&str) -> Option<&'f [u8]>, profile: &SiteProfile) -> Vec<Mismatch> {
        self.run_over(file, profile, by_script)
    }

    /// Runs the row with another transport, such as sockets: `retrieve` gets the answers of the row and makes the
    /// retrieval. If it returns `None`, because it can't give such answers, the rest of the row is skipped. The times
    /// of outcomes are replaced by those of the row.
    #[must_use]
    pub fn run_over<'f>(
        &self,
        file: impl Fn(&str) -> Option<&'f [u8]>,
        profile: &SiteProfile,
        mut retrieve: impl FnMut(Retrieval<'_>) -> Option<Retrieved>,
    ) -> Vec<Mismatch> {
        let variants = self.scripted_answers().map(Answer::variants).max().unwrap_or(1);
        let mut all = Vec::new();
        for variant in 0..variants {
            if let Err(wrong) = self.run_variant(variant, &file, profile, &mut retrieve, &mut all) {
                let expected = "a complete row".to_owned();
                all.push(Mismatch { what: "row", place: String::new(), expected, got: wrong });
            }
            if all.len() > 10 {
                break;
            }
        }
        all
    }

    /// Checks the row without running it: missing files, malformed durations, unknown kinds.
    ///
    /// # Errors
    ///
    /// Returns a message that says what is wrong.
    pub fn verify<'f>(&self, file: impl Fn(&str) -> Option<&'f [u8]>) -> Result<(), String> {
        self.parsed_origin()?;
        if self.steps.is_empty() {
            return Err("the row has no steps".to_owned());
        }
        for step in &self.steps {
            step.validate()?;
        }
        self.scripted_answers().try_for_each(|answer| answer.validate(&file))
    }

    fn scripted_answers(&self) -> impl Iterator<Item = &Answer> {
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
        profile: &SiteProfile,
        retrieve: &mut impl FnMut(Retrieval<'_>) -> Option<Retrieved>,
        mismatches: &mut Vec<Mismatch>,
    ) -> Result<(), String> {
        self.play(variant, file, profile, retrieve, |played| {
            let mut place = if self.steps.len() > 1 { played.step.at.clone() } else { String::new() };
            if self.scripted_answers().any(|answer| answer.variants() > 1) {
                place = format!("{place} {}", played.answers.join(", ")).trim().to_owned();
            }
            if let Some(wrong) = played.departs {
                let expected = "as many answers as requests".to_owned();
                mismatches.push(Mismatch { what: "answers", place: place.clone(), expected, got: wrong });
            }
            let requests = played.requests.as_deref();
            mismatches.extend(played.step.compare(&place, played.entry, requests, played.now)?);
            Ok(())
        })
    }

    /// Plays the steps of one variant, and calls `after` after each. Ends early if `retrieve` returns `None`.
    fn play<'f>(
        &self,
        variant: usize,
        file: &impl Fn(&str) -> Option<&'f [u8]>,
        profile: &SiteProfile,
        retrieve: &mut impl FnMut(Retrieval<'_>) -> Option<Retrieved>,
        mut after: impl FnMut(Played<'_>) -> Result<(), String>,
    ) -> Result<(), String> {
        let origin = self.parsed_origin()?;
        let mut entry: Option<Entry> = None;
        for step in &self.steps {
            let now = start() + duration(&step.at)?;
            let (mut requests, mut departs, mut names) = (None, None, Vec::new());
            if let Some(answers) = &step.answers {
                // Times of sent and received answers are those of the last request.
                let takes = answers.last().map_or(Ok(Duration::ZERO), Answer::takes)?;
                let answers: Vec<Scripted> =
                    answers.iter().map(|answer| answer.scripted(variant, file)).collect::<Result<_, _>>()?;
                names.extend(answers.iter().map(Scripted::name));
                let validators = entry.as_ref().map(Entry::validators).unwrap_or_default();
                let disallowed = &step.disallowed;
                let retrieval =
                    Retrieval { origin: &origin, validators: &validators, profile, answers, disallowed, now };
                let Some(retrieved) = retrieve(retrieval) else { return Ok(()) };
                let mut outcome = retrieved.outcome;
                (outcome.sent, outcome.received) = (now, now + takes);
                entry = Some(Entry::from_outcome(entry.as_ref(), outcome, profile));
                (requests, departs) = (Some(retrieved.requests), retrieved.departs);
            }
            let entry = entry.as_ref().ok_or("the first step has no answers")?;
            after(Played { step, answers: names, entry, requests, departs, now })?;
        }
        Ok(())
    }
}

/// A step that was played.
struct Played<'p> {
    step: &'p Step,
    /// The names of the answers.
    answers: Vec<String>,
    /// The entry after the step.
    entry: &'p Entry,
    /// The requests that were made; `None` for a check without a retrieval.
    requests: Option<Vec<String>>,
    /// The fault in the number of requests, if anything.
    departs: Option<String>,
    now: SystemTime,
}

/// A retrieval of a row.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Retrieval<'r> {
    /// The URL whose robots.txt is retrieved.
    pub origin: &'r Origin,
    /// The validators of a conditional request.
    pub validators: &'r Validators,
    /// The profile.
    pub profile: &'r SiteProfile,
    /// The answers of servers.
    pub answers: Vec<Scripted>,
    /// The URLs that the crawler knows to be disallowed.
    pub disallowed: &'r [String],
    /// The time of the step.
    pub now: SystemTime,
}

/// The result of a [`Retrieval`].
#[derive(Clone, Debug)]
#[expect(clippy::exhaustive_structs, reason = "a retrieval has to set all fields")]
pub struct Retrieved {
    /// The outcome.
    pub outcome: Outcome,
    /// The requests that were made, as [`shown`].
    pub requests: Vec<String>,
    /// The problem with the number of requests, if there is one.
    pub departs: Option<String>,
}

/// Makes a retrieval with the answers of a row, in order.
#[must_use]
pub fn by_script(retrieval: Retrieval<'_>) -> Option<Retrieved> {
    let Retrieval { origin, validators, profile, .. } = retrieval;
    let disallowed = retrieval.disallowed.to_vec();
    let asked = robots_fetch::Retrieval::new(origin.clone(), validators.clone(), *profile)
        .knowing(move |url| Some(disallowed.iter().any(|disallowed| disallowed == url.as_str())));
    let mut script = ScriptedTransport::new(retrieval.answers, asked, retrieval.now);
    let outcome = Outcome::retrieve(&mut script, origin, validators, profile);
    let departs = script.departs();
    Some(Retrieved { outcome, requests: script.into_requests(), departs })
}

/// When the clock of all rows starts: the date in most examples of RFC 9110.
fn start() -> SystemTime {
    SystemTime::UNIX_EPOCH + Duration::from_secs(784_111_777)
}

#[cfg(test)]
mod tests;
