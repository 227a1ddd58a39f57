//! Whether the rules of an input give the wanted access.

use alloc::collections::BTreeMap;
use alloc::sync::Arc;
use std::collections::{HashMap, HashSet};

use robots_match::{Change, Comparer, Difference, Effect, RuleSet, Target as Asked, Verdict};

use super::crawlers::WantedCrawlers;
use super::wanted::{Target, Wanted};
use crate::arguments::NamedProfile;
use crate::failure::{Failure, Result};
use crate::subject::{RulesByProfile, Subject};
use crate::text::Text;
use crate::verdict::why;

/// An input, and whether crawlers have the wanted access to it.
#[derive(Debug)]
pub(super) struct Checked {
    pub(super) subject: Subject,
    /// The robots.txt as a URI reference.
    pub(super) uri: String,
    pub(super) environment: Option<String>,
    pub(super) outcomes: Outcomes,
}

/// The most results for one input.
const MOST: usize = 1_000_000;

/// The work for all patterns of an input, in the steps of [`Comparer`]: about two seconds.
const WORK: usize = 5 * Comparer::work_for(0);

/// The bytes of compiled rules that are kept for other entries.
const KEPT: usize = 16 << 20;

/// The outcomes for an input, in the order of the file.
///
/// # Memory
///
/// 24 bytes for each, and answers that differ. A file of 500 KB can have a million.
#[derive(Debug, Default)]
pub(crate) struct Outcomes(Vec<Row>);

/// An outcome, by the place of its entry, of its crawler and of its target.
#[derive(Debug)]
struct Row {
    entry: u32,
    /// `None` if the outcome is about all crawlers of the entry.
    crawler: Option<u32>,
    target: u32,
    answer: Arc<Answer>,
}

/// An outcome, and the crawlers that have it.
pub(super) struct Shared {
    pub(super) outcome: Outcome,
    pub(super) crawlers: Vec<Arc<str>>,
}

/// Whether a crawler has the wanted access to a URL, or to all URLs that a pattern matches.
#[derive(Debug)]
pub(crate) struct Outcome {
    /// The position of the entry in the file.
    pub(crate) entry: usize,
    /// The crawler, as it is named; safe to show only as text.
    pub(crate) crawler: Arc<str>,
    /// Whether the entry means the crawler by its purpose, and does not name it.
    pub(crate) is_of_purpose: bool,
    pub(crate) target: String,
    pub(crate) is_pattern: bool,
    pub(crate) wanted: Effect,
    pub(crate) result: Arc<Answer>,
}

/// Whether the access is the wanted one.
#[derive(Debug, PartialEq, Eq, Hash)]
pub(crate) enum Answer {
    /// It is. For patterns, this is proved; for a file that is cut, about the part that the profile reads.
    Kept { is_cut: bool },
    /// It is not: a path, unless it is the URL, the verdict about it, and what decides, for people.
    Broken { path: Option<String>, verdict: Verdict, decides: String },
    /// Nothing is known, and why: a site gave no answer, or what it sends in place of a robots.txt file opens everything.
    Unknown(String),
}

/// The entry, the target, whether it is a pattern, and the answer.
pub(crate) type SharedAnswer = (usize, String, bool, String);

impl Outcome {
    /// Returns `kept`, `broken` or `unknown`.
    pub(crate) fn name(&self) -> &'static str {
        match &*self.result {
            Answer::Kept { .. } => "kept",
            Answer::Broken { .. } => "broken",
            Answer::Unknown(_) => "unknown",
        }
    }

    /// Returns the wanted access: `allowed` or `disallowed`.
    pub(crate) const fn access(&self) -> &'static str {
        match self.wanted {
            Effect::Allow => "allowed",
            Effect::Disallow => "disallowed",
        }
    }

    /// Returns the number of the line of the robots.txt that decides.
    pub(crate) fn line(&self) -> Option<usize> {
        match &*self.result {
            Answer::Broken { verdict, .. } => verdict.line(),
            _ => None,
        }
    }

    /// Returns what a result says about its URL or pattern, with the reason of its entry.
    pub(crate) fn about(&self, reason: Option<String>) -> String {
        let reason = reason.map(|reason| format!(" ({reason})")).unwrap_or_default();
        let target = Text(self.target.as_bytes()).short();
        let all = if self.is_pattern { "all of " } else { "" };
        format!("{all}{target}: {}{reason}", self.message())
    }

    /// Returns what crawlers have in common that an entry means by their purpose, and that have the same answer. They share a row for
    /// people: otherwise a line that blocks search engines would be reported for each of them. A crawler that is named shares none.
    pub(crate) fn shared(&self) -> Option<SharedAnswer> {
        let answer = || (self.entry, self.target.clone(), self.is_pattern, self.message());
        self.is_of_purpose.then(answer)
    }

    /// Returns what is wrong, such as `/shop/ is disallowed: line 3: Disallow: /shop`.
    pub(crate) fn message(&self) -> String {
        match &*self.result {
            Answer::Kept { is_cut } => match self.is_pattern {
                true if *is_cut => {
                    format!("{}, which is proved for the part that is read", self.access())
                }
                true => format!("{}, which is proved", self.access()),
                false => self.access().to_owned(),
            },
            Answer::Broken { path, verdict, decides } => {
                let is = if verdict.is_allowed() { "allowed" } else { "disallowed" };
                let what = Text(path.as_ref().unwrap_or(&self.target).as_bytes()).short();
                format!("{what} is {is}, wanted {}; {decides}", self.access())
            }
            Answer::Unknown(why) => format!("wanted {}; {why}", self.access()),
        }
    }
}

/// Returns the outcomes for an input, in the order of the file.
pub(crate) fn outcomes(
    wanted: &Wanted,
    subject: &Subject,
    environment: Option<&str>,
    profile: &NamedProfile,
) -> Result<Outcomes> {
    let mut all: Vec<Row> = Vec::new();
    let crawlers = wanted.crawlers(profile)?;
    // The file is read once for the crawlers of all entries.
    let mut rules = Rules::new(subject, crawlers);
    // Answers that are the same are kept once.
    let mut known: HashSet<Arc<Answer>> = HashSet::new();
    for (index, entry) in wanted.entries.iter().enumerate().filter(|(_, entry)| entry.is_in(environment)) {
        let own = crawlers.of(entry);
        let targets = entry.targets(subject.origin.as_ref());
        if all.len().saturating_add(own.len().saturating_mul(targets.len())) > MOST {
            return Err(Failure::new(format!(
                "{} and {} have more than {MOST} results; name fewer crawlers or URLs",
                wanted.name, subject.name
            )));
        }
        // Crawlers that share their rules share their answers.
        let mut answers: BTreeMap<usize, Vec<Arc<Answer>>> = BTreeMap::new();
        for crawler in own {
            let set = rules.shared.set_of(crawler as usize);
            let of_set = answers.entry(set).or_insert_with(|| {
                let answers = targets.iter().map(|(_, target)| rules.answer(set, *target, entry.wanted()));
                let shared = answers.map(|answer| match known.get(&answer) {
                    Some(known) => Arc::clone(known),
                    None => {
                        let answer = Arc::new(answer);
                        known.insert(Arc::clone(&answer));
                        answer
                    }
                });
                shared.collect()
            });
            all.extend(targets.iter().zip(of_set).map(|((target, _), answer)| Row {
                entry: number(index),
                crawler: Some(crawler),
                target: number(*target),
                answer: Arc::clone(answer),
            }));
        }
    }
    Ok(Outcomes(all))
}

/// Returns the place of an entry or a target. A file of a few megabytes has fewer of them.
fn number(place: usize) -> u32 {
    u32::try_from(place).unwrap_or(u32::MAX)
}

impl Outcomes {
    pub(super) const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) const fn len(&self) -> usize {
        self.0.len()
    }

    /// Adds targets about which nothing is known, each by the places of its entry and its own, and why.
    pub(super) fn add_unknown(&mut self, targets: impl IntoIterator<Item = (usize, usize)>, why: &str) {
        let answer = Arc::new(Answer::Unknown(why.to_owned()));
        self.0.extend(targets.into_iter().map(|(entry, target)| Row {
            entry: number(entry),
            crawler: None,
            target: number(target),
            answer: Arc::clone(&answer),
        }));
    }

    /// Returns all answers.
    pub(crate) fn answers(&self) -> impl Iterator<Item = &Answer> {
        self.0.iter().map(|row| &*row.answer)
    }

    /// Returns the outcomes with an answer that is chosen.
    pub(crate) fn iter(
        &self,
        wanted: &Wanted,
        is_chosen: impl Fn(&Answer) -> bool,
    ) -> impl Iterator<Item = Outcome> {
        let rows = self.0.iter().filter(move |row| is_chosen(&row.answer));
        rows.filter_map(|row| row.outcome(wanted))
    }

    /// Returns the outcomes with an answer that is chosen, those that crawlers of a purpose share once.
    pub(super) fn shared(
        &self,
        wanted: &Wanted,
        is_chosen: impl Fn(&Answer) -> bool,
    ) -> impl Iterator<Item = Shared> {
        let of_entries = self.0.chunk_by(|one, other| one.entry == other.entry);
        of_entries.flat_map(move |rows| shared(rows.iter().filter(|row| is_chosen(&row.answer)), wanted))
    }
}

impl Row {
    fn outcome(&self, wanted: &Wanted) -> Option<Outcome> {
        let entry = wanted.entries.get(self.entry as usize)?;
        let target = entry.target(self.target as usize)?;
        let crawler = match self.crawler {
            Some(place) => wanted.known_crawlers()?.get(place),
            None => None,
        };
        let of_all = || entry.crawlers.iter().chain(&entry.purposes).next().map(|name| Arc::from(&**name));
        Some(Outcome {
            entry: self.entry as usize,
            crawler: match crawler {
                Some(crawler) => Arc::clone(&crawler.name),
                None => of_all().unwrap_or_default(),
            },
            is_of_purpose: crawler.is_some_and(|crawler| crawler.is_of_purpose),
            target: target.text().to_owned(),
            is_pattern: matches!(target, Target::Pattern(_)),
            wanted: entry.wanted(),
            result: Arc::clone(&self.answer),
        })
    }
}

/// Returns the outcomes of an entry in their order, those that crawlers share once.
fn shared<'r>(rows: impl Iterator<Item = &'r Row>, wanted: &Wanted) -> Vec<Shared> {
    let mut found: Vec<Shared> = Vec::new();
    let mut places: HashMap<SharedAnswer, usize> = HashMap::new();
    // Most crawlers have an answer that is known, and no text of it is made.
    let mut of_answers: HashMap<(u32, *const Answer), usize> = HashMap::new();
    for row in rows {
        let key = (row.target, Arc::as_ptr(&row.answer));
        let crawler = row.crawler.and_then(|place| wanted.known_crawlers()?.get(place));
        let known = of_answers.get(&key).and_then(|&place| found.get_mut(place));
        if let (Some(known), Some(crawler)) = (known, crawler.filter(|crawler| crawler.is_of_purpose)) {
            known.crawlers.push(Arc::clone(&crawler.name));
            continue;
        }
        let Some(outcome) = row.outcome(wanted) else { continue };
        let next = found.len();
        let place = match outcome.shared() {
            Some(answer) => {
                let place = *places.entry(answer).or_insert(next);
                of_answers.insert(key, place);
                place
            }
            None => next,
        };
        match found.get_mut(place) {
            Some(known) => known.crawlers.push(Arc::clone(&outcome.crawler)),
            None => found.push(Shared::by_one(outcome)),
        }
    }
    found
}

impl Shared {
    pub(super) fn by_one(outcome: Outcome) -> Self {
        Self { crawlers: vec![Arc::clone(&outcome.crawler)], outcome }
    }
}

/// The rules of an input. As many are kept as there is room for; others are compiled again.
struct Rules<'s> {
    subject: &'s Subject,
    shared: RulesByProfile<'s>,
    comparer: Comparer,
    kept: HashMap<usize, Option<RuleSet>>,
    memory: usize,
}

impl<'s> Rules<'s> {
    fn new(subject: &'s Subject, crawlers: &WantedCrawlers) -> Self {
        let shared = subject.rules_for(crawlers.iter().map(|own| &own.crawler));
        Self { subject, shared, comparer: Comparer::new(WORK), kept: HashMap::new(), memory: 0 }
    }

    /// Returns the answer of a rule set.
    fn answer(&mut self, set: usize, target: Target<'_>, wanted: Effect) -> Answer {
        let subject = self.subject;
        let unknown = || Answer::Unknown(subject.note().unwrap_or_default());
        if subject.is_unknown() {
            return unknown();
        }
        if !self.kept.contains_key(&set) {
            let rules = self.shared.compile(set, &mut self.comparer);
            let memory = rules.as_ref().map_or(0, RuleSet::memory);
            if self.memory + memory > KEPT {
                self.kept.clear();
                self.memory = 0;
            }
            self.memory += memory;
            self.kept.insert(set, rules);
        }
        match self.kept.get(&set).and_then(Option::as_ref) {
            None => Answer::Unknown("the file takes too much work".to_owned()),
            Some(rules) => match answer_for(subject, rules, target, wanted, &mut self.comparer) {
                Answer::Kept { .. } if !subject.kind.is_robots_txt() => unknown(),
                answer => answer,
            },
        }
    }
}

fn answer_for(
    subject: &Subject,
    rules: &RuleSet,
    target: Target<'_>,
    wanted: Effect,
    comparer: &mut Comparer,
) -> Answer {
    let broken = |path: Option<String>, verdict: Verdict| {
        let verdict = subject.verdict(verdict);
        Answer::Broken { path, verdict, decides: why(&verdict, subject.body(), subject.kind) }
    };
    let kept = Answer::Kept { is_cut: subject.cut_note().is_some() };
    match target {
        Target::Url(url) => {
            // The URLs of an entry were checked when it was read.
            let Ok(asked) = Asked::parse(url) else { return Answer::Unknown("this is not a URL".to_owned()) };
            let verdict = rules.check(asked.path());
            let is_kept = verdict.is_allowed() == (wanted == Effect::Allow);
            if is_kept { kept } else { broken(None, verdict) }
        }
        Target::Pattern(pattern) => {
            match comparer.exception(rules, pattern.as_bytes(), wanted, Difference::MAX_STATES) {
                Change::Nothing => kept,
                Change::Path(witness) => broken(Some(witness.path), witness.before),
                _ => Answer::Unknown("the search for a proof reached its limit".to_owned()),
            }
        }
    }
}
