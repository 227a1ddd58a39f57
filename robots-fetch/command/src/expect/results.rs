//! Whether the rules of an input give the wanted access.

use alloc::collections::BTreeMap;
use std::collections::HashSet;

use robots_match::{Change, Comparer, Crawler, Difference, Effect, RuleSet, Target as Asked, Verdict};

use super::wanted::{Target, Wanted};
use crate::arguments::{NamedCrawler, NamedProfile};
use crate::failure::{Failure, Result};
use crate::subject::Subject;
use crate::text::Text;
use crate::verdict::why;

/// An input, and whether crawlers have the wanted access to it.
#[derive(Debug)]
pub(super) struct Checked {
    pub(super) subject: Subject,
    /// The robots.txt as a URI reference.
    pub(super) uri: String,
    pub(super) environment: Option<String>,
    pub(super) outcomes: Vec<Outcome>,
}

/// The most results for one input.
const MOST: usize = 1_000_000;

/// Whether a crawler has the wanted access to a URL, or to all URLs that a pattern matches.
#[derive(Debug)]
pub(crate) struct Outcome {
    /// The position of the entry in the file.
    pub(crate) entry: usize,
    /// The crawler, as it is named; safe to show only as text.
    pub(crate) crawler: String,
    /// Whether the entry means the crawler by its purpose, and does not name it.
    pub(crate) is_of_purpose: bool,
    pub(crate) target: String,
    pub(crate) is_pattern: bool,
    pub(crate) wanted: Effect,
    /// Whether the result is about the part of the file that the profile reads.
    pub(crate) is_cut: bool,
    pub(crate) result: Answer,
}

/// Whether the access is the wanted one.
#[derive(Debug)]
pub(crate) enum Answer {
    /// It is. For patterns, this is proved.
    Kept,
    /// It is not: a path, the verdict about it, and what decides, for people.
    Broken { path: String, verdict: Verdict, decides: String },
    /// Nothing is known, and why: a site gave no answer, or what it sends in place of a robots.txt file opens everything.
    Unknown(String),
}

/// The entry, the target, whether it is a pattern, and the answer.
pub(crate) type SharedAnswer = (usize, String, bool, String);

impl Outcome {
    /// Returns `kept`, `broken` or `unknown`.
    pub(crate) const fn name(&self) -> &'static str {
        match self.result {
            Answer::Kept => "kept",
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
        match &self.result {
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
        match &self.result {
            Answer::Kept => match self.is_pattern {
                true if self.is_cut => {
                    format!("{}, which is proved for the part that is read", self.access())
                }
                true => format!("{}, which is proved", self.access()),
                false => self.access().to_owned(),
            },
            Answer::Broken { path, verdict, decides } => {
                let is = if verdict.is_allowed() { "allowed" } else { "disallowed" };
                let what = Text(path.as_bytes()).short();
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
) -> Result<Vec<Outcome>> {
    let mut all: Vec<Outcome> = Vec::new();
    let mut comparer = Comparer::new(Comparer::work_for(subject.body().len()).saturating_mul(4));
    let entries = || wanted.entries.iter().enumerate().filter(|(_, entry)| entry.is_in(environment));
    // The file is read once for the crawlers of all entries.
    let mut everyone: Vec<&Crawler> = Vec::new();
    for (_, entry) in entries() {
        everyone.extend(entry.named(profile)?.iter().map(|named| &named.crawler));
    }
    let shared = subject.rules_for(everyone);
    let mut next = 0;
    for (index, entry) in entries() {
        let named = entry.named(profile)?;
        let first = next;
        next += named.len();
        let targets = entry.targets(subject.origin.as_ref());
        if all.len().saturating_add(named.len().saturating_mul(targets.len())) > MOST {
            return Err(Failure::new(format!(
                "{} and {} have more than {MOST} results; name fewer crawlers or URLs",
                wanted.name, subject.name
            )));
        }
        let names: HashSet<&String> = entry.crawlers.iter().collect();
        // Crawlers that share their rules share their answers.
        let mut answers: BTreeMap<usize, Vec<Answer>> = BTreeMap::new();
        for set in (first..next).map(|crawler| shared.set_of(crawler)) {
            if answers.contains_key(&set) {
                continue;
            }
            let rules = shared.compile(set, &mut comparer);
            let answer = |target: &Target<'_>| match &rules {
                _ if subject.is_unknown() => Answer::Unknown(subject.note().unwrap_or_default()),
                None => Answer::Unknown("the file takes too much work".to_owned()),
                Some(rules) => match answer_for(subject, rules, *target, entry.wanted(), &mut comparer) {
                    Answer::Kept if !subject.kind.is_robots_txt() => {
                        Answer::Unknown(subject.note().unwrap_or_default())
                    }
                    answer => answer,
                },
            };
            answers.insert(set, targets.iter().map(answer).collect());
        }
        for (crawler, NamedCrawler { name, .. }) in (first..).zip(named) {
            let own = answers.get(&shared.set_of(crawler)).map(Vec::as_slice).unwrap_or_default();
            for (target, result) in targets.iter().zip(own) {
                all.push(Outcome {
                    entry: index,
                    crawler: name.clone(),
                    is_of_purpose: !names.contains(name),
                    target: target.text().to_owned(),
                    is_pattern: matches!(target, Target::Pattern(_)),
                    wanted: entry.wanted(),
                    is_cut: subject.cut_note().is_some(),
                    result: result.copied(),
                });
            }
        }
    }
    Ok(all)
}

impl Answer {
    fn copied(&self) -> Self {
        match self {
            Self::Kept => Self::Kept,
            Self::Broken { path, verdict, decides } => {
                Self::Broken { path: path.clone(), verdict: *verdict, decides: decides.clone() }
            }
            Self::Unknown(why) => Self::Unknown(why.clone()),
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
    let broken = |path: &str, verdict: Verdict| {
        let verdict = subject.verdict(verdict);
        Answer::Broken {
            path: path.to_owned(),
            verdict,
            decides: why(&verdict, subject.body(), subject.kind),
        }
    };
    match target {
        Target::Url(url) => {
            // The URLs of an entry were checked when it was read.
            let Ok(asked) = Asked::parse(url) else { return Answer::Unknown("this is not a URL".to_owned()) };
            let verdict = rules.check(asked.path());
            let is_kept = verdict.is_allowed() == (wanted == Effect::Allow);
            if is_kept { Answer::Kept } else { broken(url, verdict) }
        }
        Target::Pattern(pattern) => {
            match comparer.exception(rules, pattern.as_bytes(), wanted, Difference::MAX_STATES) {
                Change::Nothing => Answer::Kept,
                Change::Path(witness) => broken(&witness.path, witness.before),
                _ => Answer::Unknown("the search for a proof reached its limit".to_owned()),
            }
        }
    }
}
