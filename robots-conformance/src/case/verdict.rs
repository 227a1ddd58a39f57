//! Rows about verdicts: file, crawler and path or URL to decision and deciding line.

use core::fmt;

use serde::{Deserialize, Serialize};
use url::{Position, Url};

use robots_fetch::matching::syntax::Record;
use robots_fetch::matching::{Robots, RuleSet, Verdict as Found, path_of};

use crate::escape::{shortened, shown};
use crate::row::{Answered, CrawlerKeys, Difference, Files, Kind, RowContext, differs, row};
use robots_fetch::SiteProfile;

row! {
    /// A row `[[verdict]]`.
    pub struct Verdict {
        robots: String,
        agent: Option<String>,
        agents: Option<Vec<String>>,
        #[serde(default)]
        together: bool,
        #[serde(default)]
        ignores_wildcard: bool,
        path: Option<String>,
        url: Option<String>,
        expect: Decision,
        line: usize,
        reason: Option<String>,
    }
}

/// Whether access is allowed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
enum Decision {
    Allow,
    Disallow,
}

/// The verdict of the implementation on a row.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Answer {
    /// Whether access is allowed.
    pub allowed: bool,
    /// The line that decided; 0 if no rule matched.
    pub line: usize,
    /// The code of the reason.
    pub reason: &'static str,
    /// The text of the line that decided.
    pub text: Option<String>,
}

/// Writes `allow 3`, or `disallow 0` if no line decided.
impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", if self.allowed { "allow" } else { "disallow" }, self.line)
    }
}

impl Verdict {
    const REASONS: [&'static str; 4] = ["rule", "no-rule", "no-group", "robots-txt"];

    fn crawler_keys(&self) -> CrawlerKeys<'_> {
        CrawlerKeys {
            agent: self.agent.as_deref(),
            agents: self.agents.as_deref(),
            together: self.together,
            ignores_wildcard: self.ignores_wildcard,
        }
    }

    /// Returns the name of the file.
    #[must_use]
    pub fn robots(&self) -> &str {
        &self.robots
    }

    /// Returns the names of the crawler.
    #[must_use]
    pub fn names(&self) -> Vec<&str> {
        self.crawler_keys().names()
    }

    /// Returns the path as written; `None` if the row has a URL.
    #[must_use]
    pub fn path(&self) -> Option<&str> {
        self.path.as_deref()
    }

    /// Returns the URL; if the row has a path, the URL of this path on example.com.
    #[must_use]
    pub fn url(&self) -> String {
        match (&self.url, &self.path) {
            (Some(url), _) => url.clone(),
            (None, path) => format!("https://example.com{}", path.as_deref().unwrap_or("/")),
        }
    }

    /// Returns whether the row expects that access is allowed.
    #[must_use]
    pub fn is_allow(&self) -> bool {
        self.expect == Decision::Allow
    }

    /// Returns the verdict of the implementation.
    #[must_use]
    pub fn answer(&self, file: &[u8], profile: &SiteProfile) -> Answer {
        let robots = Robots::new(file, profile.rules);
        let verdict = self.by_rules(&robots.rules(&self.crawler_keys().crawler()));
        let text = verdict.line().and_then(|number| {
            let line = robots.lines().find(|line| line.number == number)?;
            Some(shortened(line.content().bytes()))
        });
        Answer {
            allowed: verdict.is_allowed(),
            line: verdict.line().unwrap_or(0),
            reason: verdict.reason().code(),
            text,
        }
    }

    fn by_rules(&self, rules: &RuleSet) -> Found {
        match (&self.path, &self.url) {
            (Some(path), _) => rules.check(path.as_bytes()),
            // A row may have a URL that only a parser's own way of delimiting makes one.
            (None, url) => {
                rules.check(path_of(url.as_deref().unwrap_or_default().as_bytes(), rules.policy()))
            }
        }
    }

    /// Returns the differences between the other ways to ask and the compiled rules of the file.
    fn other_ways(&self, robots: &Robots) -> Vec<Difference> {
        let crawler = self.crawler_keys().crawler();
        let (rules, groups) = (robots.rules(&crawler), robots.groups());
        let selection = groups.select(&crawler);
        let verdict = self.by_rules(&rules);
        let selected = RuleSet::compile(&selection, &robots.profile().matching);
        let mut ways = vec![("verdict by selected groups", self.by_rules(&selected))];
        ways.push(match (&self.path, &self.url) {
            (Some(path), _) => ("verdict in one pass", robots.check(&crawler, path.as_bytes())),
            (None, url) => {
                let path = path_of(url.as_deref().unwrap_or_default().as_bytes(), rules.policy());
                ("verdict in one pass", robots.check(&crawler, path))
            }
        });
        // A parsed URL is the same question if parsing changes nothing of its path.
        let parsed = Url::parse(&self.url()).ok().filter(|url| {
            self.path.as_ref().is_some_and(|path| *path == url[Position::BeforePath..Position::AfterQuery])
        });
        if let Some(url) = parsed {
            ways.push(("verdict about a URL", rules.check_url(&url)));
            ways.push(("verdict about a URL in one pass", robots.check_url(&crawler, &url)));
        }
        let mut found: Vec<Difference> = ways
            .into_iter()
            .filter_map(|(way, other)| differs(way, &format!("{verdict:?}"), &format!("{other:?}")))
            .collect();
        found.extend(differs("basis", selection.basis().name(), rules.basis().name()));
        let pattern = verdict.span().map(|span| span.of(robots.body()));
        let is_of_line = verdict.rule().is_none_or(|rule| {
            let line = robots.lines().find_map(|line| match line.record {
                Record::Rule(known) if line.number == rule.line => {
                    Some((known.effect, known.pattern.bytes()))
                }
                _ => None,
            });
            line == pattern.map(|pattern| (rule.effect, pattern))
        });
        if !is_of_line {
            found.push(Difference::new("deciding rule", "the rule of its line", format!("{verdict:?}")));
        }
        found
    }
}

impl Kind for Verdict {
    fn validate(&self, files: &Files) -> Result<(), String> {
        files.has(&self.robots)?;
        self.crawler_keys().validate()?;
        match (&self.path, &self.url) {
            (Some(_), Some(_)) => {
                return Err("both `path` and `url` are given; remove one of them".to_owned());
            }
            (None, None) => return Err("neither `path` nor `url` is given; add one of them".to_owned()),
            _ => {}
        }
        match &self.reason {
            Some(reason) if !Self::REASONS.contains(&&**reason) => {
                Err(format!("`{reason}` is not a reason; use one of {}", Self::REASONS.join(", ")))
            }
            Some(reason) if (reason == "rule") != (self.line > 0) => {
                Err(format!("reason `{reason}` contradicts line {}", self.line))
            }
            _ => Ok(()),
        }
    }

    fn check(&self, context: &RowContext<'_>) -> Vec<Difference> {
        let answer = self.answer(context.file(&self.robots), context.profile);
        let expected = Answer { allowed: self.is_allow(), line: self.line, reason: "", text: None };
        let decision = differs("decision and line", &expected.to_string(), &answer.to_string());
        let reason = self.reason.as_deref().and_then(|reason| differs("reason", reason, answer.reason));
        let because = match (&answer.text, answer.reason) {
            (Some(text), _) => format!("line {} is `{text}`", answer.line),
            (None, reason) => format!("no line decided ({reason})"),
        };
        let robots = Robots::new(context.file(&self.robots), context.profile.rules);
        decision
            .into_iter()
            .chain(reason)
            .map(|difference| difference.because(&*because))
            .chain(self.other_ways(&robots))
            .collect()
    }

    fn answers(&self, context: &RowContext<'_>) -> Vec<Answered> {
        let answer = self.answer(context.file(&self.robots), context.profile);
        let to = self.path.as_ref().or(self.url.as_ref()).map_or("", |to| to.as_str());
        let question = format!("{} {}", self.crawler_keys().in_short(), shown(to.as_bytes()));
        Answered::one(question, vec![format!("{answer} {}", answer.reason)])
    }
}
