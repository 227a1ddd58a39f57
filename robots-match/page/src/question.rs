//! The questions about a page by name, and their answers in words.

use alloc::borrow::ToOwned as _;
use alloc::format;
use alloc::string::{String, ToString as _};
use alloc::vec::Vec;
use core::fmt;

use crate::crawler_rules::{Answer, CrawlerRules, Index, Limit};
use crate::problem::Problem;
use crate::record::{PageProblem, Record};
use crate::rule::{ImagePreview, Preference, Rule, RuleName};

macro_rules! questions {
    ($($(#[$doc:meta])* $name:ident = $code:literal: $asks:literal;)*) => {
        /// A question about a page, for answers by name and in words; see [`CrawlerRules::answer`].
        ///
        /// ```
        /// use robots_page::Question;
        ///
        /// assert_eq!(Question::Snippet.name(), "snippet");
        /// assert_eq!(Question::Snippet.to_string(), "may it be quoted?");
        /// assert_eq!(Question::find("snippet"), Some(Question::Snippet));
        /// ```
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum Question { $($(#[$doc])* $name,)* }

        impl Question {
            /// All questions, in the order in which they are shown.
            pub const ALL: &'static [Self] = &[$(Self::$name),*];

            /// Returns the name, such as `index`.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $(Self::$name => $code,)* }
            }
        }

        /// Writes the question for people, such as `may it be quoted?`.
        impl fmt::Display for Question {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.pad(match self { $(Self::$name => $asks,)* })
            }
        }
    };
}

questions! {
    /// [`CrawlerRules::index`].
    Index = "index": "may it be in the index?";
    /// [`CrawlerRules::snippet`].
    Snippet = "snippet": "may it be quoted?";
    /// [`CrawlerRules::follow`].
    Follow = "follow": "may its links be followed?";
    /// [`CrawlerRules::archive`].
    Archive = "archive": "may a copy be shown?";
    /// [`CrawlerRules::images`].
    Images = "images": "may its images be indexed?";
    /// [`CrawlerRules::translate`].
    Translate = "translate": "may it be translated?";
    /// [`CrawlerRules::image_preview`].
    ImagePreview = "image_preview": "previews of images";
    /// [`CrawlerRules::video_preview`].
    VideoPreview = "video_preview": "previews of videos";
    /// [`CrawlerRules::unavailable_after`].
    UnavailableAfter = "unavailable_after": "until when?";
    /// [`CrawlerRules::training`].
    Training = "training": "may it train models?";
    /// [`CrawlerRules::answers`].
    Answers = "answers": "may AI answer with it?";
    /// [`CrawlerRules::search`].
    Search = "search": "preference about search";
}

impl Question {
    /// Returns the question of this name.
    #[must_use]
    pub fn find(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|question| question.name() == name)
    }
}

/// An answer in words.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct InWords {
    /// The answer, such as `no` or `at most 20 characters`.
    pub text: String,
    /// Whether the use is prevented or limited. A time after which a page is unavailable limits nothing before.
    pub is_limited: bool,
}

impl<'p> CrawlerRules<'p> {
    /// Returns the answer to a question in words.
    ///
    /// ```
    /// use robots_page::matching::Crawler;
    /// use robots_page::{PagePolicy, PageReader, Question};
    ///
    /// let mut reader = PageReader::new(PagePolicy::GOOGLE);
    /// reader.field(b"X-Robots-Tag", b"max-snippet: 20");
    /// let page = reader.finish();
    /// let answer = page.for_crawler(&Crawler::new("Googlebot")?).answer(Question::Snippet);
    /// assert_eq!(answer.value.text, "at most 20 characters");
    /// assert!(answer.value.is_limited);
    /// # Ok::<(), robots_page::matching::InvalidName>(())
    /// ```
    #[must_use]
    pub fn answer(&self, question: Question) -> Answer<'p, InWords> {
        let permission = |is_allowed: bool| InWords {
            text: if is_allowed { "yes" } else { "no" }.to_owned(),
            is_limited: !is_allowed,
        };
        let amount = |unit: &'static str| {
            move |limit: Limit| InWords {
                text: match limit {
                    Limit::Free => "yes".to_owned(),
                    Limit::AtMost(most) => format!("at most {most} {unit}"),
                    Limit::None => "no".to_owned(),
                },
                is_limited: limit != Limit::Free,
            }
        };
        let preference = |preference: Preference| InWords {
            text: preference.to_string(),
            is_limited: preference > Preference::Allowed,
        };
        match question {
            Question::Index => {
                self.index().map(|index| InWords { text: index.to_string(), is_limited: index != Index::Yes })
            }
            Question::Snippet => self.snippet().map(amount("characters")),
            Question::Follow => self.follow().map(permission),
            Question::Archive => self.archive().map(permission),
            Question::Images => self.images().map(permission),
            Question::Translate => self.translate().map(permission),
            Question::ImagePreview => self
                .image_preview()
                .map(|size| InWords { text: size.to_string(), is_limited: size != ImagePreview::Large }),
            Question::VideoPreview => self.video_preview().map(amount("seconds")),
            Question::UnavailableAfter => self.unavailable_after().map(|time| InWords {
                text: time.map_or_else(|| "no limit".to_owned(), |time| time.to_string()),
                is_limited: false,
            }),
            Question::Training => self.training().map(preference),
            Question::Answers => self.answers().map(preference),
            Question::Search => self.search().map(preference),
        }
    }

    /// Returns the problems of the page for this crawler: those of [`PageRules::problems`](crate::PageRules::problems), rules
    /// that [contradict](Problem::Contradiction) stricter ones, a [date](Problem::DateInThePast) that is over [at](Self::at) the time, and, if `is_fetched` is false because the crawler may not
    /// fetch the page, rules that it [can't see](Problem::NotSeen).
    ///
    /// ```
    /// use robots_page::matching::Crawler;
    /// use robots_page::{PagePolicy, PageReader, Problem};
    ///
    /// let mut reader = PageReader::new(PagePolicy::GOOGLE);
    /// reader.field(b"X-Robots-Tag", b"noindex");
    /// let page = reader.finish();
    /// let rules = page.for_crawler(&Crawler::new("Googlebot")?);
    /// assert!(rules.problems(true).is_empty());
    /// assert_eq!(rules.problems(false)[0].problem, Problem::NotSeen);
    /// # Ok::<(), robots_page::matching::InvalidName>(())
    /// ```
    #[must_use]
    pub fn problems(&self, is_fetched: bool) -> Vec<PageProblem> {
        let mut problems = self.page().problems().to_vec();
        let mut add = |record: &Record, problem: Problem| {
            if !problems.iter().any(|known| known.source == record.source && known.problem == problem) {
                problems.push(PageProblem { problem, source: record.source });
            }
        };
        if let Some(date) = self.past_date() {
            add(date, Problem::DateInThePast);
        }
        for &question in Question::ALL {
            let Answer { value, source: Some(decides), others, .. } = self.answer(question) else { continue };
            if !is_fetched && value.is_limited && decides.is_in_page() {
                add(decides, Problem::NotSeen);
            }
            for other in others {
                if contradicts(&decides.rule, &other.rule) {
                    add(other, Problem::Contradiction);
                }
            }
        }
        problems
    }
}

/// Returns whether a rule says the opposite of the one that decides the same question.
fn contradicts(decides: &Rule, other: &Rule) -> bool {
    if let (Some(decides), Some(other)) = (preference(decides), preference(other)) {
        return decides == Preference::Disallowed && other == Preference::Allowed;
    }
    let opposite = |one: Option<RuleName>, other: Option<RuleName>| {
        use RuleName::{All, Archive, Follow, Index, NoArchive, NoCache, NoFollow, NoIndex, None};
        match (one?, other?) {
            (NoIndex, Index | All) | (NoFollow, Follow | All) | (NoArchive | NoCache, Archive) => Some(()),
            (None, Index | Follow | All) => Some(()),
            _ => Option::None,
        }
    };
    opposite(decides.name(), other.name()).or_else(|| opposite(other.name(), decides.name())).is_some()
}

/// Returns the preference that a rule states.
const fn preference(rule: &Rule) -> Option<Preference> {
    match rule {
        Rule::Usage { preference, .. } | Rule::Signal { preference, .. } => Some(*preference),
        Rule::TdmReservation(true) => Some(Preference::Disallowed),
        _ => None,
    }
}

/// Calls a macro with the answers of a page: the documentation, name and question of each.
// Public because the Python package makes a class of them, and hidden because users do not.
#[doc(hidden)]
#[macro_export]
macro_rules! page_answers {
    ($callback:ident) => {
        $callback! {
            /// Whether the page may be in an index.
            index = Index,
            /// Whether the page may be quoted.
            snippet = Snippet,
            /// Whether links of the page may be followed.
            follow = Follow,
            /// Whether a copy may be shown.
            archive = Archive,
            /// Whether images of the page may be in an index.
            images = Images,
            /// Whether the page may be translated.
            translate = Translate,
            /// The size of previews of images.
            image_preview = ImagePreview,
            /// The length of previews of videos.
            video_preview = VideoPreview,
            /// The time after which the page is not in an index.
            unavailable_after = UnavailableAfter,
            /// The preference about the training of models.
            training = Training,
            /// The preference about answers of AI.
            answers = Answers,
            /// The preference about search.
            search = Search,
        }
    };
}

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

    use robots_match::{Crawler, Document, Robots};

    use super::Question;
    use crate::record::Source;
    use crate::{PagePolicy, PageReader, Preference, Problem, RobotsStatements};

    fn problems(fields: &[(&str, &str)], is_fetched: bool) -> Vec<&'static str> {
        let mut reader = PageReader::new(PagePolicy::REPEXT);
        for (name, value) in fields {
            reader.field(name.as_bytes(), value.as_bytes());
        }
        let page = reader.finish();
        let rules = page.for_crawler(&Crawler::new("ExampleBot").unwrap());
        rules.problems(is_fetched).iter().map(|found| found.problem.code()).collect()
    }

    #[test]
    fn opposite_rules_are_a_problem() {
        let contradiction = Problem::Contradiction.code();
        assert_eq!(problems(&[("X-Robots-Tag", "noindex, index")], true), [contradiction]);
        assert_eq!(problems(&[("X-Robots-Tag", "index"), ("X-Robots-Tag", "none")], true), [contradiction]);
        assert_eq!(
            problems(&[("Content-Usage", "train-ai=n"), ("Content-Signal", "ai-train=yes")], true),
            [contradiction]
        );
        assert_eq!(
            problems(&[("tdm-reservation", "1"), ("Content-Signal", "ai-train=yes")], true),
            [contradiction]
        );
        assert!(problems(&[("X-Robots-Tag", "noindex, follow")], true).is_empty());
        assert!(problems(&[("X-Robots-Tag", "noindex"), ("X-Robots-Tag", "noindex")], true).is_empty());
        assert!(problems(&[("Content-Usage", "train-ai=n, search=y")], true).is_empty());
    }

    #[test]
    fn the_first_of_equal_permissions_is_the_source() {
        let mut reader = PageReader::new(PagePolicy::REPEXT);
        reader.field(b"X-Robots-Tag", b"index");
        reader.html(b"<meta name=robots content=index>");
        let page = reader.finish();
        let rules = page.for_crawler(&Crawler::unnamed());
        let source = rules.index().source.map(|record| &record.source);
        assert!(matches!(source, Some(Source::Field { .. })), "{source:?}");
    }

    #[test]
    fn rules_that_permit_are_not_missed_by_a_crawler_that_may_not_fetch() {
        assert!(problems(&[("X-Robots-Tag", "index, max-snippet: -1")], false).is_empty());
        assert_eq!(problems(&[("X-Robots-Tag", "noindex, nosnippet")], false).len(), 2);
    }

    #[test]
    fn a_statement_of_robots_txt_is_seen_by_a_crawler_that_may_not_fetch() {
        let bot = Crawler::new("ExampleBot").unwrap();
        let robots = Robots::new("User-agent: *\nContent-Usage: train-ai=n\n", Document::Rfc9309);
        let statements = RobotsStatements::new(&robots, &bot, b"/");
        let page = PageReader::new(PagePolicy::REPEXT).finish();
        let rules = page.for_crawler(&bot).with_robots(statements.records());
        assert_eq!(rules.training().value, Preference::Disallowed);
        assert!(rules.problems(false).is_empty());
    }

    #[test]
    fn a_use_of_title_and_snippet_is_limited() {
        let mut reader = PageReader::new(PagePolicy::BING);
        reader.field(b"X-Robots-Tag", b"nocache");
        let page = reader.finish();
        let rules = page.for_crawler(&Crawler::new("bingbot").unwrap());
        for question in [Question::Training, Question::Answers] {
            let answer = rules.answer(question).value;
            assert_eq!(answer.text, "title and snippet only");
            assert!(answer.is_limited);
        }
        assert!(!rules.answer(Question::Search).value.is_limited);
    }

    #[test]
    fn names_are_found() {
        for &question in Question::ALL {
            assert_eq!(Question::find(question.name()), Some(question));
        }
        assert_eq!(Question::find("nothing"), None);
    }
}
