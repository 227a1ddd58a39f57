//! The class `Robots`.

use std::borrow::Cow;
use std::sync::Arc;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBytes, PyDict, PyList, PyString};
use robots_match::lint::LintContext;
use robots_match::{Crawler, Document, Profile, RuleSet, Target, Verdict, explain, syntax};

use crate::findings::{Change, Difference, Finding};
use crate::input::{Agent, bytes_of, document, is_url, lossy, url_bytes};
use crate::rules::{Crawlers, Known, KnownRecords};
use crate::times::{RequestRate, VisitTime};
use crate::values::{Decision, Explanation, Group, Rule, hash, text};

/// From this length on, a URL is checked without the lock of the interpreter.
const LONG: usize = 4096;

/// From this length on, a body is read without the lock of the interpreter.
const LARGE: usize = 65_536;

/// A robots.txt file, and the document by which it is read.
///
/// ``body`` is ``bytes`` or ``str``; any content is accepted. ``profile`` is one of ``PROFILES``: ``rfc9309``,
/// ``draft-koster-rep-00``, ``google`` and ``koster-1996``. An agent is a name, a ``User-Agent`` header, or names in the order of
/// preference. ``InvalidAgent`` is raised for other text.
///
/// With ``lenient_agents``, no agent is an error: a crawler whose name is not found obeys the groups for ``*``. With
/// ``lenient_lines``, lines are also read without a colon and with the misspellings that Google's parser accepts.
///
/// Threads can share a file. What it says to the crawlers that asked last, up to 1,024 of them, is found out once. Two files are
/// equal if their bodies and these arguments are.
///
/// A ``str`` that is a URL, such as ``"https://example.com/robots.txt"``, raises ``ValueError``, because it is probably the address of the
/// file; ``bytes`` do not.
///
/// >>> robots = Robots("User-agent: *\nDisallow: /private\n")
/// >>> robots.can_fetch("ExampleBot", "https://example.com/private/page")
/// False
#[pyclass(frozen, weakref, module = "robots_exclusion")]
pub(crate) struct Robots {
    robots: robots_match::Robots,
    kind: syntax::BodyKind,
    document: Document,
    lenient_agents: bool,
    lenient_lines: bool,
    crawlers: Crawlers,
    lists: Lists,
}

/// Values that are made once, when they are first asked for. A program gets a copy of the list.
struct Lists {
    sitemaps: PyOnceLock<Py<PyList>>,
    groups: PyOnceLock<Py<PyList>>,
    names: PyOnceLock<Py<PyList>>,
    other_records: PyOnceLock<Py<PyList>>,
}

impl Lists {
    const fn new() -> Self {
        Self {
            sitemaps: PyOnceLock::new(),
            groups: PyOnceLock::new(),
            names: PyOnceLock::new(),
            other_records: PyOnceLock::new(),
        }
    }
}

/// Returns a copy of a list, whose items `make` returns without the lock of the interpreter unless they are known.
fn copied<'py, T>(
    py: Python<'py>,
    list: &PyOnceLock<Py<PyList>>,
    make: impl FnOnce() -> Vec<T> + Send,
) -> PyResult<Bound<'py, PyList>>
where
    T: IntoPyObject<'py> + Send,
{
    let known = list.get_or_try_init(py, || PyResult::Ok(PyList::new(py, py.detach(make))?.unbind()))?;
    let known = known.bind(py);
    Ok(known.get_slice(0, known.len()))
}

/// The arguments with which pickle makes an object again, by position and by name.
type Arguments<'py> = ((Bound<'py, PyBytes>, &'static str), Bound<'py, PyDict>);

impl Robots {
    fn agent(&self, value: &Bound<'_, PyAny>) -> PyResult<Agent> {
        Agent::from_python(value, self.lenient_agents)
    }

    /// Returns the crawler of an agent.
    fn known(&self, value: &Bound<'_, PyAny>) -> PyResult<Arc<Known>> {
        match self.crawlers.find(value) {
            Some(known) => Ok(known),
            None => self.known_as(value, self.agent(value)?),
        }
    }

    /// Returns the crawler of an agent that was made from `value`.
    fn known_as(&self, value: &Bound<'_, PyAny>, agent: Agent) -> PyResult<Arc<Known>> {
        if let Some(known) = self.crawlers.get(&agent) {
            return Ok(known);
        }
        let crawler = agent.crawler(self.robots.profile(), self.lenient_agents)?;
        Ok(self.crawlers.put(agent, value, crawler))
    }

    fn rules<'k>(&self, py: Python<'_>, known: &'k Known) -> &'k Arc<RuleSet> {
        known.rules(py, &self.robots, &self.crawlers)
    }

    /// Calls `f` with the verdict about a URL and the rules that gave it.
    fn verdict<T>(
        &self,
        agent: &Bound<'_, PyAny>,
        url: &[u8],
        f: impl FnOnce(&RuleSet, &Verdict) -> T,
    ) -> PyResult<T> {
        let py = agent.py();
        let known = self.known(agent)?;
        let rules = self.rules(py, &known);
        let verdict = || rules.check_requested(url);
        let verdict = if url.len() < LONG { verdict() } else { py.detach(verdict) };
        Ok(f(rules, &verdict))
    }

    /// Calls `f` with the records for an agent.
    fn with_records<T>(&self, agent: &Bound<'_, PyAny>, f: impl FnOnce(&KnownRecords) -> T) -> PyResult<T> {
        Ok(f(self.known(agent)?.records(agent.py(), &self.robots)))
    }

    /// Returns the arguments of the constructor after the body.
    const fn arguments(&self) -> (&'static str, bool, bool) {
        (self.document.name(), self.lenient_agents, self.lenient_lines)
    }

    pub(crate) const fn file(&self) -> &robots_match::Robots {
        &self.robots
    }

    /// Returns the decision about a URL, and the crawler of an agent.
    pub(crate) fn decide(&self, agent: &Bound<'_, PyAny>, url: &[u8]) -> PyResult<(Decision, Crawler)> {
        let known = self.known(agent)?;
        let rules = self.rules(agent.py(), &known);
        Ok((self.decision(rules, &rules.check_requested(url)), known.crawler.clone()))
    }

    fn decision(&self, rules: &RuleSet, verdict: &Verdict) -> Decision {
        Decision::from_verdict(verdict, rules.basis(), self.robots.body(), self.kind)
    }
}

#[pymethods]
impl Robots {
    #[new]
    #[pyo3(signature = (body, profile="rfc9309", *, lenient_agents=false, lenient_lines=false))]
    fn new(
        body: &Bound<'_, PyAny>,
        profile: &str,
        lenient_agents: bool,
        lenient_lines: bool,
    ) -> PyResult<Self> {
        let document = document(profile)?;
        let mut profile = Profile::from(document);
        if lenient_lines {
            profile.syntax.colon_optional = true;
            profile.syntax.spellings = syntax::SyntaxPolicy::GOOGLE.spellings;
        }
        let py = body.py();
        let is_checked = !lenient_agents && body.cast::<PyString>().is_ok();
        let body: Box<[u8]> = Box::from(&*bytes_of(body)?);
        if is_checked && is_url(&body) {
            return Err(PyValueError::new_err(
                "the body is a URL: pass what a request for it returned, or use robots_exclusion.Cache, which sends the request",
            ));
        }
        let kind = || syntax::BodyKind::of(&body, &profile.syntax);
        let kind = if body.len() < LARGE { kind() } else { py.detach(kind) };
        if is_checked && kind == syntax::BodyKind::Name {
            return Err(PyValueError::new_err(
                "the body is the name of a file: pass its content, such as Path(name).read_bytes()",
            ));
        }
        Ok(Self {
            kind,
            robots: robots_match::Robots::from_boxed(body, profile),
            document,
            lenient_agents,
            lenient_lines,
            crawlers: Crawlers::default(),
            lists: Lists::new(),
        })
    }

    /// Returns whether a crawler may access a URL: a whole one, or a path that begins with ``/``. The URL is what a client
    /// requests: ``..`` is resolved, and characters that clients encode are percent-encoded. For any other text, the answer is
    /// ``False``.
    ///
    /// >>> robots = Robots(b"User-agent: ExampleBot\nDisallow: /*.gif$\n")
    /// >>> robots.can_fetch("ExampleBot", "https://example.com/cat.gif")
    /// False
    /// >>> robots.can_fetch(["ExampleBot-Image", "ExampleBot"], "/cat.gif?size=2")
    /// True
    fn can_fetch(&self, agent: &Bound<'_, PyAny>, url: &Bound<'_, PyAny>) -> PyResult<bool> {
        self.verdict(agent, &url_bytes(url)?, |_, verdict| verdict.is_allowed())
    }

    /// Returns the decision about a URL, as ``can_fetch`` reads it, with the line that decides. A text that is neither a URL nor a
    /// path is not allowed, with the reason ``not-url``.
    ///
    /// >>> print(Robots("User-agent: *\nAllow: /a\n").check("ExampleBot", "/b"))
    /// allowed: no rule matches
    fn check(&self, agent: &Bound<'_, PyAny>, url: &Bound<'_, PyAny>) -> PyResult<Decision> {
        self.verdict(agent, &url_bytes(url)?, |rules, verdict| self.decision(rules, verdict))
    }

    /// Returns the groups and rules that led to the decision, and the rules that almost matched.
    ///
    /// >>> robots = Robots("User-agent: *\nDisallow: /\nUser-agent: ExampleBot\nDisallow: /Page\n")
    /// >>> print(robots.explain("ExampleBot", "/page"))
    /// /page allowed: no rule matches
    ///   line 4: Disallow: /Page almost matches (case)
    ///   line 2: Disallow: / is in a group that does not apply
    fn explain(&self, agent: &Bound<'_, PyAny>, url: &Bound<'_, PyAny>) -> PyResult<Explanation> {
        let url: &[u8] = &url_bytes(url)?;
        let known = self.known(agent)?;
        // Another text is compared with nothing.
        let path = Target::parse(url).map_or(Cow::Borrowed(url), Target::into_path);
        let explained: explain::Explanation<'_> =
            agent.py().detach(|| self.robots.explain(&known.crawler, &*path));
        let misses = explained.near_misses.iter().map(|miss| Rule::from_rule(miss.rule(), Some(miss.code())));
        Ok(Explanation {
            decision: Decision::from_verdict(
                &explained.verdict,
                explained.basis,
                self.robots.body(),
                self.kind,
            ),
            path: text(&explained.path),
            compared: text(&explained.compared),
            groups: explained.groups.iter().map(Group::from_explanation).collect(),
            matched: explained.matched.iter().map(Rule::from_matched).collect(),
            near_misses: misses.collect(),
            other_matches: explained.other_matches.iter().map(Rule::from_matched).collect(),
        })
    }

    /// Returns the mistakes in the file, in the order of the file. ``content_type`` is the value of the header field with which
    /// the file was served, and ``url`` its address. With ``all``, findings about style and about what platforms write by default
    /// are returned too.
    ///
    /// >>> [finding.lint for finding in Robots("User-agent: *\nDisalow: /private\n").lint()]
    /// ['misspelt-key']
    #[pyo3(signature = (*, content_type=None, url=None, all=false))]
    fn lint(
        &self,
        py: Python<'_>,
        content_type: Option<&Bound<'_, PyAny>>,
        url: Option<&Bound<'_, PyAny>>,
        all: bool,
    ) -> PyResult<Vec<Finding>> {
        let content_type = content_type.map(lossy).transpose()?;
        let url = url.map(lossy).transpose()?;
        let report = py.detach(|| {
            let mut context = LintContext::default();
            context.profile = *self.robots.profile();
            context.content_type = content_type.as_deref();
            context.url = url.as_deref();
            context.all = all;
            context.lint(self.robots.body())
        });
        Ok(report.findings.iter().map(Finding::new).collect())
    }

    /// Returns the ``Crawl-delay`` of a crawler in seconds, or ``None``.
    ///
    /// >>> Robots("User-agent: *\nCrawl-delay: 2.5\nDisallow:\n").crawl_delay("ExampleBot")
    /// 2.5
    fn crawl_delay(&self, agent: &Bound<'_, PyAny>) -> PyResult<Option<f64>> {
        self.with_records(agent, |records| records.crawl_delay)
    }

    /// Returns the first ``Request-rate`` of a crawler, or ``None``.
    ///
    /// >>> Robots("User-agent: *\nRequest-rate: 1/10s\nDisallow:\n").request_rate("ExampleBot")
    /// <RequestRate 1/10s>
    fn request_rate(&self, agent: &Bound<'_, PyAny>) -> PyResult<Option<Py<RequestRate>>> {
        let py = agent.py();
        self.known(agent)?.records(py, &self.robots).request_rate(py)
    }

    /// Returns the hours in which a crawler is welcome. If there are none, it is welcome all day.
    fn visit_times(&self, agent: &Bound<'_, PyAny>) -> PyResult<Vec<VisitTime>> {
        self.with_records(agent, |records| records.visit_times.clone())
    }

    /// Returns which paths another file, the one after a change, treats differently for a crawler.
    ///
    /// >>> old = Robots("User-agent: *\nDisallow: /a\n")
    /// >>> difference = old.difference(Robots("User-agent: *\nDisallow: /a/\n"), "ExampleBot")
    /// >>> difference.newly_allowed.path, difference.newly_disallowed
    /// ('/a', None)
    fn difference(&self, other: &Self, agent: &Bound<'_, PyAny>) -> PyResult<Difference> {
        let py = agent.py();
        // The argument is read once, because it can be an iterator.
        let crawler = self.agent(agent)?;
        let (known, known_to_other) =
            (self.known_as(agent, crawler.clone())?, other.known_as(agent, crawler)?);
        let (before, after) = (self.rules(py, &known), other.rules(py, &known_to_other));
        let found = py.detach(|| before.difference(after, robots_match::Difference::MAX_STATES));
        let change = |change: &robots_match::Change| {
            change.witness().map(|witness| {
                let decision_before = self.decision(before, &witness.before);
                Change::new(witness.path.clone(), decision_before, other.decision(after, &witness.after))
            })
        };
        let decided = |change: &robots_match::Change| change.is_nothing() || change.witness().is_some();
        Ok(Difference {
            newly_allowed: change(&found.newly_allowed),
            newly_disallowed: change(&found.newly_disallowed),
            decided: decided(&found.newly_allowed) && decided(&found.newly_disallowed),
        })
    }

    /// The bytes of the file.
    #[getter]
    fn body<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, self.robots.body())
    }

    /// What the body is: ``rules``, ``no-group`` (a file without a group), ``empty``, ``html-with-rules``, or, if it is not a
    /// robots.txt file, ``html``, ``json``, ``xml``, ``text``, ``code``, ``name`` or ``binary``.
    ///
    /// >>> Robots("<!doctype html><title>Oops</title>").kind
    /// 'html'
    #[getter]
    const fn kind(&self) -> &'static str {
        self.kind.name()
    }

    /// The name of the document by which the file is read.
    #[getter]
    const fn profile(&self) -> &'static str {
        self.document.name()
    }

    /// The values of the ``Sitemap`` lines, as they are written.
    ///
    /// >>> Robots("Sitemap: https://example.com/map.xml\n").sitemaps
    /// ['https://example.com/map.xml']
    #[getter]
    fn sitemaps<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        copied(py, &self.lists.sitemaps, || self.robots.sitemaps().map(text).collect::<Vec<_>>())
    }

    /// The groups, in the order of the file.
    ///
    /// >>> [group.agents for group in Robots("User-agent: a\nUser-agent: b\nDisallow: /\n").groups]
    /// [['a', 'b']]
    #[getter]
    fn groups<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let groups = || {
            let groups = self.robots.groups();
            groups.iter().map(|group| Group::new(group.agents(), group.rules())).collect::<Vec<_>>()
        };
        copied(py, &self.lists.groups, groups)
    }

    /// The names on ``User-agent`` lines, each once, without ``*``.
    ///
    /// >>> Robots("User-agent: *\nUser-agent: GPTBot\nDisallow: /\nUser-agent: gptbot\nAllow: /a\n").crawlers
    /// ['GPTBot']
    #[getter]
    fn crawlers<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let names = || {
            let groups = self.robots.groups();
            let mut seen = std::collections::HashSet::new();
            let names = groups
                .iter()
                .flat_map(|group| group.agents())
                .filter(|name| !groups.policy().is_general(name.bytes()));
            names
                .filter(|name| !name.is_empty() && seen.insert(name.bytes().to_ascii_lowercase()))
                .map(|name| text(name.bytes()))
                .collect::<Vec<_>>()
        };
        copied(py, &self.lists.names, names)
    }

    /// The names and values of other lines, such as ``Host``, as they are written.
    #[getter]
    fn other_records<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let records = || {
            let records = self.robots.other_records();
            records.map(|(key, value)| (text(key.bytes()), text(value.bytes()))).collect::<Vec<_>>()
        };
        copied(py, &self.lists.other_records, records)
    }

    fn __eq__(&self, other: &Self) -> bool {
        self.robots.body() == other.robots.body() && self.arguments() == other.arguments()
    }

    fn __hash__(&self) -> u64 {
        hash(&(self.robots.body(), self.arguments()))
    }

    fn __repr__(&self) -> String {
        format!("<Robots of {} bytes, {}>", self.robots.body().len(), self.document)
    }

    fn __getnewargs_ex__<'py>(&self, py: Python<'py>) -> PyResult<Arguments<'py>> {
        let named = PyDict::new(py);
        named.set_item("lenient_agents", self.lenient_agents)?;
        named.set_item("lenient_lines", self.lenient_lines)?;
        Ok(((self.body(py), self.document.name()), named))
    }
}
