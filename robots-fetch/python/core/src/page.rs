//! The rules of a page, read from a response.

use std::borrow::Cow;

use pyo3::conversion::FromPyObjectOwned;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use robots_match::Target;
use robots_page::{
    CrawlerRules, PageDocument, PagePolicy, PageReader as Reader, PageRules as Rules, Question, Record,
    RobotsStatements, Timestamp,
};

use crate::dictionary::dictionary;
use crate::input::{Agent, bytes_of, url_bytes};
use crate::robots::Robots;
use crate::values::Decision;

fn document(name: &str) -> PyResult<PageDocument> {
    PageDocument::ALL.iter().copied().find(|document| document.name() == name).ok_or_else(|| {
        let names: Vec<&str> = PageDocument::ALL.iter().map(|document| document.name()).collect();
        PyValueError::new_err(format!("document {name:?}: expected one of {}", names.join(", ")))
    })
}

/// Returns the name of the document by which the operator of a crawler reads pages; ``repext-03`` for a crawler without one.
///
/// >>> page_document("Googlebot"), page_document("ExampleBot")
/// ('google-pages', 'repext-03')
#[pyfunction]
pub(crate) fn page_document(agent: &Bound<'_, PyAny>) -> PyResult<&'static str> {
    let crawler = Agent::from_python(agent, false)?.crawler(&robots_match::Profile::default(), false)?;
    Ok(PageDocument::of_crawler(crawler.names()).name())
}

/// Reads the rules of a response for crawlers: fields such as ``X-Robots-Tag`` and ``Content-Usage``, and ``meta`` elements of
/// HTML. ``headers`` are those of ``requests``, ``httpx``, ``aiohttp``, ``urllib`` or Scrapy, or pairs of name and value. ``html``
/// is the body, without content coding; it is ignored if the response is of another type. At most 1 MiB of it is read.
///
/// >>> page = read_page({"X-Robots-Tag": "noindex"}, b"<meta name=robots content=nosnippet>")
/// >>> answers = page.for_crawler("ExampleBot")
/// >>> answers.index.value, answers.index.source, answers.snippet.source
/// ('no', 'X-Robots-Tag', 'meta element, line 1')
#[pyfunction]
#[pyo3(signature = (headers, html=None, *, document="repext-03"))]
pub(crate) fn read_page(
    headers: &Bound<'_, PyAny>,
    html: Option<&Bound<'_, PyAny>>,
    document: &str,
) -> PyResult<PageRules> {
    let reader = PageReader::new(document)?;
    let mut state = reader.0;
    for (name, value) in robots_exclusion_fields::fields(headers)? {
        state.field(name.as_bytes(), &value);
    }
    if let Some(html) = html {
        let html = bytes_of(html)?;
        let bytes: &[u8] = &html;
        headers.py().detach(|| state.html(bytes));
    }
    Ok(PageRules { rules: state.finish() })
}

/// Reads a response in parts: first its fields, in order, then its body. See ``read_page``, which reads it at once.
///
/// >>> reader = PageReader("google-pages")
/// >>> reader.field("Content-Type", "text/html")
/// >>> for chunk in (b"<title>A</title><meta name=rob", b"ots content=noindex>"):
/// ...     if reader.wants_html:
/// ...         reader.html(chunk)
/// >>> reader.finish().for_crawler("Googlebot").index.value
/// 'no'
#[pyclass(module = "robots_exclusion")]
pub(crate) struct PageReader(Reader);

#[pymethods]
impl PageReader {
    #[new]
    #[pyo3(signature = (document="repext-03"))]
    fn new(document: &str) -> PyResult<Self> {
        Ok(Self(Reader::new(PagePolicy::from(self::document(document)?))))
    }

    /// Reads a line of the header section.
    fn field(&mut self, name: &Bound<'_, PyAny>, value: &Bound<'_, PyAny>) -> PyResult<()> {
        self.0.field(&bytes_of(name)?, &bytes_of(value)?);
        Ok(())
    }

    /// Whether more of the body can have rules.
    #[getter]
    fn wants_html(&self) -> bool {
        self.0.wants_html()
    }

    /// Reads a part of the body, which may end at any byte.
    fn html(&mut self, chunk: &Bound<'_, PyAny>) -> PyResult<()> {
        self.0.html(&bytes_of(chunk)?);
        Ok(())
    }

    /// Says that the body has more bytes than were given, because it broke off.
    fn cut(&mut self) {
        self.0.cut();
    }

    /// Returns the rules that were read so far.
    fn finish(&self) -> PageRules {
        PageRules { rules: self.0.clone().finish() }
    }
}

/// Returns the time of seconds since 1970.
fn moment(seconds: f64) -> PyResult<Timestamp> {
    if !seconds.is_finite() {
        return Err(PyValueError::new_err(format!("{seconds} is not a time: expected seconds since 1970")));
    }
    // Dates are whole seconds, and a part of a second after a date is after it.
    Ok(Timestamp::new(seconds.ceil() as i64))
}

/// The rules of a page for all crawlers.
#[pyclass(frozen, module = "robots_exclusion")]
pub(crate) struct PageRules {
    rules: Rules,
}

#[pymethods]
impl PageRules {
    /// Whether all that can have rules was read. Otherwise, an answer without a rule means that none was found in what was read.
    #[getter]
    const fn complete(&self) -> bool {
        self.rules.is_complete()
    }

    /// Why the rules are not complete, or ``None``.
    #[getter]
    const fn incomplete_because(&self) -> Option<&'static str> {
        self.rules.incomplete_because()
    }

    /// What deviates from the document, or has no effect.
    #[getter]
    fn problems(&self) -> Vec<PageProblem> {
        self.rules.problems().iter().map(PageProblem::new).collect()
    }

    /// Returns what a crawler may do with the page. With ``robots`` and ``url``, the answers are joined with those of the
    /// robots.txt: a page that it disallows is not fetched, so its rules can't be seen.
    ///
    /// >>> from robots_exclusion import Robots
    /// >>> page = read_page({"X-Robots-Tag": "noindex"})
    /// >>> robots = Robots("User-agent: *\nDisallow: /private\n")
    /// >>> answers = page.for_crawler("ExampleBot", robots=robots, url="https://example.com/private")
    /// >>> answers.known, answers.index, answers.problems[0].code
    /// ('url-only', None, 'rule-not-seen')
    ///
    /// With ``now``, in seconds since 1970 as ``time.time()`` returns them, the answers are those at this time: after the date of
    /// ``unavailable_after``, the page may not be in an index. Without it, the answers do not depend on the time.
    ///
    /// >>> page = read_page({"X-Robots-Tag": "unavailable_after: 2022-08-04"})
    /// >>> page.for_crawler("ExampleBot").index.value
    /// 'yes'
    /// >>> answers = page.for_crawler("ExampleBot", now=1_659_578_233)
    /// >>> answers.index.value, answers.problems[0].code
    /// ('no', 'date-in-the-past')
    #[pyo3(signature = (agent, *, robots=None, url=None, now=None))]
    fn for_crawler(
        &self,
        agent: &Bound<'_, PyAny>,
        robots: Option<&Robots>,
        url: Option<&Bound<'_, PyAny>>,
        now: Option<f64>,
    ) -> PyResult<PageAnswers> {
        let now = now.map(moment).transpose()?;
        let (Some(robots), Some(url)) = (robots, url) else {
            if robots.is_some() || url.is_some() {
                return Err(PyValueError::new_err("give both robots and url, or neither"));
            }
            let crawler =
                Agent::from_python(agent, false)?.crawler(&robots_match::Profile::default(), false)?;
            return Ok(PageAnswers::new(self.rules.for_crawler(&crawler), now, None));
        };
        let url: &[u8] = &url_bytes(url)?;
        let path = Target::parse(url).map_or(Cow::Borrowed(url), Target::into_path);
        let (decision, crawler) = robots.decide(agent, url)?;
        let statements = RobotsStatements::new(robots.file(), &crawler, &path);
        let rules = self.rules.for_crawler(&crawler).with_robots(statements.records());
        Ok(PageAnswers::new(rules, now, Some(decision)))
    }

    fn __repr__(&self) -> String {
        let rules: Vec<String> = self.rules.records().iter().map(|record| record.rule.to_string()).collect();
        format!("<PageRules: {}>", rules.join(", "))
    }
}

/// An answer about a page.
#[pyclass(frozen, get_all, from_py_object, eq, hash, module = "robots_exclusion")]
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) struct PageAnswer {
    /// The answer in a word or two, such as ``no`` or ``at most 20 characters``.
    value: String,
    /// Whether the use is prevented or limited.
    limited: bool,
    /// The rule that decides, such as ``noindex``, or ``None``.
    rule: Option<String>,
    /// The place of the rule, such as ``meta element, line 2``, or ``None``.
    source: Option<String>,
    /// The number of other rules about the question.
    others: usize,
}

#[pymethods]
impl PageAnswer {
    #[new]
    #[pyo3(signature = (value, limited, rule=None, source=None, others=0))]
    const fn from_parts(
        value: String,
        limited: bool,
        rule: Option<String>,
        source: Option<String>,
        others: usize,
    ) -> Self {
        Self { value, limited, rule, source, others }
    }

    fn __str__(&self) -> String {
        match (&self.rule, &self.source) {
            (Some(rule), Some(source)) => format!("{}: {rule} ({source})", self.value),
            _ => self.value.clone(),
        }
    }

    fn __repr__(&self) -> String {
        format!("<PageAnswer {}>", self.__str__())
    }

    /// Returns the members as a dictionary for JSON.
    fn as_dict<'py>(this: &Bound<'py, Self>) -> PyResult<Bound<'py, PyDict>> {
        dictionary(this, &["value", "limited", "rule", "source", "others"])
    }

    /// Returns the arguments with which pickle and copy make the object again.
    fn __getnewargs__(&self) -> (String, bool, Option<String>, Option<String>, usize) {
        (self.value.clone(), self.limited, self.rule.clone(), self.source.clone(), self.others)
    }
}

/// What deviates from the document, has no effect, or contradicts another rule.
#[pyclass(frozen, get_all, eq, hash, from_py_object, module = "robots_exclusion")]
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) struct PageProblem {
    /// The name of the problem, such as ``meta-in-body``.
    code: String,
    /// The problem for people.
    message: String,
    /// The place of what has it.
    source: String,
}

impl PageProblem {
    fn new(found: &robots_page::PageProblem) -> Self {
        Self {
            code: found.problem.code().to_owned(),
            message: found.problem.to_string(),
            source: found.source.to_string(),
        }
    }
}

#[pymethods]
impl PageProblem {
    #[new]
    #[pyo3(signature = (code, message, source))]
    const fn from_parts(code: String, message: String, source: String) -> Self {
        Self { code, message, source }
    }

    fn __str__(&self) -> String {
        format!("{}: {} ({})", self.source, self.message, self.code)
    }

    fn __repr__(&self) -> String {
        format!("<PageProblem {}>", self.__str__())
    }

    /// Returns the members as a dictionary for JSON.
    fn as_dict<'py>(this: &Bound<'py, Self>) -> PyResult<Bound<'py, PyDict>> {
        dictionary(this, &["code", "message", "source"])
    }

    /// Returns the arguments with which pickle and copy make the object again.
    fn __getnewargs__(&self) -> (String, String, String) {
        (self.code.clone(), self.message.clone(), self.source.clone())
    }
}

/// Returns a member of a pickled object.
fn member<'py, T: FromPyObjectOwned<'py>>(members: &Bound<'py, PyDict>, name: &str) -> PyResult<T> {
    let value =
        members.get_item(name)?.ok_or_else(|| PyTypeError::new_err(format!("missing member {name}")))?;
    value.extract().map_err(Into::into)
}

macro_rules! answers {
    ($($(#[doc = $doc:literal])* $name:ident = $question:ident,)*) => {
        /// What a crawler may do with a page. Each answer is a ``PageAnswer``; ``None`` if the crawler may not fetch the page.
        #[pyclass(frozen, get_all, eq, hash, module = "robots_exclusion")]
        #[derive(PartialEq, Eq, Hash)]
        pub(crate) struct PageAnswers {
            /// The decision of the robots.txt, or ``None`` if none was given.
            access: Option<Decision>,
            /// What the crawler can know: ``page``, or ``url-only`` if it may not fetch it.
            known: &'static str,
            /// Whether the rules of the page were read to their end.
            complete: bool,
            $($(#[doc = $doc])* $name: Option<PageAnswer>,)*
            /// Whether rights of text and data mining are reserved; ``None`` if nothing is stated.
            tdm_reserved: Option<bool>,
            /// Whether ``noai`` is stated.
            noai: bool,
            /// Whether ``noimageai`` is stated.
            noimageai: bool,
            /// What deviates from the document, has no effect, or contradicts another rule.
            problems: Vec<PageProblem>,
        }

        const MEMBERS: &[&str] = &[
            "access", "known", "complete", $(stringify!($name),)* "tdm_reserved", "noai", "noimageai", "problems",
        ];

        impl PageAnswers {
            fn new(rules: CrawlerRules<'_>, now: Option<Timestamp>, access: Option<Decision>) -> Self {
                let rules = match now {
                    Some(now) => rules.at(now),
                    None => rules,
                };
                let is_fetched = access.as_ref().is_none_or(Decision::is_allowed);
                let answer = |question: Question| {
                    is_fetched.then(|| {
                        let answer = rules.answer(question);
                        let of = |text: fn(&Record) -> String| answer.source.map(text);
                        PageAnswer {
                            rule: of(|record| record.rule.to_string()),
                            source: of(|record| record.source.to_string()),
                            others: answer.others.len(),
                            value: answer.value.text,
                            limited: answer.value.is_limited,
                        }
                    })
                };
                Self {
                    known: if is_fetched { "page" } else { "url-only" },
                    complete: rules.page().is_complete(),
                    $($name: answer(Question::$question),)*
                    tdm_reserved: rules.tdm().value.filter(|_| is_fetched),
                    noai: is_fetched && rules.noai().value,
                    noimageai: is_fetched && rules.noimageai().value,
                    problems: rules.problems(is_fetched).iter().map(PageProblem::new).collect(),
                    access,
                }
            }

            /// Makes the object again from its members.
            fn of_members(members: &Bound<'_, PyDict>) -> PyResult<Self> {
                let known: String = member(members, "known")?;
                let known = ["page", "url-only"].into_iter().find(|name| *name == known);
                Ok(Self {
                    known: known.ok_or_else(|| PyValueError::new_err("known: expected page or url-only"))?,
                    access: member(members, "access")?,
                    complete: member(members, "complete")?,
                    $($name: member(members, stringify!($name))?,)*
                    tdm_reserved: member(members, "tdm_reserved")?,
                    noai: member(members, "noai")?,
                    noimageai: member(members, "noimageai")?,
                    problems: member(members, "problems")?,
                })
            }

            fn by_name(&self, name: &str) -> Option<&Option<PageAnswer>> {
                match name {
                    $(stringify!($name) => Some(&self.$name),)*
                    _ => None,
                }
            }
        }
    };
}

robots_page::page_answers!(answers);

#[pymethods]
impl PageAnswers {
    #[new]
    #[pyo3(signature = (**members))]
    fn from_members(members: Option<&Bound<'_, PyDict>>) -> PyResult<Self> {
        let members = members.ok_or_else(|| PyTypeError::new_err("use PageRules.for_crawler"))?;
        Self::of_members(members)
    }

    /// Returns the arguments with which pickle and copy make the object again.
    fn __getnewargs_ex__<'py>(
        this: &Bound<'py, Self>,
    ) -> PyResult<(Bound<'py, PyTuple>, Bound<'py, PyDict>)> {
        let members = PyDict::new(this.py());
        for name in MEMBERS {
            members.set_item(name, this.getattr(*name)?)?;
        }
        Ok((PyTuple::empty(this.py()), members))
    }

    /// Returns whether a use is prevented or limited: ``index``, ``snippet``, ``follow`` and so on, the names of the answers.
    /// It is if the page may not be fetched.
    ///
    /// >>> read_page({"X-Robots-Tag": "nofollow"}).for_crawler("ExampleBot").limits("follow")
    /// True
    fn limits(&self, name: &str) -> PyResult<bool> {
        match self.by_name(name) {
            Some(answer) => Ok(answer.as_ref().is_none_or(|answer| answer.limited)),
            None => {
                let names: Vec<&str> = Question::ALL.iter().map(|question| question.name()).collect();
                Err(PyValueError::new_err(format!("{name:?}: expected one of {}", names.join(", "))))
            }
        }
    }

    fn __repr__(&self) -> String {
        let limited = Question::ALL.iter().filter_map(|question| {
            let answer = self.by_name(question.name())?.as_ref()?;
            answer.rule.as_ref()?;
            Some(format!("{}={}", question.name(), answer.value))
        });
        let shown: Vec<String> = std::iter::once(self.known.to_owned()).chain(limited).collect();
        format!("<PageAnswers: {}>", shown.join(", "))
    }

    /// Returns the members as a dictionary for JSON.
    fn as_dict<'py>(this: &Bound<'py, Self>) -> PyResult<Bound<'py, PyDict>> {
        dictionary(this, MEMBERS)
    }
}

#[cfg(test)]
mod tests {
    use robots_page::Question;

    #[test]
    fn each_question_has_its_member() {
        assert!(Question::ALL.iter().all(|question| super::MEMBERS.contains(&question.name())));
    }
}
