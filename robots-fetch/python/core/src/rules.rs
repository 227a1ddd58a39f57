//! The compiled rules of the crawlers that asked last.

use std::sync::{Arc, Mutex, PoisonError};

use robots_match::RuleSet;

use crate::input::Agent;

/// The number of crawlers whose rules are kept. Most programs ask for one crawler.
const KEPT: usize = 8;

/// The compiled rules of the crawlers that asked last, the last one first.
#[derive(Default)]
pub(crate) struct RuleSets(Mutex<Vec<(Agent, Arc<RuleSet>)>>);

impl RuleSets {
    /// Calls `f` with the rules that are kept for a single name, without an allocation.
    pub(crate) fn with<T>(&self, name: &str, f: impl FnOnce(&RuleSet) -> T) -> Option<T> {
        let kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let found = kept.iter().find(|(agent, _)| matches!(agent, Agent::One(known) if known == name));
        found.map(|(_, rules)| f(rules))
    }

    /// Returns the rules that are kept for an agent.
    pub(crate) fn get(&self, agent: &Agent) -> Option<Arc<RuleSet>> {
        let kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.iter().find(|(known, _)| known == agent).map(|(_, rules)| Arc::clone(rules))
    }

    /// Keeps the rules of an agent, and drops the oldest if there are too many.
    pub(crate) fn put(&self, agent: Agent, rules: &Arc<RuleSet>) {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.insert(0, (agent, Arc::clone(rules)));
        kept.truncate(KEPT);
    }
}
