//! Decisions as Arrow.

use std::sync::Arc;

use arrow_array::builder::{BooleanBuilder, Float64Builder, Int64Builder, ListBuilder, StringBuilder};
use arrow_array::{Array, ArrayRef, RecordBatch};
use arrow_schema::{Field, Schema};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBytes, PyString};
use pyo3_arrow::PyRecordBatch;
use robots_match::records::CrawlFacts;
use robots_match::{Crawler, Document, KNOWN_NAMES, Profile, Robots, SelectionBasis};

use robots_fetch::warc;

use crate::bodies::{Body, Decided, chunks, each};

static INVALID_AGENT: PyOnceLock<Py<PyAny>> = PyOnceLock::new();

/// Returns the rows of `robots_exclusion_arrow.decide`.
#[pyfunction]
#[pyo3(signature = (bodies, agents, paths, profile, max_size, records))]
pub(crate) fn decide(
    py: Python<'_>,
    bodies: &Bound<'_, PyAny>,
    agents: &Bound<'_, PyAny>,
    paths: &Bound<'_, PyAny>,
    profile: &str,
    max_size: Option<usize>,
    records: bool,
) -> PyResult<PyRecordBatch> {
    let document: Document =
        profile.parse().map_err(|error| PyValueError::new_err(format!("profile {profile:?}: {error}")))?;
    let mut profile = Profile::from(document);
    profile.syntax.max_size = max_size.or(profile.syntax.max_size);
    let (agents, paths) = (texts(agents, "agents")?, texts(paths, "paths")?);
    let crawlers: Vec<Crawler> = agents
        .iter()
        .map(|agent| Crawler::parse([agent], &profile.groups, &KNOWN_NAMES))
        .collect::<Result<_, _>>()
        .map_err(|error| invalid_agent(py, &error.to_string()))?;
    let chunks = chunks(bodies)?;
    let question = Question { agents, crawlers, paths, profile, records };
    let made = py.detach(|| question.answer(&chunks));
    Ok(PyRecordBatch::new(made.map_err(|error| match error {
        Error::Type(found) => {
            PyTypeError::new_err(format!("bodies: expected binary or string values, got {found}"))
        }
        Error::Arrow(error) => PyValueError::new_err(error.to_string()),
    })?))
}

/// Returns the items of an iterable of text.
pub(crate) fn texts(values: &Bound<'_, PyAny>, argument: &str) -> PyResult<Vec<String>> {
    let wrong = || PyTypeError::new_err(format!("{argument}: expected an iterable of str"));
    if values.is_instance_of::<PyString>() || values.is_instance_of::<PyBytes>() {
        return Err(wrong());
    }
    let items = values.try_iter().map_err(|_| wrong())?;
    let text = |item: Bound<'_, PyAny>| {
        // The scalars of pyarrow.
        let item = if item.hasattr("as_py")? { item.call_method0("as_py")? } else { item };
        item.extract().map_err(|_| wrong())
    };
    items.map(|item| text(item?)).collect()
}

pub(crate) fn invalid_agent(py: Python<'_>, text: &str) -> PyErr {
    let import = || PyResult::Ok(py.import("robots_exclusion")?.getattr("InvalidAgent")?.unbind());
    let class = INVALID_AGENT.get_or_try_init(py, import).map(|class| class.bind(py));
    match class.and_then(|class| class.call1((text,))) {
        Ok(error) => PyErr::from_value(error),
        Err(error) => error,
    }
}

enum Error {
    Type(arrow_schema::DataType),
    Arrow(arrow_schema::ArrowError),
}

/// What is decided about each body.
struct Question {
    agents: Vec<String>,
    crawlers: Vec<Crawler>,
    paths: Vec<String>,
    profile: Profile,
    /// Whether there are columns for the kind of body and for other records.
    records: bool,
}

/// What was decided about a body.
struct Answer {
    /// For each agent, and each path: allowed, line, basis, reason, and whether the group is accidental.
    rows: Vec<(bool, Option<i64>, SelectionBasis, &'static str, bool)>,
    flags: warc::Flags,
    /// For each agent: the crawl delay in seconds.
    delays: Vec<Option<f64>>,
    sitemaps: Vec<String>,
}

impl Question {
    fn answer(&self, chunks: &[ArrayRef]) -> Result<RecordBatch, Error> {
        let mut columns = Columns::default();
        let mut index = 0;
        for chunk in chunks {
            // Archives repeat bodies. Those that the chunk has once are read once.
            let mut known: Decided<Answer> = Decided::new();
            let mut row = |body: Option<Body<'_>>| {
                match body {
                    None => self.append(&mut columns, index, None),
                    Some(Body { bytes, value: None }) => {
                        self.append(&mut columns, index, Some(&self.of_body(bytes)));
                    }
                    Some(Body { bytes, value: Some(value) }) => {
                        let answer = known.entry(value).or_insert_with(|| self.of_body(bytes));
                        self.append(&mut columns, index, Some(answer));
                    }
                }
                index += 1;
            };
            each(chunk, &mut row).map_err(Error::Type)?;
        }
        columns.finish(self.records)
    }

    fn of_body(&self, body: &[u8]) -> Answer {
        let mut rows = Vec::with_capacity(self.crawlers.len() * self.paths.len());
        let flags = warc::decide(body, &self.crawlers, &self.paths, &self.profile, |decided| {
            let line = decided.verdict.line().and_then(|line| i64::try_from(line).ok());
            let reason = decided.verdict.reason().code();
            rows.push((decided.verdict.is_allowed(), line, decided.basis, reason, decided.accidental_group));
        });
        let (mut delays, mut sitemaps) = (Vec::new(), Vec::new());
        if self.records {
            let robots = Robots::new(body, self.profile);
            let delay =
                |crawler| CrawlFacts::new(&robots, crawler).crawl_delay.map(|delay| delay.as_secs_f64());
            delays = self.crawlers.iter().map(delay).collect();
            sitemaps = robots.sitemaps().map(|url| String::from_utf8_lossy(url).into_owned()).collect();
        }
        Answer { rows, flags, delays, sitemaps }
    }

    /// Adds a row for each agent and path. Without an answer, the body is null, and so is all that is decided.
    fn append(&self, columns: &mut Columns, index: i64, answer: Option<&Answer>) {
        let mut rows = answer.map(|answer| answer.rows.iter());
        for (place, agent) in self.agents.iter().enumerate() {
            for path in &self.paths {
                columns.body.append_value(index);
                columns.agent.append_value(agent);
                columns.path.append_value(path);
                let row = rows.as_mut().and_then(Iterator::next);
                columns.allowed.append_option(row.map(|row| row.0));
                columns.line.append_option(row.and_then(|row| row.1));
                columns.basis.append_option(row.map(|row| row.2.name()));
                columns.reason.append_option(row.map(|row| row.3));
                columns.no_group.append_option(row.map(|row| row.2 == SelectionBasis::None));
                columns.accidental_group.append_option(row.map(|row| row.4));
                let flags = answer.map(|answer| answer.flags);
                columns.html.append_option(flags.map(|flags| flags.kind.is_html()));
                columns.cut.append_option(flags.map(|flags| flags.cut));
                columns.not_utf8.append_option(flags.map(|flags| flags.not_utf8));
                if self.records {
                    columns.kind.append_option(flags.map(|flags| flags.kind.name()));
                    let delay = answer.and_then(|answer| answer.delays.get(place).copied().flatten());
                    columns.crawl_delay.append_option(delay);
                    for url in answer.map(|answer| answer.sitemaps.as_slice()).unwrap_or_default() {
                        columns.sitemaps.values().append_value(url);
                    }
                    columns.sitemaps.append(answer.is_some());
                }
            }
        }
    }
}

/// The columns of the result. Their types are signed, because Spark and others have no unsigned ones.
#[derive(Default)]
struct Columns {
    body: Int64Builder,
    agent: StringBuilder,
    path: StringBuilder,
    allowed: BooleanBuilder,
    line: Int64Builder,
    basis: StringBuilder,
    reason: StringBuilder,
    no_group: BooleanBuilder,
    html: BooleanBuilder,
    accidental_group: BooleanBuilder,
    cut: BooleanBuilder,
    not_utf8: BooleanBuilder,
    kind: StringBuilder,
    crawl_delay: Float64Builder,
    sitemaps: ListBuilder<StringBuilder>,
}

impl Columns {
    fn finish(mut self, records: bool) -> Result<RecordBatch, Error> {
        let mut columns: Vec<(&str, ArrayRef)> = vec![
            ("body", Arc::new(self.body.finish())),
            ("agent", Arc::new(self.agent.finish())),
            ("path", Arc::new(self.path.finish())),
            ("allowed", Arc::new(self.allowed.finish())),
            ("line", Arc::new(self.line.finish())),
            ("basis", Arc::new(self.basis.finish())),
            ("reason", Arc::new(self.reason.finish())),
            ("no_group", Arc::new(self.no_group.finish())),
            ("html", Arc::new(self.html.finish())),
            ("accidental_group", Arc::new(self.accidental_group.finish())),
            ("cut", Arc::new(self.cut.finish())),
            ("not_utf8", Arc::new(self.not_utf8.finish())),
        ];
        if records {
            columns.push(("kind", Arc::new(self.kind.finish())));
            columns.push(("crawl_delay", Arc::new(self.crawl_delay.finish())));
            columns.push(("sitemaps", Arc::new(self.sitemaps.finish())));
        }
        let field = |(name, column): &(&str, ArrayRef)| {
            Field::new(*name, column.data_type().clone(), !matches!(*name, "body" | "agent" | "path"))
        };
        let schema = Schema::new(columns.iter().map(field).collect::<Vec<_>>());
        let columns = columns.into_iter().map(|(_, column)| column).collect();
        RecordBatch::try_new(Arc::new(schema), columns).map_err(Error::Arrow)
    }
}
