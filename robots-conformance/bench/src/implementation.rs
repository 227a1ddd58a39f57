//! The implementations that are compared, each used as its documentation says.

use std::hint::black_box;

/// An implementation that compiles a body for an agent, and gives verdicts with the result.
pub trait Implementation {
    /// The compiled rules.
    type Rules;
    /// The name of the crate.
    const NAME: &'static str;
    /// Compiles a body for an agent; `None` if the implementation fails.
    fn compile(body: &[u8], agent: &str) -> Option<Self::Rules>;
    /// Returns whether access to a URL is allowed.
    fn is_allowed(rules: &Self::Rules, case: &Url) -> bool;
    /// Goes from a body to one verdict, by a shorter call where the implementation has one.
    fn one_shot(body: &[u8], agent: &str, url: &Url) -> bool {
        Self::compile(body, agent).is_some_and(|rules| Self::is_allowed(&rules, url))
    }
}

/// A URL, in the forms that implementations take.
#[derive(Debug, Clone)]
pub struct Url {
    whole: String,
    path_at: usize,
}

impl Url {
    pub fn of_path(path: &str) -> Self {
        let origin = "https://example.com";
        Self { whole: format!("{origin}{path}"), path_at: origin.len() }
    }

    pub fn whole(&self) -> &str {
        &self.whole
    }

    pub fn path(&self) -> &str {
        &self.whole[self.path_at..]
    }
}

/// This stack.
#[derive(Debug)]
pub struct Robots;

impl Implementation for Robots {
    type Rules = robots_match::RuleSet;
    const NAME: &'static str = "robots";

    fn compile(body: &[u8], agent: &str) -> Option<Self::Rules> {
        let profile = robots_match::Profile::RFC9309;
        let token = robots_match::Crawler::new(agent).ok()?;
        Some(robots_match::RuleSet::parse(body, &token, &profile))
    }

    fn is_allowed(rules: &Self::Rules, url: &Url) -> bool {
        rules.check(url.path().as_bytes()).is_allowed()
    }

    fn one_shot(body: &[u8], agent: &str, url: &Url) -> bool {
        let token = robots_match::Crawler::new(agent);
        let allows = |crawler| {
            robots_match::Robots::check_file(body, &crawler, url.path(), robots_match::Profile::RFC9309).is_allowed()
        };
        token.is_ok_and(allows)
    }
}

/// The crate robotxt.
#[derive(Debug)]
pub struct Robotxt;

impl Implementation for Robotxt {
    type Rules = robotxt::Robots;
    const NAME: &'static str = "robotxt";

    fn compile(body: &[u8], agent: &str) -> Option<Self::Rules> {
        Some(robotxt::Robots::parse(body, agent))
    }

    fn is_allowed(rules: &Self::Rules, url: &Url) -> bool {
        rules.is_allowed(url.path())
    }
}

/// The crate texting_robots.
#[derive(Debug)]
pub struct TextingRobots;

impl Implementation for TextingRobots {
    type Rules = texting_robots::Robot;
    const NAME: &'static str = "texting_robots";

    fn compile(body: &[u8], agent: &str) -> Option<Self::Rules> {
        texting_robots::Robot::new(agent, body).ok()
    }

    fn is_allowed(rules: &Self::Rules, url: &Url) -> bool {
        rules.allowed(url.whole())
    }
}

/// The crate cylon.
#[derive(Debug)]
pub struct Cylon;

impl Implementation for Cylon {
    type Rules = cylon::Cylon;
    const NAME: &'static str = "cylon";

    fn compile(body: &[u8], agent: &str) -> Option<Self::Rules> {
        // Some real files make it panic.
        let compile = || pollster::block_on(cylon::Compiler::new(agent).compile(body)).ok();
        std::panic::catch_unwind(compile).ok().flatten()
    }

    fn is_allowed(rules: &Self::Rules, url: &Url) -> bool {
        rules.allow(url.path())
    }
}

/// The crate robotstxt, which keeps nothing between two URLs: its rules are the body and the agent.
#[derive(Debug)]
pub struct Robotstxt;

impl Implementation for Robotstxt {
    type Rules = (String, String);
    const NAME: &'static str = "robotstxt";

    fn compile(body: &[u8], agent: &str) -> Option<Self::Rules> {
        Some((String::from_utf8(body.to_vec()).ok()?, agent.to_owned()))
    }

    fn is_allowed((body, agent): &Self::Rules, url: &Url) -> bool {
        robotstxt::DefaultMatcher::default().one_agent_allowed_by_robots(body, agent, url.whole())
    }
}

/// Google's C++ parser, which keeps nothing between two URLs, either.
#[cfg(feature = "googlebot")]
#[derive(Debug)]
pub struct Googlebot;

#[cfg(feature = "googlebot")]
impl Implementation for Googlebot {
    type Rules = (Vec<u8>, String);
    const NAME: &'static str = "Google's C++ parser";

    fn compile(body: &[u8], agent: &str) -> Option<Self::Rules> {
        Some((body.to_vec(), agent.to_owned()))
    }

    fn is_allowed((body, agent): &Self::Rules, url: &Url) -> bool {
        robots_bench_googlebot::is_allowed(body, agent, url.whole())
    }

    fn one_shot(body: &[u8], agent: &str, url: &Url) -> bool {
        robots_bench_googlebot::is_allowed(body, agent, url.whole())
    }
}

/// Goes from a body to one verdict.
pub fn one_shot<C: Implementation>(body: &[u8], agent: &str, url: &Url) -> bool {
    C::one_shot(black_box(body), black_box(agent), black_box(url))
}
