//! Decisions and explanations, with the rules and groups that they name.

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use robots_match::explain::{GroupExplanation, MatchedRule};
use robots_match::{Effect, SelectionBasis, Span, Verdict, syntax};

use crate::dictionary::dictionary;

/// Returns bytes as text. Bytes that are not UTF-8 are replaced; spans are exact.
pub(crate) fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Returns the hash of a value, the same in all processes.
pub(crate) fn hash(value: &impl std::hash::Hash) -> u64 {
    let mut hasher = std::hash::DefaultHasher::new();
    value.hash(&mut hasher);
    std::hash::Hasher::finish(&hasher)
}

pub(crate) const fn pair(span: Span) -> (usize, usize) {
    (span.start(), span.end())
}

/// Whether a crawler may access a URL, and why. A decision is true if access is allowed.
///
/// >>> from robots_exclusion import Robots
/// >>> decision = Robots("User-agent: *\nDisallow: /private\n").check("ExampleBot", "/private/page")
/// >>> bool(decision), decision.reason, decision.line, decision.rule, decision.span
/// (False, 'rule', 2, 'Disallow: /private', (24, 32))
/// >>> print(decision)
/// disallowed by line 2
#[pyclass(frozen, get_all, from_py_object, eq, hash, module = "robots_exclusion")]
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) struct Decision {
    /// Whether access is allowed.
    allowed: bool,
    /// A short name for programs, such as ``rule``, ``no-rule``, ``no-group``, ``robots-txt`` or ``not-url``.
    reason: String,
    /// The number of the deciding line, from 1.
    line: Option<usize>,
    /// The deciding rule, such as ``Disallow: /private``.
    rule: Option<String>,
    /// The first byte of the deciding pattern, and the byte after the last.
    span: Option<(usize, usize)>,
    /// Why the rules apply: ``named``, ``wildcard`` or ``none``.
    basis: Option<String>,
    /// The decision as a sentence.
    pub(crate) text: String,
}

impl Decision {
    pub(crate) const fn is_allowed(&self) -> bool {
        self.allowed
    }

    pub(crate) fn from_verdict(
        verdict: &Verdict,
        basis: SelectionBasis,
        body: &[u8],
        kind: syntax::BodyKind,
    ) -> Self {
        let rule = verdict.rule();
        Self {
            allowed: verdict.is_allowed(),
            reason: verdict.reason().code().to_owned(),
            line: verdict.line(),
            rule: rule.map(|rule| format!("{}: {}", key(rule.effect), text(rule.span.of(body)))),
            span: verdict.span().map(pair),
            basis: Some(basis.name().to_owned()),
            text: verdict.text_in(kind),
        }
    }
}

const fn key(effect: Effect) -> &'static str {
    match effect {
        Effect::Allow => "Allow",
        Effect::Disallow => "Disallow",
    }
}

#[pymethods]
impl Decision {
    #[new]
    #[pyo3(signature = (allowed, reason, text, line=None, rule=None, span=None, basis=None))]
    const fn new(
        allowed: bool,
        reason: String,
        text: String,
        line: Option<usize>,
        rule: Option<String>,
        span: Option<(usize, usize)>,
        basis: Option<String>,
    ) -> Self {
        Self { allowed, reason, line, rule, span, basis, text }
    }

    const fn __bool__(&self) -> bool {
        self.allowed
    }

    fn __str__(&self) -> String {
        self.text.clone()
    }

    fn __repr__(&self) -> String {
        format!("<Decision: {}>", self.text)
    }

    /// Returns the members as a dictionary for JSON.
    fn as_dict<'py>(this: &Bound<'py, Self>) -> PyResult<Bound<'py, PyDict>> {
        dictionary(this, &["allowed", "reason", "line", "rule", "span", "basis", "text"])
    }

    /// Returns the arguments with which pickle and copy make the object again.
    fn __getnewargs__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        (
            self.allowed,
            self.reason.clone(),
            self.text.clone(),
            self.line,
            self.rule.clone(),
            self.span,
            self.basis.clone(),
        )
            .into_pyobject(py)
    }
}

/// A rule of a file.
#[pyclass(frozen, get_all, from_py_object, eq, hash, module = "robots_exclusion")]
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) struct Rule {
    /// Whether the rule allows.
    allows: bool,
    /// The pattern as it is written.
    pattern: String,
    /// The number of the line, from 1.
    line: usize,
    /// The first byte of the pattern, and the byte after the last.
    span: (usize, usize),
    /// In an explanation: ``decides``, or why the rule does not decide.
    outcome: Option<String>,
}

impl Rule {
    pub(crate) fn from_rule(rule: &syntax::Rule<'_>, outcome: Option<&str>) -> Self {
        Self {
            allows: rule.effect == Effect::Allow,
            pattern: text(rule.pattern.bytes()),
            line: rule.line(),
            span: pair(rule.pattern.span()),
            outcome: outcome.map(str::to_owned),
        }
    }

    pub(crate) fn from_matched(rule: &MatchedRule<'_>) -> Self {
        Self {
            allows: rule.effect == Effect::Allow,
            pattern: text(rule.written),
            line: rule.line,
            span: pair(rule.span),
            outcome: Some(rule.outcome.code().to_owned()),
        }
    }
}

#[pymethods]
impl Rule {
    #[new]
    #[pyo3(signature = (allows, pattern, line, span, outcome=None))]
    const fn new(
        allows: bool,
        pattern: String,
        line: usize,
        span: (usize, usize),
        outcome: Option<String>,
    ) -> Self {
        Self { allows, pattern, line, span, outcome }
    }

    fn __str__(&self) -> String {
        format!("{}: {}", if self.allows { "Allow" } else { "Disallow" }, self.pattern)
    }

    fn __repr__(&self) -> String {
        format!("<Rule in line {}: {}>", self.line, self.__str__())
    }

    /// Returns the members as a dictionary for JSON.
    fn as_dict<'py>(this: &Bound<'py, Self>) -> PyResult<Bound<'py, PyDict>> {
        dictionary(this, &["allows", "pattern", "line", "span", "outcome"])
    }

    /// Returns the arguments with which pickle and copy make the object again.
    fn __getnewargs__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        (self.allows, self.pattern.clone(), self.line, self.span, self.outcome.clone()).into_pyobject(py)
    }
}

/// A group of a file: the names on its ``User-agent`` lines, and its rules.
#[pyclass(frozen, get_all, from_py_object, eq, hash, module = "robots_exclusion")]
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) struct Group {
    /// The names, as they are written.
    agents: Vec<String>,
    /// The rules, in the order of the file.
    rules: Vec<Rule>,
    /// In an explanation: whether the group applies, and why.
    status: Option<String>,
}

impl Group {
    pub(crate) fn new(agents: &[syntax::Field<'_>], rules: &[syntax::Rule<'_>]) -> Self {
        Self {
            agents: agents.iter().map(|agent| text(agent.bytes())).collect(),
            rules: rules.iter().map(|rule| Rule::from_rule(rule, None)).collect(),
            status: None,
        }
    }

    pub(crate) fn from_explanation(group: &GroupExplanation<'_>) -> Self {
        let status = Some(group.status.code().to_owned());
        Self { status, ..Self::new(&group.agents, &group.rules) }
    }
}

#[pymethods]
impl Group {
    #[new]
    #[pyo3(signature = (agents, rules, status=None))]
    const fn from_parts(agents: Vec<String>, rules: Vec<Rule>, status: Option<String>) -> Self {
        Self { agents, rules, status }
    }

    fn __repr__(&self) -> String {
        format!("<Group for {}: {} rules>", self.agents.join(", "), self.rules.len())
    }

    /// Returns the members as a dictionary for JSON.
    fn as_dict<'py>(this: &Bound<'py, Self>) -> PyResult<Bound<'py, PyDict>> {
        dictionary(this, &["agents", "rules", "status"])
    }

    /// Returns the arguments with which pickle and copy make the object again.
    fn __getnewargs__(&self) -> (Vec<String>, Vec<Rule>, Option<String>) {
        (self.agents.clone(), self.rules.clone(), self.status.clone())
    }
}

/// How a decision came about.
#[pyclass(frozen, get_all, eq, hash, module = "robots_exclusion")]
#[derive(PartialEq, Eq, Hash)]
pub(crate) struct Explanation {
    /// The decision.
    pub(crate) decision: Decision,
    /// Path and query of the URL.
    pub(crate) path: String,
    /// Path and query in the form that is compared with patterns.
    pub(crate) compared: String,
    /// All groups of the file, each with its status for the crawler.
    pub(crate) groups: Vec<Group>,
    /// The rules that apply and match; the first one decides.
    pub(crate) matched: Vec<Rule>,
    /// The rules that would match if the URL was written slightly differently.
    pub(crate) near_misses: Vec<Rule>,
    /// The rules that match, but are in a group that does not apply.
    pub(crate) other_matches: Vec<Rule>,
}

#[pymethods]
impl Explanation {
    #[new]
    #[pyo3(signature = (decision, path, compared, groups, matched, near_misses, other_matches))]
    const fn new(
        decision: Decision,
        path: String,
        compared: String,
        groups: Vec<Group>,
        matched: Vec<Rule>,
        near_misses: Vec<Rule>,
        other_matches: Vec<Rule>,
    ) -> Self {
        Self { decision, path, compared, groups, matched, near_misses, other_matches }
    }

    fn __str__(&self) -> String {
        let mut lines = vec![format!("{} {}", self.path, self.decision.text)];
        for rule in &self.matched {
            let outcome = rule.outcome.as_deref().unwrap_or_default();
            lines.push(format!("  line {}: {} ({outcome})", rule.line, rule.__str__()));
        }
        for rule in &self.near_misses {
            let kind = rule.outcome.as_deref().unwrap_or_default();
            lines.push(format!("  line {}: {} almost matches ({kind})", rule.line, rule.__str__()));
        }
        for rule in &self.other_matches {
            lines.push(format!("  line {}: {} is in a group that does not apply", rule.line, rule.__str__()));
        }
        lines.join("\n")
    }

    fn __repr__(&self) -> String {
        format!("<Explanation: {} {}>", self.path, self.decision.text)
    }

    /// Returns the members as a dictionary for JSON.
    fn as_dict<'py>(this: &Bound<'py, Self>) -> PyResult<Bound<'py, PyDict>> {
        dictionary(
            this,
            &["decision", "path", "compared", "groups", "matched", "near_misses", "other_matches"],
        )
    }

    /// Returns the arguments with which pickle and copy make the object again.
    fn __getnewargs__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        (
            self.decision.clone(),
            self.path.clone(),
            self.compared.clone(),
            self.groups.clone(),
            self.matched.clone(),
            self.near_misses.clone(),
            self.other_matches.clone(),
        )
            .into_pyobject(py)
    }
}
