//! The rules of a page for one crawler, and the answers that follow from them.

use alloc::vec::Vec;
use core::cmp::Reverse;
use core::fmt;

use robots_match::Crawler;

use crate::date::Timestamp;
use crate::page_rules::PageRules;
use crate::policy::{AiFromSearch, Combine, MetaPlace, PagePolicy, Tdm, UsageSources};
use crate::record::{Place, Record, Scope, Source};
use crate::rule::{ImagePreview, Preference, Rule, RuleName};

/// An answer, and the rules that it follows from.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Answer<'p, T> {
    /// The answer.
    pub value: T,
    /// The rule that decides; `None` if no rule was found.
    pub source: Option<&'p Record>,
    /// Other rules about the same: they agree, or do not prevail.
    pub others: Vec<&'p Record>,
    /// Whether the page was read as far as it can have rules. Otherwise, an answer without a source means that no rule was found
    /// in what was read.
    pub is_complete: bool,
}

/// Whether a page may be in an index.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[expect(clippy::exhaustive_enums, reason = "the answers that the documents have")]
pub enum Index {
    /// Yes: no rule prevents it.
    Yes,
    /// As part of another page.
    OnlyEmbedded,
    /// No.
    No,
}

impl fmt::Display for Index {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Yes => "yes",
            Self::OnlyEmbedded => "only embedded",
            Self::No => "no",
        })
    }
}

/// How much of a page may be shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(clippy::exhaustive_enums, reason = "the answers that the documents have")]
pub enum Limit {
    /// No limit is stated.
    Free,
    /// At most this many characters, or seconds of a video.
    AtMost(u32),
    /// Nothing.
    None,
}

impl Limit {
    fn of(limit: Option<u32>) -> Self {
        match limit {
            None => Self::Free,
            Some(0) => Self::None,
            Some(most) => Self::AtMost(most),
        }
    }

    const fn amount(self) -> u64 {
        match self {
            Self::Free => u64::MAX,
            Self::AtMost(most) => most as u64,
            Self::None => 0,
        }
    }
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Free => f.pad("free"),
            Self::AtMost(most) => write!(f, "at most {most}"),
            Self::None => f.pad("none"),
        }
    }
}

/// What a rule does to an answer.
enum Effect<T> {
    /// Restricts it to this value.
    Restricts(T),
    /// Permits all.
    Permits,
}

/// The rules of a page for one crawler.
#[derive(Clone, Debug)]
pub struct CrawlerRules<'p> {
    page: &'p PageRules,
    /// The rules about pages that apply, in the order of the page.
    rules: Vec<&'p Record>,
    /// Preferences, signals and reservations, which apply to every crawler.
    statements: Vec<&'p Record>,
    /// The time of the answers, if it is known.
    now: Option<Timestamp>,
}

impl PageRules {
    /// Returns the rules for one crawler.
    ///
    /// # Complexity
    ///
    /// O(*r*) for *r* rules, of which a page has at most 256.
    #[must_use]
    pub fn for_crawler(&self, crawler: &Crawler) -> CrawlerRules<'_> {
        CrawlerRules::new(self, crawler)
    }
}

impl<'p> CrawlerRules<'p> {
    pub(crate) fn new(page: &'p PageRules, crawler: &Crawler) -> Self {
        let policy = &page.policy;
        let mut rules: Vec<&Record> = Vec::new();
        let mut statements: Vec<&Record> = Vec::new();
        for record in &page.records {
            let is_statement = matches!(
                record.rule,
                Rule::Usage { .. } | Rule::Signal { .. } | Rule::TdmReservation(_) | Rule::TdmPolicy(_)
            );
            if !counts(record, policy) {
                continue;
            }
            if is_statement {
                statements.push(record);
            } else if concerns(&record.scope, crawler, policy) {
                rules.push(record);
            }
        }
        if policy.combine == Combine::MostSpecific && rules.iter().any(|rule| rule.scope != Scope::All) {
            rules.retain(|rule| rule.scope != Scope::All);
        }
        Self { page, rules, statements, now: None }
    }

    /// Adds preferences and signals that robots.txt states about the page; see [`RobotsStatements`](crate::RobotsStatements).
    #[must_use]
    pub fn with_robots(mut self, robots: &'p [Record]) -> Self {
        self.statements.extend(robots);
        self
    }

    /// Gives the answers for a time. After the date of `unavailable_after`, a page may not be in the index, and the date is a
    /// [problem](crate::Problem::DateInThePast).
    ///
    /// ```
    /// use robots_page::matching::Crawler;
    /// use robots_page::{Index, PagePolicy, PageReader, Timestamp};
    ///
    /// let mut reader = PageReader::new(PagePolicy::GOOGLE);
    /// reader.field(b"X-Robots-Tag", b"unavailable_after: 2022-08-04");
    /// let page = reader.finish();
    /// let rules = page.for_crawler(&Crawler::new("Googlebot")?);
    /// assert_eq!(rules.index().value, Index::Yes);
    /// assert_eq!(rules.at(Timestamp::new(1_659_578_233)).index().value, Index::No);
    /// # Ok::<(), robots_page::matching::InvalidName>(())
    /// ```
    #[must_use]
    pub const fn at(mut self, now: Timestamp) -> Self {
        self.now = Some(now);
        self
    }

    /// Returns the date of `unavailable_after` that is over.
    pub(crate) fn past_date(&self) -> Option<&'p Record> {
        self.now.filter(|now| !self.available(*now).value).and(self.unavailable_after().source)
    }

    /// Returns the page.
    #[must_use]
    pub const fn page(&self) -> &'p PageRules {
        self.page
    }

    /// Returns whether the page may be in an index.
    #[must_use]
    pub fn index(&self) -> Answer<'p, Index> {
        let embedded = self.has(RuleName::IndexIfEmbedded);
        let most = if embedded { Index::OnlyEmbedded } else { Index::No };
        self.decide(Index::Yes, |rule| match rule.name()? {
            RuleName::UnavailableAfter => {
                let is_over =
                    matches!(rule, Rule::UnavailableAfter(time) if self.now.is_some_and(|now| now > *time));
                is_over.then_some(Effect::Restricts(Index::No))
            }
            RuleName::NoIndex | RuleName::None => Some(Effect::Restricts(most)),
            RuleName::Index | RuleName::All => Some(Effect::Permits),
            _ => None,
        })
    }

    /// Returns whether the links of the page may be followed.
    #[must_use]
    pub fn follow(&self) -> Answer<'p, bool> {
        self.permission(|name| match name {
            RuleName::NoFollow | RuleName::None => Some(Effect::Restricts(Reverse(false))),
            RuleName::Follow | RuleName::All => Some(Effect::Permits),
            _ => None,
        })
    }

    /// Returns how long an excerpt may be, in characters.
    #[must_use]
    pub fn snippet(&self) -> Answer<'p, Limit> {
        self.limit(|rule| match rule {
            Rule::Named(RuleName::NoSnippet) => Some(Limit::None),
            Rule::MaxSnippet(most) => Some(Limit::of(*most)),
            _ => None,
        })
    }

    /// Returns how large previews of images may be; without a rule, [`ImagePreview::Large`].
    #[must_use]
    pub fn image_preview(&self) -> Answer<'p, ImagePreview> {
        let decided = self.decide(Reverse(ImagePreview::Large), |rule| match rule {
            Rule::MaxImagePreview(size) => Some(Effect::Restricts(Reverse(*size))),
            _ => None,
        });
        decided.map(|size| size.0)
    }

    /// Returns how long previews of videos may be, in seconds.
    #[must_use]
    pub fn video_preview(&self) -> Answer<'p, Limit> {
        self.limit(|rule| match rule {
            Rule::Named(RuleName::NoSnippet) => Some(Limit::None),
            Rule::MaxVideoPreview(most) => Some(Limit::of(*most)),
            _ => None,
        })
    }

    /// Returns whether a copy of the page may be shown.
    #[must_use]
    pub fn archive(&self) -> Answer<'p, bool> {
        self.permission(|name| match name {
            RuleName::NoArchive | RuleName::NoCache => Some(Effect::Restricts(Reverse(false))),
            RuleName::Archive => Some(Effect::Permits),
            _ => None,
        })
    }

    /// Returns whether the images of the page may be indexed.
    #[must_use]
    pub fn images(&self) -> Answer<'p, bool> {
        self.permission(|name| (name == RuleName::NoImageIndex).then_some(Effect::Restricts(Reverse(false))))
    }

    /// Returns whether a translation of the page may be offered.
    #[must_use]
    pub fn translate(&self) -> Answer<'p, bool> {
        self.permission(|name| (name == RuleName::NoTranslate).then_some(Effect::Restricts(Reverse(false))))
    }

    /// Returns the time after which the page may not be shown: the earliest of several.
    #[must_use]
    pub fn unavailable_after(&self) -> Answer<'p, Option<Timestamp>> {
        let decided = self.decide(None, |rule| match rule {
            Rule::UnavailableAfter(time) => Some(Effect::Restricts(Some(Reverse(*time)))),
            _ => None,
        });
        decided.map(|time| time.map(|time| time.0))
    }

    /// Returns whether the page may be shown at `now`.
    #[must_use]
    pub fn available(&self, now: Timestamp) -> Answer<'p, bool> {
        self.unavailable_after().map(|time| time.is_none_or(|time| now <= time))
    }

    /// Returns the preference about the use with this label of draft-ietf-aipref-vocab-07, such as `train-ai` or `search`, of
    /// `Content-Usage` in the response and in robots.txt.
    #[must_use]
    pub fn usage(&self, label: &str) -> Answer<'p, Preference> {
        let of_label = |rule: &Rule| match rule {
            Rule::Usage { label: of, preference } if **of == *label => Some(*preference),
            _ => None,
        };
        let is_in_field = |record: &Record| {
            matches!(record.source, Source::Field { .. })
                && of_label(&record.rule).is_some_and(|found| found != Preference::Unknown)
        };
        let fields_decide = self.page.policy.usage_sources == UsageSources::FieldFirst
            && self.statements.iter().any(|record| is_in_field(record));
        self.statement(|record| {
            let is_robots = matches!(record.source, Source::Robots { .. });
            if fields_decide && is_robots { None } else { of_label(&record.rule) }
        })
    }

    /// Returns whether the use with this name, such as `ai-train`, is granted by `Content-Signal`. A refusal prevails.
    #[must_use]
    pub fn signal(&self, name: &str) -> Answer<'p, Preference> {
        self.statement(|record| match &record.rule {
            Rule::Signal { name: of, preference } if of.eq_ignore_ascii_case(name) => Some(*preference),
            _ => None,
        })
    }

    /// Returns whether the rights of text and data mining are reserved (TDMRep); `None` without a statement.
    #[must_use]
    pub fn tdm(&self) -> Answer<'p, Option<bool>> {
        let reservations = self.statements.iter().filter_map(|record| match record.rule {
            Rule::TdmReservation(is_reserved) => Some((*record, is_reserved)),
            _ => None,
        });
        let mut all: Vec<(&Record, bool)> = reservations.collect();
        let decides = match self.page.policy.tdm {
            Tdm::LastWord => all.len().checked_sub(1),
            Tdm::AnyReserves => {
                all.iter().position(|(_, is_reserved)| *is_reserved).or_else(|| all.len().checked_sub(1))
            }
        };
        let decided = decides.map(|index| all.remove(index));
        Answer {
            value: decided.map(|(_, is_reserved)| is_reserved),
            source: decided.map(|(record, _)| record),
            others: all.into_iter().map(|(record, _)| record).collect(),
            is_complete: self.page.is_complete(),
        }
    }

    /// Returns the URL of the policy of the reservation, if there is one.
    #[must_use]
    pub fn tdm_policy(&self) -> Option<&'p str> {
        self.statements.iter().rev().find_map(|record| match &record.rule {
            Rule::TdmPolicy(url) => Some(&**url),
            _ => None,
        })
    }

    /// Returns whether the rule `noai`, or `noml`, asks not to use the content for AI.
    #[must_use]
    pub fn noai(&self) -> Answer<'p, bool> {
        self.states(&[RuleName::NoAi, RuleName::NoMl])
    }

    /// Returns whether the rule `noimageai`, or `noai`, asks not to use the images for AI.
    #[must_use]
    pub fn noimageai(&self) -> Answer<'p, bool> {
        self.states(&[RuleName::NoImageAi, RuleName::NoAi])
    }

    /// Returns whether models may be trained with the page: the most restrictive of the preference `train-ai`, the signal
    /// `ai-train`, the reservation of text and data mining, and the rules that the document relates to training.
    #[must_use]
    pub fn training(&self) -> Answer<'p, Preference> {
        let from_search = self.page.policy.ai_from_search == AiFromSearch::NoindexToo;
        let of_rule = self.preference_of_rules(self.page.policy.training, |name| {
            from_search && matches!(name, RuleName::NoIndex | RuleName::None | RuleName::NoImageIndex)
        });
        let reserved = self.tdm().map(|is_reserved| match is_reserved {
            Some(true) => Preference::Disallowed,
            Some(false) | None => Preference::Unknown,
        });
        strictest(self.usage("train-ai"), [self.signal("ai-train"), of_rule, reserved])
    }

    /// Returns whether AI systems may answer with the page: the most restrictive of the signal `ai-input` and of the rules that
    /// the document relates to answers.
    #[must_use]
    pub fn answers(&self) -> Answer<'p, Preference> {
        let of_rule = self.preference_of_rules(self.page.policy.answers, |_| false);
        strictest(self.signal("ai-input"), [of_rule])
    }

    /// Returns the preference about search: the most restrictive of the preference `search` and of the signal `search`.
    #[must_use]
    pub fn search(&self) -> Answer<'p, Preference> {
        strictest(self.usage("search"), [self.signal("search")])
    }

    fn has(&self, name: RuleName) -> bool {
        self.rules.iter().any(|record| record.rule.name() == Some(name))
    }

    fn states(&self, names: &[RuleName]) -> Answer<'p, bool> {
        self.decide(false, |rule| {
            rule.name().filter(|name| names.contains(name)).map(|_| Effect::Restricts(true))
        })
    }

    fn preference_of_rules(
        &self,
        table: &[(RuleName, Preference)],
        disallows: impl Fn(RuleName) -> bool,
    ) -> Answer<'p, Preference> {
        let nocache_replaces =
            self.page.policy.combine == Combine::NocacheWins && self.has(RuleName::NoCache);
        self.decide(Preference::Unknown, |rule| {
            let name = rule.name()?;
            if nocache_replaces && name == RuleName::NoArchive {
                return Some(Effect::Permits);
            }
            if disallows(name) {
                return Some(Effect::Restricts(Preference::Disallowed));
            }
            let (_, preference) = table.iter().find(|(of, _)| *of == name)?;
            Some(Effect::Restricts(*preference))
        })
    }

    fn permission(&self, effect: impl Fn(RuleName) -> Option<Effect<Reverse<bool>>>) -> Answer<'p, bool> {
        self.decide(Reverse(true), |rule| effect(rule.name()?)).map(|is_permitted| is_permitted.0)
    }

    fn limit(&self, limit: impl Fn(&Rule) -> Option<Limit>) -> Answer<'p, Limit> {
        let decided = self.decide(Reverse(Limit::Free.amount()), |rule| {
            limit(rule).map(|limit| Effect::Restricts(Reverse(limit.amount())))
        });
        decided.map(|amount| Limit::of(u32::try_from(amount.0).ok()))
    }

    /// Returns the most restrictive effect, which is the greatest value, unless a rule permits where that prevails. Of equal
    /// effects the first decides.
    fn decide<T: Copy + Ord>(&self, free: T, effect: impl Fn(&Rule) -> Option<Effect<T>>) -> Answer<'p, T> {
        let mut decided: Option<(&'p Record, T)> = None;
        let mut permits: Option<&'p Record> = None;
        let mut others = Vec::new();
        for &record in &self.rules {
            match effect(&record.rule) {
                None => {}
                Some(Effect::Permits) if permits.is_none() => permits = Some(record),
                Some(Effect::Permits) => others.push(record),
                Some(Effect::Restricts(value)) => match decided {
                    Some((before, known)) if value > known => {
                        others.push(before);
                        decided = Some((record, value));
                    }
                    Some(_) => others.push(record),
                    None => decided = Some((record, value)),
                },
            }
        }
        let permit_wins = self.page.policy.combine == Combine::PermitWins && permits.is_some();
        let (source, value) = match decided {
            Some((record, value)) if !permit_wins => {
                others.extend(permits);
                (Some(record), value)
            }
            _ => {
                others.extend(decided.map(|(record, _)| record));
                (permits, free)
            }
        };
        Answer { value, source, others, is_complete: self.page.is_complete() }
    }

    /// Returns the most restrictive preference among the statements.
    fn statement(&self, preference: impl Fn(&Record) -> Option<Preference>) -> Answer<'p, Preference> {
        let mut answer = Answer {
            value: Preference::Unknown,
            source: None,
            others: Vec::new(),
            is_complete: self.page.is_complete(),
        };
        for &record in &self.statements {
            let Some(found) = preference(record) else { continue };
            if answer.source.is_none() || found > answer.value {
                answer.others.extend(answer.source.replace(record));
                answer.value = found;
            } else {
                answer.others.push(record);
            }
        }
        answer
    }
}

impl<'p, T> Answer<'p, T> {
    /// Returns the answer with another value.
    pub(crate) fn map<U>(self, value: impl FnOnce(T) -> U) -> Answer<'p, U> {
        let Self { value: of, source, others, is_complete } = self;
        Answer { value: value(of), source, others, is_complete }
    }
}

/// Returns the most restrictive of several answers, with the sources of all.
fn strictest<'p, const N: usize>(
    first: Answer<'p, Preference>,
    others: [Answer<'p, Preference>; N],
) -> Answer<'p, Preference> {
    others.into_iter().fold(first, |before, answer| {
        let is_stricter = answer.value > before.value || before.source.is_none();
        let (mut first, second) = if is_stricter { (answer, before) } else { (before, answer) };
        first.others.extend(second.source);
        first.others.extend(second.others);
        first
    })
}

/// Returns whether a rule counts at its place.
fn counts(record: &Record, policy: &PagePolicy) -> bool {
    let is_known = |rules: &[RuleName]| record.rule.name().is_none_or(|name| rules.contains(&name));
    match record.source {
        Source::Field { .. } => is_known(policy.field_rules),
        Source::Meta { place, .. } => {
            (place != Place::Body || policy.meta_place == MetaPlace::Document) && is_known(policy.meta_rules)
        }
        _ => true,
    }
}

/// Returns whether a rule concerns a crawler.
fn concerns(scope: &Scope, crawler: &Crawler, policy: &PagePolicy) -> bool {
    let written = match scope {
        Scope::All => return crawler.obeys_wildcard(),
        Scope::Name(written) => &**written,
    };
    if !policy.crawler_names.has(written.as_bytes()) {
        return false;
    }
    crawler.names().any(|own| {
        let other = policy.other_names.iter().filter(|(of, _)| of.eq_ignore_ascii_case(own));
        policy.token_match.matches(own, written)
            || other.into_iter().any(|(_, name)| policy.token_match.matches(name, written))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reader::PageReader;

    fn read(field: &str, value: &str) -> PageRules {
        let mut reader = PageReader::new(PagePolicy::REPEXT);
        reader.field(field.as_bytes(), value.as_bytes());
        reader.finish()
    }

    #[test]
    fn a_page_is_available_up_to_its_date() {
        let page = read("X-Robots-Tag", "unavailable_after: 2020-09-21");
        let rules = page.for_crawler(&Crawler::unnamed());
        for (now, is_available) in [(1_600_646_399, true), (1_600_646_400, true), (1_600_646_401, false)] {
            let now = Timestamp::new(now);
            let index = rules.clone().at(now).index().value;
            assert_eq!(rules.available(now).value, is_available, "{now}");
            assert_eq!(index, if is_available { Index::Yes } else { Index::No }, "{now}");
        }
    }

    #[test]
    fn a_preference_without_meaning_is_the_source_of_what_is_not_known() {
        let page = read("Content-Signal", "ai-train=maybe, ai-input=maybe, search=maybe");
        let rules = page.for_crawler(&Crawler::unnamed());
        for answer in [rules.training(), rules.answers(), rules.search()] {
            assert_eq!(answer.value, Preference::Unknown);
            assert!(answer.source.is_some());
            assert!(answer.others.is_empty());
        }
    }
}
