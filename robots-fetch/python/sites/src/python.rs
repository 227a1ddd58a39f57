//! Arguments, and values of `robots_exclusion`, whose classes are in another extension module.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBytes, PyDict, PyList, PyString};
use robots_exclusion_fields::url_text;
use robots_fetch::matching::records::TimeWindow;
use robots_fetch::matching::syntax::BodyKind;
use robots_fetch::matching::{Crawler, Document, Effect, KNOWN_NAMES, Reason, Target, Verdict};
use robots_fetch::{Origin, Permission, SiteProfile};
use url::{Position, Url};

/// Returns the profile of a document.
pub(crate) fn profile(name: &str) -> PyResult<SiteProfile> {
    let document: Document =
        name.parse().map_err(|error| PyValueError::new_err(format!("profile {name:?}: {error}")))?;
    Ok(document.into())
}

/// Returns the text of a `str` or of `bytes`, or `None` for other objects.
fn text(value: &Bound<'_, PyAny>) -> PyResult<Option<String>> {
    match value.cast::<PyBytes>() {
        Ok(bytes) => Ok(Some(String::from_utf8_lossy(bytes.as_bytes()).into_owned())),
        Err(_) if value.is_instance_of::<PyString>() => value.extract().map(Some),
        Err(_) => Ok(None),
    }
}

/// Returns a URL, and its origin. The argument is `str`, `bytes`, or an object of a URL class, such as those of httpx and yarl.
pub(crate) fn site(url: &Bound<'_, PyAny>) -> PyResult<(Url, Origin)> {
    let url = match text(url)? {
        Some(text) => text,
        None => url_text(url)?
            .ok_or_else(|| {
                let found = url.get_type().name().map(|name| name.to_string()).unwrap_or_default();
                PyTypeError::new_err(format!("url: expected a URL, got {found}"))
            })?
            .extract()?,
    };
    let target = Target::parse(&url).map_err(|error| PyValueError::new_err(error.to_string()))?;
    let parsed = target
        .url()
        .ok_or_else(|| PyValueError::new_err(format!("{url:?} is not a URL, but a path without its site")))?;
    let origin = Origin::from_url(&parsed).map_err(|error| PyValueError::new_err(error.to_string()))?;
    Ok((parsed, origin))
}

/// Returns the origin of a URL, such as ``https://example.com``: the part of it that names its site.
#[pyfunction]
pub(crate) fn origin(url: &Bound<'_, PyAny>) -> PyResult<String> {
    Ok(site(url)?.1.to_string())
}

/// Returns the names of the argument `agent`: a name, or names in the order of preference.
pub(crate) fn names(agent: &Bound<'_, PyAny>) -> PyResult<Vec<String>> {
    let wrong = || {
        PyTypeError::new_err("expected an agent: a name, or an iterable of names in the order of preference")
    };
    if let Some(name) = text(agent)? {
        return Ok(vec![name]);
    }
    let items = agent.try_iter().map_err(|_| wrong())?;
    items.map(|item| text(&item?)?.ok_or_else(wrong)).collect()
}

/// Returns the crawler with these names. If `lenient`, a text without a name is a crawler that no line names.
pub(crate) fn crawler(
    py: Python<'_>,
    names: &[String],
    profile: &SiteProfile,
    lenient: bool,
) -> PyResult<Crawler> {
    match Crawler::parse(names, &profile.rules.groups, &KNOWN_NAMES) {
        Ok(crawler) => Ok(crawler),
        Err(_) if lenient => {
            let found = names.iter().find_map(|name| Crawler::from_user_agent(name, &KNOWN_NAMES));
            Ok(found.unwrap_or_else(Crawler::unnamed))
        }
        Err(error) => {
            let class = class(py, &INVALID_AGENT, "InvalidAgent");
            Err(match class.and_then(|class| class.call1((error.to_string(),))) {
                Ok(error) => PyErr::from_value(error),
                Err(error) => error,
            })
        }
    }
}

/// Returns the document of a profile.
pub(crate) fn document(profile: &SiteProfile) -> Document {
    let found =
        Document::ALL.into_iter().find(|document| SiteProfile::from(*document).rules == profile.rules);
    found.unwrap_or_default()
}

/// Returns a file as `Robots` of `robots_exclusion`.
pub(crate) fn robots(
    py: Python<'_>,
    body: &[u8],
    profile: &SiteProfile,
    lenient_agents: bool,
) -> PyResult<Py<PyAny>> {
    let named = PyDict::new(py);
    named.set_item("lenient_agents", lenient_agents)?;
    let arguments = (PyBytes::new(py, body), document(profile).name());
    Ok(class(py, &ROBOTS, "Robots")?.call(arguments, Some(&named))?.unbind())
}

/// Returns the `Explanation` of a decision that no file gives.
pub(crate) fn without_file<'py>(decision: &Bound<'py, PyAny>, path: &str) -> PyResult<Bound<'py, PyAny>> {
    let py = decision.py();
    let none = || PyList::empty(py);
    class(py, &EXPLANATION, "Explanation")?.call1((decision, path, path, none(), none(), none(), none()))
}

/// Returns the class `SiteDecision`.
pub(crate) fn site_decision(py: Python<'_>) -> PyResult<Bound<'_, PyAny>> {
    let import = || PyResult::Ok(py.import("robots_exclusion_sites")?.getattr("SiteDecision")?.unbind());
    Ok(SITE_DECISION.get_or_try_init(py, import)?.bind(py).clone())
}

/// Returns a rate and its hours as a `RequestRate` of `robots_exclusion`.
pub(crate) fn request_rate<'py>(
    py: Python<'py>,
    (requests, period, window): &(u64, Duration, Option<TimeWindow>),
) -> PyResult<Bound<'py, PyAny>> {
    let window = window.as_ref().map(|window| visit_time(py, window)).transpose()?;
    class(py, &REQUEST_RATE, "RequestRate")?.call1((requests, period.as_secs_f64(), window))
}

/// Returns hours as a `VisitTime` of `robots_exclusion`.
pub(crate) fn visit_time<'py>(py: Python<'py>, window: &TimeWindow) -> PyResult<Bound<'py, PyAny>> {
    class(py, &VISIT_TIME, "VisitTime")?.call1((window.from(), window.until()))
}

static DECISION: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
static EXPLANATION: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
static INVALID_AGENT: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
static REQUEST_RATE: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
static ROBOTS: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
static SITE_DECISION: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
static VISIT_TIME: PyOnceLock<Py<PyAny>> = PyOnceLock::new();

fn class<'py>(py: Python<'py>, cell: &PyOnceLock<Py<PyAny>>, name: &str) -> PyResult<Bound<'py, PyAny>> {
    let import = || PyResult::Ok(py.import("robots_exclusion")?.getattr(name)?.unbind());
    Ok(cell.get_or_try_init(py, import)?.bind(py).clone())
}

/// Returns a verdict as a `Decision` of `robots_exclusion`. Its rule is in the form that is compared with URLs. If no rule decides, the
/// text says what the body of the answer is; `kind` is only asked then.
pub(crate) fn decision<'py>(
    py: Python<'py>,
    verdict: &Verdict,
    permission: &Permission,
    url: &Url,
    kind: impl FnOnce() -> Option<BodyKind>,
) -> PyResult<Bound<'py, PyAny>> {
    let is_without_rule = matches!(verdict.reason(), Reason::NoGroup | Reason::NoRule);
    let kind = if is_without_rule { kind() } else { None };
    let rules = permission.rules();
    let rule = rules.filter(|_| verdict.rule().is_some()).and_then(|rules| {
        let rule = rules.deciding_rule(&url[Position::BeforePath..Position::AfterQuery])?;
        let key = if rule.effect == Effect::Allow { "Allow" } else { "Disallow" };
        Some(format!("{key}: {}", String::from_utf8_lossy(rule.pattern)))
    });
    let span = verdict.span().map(|span| (span.start(), span.end()));
    let basis = rules.map(|rules| rules.basis().name());
    let arguments = (
        verdict.is_allowed(),
        verdict.reason().code(),
        verdict.text_in(kind.unwrap_or(BodyKind::Rules)),
        verdict.line(),
        rule,
        span,
        basis,
    );
    class(py, &DECISION, "Decision")?.call1(arguments)
}

/// Returns a time as seconds since 1970.
pub(crate) fn seconds(time: SystemTime) -> f64 {
    match time.duration_since(UNIX_EPOCH) {
        Ok(since) => since.as_secs_f64(),
        Err(before) => -before.duration().as_secs_f64(),
    }
}

/// Returns the time of `now`, in seconds since 1970, or the time of the system.
pub(crate) fn time(now: Option<f64>) -> PyResult<SystemTime> {
    let Some(now) = now else { return Ok(SystemTime::now()) };
    let since = Duration::try_from_secs_f64(now).ok().and_then(|since| UNIX_EPOCH.checked_add(since));
    since.ok_or_else(|| PyValueError::new_err(format!("{now} is not a time: expected seconds since 1970")))
}

/// Returns a timeout.
pub(crate) fn timeout(seconds: f64) -> PyResult<Duration> {
    let duration = Duration::try_from_secs_f64(seconds).ok().filter(|timeout| !timeout.is_zero());
    duration.ok_or_else(|| {
        PyValueError::new_err(format!("{seconds} is not a timeout: expected seconds, more than 0"))
    })
}
