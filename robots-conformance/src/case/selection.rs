//! Rows about which groups apply to a crawler, and their combined rules.

use robots_fetch::matching::groups::{RuleSelector, Selected, Selection as Groups};
use robots_fetch::matching::{Crawler, Robots, syntax};

use crate::row::{Answered, CrawlerKeys, Difference, Files, Kind, RowContext, differs, lists, row, rule};

row! {
    /// A row `[[selection]]`.
    pub struct Selection {
        robots: String,
        agent: Option<String>,
        agents: Option<Vec<String>>,
        #[serde(default)]
        together: bool,
        #[serde(default)]
        ignores_wildcard: bool,
        basis: String,
        groups: Vec<usize>,
        rules: Vec<String>,
    }
}

impl Selection {
    fn crawler_keys(&self) -> CrawlerKeys<'_> {
        CrawlerKeys {
            agent: self.agent.as_deref(),
            agents: self.agents.as_deref(),
            together: self.together,
            ignores_wildcard: self.ignores_wildcard,
        }
    }
}

/// Returns the numbers of the groups that apply, as rows write them.
fn numbers(selection: &Groups<'_, '_>) -> String {
    let taken: Vec<usize> = selection.indices().map(|index| index + 1).collect();
    format!("{taken:?}")
}

/// Returns the rules that apply, as rows write them.
fn rules(selection: &Groups<'_, '_>) -> Vec<String> {
    selection.rules().map(written).collect()
}

fn written(of: syntax::Rule<'_>) -> String {
    format!("{} {}", of.line(), rule(of.effect, of.pattern.bytes()))
}

/// Returns the basis and the rules that a selection in one pass over the lines finds.
fn in_one_pass(robots: &Robots, crawler: &Crawler) -> (&'static str, Vec<String>) {
    let mut selector = RuleSelector::new(robots.lines().of_groups(), crawler, &robots.profile().groups);
    let mut taken = Vec::new();
    for selected in &mut selector {
        match selected {
            Selected::Restart => taken.clear(),
            Selected::Rule(of) => taken.push(written(of)),
        }
    }
    (selector.basis().name(), taken)
}

impl Kind for Selection {
    fn validate(&self, files: &Files) -> Result<(), String> {
        files.has(&self.robots)?;
        self.crawler_keys().validate()?;
        match (&*self.basis, self.groups.is_empty()) {
            ("named" | "wildcard", false) | ("none", true) => Ok(()),
            ("named" | "wildcard" | "none", _) => {
                Err(format!("the basis `{}` contradicts `groups`", self.basis))
            }
            (other, _) => Err(format!("`{other}` is not a basis; use named, wildcard or none")),
        }
    }

    fn check(&self, context: &RowContext<'_>) -> Vec<Difference> {
        let robots = Robots::new(context.file(&self.robots), context.profile.rules);
        let groups = robots.groups();
        let crawler = self.crawler_keys().crawler();
        let selection = groups.select(&crawler);
        let mut found: Vec<Difference> =
            differs("basis", &*self.basis, selection.basis().name()).into_iter().collect();
        found.extend(differs("groups", &format!("{:?}", self.groups), &numbers(&selection)));
        found.extend(lists("rule", &self.rules, &rules(&selection)));
        let (basis, rules) = in_one_pass(&robots, &crawler);
        found.extend(differs("basis in one pass", &*self.basis, basis));
        found.extend(lists("rule in one pass", &self.rules, &rules));
        found.extend(differs("together", &self.together, &crawler.is_together()));
        found
    }

    fn answers(&self, context: &RowContext<'_>) -> Vec<Answered> {
        let robots = Robots::new(context.file(&self.robots), context.profile.rules);
        let groups = robots.groups();
        let selection = groups.select(&self.crawler_keys().crawler());
        let mut parts = vec![format!("{} {}", selection.basis().name(), numbers(&selection))];
        parts.extend(rules(&selection));
        Answered::one(format!("{} in {}", self.crawler_keys().in_short(), self.robots), parts)
    }
}
