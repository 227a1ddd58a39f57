//! Results for people, for programs, and as workflow commands of GitHub.

use alloc::sync::Arc;
use std::collections::HashSet;

use robots_match::{KnownCrawler, VerdictDocument};
use schemars::JsonSchema;
use serde::{Serialize, Serializer};

use super::results::{Answer, Checked, Outcome, Shared};
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

/// The numbers of results.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub(super) struct Totals {
    kept: usize,
    broken: usize,
    unknown: usize,
}

impl Report<'_> {
    /// Returns the results of each input that are not kept, those that crawlers of a purpose share once.
    pub(super) fn rows(&self) -> impl Iterator<Item = (&Checked, Shared)> {
        self.checked.iter().flat_map(|input| self.rows_of(input, false).map(move |row| (input, row)))
    }

    /// Returns the results of an input, those that crawlers of a purpose share once, also what is kept if `all`.
    fn rows_of<'i>(&'i self, input: &'i Checked, all: bool) -> impl Iterator<Item = Shared> + use<'i> {
        input.outcomes.shared(self.wanted, move |answer| all || !matches!(answer, Answer::Kept { .. }))
    }

    fn totals(&self) -> Totals {
        let mut totals = Totals::default();
        for answer in self.checked.iter().flat_map(|input| input.outcomes.answers()) {
            match answer {
                Answer::Kept { .. } => totals.kept += 1,
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
    pub(super) fn message(&self, row: &Shared) -> String {
        let crawlers = listed(row.crawlers.iter().map(|name| &**name), MOST_NAMES);
        format!("{crawlers}: {}", row.outcome.about(self.reason(&row.outcome)))
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
        for row in self.rows_of(input, all) {
            let outcome = &row.outcome;
            let (word, style) = (
                outcome.name(),
                match &*outcome.result {
                    Answer::Kept { .. } => Style::Allowed,
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
        let mut names: Vec<Arc<str>> = Vec::new();
        let mut seen = HashSet::new();
        let outcomes = self.checked.iter().flat_map(|input| input.outcomes.iter(self.wanted, |_| true));
        for outcome in outcomes.filter(|outcome| outcome.access() == "disallowed") {
            let ignores = |known: &KnownCrawler| known.may_ignore_robots_txt();
            if seen.insert(Arc::clone(&outcome.crawler))
                && catalogue().find(&outcome.crawler).is_some_and(ignores)
            {
                names.push(outcome.crawler);
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
            let outcome = &row.outcome;
            let level = match &*outcome.result {
                Answer::Kept { .. } => continue,
                Answer::Broken { .. } => "error",
                Answer::Unknown(_) => "warning",
            };
            // A site has no file in the repository; the entry has.
            let (file, line) = match (&input.subject.origin, outcome.line()) {
                (None, Some(line)) => (&input.subject.name, Some(line)),
                (None, None) if matches!(&*outcome.result, Answer::Broken { .. }) => {
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
        let inputs = self.checked.iter().map(|input| InputDocument {
            input: &input.subject.name,
            robots: &input.uri,
            site: input.subject.origin.as_ref().map(|origin| origin.as_str()),
            environment: input.environment.as_deref(),
            note: input.subject.note(),
            results: Results { wanted: self.wanted, input },
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

impl Results<'_> {
    fn document(&self, outcome: Outcome) -> ResultDocument<'_> {
        let entry = self.wanted.entries.get(outcome.entry);
        let (path, verdict, decides) = match &*outcome.result {
            Answer::Kept { .. } => (None, None, None),
            Answer::Broken { path, verdict, decides } => {
                let verdict = VerdictDocument::new(verdict).with_file(self.input.subject.body());
                let path = path.clone().unwrap_or_else(|| outcome.target.clone());
                (Some(path), Some(verdict), Some(decides.clone()))
            }
            Answer::Unknown(why) => (None, None, Some(why.clone())),
        };
        ResultDocument {
            result: outcome.name(),
            kind: if outcome.is_pattern { "pattern" } else { "url" },
            wanted: outcome.access(),
            path,
            verdict,
            decides,
            reason: entry.and_then(|entry| entry.reason.as_deref()),
            line: entry.map_or(0, |entry| entry.line),
            may_ignore_robots_txt: catalogue()
                .find(&outcome.crawler)
                .is_some_and(KnownCrawler::may_ignore_robots_txt),
            crawler: outcome.crawler.to_string(),
            target: outcome.target,
        }
    }
}

/// Each document is made when it is written.
impl Serialize for Results<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let outcomes = self.input.outcomes.iter(self.wanted, |_| true);
        serializer.collect_seq(outcomes.map(|outcome| self.document(outcome)))
    }
}

/// Returns the cause for which nothing is known about any of several wanted verdicts of an input, such as an outage of the site.
fn only_cause(input: &Checked) -> Option<&str> {
    let mut answers = input.outcomes.answers();
    let Some(first @ Answer::Unknown(why)) = answers.next() else { return None };
    (input.outcomes.len() > 1 && answers.all(|answer| answer == first)).then_some(why)
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
    #[schemars(with = "Vec<ResultDocument<'r>>")]
    results: Results<'r>,
}

/// The results of an input.
#[derive(Debug)]
struct Results<'r> {
    wanted: &'r Wanted,
    input: &'r Checked,
}

/// Whether a crawler has the wanted access.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Result")]
struct ResultDocument<'r> {
    /// `kept`, `broken` or `unknown`.
    result: &'static str,
    crawler: String,
    /// The URL, or the pattern for all URLs that it matches.
    target: String,
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
