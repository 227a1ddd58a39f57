//! What is known of the crawlers that asked: compiled rules, and other records.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyString;
use robots_match::records::{RecordValue, Records};
use robots_match::{Crawler, Robots, RuleSet, SelectionBasis};

use crate::input::Agent;
use crate::times::{RequestRate, VisitTime};

/// The number of crawlers that are kept. With more, all are forgotten.
const MOST: usize = 1024;

/// The memory that compiled rules may use, in bytes. A file can give each of many crawlers the rules of many groups.
const MOST_MEMORY: usize = 64 << 20;

/// The number of crawlers whose rules are compiled alone, in one pass over the file. After them, crawlers share the rules of groups.
const ALONE: usize = 4;

/// The number of `str` objects that are found without a comparison of text. Most programs ask with the same objects again. With more,
/// all are forgotten.
const OBJECTS: usize = 256;

/// The crawlers that asked for a file.
#[derive(Default)]
pub(crate) struct Crawlers(Mutex<Kept>);

#[derive(Default)]
struct Kept {
    names: HashMap<Box<str>, Arc<Known>>,
    orders: HashMap<Vec<String>, Arc<Known>>,
    /// By the addresses of the objects, which are kept, so no other object gets them.
    objects: BTreeMap<usize, (Py<PyString>, Arc<Known>)>,
    /// The rules of the groups with these indices.
    sets: HashMap<(SelectionBasis, Vec<usize>), Arc<RuleSet>>,
    /// The number of rule sets that were compiled, and the memory that they use.
    compiled: usize,
    memory: usize,
}

/// A crawler with what the file says to it, which is found out once.
pub(crate) struct Known {
    pub(crate) crawler: Crawler,
    rules: OnceLock<Arc<RuleSet>>,
    records: OnceLock<KnownRecords>,
}

/// The records of a crawler that are not rules.
pub(crate) struct KnownRecords {
    pub(crate) crawl_delay: Option<f64>,
    request_rate: Option<RequestRate>,
    /// The object of the rate, which can't change.
    request_rate_object: PyOnceLock<Py<RequestRate>>,
    pub(crate) visit_times: Vec<VisitTime>,
}

impl Known {
    /// Returns the rules, compiled without the lock of the interpreter unless they are known.
    pub(crate) fn rules(&self, py: Python<'_>, robots: &Robots, crawlers: &Crawlers) -> &Arc<RuleSet> {
        let compile = || self.rules.get_or_init(|| crawlers.compile(robots, &self.crawler));
        self.rules.get().unwrap_or_else(|| py.detach(compile))
    }

    /// Returns the other records, read without the lock of the interpreter unless they are known.
    pub(crate) fn records(&self, py: Python<'_>, robots: &Robots) -> &KnownRecords {
        let read = || self.records.get_or_init(|| KnownRecords::new(robots, &self.crawler));
        self.records.get().unwrap_or_else(|| py.detach(read))
    }
}

impl KnownRecords {
    fn new(robots: &Robots, crawler: &Crawler) -> Self {
        let groups = robots.groups();
        let records = Records::new(robots, &groups);
        let records = records.for_crawler(&groups.select(crawler));
        let request_rate = records.iter().find_map(|record| match &record.value {
            Some(RecordValue::RequestRate { requests, period, window, .. }) => Some(RequestRate {
                requests: *requests,
                seconds: period.as_secs_f64(),
                window: window.map(VisitTime::new),
            }),
            _ => None,
        });
        Self {
            crawl_delay: records.crawl_delay().map(|delay| delay.as_secs_f64()),
            request_rate,
            request_rate_object: PyOnceLock::new(),
            visit_times: records.visit_times().map(VisitTime::new).collect(),
        }
    }

    /// Returns the first rate, as the same object each time.
    pub(crate) fn request_rate(&self, py: Python<'_>) -> PyResult<Option<Py<RequestRate>>> {
        let Some(rate) = &self.request_rate else { return Ok(None) };
        let object = self.request_rate_object.get_or_try_init(py, || Py::new(py, rate.clone()))?;
        Ok(Some(object.clone_ref(py)))
    }
}

impl Crawlers {
    /// Returns the crawler of a single name that has asked before.
    pub(crate) fn find(&self, agent: &Bound<'_, PyAny>) -> Option<Arc<Known>> {
        if let Some((_, known)) = self.kept().objects.get(&agent.as_ptr().addr()) {
            return Some(Arc::clone(known));
        }
        // Without the lock, because this can call the interpreter.
        let name = agent.cast::<PyString>().ok()?.to_cow().ok()?;
        let mut kept = self.kept();
        let known = Arc::clone(kept.names.get(&*name)?);
        kept.remember(agent, &known);
        Some(known)
    }

    /// Returns the crawler of an agent that has asked before.
    pub(crate) fn get(&self, agent: &Agent) -> Option<Arc<Known>> {
        let kept = self.kept();
        match agent {
            Agent::One(name) => kept.names.get(name.as_str()),
            Agent::Several(names) => kept.orders.get(names),
        }
        .cloned()
    }

    /// Keeps the crawler of an agent that was made from `value`.
    pub(crate) fn put(&self, agent: Agent, value: &Bound<'_, PyAny>, crawler: Crawler) -> Arc<Known> {
        let known = Arc::new(Known { crawler, rules: OnceLock::new(), records: OnceLock::new() });
        let mut kept = self.kept();
        if kept.names.len() + kept.orders.len() >= MOST {
            *kept = Kept::default();
        }
        kept.remember(value, &known);
        match agent {
            Agent::One(name) => kept.names.insert(name.into(), Arc::clone(&known)),
            Agent::Several(names) => kept.orders.insert(names, Arc::clone(&known)),
        };
        known
    }

    fn compile(&self, robots: &Robots, crawler: &Crawler) -> Arc<RuleSet> {
        if self.kept().compiled < ALONE {
            let rules = Arc::new(robots.rules(crawler));
            self.kept().count(&rules);
            return rules;
        }
        let groups = robots.groups();
        let selection = groups.select(crawler);
        let key = (selection.basis(), selection.indices().collect());
        if let Some(rules) = self.kept().sets.get(&key) {
            return Arc::clone(rules);
        }
        let rules = Arc::new(RuleSet::compile(&selection, &robots.profile().matching));
        let mut kept = self.kept();
        kept.count(&rules);
        kept.sets.insert(key, Arc::clone(&rules));
        rules
    }

    fn kept(&self) -> MutexGuard<'_, Kept> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Kept {
    fn remember(&mut self, value: &Bound<'_, PyAny>, known: &Arc<Known>) {
        // An instance of a subclass can refer to this object, and a cycle would never be freed.
        let Ok(object) = value.cast_exact::<PyString>() else { return };
        if self.objects.len() >= OBJECTS {
            self.objects.clear();
        }
        self.objects.insert(object.as_ptr().addr(), (object.clone().unbind(), Arc::clone(known)));
    }

    /// Counts a rule set, and forgets all if they use too much memory.
    fn count(&mut self, rules: &RuleSet) {
        self.compiled += 1;
        self.memory += rules.memory();
        if self.memory > MOST_MEMORY {
            *self = Self { compiled: self.compiled, memory: rules.memory(), ..Self::default() };
        }
    }
}
