//! The compiled rules of the crawlers that asked last.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use pyo3::prelude::*;
use pyo3::types::PyString;
use robots_match::RuleSet;

use crate::input::Agent;

/// The number of crawlers whose rules are kept. Most programs ask for one crawler.
const KEPT: usize = 8;

/// The compiled rules of the crawlers that asked last, the last one first.
#[derive(Default)]
pub(crate) struct RuleSets(Mutex<Vec<Kept>>);

struct Kept {
    agent: Agent,
    /// The `str` from which the agent was made. Most programs ask with the same object again, which needs no comparison of text.
    object: Option<Py<PyString>>,
    rules: Arc<RuleSet>,
}

impl RuleSets {
    /// Calls `f` with the rules that are kept for a single name.
    pub(crate) fn with<T>(&self, agent: &Bound<'_, PyAny>, f: impl FnOnce(&RuleSet) -> T) -> Option<T> {
        let is_object = |kept: &&Kept| kept.object.as_ref().is_some_and(|object| object.is(agent));
        if let Some(kept) = self.kept().iter().find(is_object) {
            return Some(f(&kept.rules));
        }
        // Without the lock, because this can call the interpreter.
        let name = agent.cast::<PyString>().ok()?.to_cow().ok()?;
        let kept = self.kept();
        let found = kept.iter().find(|kept| matches!(&kept.agent, Agent::One(known) if *known == name));
        found.map(|kept| f(&kept.rules))
    }

    /// Returns the rules that are kept for an agent.
    pub(crate) fn get(&self, agent: &Agent) -> Option<Arc<RuleSet>> {
        self.kept().iter().find(|kept| kept.agent == *agent).map(|kept| Arc::clone(&kept.rules))
    }

    /// Keeps the rules of an agent that was made from `value`, and drops the oldest if there are too many.
    pub(crate) fn put(&self, agent: Agent, value: &Bound<'_, PyAny>, rules: &Arc<RuleSet>) {
        // An instance of a subclass can refer to this object, and a cycle would never be freed.
        let object = value.cast_exact::<PyString>().ok().map(|object| object.clone().unbind());
        let mut kept = self.kept();
        kept.insert(0, Kept { agent, object, rules: Arc::clone(rules) });
        kept.truncate(KEPT);
    }

    fn kept(&self) -> MutexGuard<'_, Vec<Kept>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
