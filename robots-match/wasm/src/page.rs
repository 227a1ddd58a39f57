//! What a page says to a crawler after it was fetched.

use robots_match::{Crawler, Robots, path_in};
use robots_page::{PageDocument, PagePolicy, PageReader, Question, RobotsStatements, Timestamp};
use serde::Serialize;
use tsify::Tsify;

/// What a page says to a crawler.
#[derive(Serialize, Tsify)]
#[tsify(missing_as_null)]
pub struct PageAnswers {
    /// Whether robots.txt lets the crawler fetch the page. If not, it sees no rule of the page.
    fetched: bool,
    /// The title of the document by which the page is read.
    document: &'static str,
    answers: Vec<PageAnswer>,
    /// What is odd about the rules of the page.
    problems: Vec<String>,
}

/// The answer to a question about a page.
#[derive(Serialize, Tsify)]
#[tsify(missing_as_null)]
pub struct PageAnswer {
    /// The question, such as `may it be quoted?`.
    question: String,
    /// The answer in words.
    text: String,
    /// Whether the use is prevented or limited.
    limited: bool,
    /// The rule that decides, and where it is.
    rule: Option<String>,
    source: Option<String>,
}

impl PageAnswers {
    /// Reads response fields, one in each line, and HTML. The answers are those at `now`, in milliseconds since 1970.
    pub(crate) fn new(
        robots: &Robots,
        crawler: &Crawler,
        url: &str,
        fields: &str,
        html: &str,
        now: Option<f64>,
    ) -> Self {
        let document = PageDocument::of_crawler(crawler.names());
        let mut reader = PageReader::new(PagePolicy::from(document));
        for (name, value) in fields.lines().filter_map(|line| line.split_once(':')) {
            reader.field(name.trim().as_bytes(), value.trim().as_bytes());
        }
        if reader.wants_html() {
            reader.html(html.as_bytes());
        }
        let page = reader.finish();
        let fetched = robots.check(crawler, url.as_bytes()).is_allowed();
        let path = path_in(url.as_bytes(), &robots.profile().matching).unwrap_or_default();
        let statements = RobotsStatements::new(robots, crawler, &path);
        let rules = page.for_crawler(crawler).with_robots(statements.records());
        // Dates are whole seconds, and a part of a second after a date is after it.
        let rules = match now {
            Some(now) => rules.at(Timestamp::new((now / 1000.0).ceil() as i64)),
            None => rules,
        };
        let answers = Question::ALL.iter().map(|&question| {
            let answer = rules.answer(question);
            PageAnswer {
                question: question.to_string(),
                text: answer.value.text,
                limited: answer.value.is_limited,
                rule: answer.source.map(|record| record.rule.to_string()),
                source: answer.source.map(|record| record.source.to_string()),
            }
        });
        let problems = rules.problems(fetched);
        Self {
            fetched,
            document: document.title(),
            answers: answers.collect(),
            problems: problems.iter().map(|found| format!("{}: {}", found.source, found.problem)).collect(),
        }
    }
}
