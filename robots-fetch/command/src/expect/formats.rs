//! Results for people, for programs, and as workflow commands of GitHub.

use std::collections::HashMap;

use robots_match::{KnownCrawler, VerdictDocument};
use schemars::JsonSchema;
use serde::Serialize;

use super::results::{Answer, Checked, Outcome, SharedAnswer};
use super::wanted::Wanted;
use crate::arguments::catalogue;
use crate::failure::status;
use crate::output::annotations::Place;
use crate::output::{Annotations, Failed, Failures, Style, TextLines};
use crate::text::{Text, listed};

/// All results, and the inputs that could not be read.
pub(super) struct Report<'r> {
    pub(super) wanted: &'r Wanted,
    pub(super) profile: &'static str,
    pub(super) checked: &'r [Checked],
    pub(super) failed: &'r Failures,
}

/// The most crawlers that a row names.
pub(crate) const MOST_NAMES: usize = 3;

/// A result, and the crawlers that have it.
pub(super) struct Shared<'r> {
    pub(super) outcome: &'r Outcome,
    crawlers: Vec<&'r str>,
}

impl<'r> Shared<'r> {
    pub(super) fn by_one(outcome: &'r Outcome) -> Self {
        Self { outcome, crawlers: vec![&outcome.crawler] }
    }
}

/// Returns results in their order, those that crawlers share once.
fn shared(outcomes: &[Outcome]) -> Vec<Shared<'_>> {
    let mut rows: Vec<Shared<'_>> = Vec::new();
    let mut places: HashMap<SharedAnswer, usize> = HashMap::new();
    for outcome in outcomes {
        let Some(key) = outcome.shared() else {
            rows.push(Shared::by_one(outcome));
            continue;
        };
        let place = *places.entry(key).or_insert(rows.len());
        match rows.get_mut(place) {
            Some(row) => row.crawlers.push(&outcome.crawler),
            None => rows.push(Shared::by_one(outcome)),
        }
    }
    rows
}

/// The numbers of results.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub(super) struct Totals {
    kept: usize,
    broken: usize,
    unknown: usize,
}

impl Report<'_> {
    fn outcomes(&self) -> impl Iterator<Item = &Outcome> {
        self.checked.iter().flat_map(|input| &input.outcomes)
    }

    /// Returns the results of each input, those that crawlers of a purpose share once.
    pub(super) fn rows(&self) -> impl Iterator<Item = (&Checked, Shared<'_>)> {
        self.checked.iter().flat_map(|input| shared(&input.outcomes).into_iter().map(move |row| (input, row)))
    }

    fn totals(&self) -> Totals {
        let mut totals = Totals::default();
        for outcome in self.outcomes() {
            match outcome.result {
                Answer::Kept => totals.kept += 1,
                Answer::Broken { .. } => totals.broken += 1,
                Answer::Unknown(_) => totals.unknown += 1,
            }
        }
        totals
    }

    pub(super) fn status(&self) -> u8 {
        let totals = self.totals();
        // Where nothing was checked, nothing is as it should be.
        let is_nothing = totals == Totals::default();
        let has_no_answer = self.checked.iter().any(|checked| checked.subject.is_other_file());
        let is_unanswered = !self.failed.is_empty() || has_no_answer || totals.unknown > 0 || is_nothing;
        status(is_unanswered, totals.broken > 0)
    }

    /// Returns the reason of the entry of a result.
    pub(super) fn reason(&self, outcome: &Outcome) -> Option<String> {
        self.wanted.reason(outcome.entry)
    }

    /// Returns the line of the entry of a result.
    pub(super) fn line(&self, outcome: &Outcome) -> usize {
        self.wanted.entries.get(outcome.entry).map_or(0, |entry| entry.line)
    }

    /// Returns what a result says in one line, with the reason of its entry.
    pub(super) fn message(&self, row: &Shared<'_>) -> String {
        let crawlers = listed(row.crawlers.iter().copied(), MOST_NAMES);
        format!("{crawlers}: {}", row.outcome.about(self.reason(row.outcome)))
    }

    pub(super) fn human(&self, all: bool) -> TextLines {
        let mut text = TextLines::new();
        for input in self.checked {
            if let Some(why) = only_cause(input) {
                text.add(format_args!(
                    "{:<7}  {}{}  all {} wanted verdicts; {why}",
                    Style::Note.paint("unknown"),
                    input.subject.name,
                    environment(input),
                    input.outcomes.len(),
                ));
                continue;
            }
            self.human_input(input, all, &mut text);
        }
        let Totals { kept, broken, unknown } = self.totals();
        let inputs = match self.checked.len() {
            1 => "1 robots.txt".to_owned(),
            count => format!("{count} robots.txt"),
        };
        text.add(format_args!(
            "{inputs} checked with {}: {kept} kept, {broken} broken, {unknown} unknown",
            self.wanted.name
        ));
        if broken == 0
            && unknown == 0
            && kept > 0
            && let Some(note) = self.note()
        {
            text.add(note);
        }
        text
    }

    /// Adds the results of one input.
    fn human_input(&self, input: &Checked, all: bool, text: &mut TextLines) {
        for row in shared(&input.outcomes) {
            let outcome = row.outcome;
            let (word, style) = (
                outcome.name(),
                match outcome.result {
                    Answer::Kept if !all => continue,
                    Answer::Kept => Style::Allowed,
                    Answer::Broken { .. } => Style::Disallowed,
                    Answer::Unknown(_) => Style::Note,
                },
            );
            let environment = environment(input);
            let name = &input.subject.name;
            text.add(format_args!("{:<7}  {name}{environment}  {}", style.paint(word), self.message(&row)));
        }
    }

    /// Returns a note about crawlers that should be kept out, and may ignore robots.txt.
    fn note(&self) -> Option<String> {
        let mut names: Vec<&str> = Vec::new();
        for outcome in self.outcomes() {
            let ignores = |known: &KnownCrawler| known.may_ignore_robots_txt();
            if outcome.access() == "disallowed"
                && catalogue().find(&outcome.crawler).is_some_and(ignores)
                && !names.contains(&&*outcome.crawler)
            {
                names.push(&outcome.crawler);
            }
        }
        (!names.is_empty()).then(|| {
            format!(
                "rules do not keep these crawlers out, because they may ignore robots.txt: {}",
                names.join(", ")
            )
        })
    }

    pub(super) fn github(&self) -> Annotations {
        const TITLE: &str = "robots expect";
        let mut all = Annotations::new();
        for (input, row) in self.rows() {
            let outcome = row.outcome;
            let level = match outcome.result {
                Answer::Kept => continue,
                Answer::Broken { .. } => "error",
                Answer::Unknown(_) => "warning",
            };
            // A site has no file in the repository; the entry has.
            let (file, line) = match (&input.subject.origin, outcome.line()) {
                (None, Some(line)) => (&input.subject.name, Some(line)),
                (None, None) if matches!(outcome.result, Answer::Broken { .. }) => {
                    (&input.subject.name, None)
                }
                _ => (&self.wanted.name, Some(self.line(outcome))),
            };
            let what = format!("{}: {}", input.subject.name, self.message(&row));
            all.add(level, &Place { file: Some(file), line, column: None }, TITLE, &what);
        }
        for Failed { message, .. } in self.failed.iter() {
            all.add("error", &Place::default(), TITLE, message);
        }
        if all.is_empty() {
            let Totals { kept, .. } = self.totals();
            all.add("notice", &Place::default(), TITLE, &format!("{}: {kept} kept", self.wanted.name));
        }
        all
    }

    pub(super) fn json(&self) -> Output<'_> {
        let broken = |outcome: &Outcome| match &outcome.result {
            Answer::Broken { path, verdict, decides } => {
                Some((path.clone(), VerdictDocument::new(verdict), decides.clone()))
            }
            _ => None,
        };
        let inputs = self.checked.iter().map(|input| InputDocument {
            input: &input.subject.name,
            robots: &input.uri,
            site: input.subject.origin.as_ref().map(|origin| origin.as_str()),
            environment: input.environment.as_deref(),
            note: input.subject.note(),
            results: input
                .outcomes
                .iter()
                .map(|outcome| {
                    let broken = broken(outcome);
                    ResultDocument {
                        result: outcome.name(),
                        crawler: &outcome.crawler,
                        target: &outcome.target,
                        kind: if outcome.is_pattern { "pattern" } else { "url" },
                        wanted: outcome.access(),
                        path: broken.as_ref().map(|(path, ..)| path.clone()),
                        decides: match &outcome.result {
                            Answer::Unknown(why) => Some(why.clone()),
                            _ => broken.as_ref().map(|(.., decides)| decides.clone()),
                        },
                        verdict: broken.map(|(_, verdict, _)| verdict.with_file(input.subject.body())),
                        reason: self
                            .wanted
                            .entries
                            .get(outcome.entry)
                            .and_then(|entry| entry.reason.as_deref()),
                        line: self.line(outcome),
                        may_ignore_robots_txt: catalogue()
                            .find(&outcome.crawler)
                            .is_some_and(KnownCrawler::may_ignore_robots_txt),
                    }
                })
                .collect(),
        });
        Output {
            version: 1,
            profile: self.profile,
            file: &self.wanted.name,
            totals: self.totals(),
            inputs: inputs.collect(),
            failed: self.failed,
        }
    }
}

/// Returns the cause for which nothing is known about any of several wanted verdicts of an input, such as an outage of the site.
fn only_cause(input: &Checked) -> Option<&str> {
    let Some(Answer::Unknown(first)) = input.outcomes.first().map(|outcome| &outcome.result) else {
        return None;
    };
    let is_only = input.outcomes.len() > 1
        && input
            .outcomes
            .iter()
            .all(|outcome| matches!(&outcome.result, Answer::Unknown(why) if why == first));
    is_only.then_some(first)
}

/// Returns the environment of an input, for people.
pub(super) fn environment(input: &Checked) -> String {
    input.environment.as_ref().map(|name| format!(" [{}]", Text(name.as_bytes()))).unwrap_or_default()
}

/// The output of `robots expect --format json`.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Output<'r> {
    version: u8,
    profile: &'static str,
    /// The file of wanted access.
    file: &'r str,
    totals: Totals,
    inputs: Vec<InputDocument<'r>>,
    /// The inputs that could not be read.
    failed: &'r Failures,
}

/// A robots.txt, and whether crawlers have the wanted access.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Input")]
struct InputDocument<'r> {
    input: &'r str,
    /// The robots.txt as a URI reference.
    robots: &'r str,
    /// The site that was asked.
    site: Option<&'r str>,
    environment: Option<&'r str>,
    /// The answer of a site that has no rules, or what a body is that is not a robots.txt file.
    note: Option<String>,
    results: Vec<ResultDocument<'r>>,
}

/// Whether a crawler has the wanted access.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Result")]
struct ResultDocument<'r> {
    /// `kept`, `broken` or `unknown`.
    result: &'static str,
    crawler: &'r str,
    /// The URL, or the pattern for all URLs that it matches.
    target: &'r str,
    /// `url` or `pattern`. What is kept about a pattern is proved.
    kind: &'static str,
    /// `allowed` or `disallowed`.
    wanted: &'static str,
    /// The URL, or a shortest path that the pattern matches, with another verdict.
    path: Option<String>,
    /// The verdict about the path, if it is not the wanted one.
    verdict: Option<VerdictDocument>,
    /// The deciding line, or why nothing is known, for people.
    decides: Option<String>,
    /// The reason in the file of wanted access.
    reason: Option<&'r str>,
    /// The line of the entry in the file of wanted access.
    line: usize,
    /// Whether the crawler may ignore robots.txt, by the catalogue.
    may_ignore_robots_txt: bool,
}
