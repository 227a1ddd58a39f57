//! Rows about the order and the times of a crawler's requests to a site.

use core::time::Duration;
use std::collections::VecDeque;
use std::sync::Arc;
use std::time::SystemTime;

use robots_fetch::matching::{Crawler, Robots};
use robots_fetch::{Access, Gate as Schedule, GatePolicy, GateStep, Head, Permission, SiteRules};
use url::Url;

use crate::row::{Answered, Difference, Files, Kind, RowContext, lists, row};

row! {
    /// A row `[[gate]]`.
    pub struct Gate {
        robots: String,
        agent: Option<String>,
        urls: Vec<String>,
        #[serde(default)]
        statuses: Vec<u16>,
        steps: Vec<String>,
    }
}

/// How long the rules of a site are known; no row takes so long.
const DAY: Duration = Duration::from_secs(24 * 60 * 60);

/// The most steps that are played.
const MOST: usize = 100;

impl Gate {
    fn crawler(&self) -> Result<Crawler, String> {
        Crawler::new(self.agent.as_deref().unwrap_or("ExampleBot")).map_err(|error| error.to_string())
    }

    /// Returns what a crawler does that has all URLs from the start, whose site answers at once with the statuses of the row, and
    /// with 200 after these. Each step is a time, what is done, and a URL.
    fn played(&self, context: &RowContext<'_>) -> Result<Vec<String>, String> {
        let start = SystemTime::UNIX_EPOCH + DAY;
        let mut now = start;
        let mut gate = Schedule::new(GatePolicy::default());
        for url in &self.urls {
            let parsed = Url::parse(url).map_err(|error| format!("`{url}` is not a URL: {error}"))?;
            gate.push(parsed, (), now).map_err(|((), refusal)| refusal.to_string())?;
        }
        let robots = Arc::new(Robots::new(context.file(&self.robots), context.profile.rules));
        let crawler = self.crawler()?;
        let mut statuses: VecDeque<u16> = self.statuses.iter().copied().collect();
        let mut steps = Vec::new();
        while steps.len() < MOST {
            let seconds = now.duration_since(start).unwrap_or_default().as_secs();
            match gate.next(now) {
                GateStep::Ask(permit) => {
                    steps.push(format!("{seconds}s asks for {}", permit.url()));
                    let permission = Permission::new(Access::Rules(&robots), &crawler, context.profile);
                    gate.learn(&permit, SiteRules::new(permission, now + DAY), now);
                    gate.finish(permit, Some(&Head::new(200)), now);
                }
                GateStep::Request(permit, ()) => {
                    let status = statuses.pop_front().unwrap_or(200);
                    steps.push(format!("{seconds}s requests {}: {status}", permit.url()));
                    gate.finish(permit, Some(&Head::new(status)), now);
                }
                GateStep::Refused { refusal, .. } => {
                    steps.push(format!("{seconds}s refuses {}", refusal.url().map_or("", Url::as_str)));
                }
                GateStep::Wait(until) => now = until,
                GateStep::Idle => break,
            }
        }
        Ok(steps)
    }
}

impl Kind for Gate {
    fn validate(&self, files: &Files) -> Result<(), String> {
        files.has(&self.robots)?;
        self.crawler()?;
        self.urls.iter().try_for_each(|url| match Url::parse(url) {
            Ok(_) => Ok(()),
            Err(error) => Err(format!("`{url}` is not a URL: {error}")),
        })
    }

    fn check(&self, context: &RowContext<'_>) -> Vec<Difference> {
        match self.played(context) {
            Ok(steps) => lists("step", &self.steps, &steps),
            Err(wrong) => vec![Difference::new("step", self.steps.join(", "), wrong)],
        }
    }

    fn answers(&self, context: &RowContext<'_>) -> Vec<Answered> {
        let statuses: Vec<String> = self.statuses.iter().map(u16::to_string).collect();
        let question = format!("{} {}", self.robots, statuses.join(" "));
        Answered::one(question.trim_end(), self.played(context).unwrap_or_else(|wrong| vec![wrong]))
    }
}
