//! The class `Pages`.

use std::sync::Arc;

use arrow_array::builder::{BooleanBuilder, Int32Builder, Int64Builder, ListBuilder, StringBuilder};
use arrow_array::{ArrayRef, RecordBatch};
use arrow_schema::{ArrowError, DataType, Field, Schema, SchemaRef};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3_arrow::PyRecordBatch;
use robots_fetch::warc::{Capture, Damage, Item};
use robots_match::{Crawler, KNOWN_NAMES, Profile};
use robots_page::{PageDocument, PagePolicy, PageReader, PageRules, Question};

use crate::archive::{Archive, Columns};
use crate::columns::{invalid_agent, texts};

/// The rules of the pages of a WARC file, in record batches. `robots_exclusion_arrow.Pages` documents them.
#[pyclass(frozen, module = "robots_exclusion_arrow")]
pub(crate) struct Pages(Arc<Archive>);

#[pymethods]
impl Pages {
    #[new]
    #[pyo3(signature = (file, agents, document, rows))]
    fn new(
        file: &Bound<'_, PyAny>,
        agents: &Bound<'_, PyAny>,
        document: Option<&str>,
        rows: usize,
    ) -> PyResult<Self> {
        let groups = Profile::default().groups;
        let crawler = |agent: String| {
            let crawler = Crawler::parse([&agent], &groups, &KNOWN_NAMES)
                .map_err(|error| invalid_agent(file.py(), &error.to_string()))?;
            let document = document.map_or_else(|| Ok(PageDocument::of_crawler(crawler.names())), named)?;
            Ok(Reader { agent, crawler, document })
        };
        let readers: Vec<Reader> =
            texts(agents, "agents")?.into_iter().map(crawler).collect::<PyResult<_>>()?;
        let readers: Arc<[Reader]> = readers.into();
        let columns = move || -> Box<dyn Columns> { Box::new(Answers::new(Arc::clone(&readers))) };
        Ok(Self(Archive::new(file, rows, Box::new(columns))?))
    }

    const fn __iter__(this: PyRef<'_, Self>) -> PyRef<'_, Self> {
        this
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<PyRecordBatch>> {
        self.0.next_batch(py)
    }

    /// Returns the remaining batches as a stream of Arrow's C interface.
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        self.0.stream(py, requested_schema)
    }
}

fn named(name: &str) -> PyResult<PageDocument> {
    name.parse().map_err(|_| {
        let names: Vec<&str> = PageDocument::ALL.iter().map(|document| document.name()).collect();
        PyValueError::new_err(format!("document {name:?}: expected one of {}", names.join(", ")))
    })
}

/// A crawler, and the document by which it reads pages.
struct Reader {
    agent: String,
    crawler: Crawler,
    document: PageDocument,
}

/// The columns of `Pages`: a row for each capture and crawler.
struct Answers {
    readers: Arc<[Reader]>,
    rows: usize,
    bytes: usize,
    url: StringBuilder,
    date: StringBuilder,
    status: Int32Builder,
    agent: StringBuilder,
    complete: BooleanBuilder,
    /// An answer to each question, in the order of `Question::ALL`.
    answers: Vec<StringBuilder>,
    because: ListBuilder<StringBuilder>,
    problems: ListBuilder<StringBuilder>,
    offset: Int64Builder,
    damage: StringBuilder,
}

impl Answers {
    fn new(readers: Arc<[Reader]>) -> Self {
        Self {
            readers,
            rows: 0,
            bytes: 0,
            url: StringBuilder::new(),
            date: StringBuilder::new(),
            status: Int32Builder::new(),
            agent: StringBuilder::new(),
            complete: BooleanBuilder::new(),
            answers: Question::ALL.iter().map(|_| StringBuilder::new()).collect(),
            because: ListBuilder::new(StringBuilder::new()),
            problems: ListBuilder::new(StringBuilder::new()),
            offset: Int64Builder::new(),
            damage: StringBuilder::new(),
        }
    }

    fn capture(&mut self, capture: &Capture) {
        let readers = Arc::clone(&self.readers);
        // Crawlers that read by the same document share the reading.
        let mut known: Vec<(PageDocument, PageRules)> = Vec::new();
        for reader in &*readers {
            let index = match known.iter().position(|(document, _)| *document == reader.document) {
                Some(index) => index,
                None => {
                    known.push((reader.document, read(capture, reader.document.into())));
                    known.len() - 1
                }
            };
            let Some((_, page)) = known.get(index) else { continue };
            self.row(capture, reader, page);
        }
    }

    fn row(&mut self, capture: &Capture, reader: &Reader, page: &PageRules) {
        self.rows += 1;
        self.url.append_value(String::from_utf8_lossy(&capture.url));
        self.date.append_value(String::from_utf8_lossy(&capture.date));
        self.status.append_option(capture.status.map(i32::from));
        self.agent.append_value(&reader.agent);
        self.complete.append_value(page.is_complete());
        let rules = page.for_crawler(&reader.crawler);
        for (question, column) in Question::ALL.iter().zip(&mut self.answers) {
            let answer = rules.answer(*question);
            column.append_value(&answer.value.text);
            if let Some(record) = answer.source {
                let because = format!("{}: {} ({})", question.name(), record.rule, record.source);
                self.because.values().append_value(because);
            }
        }
        self.because.append(true);
        for found in rules.problems(true).iter() {
            self.problems.values().append_value(found.problem.code());
        }
        self.problems.append(true);
        match &capture.body {
            Ok(_) => {
                self.offset.append_null();
                self.damage.append_null();
            }
            Err(damage) => self.damaged(damage),
        }
    }

    fn damaged(&mut self, damage: &Damage) {
        self.offset.append_option(i64::try_from(damage.offset).ok());
        self.damage.append_value(damage.what);
    }
}

/// Reads the fields and the body of a capture. If the body is not known, the rules are not complete.
fn read(capture: &Capture, policy: PagePolicy) -> PageRules {
    let mut reader = PageReader::new(policy);
    for (name, value) in &capture.fields {
        reader.field(name.as_bytes(), value);
    }
    match &capture.body {
        Ok(body) => reader.html(body),
        Err(_) => reader.cut(),
    }
    reader.finish()
}

impl Columns for Answers {
    fn schema(&self) -> SchemaRef {
        let list = || DataType::List(Arc::new(Field::new_list_field(DataType::Utf8, true)));
        let first = [
            ("url", DataType::Utf8),
            ("date", DataType::Utf8),
            ("status", DataType::Int32),
            ("agent", DataType::Utf8),
            ("complete", DataType::Boolean),
        ];
        let answers = Question::ALL.iter().map(|question| (question.name(), DataType::Utf8));
        let last = [
            ("because", list()),
            ("problems", list()),
            ("offset", DataType::Int64),
            ("damage", DataType::Utf8),
        ];
        let columns = first.into_iter().chain(answers).chain(last);
        Arc::new(Schema::new(columns.map(|(name, kind)| Field::new(name, kind, true)).collect::<Vec<_>>()))
    }

    fn add(&mut self, item: Item) {
        match item {
            Item::Capture(capture) => {
                self.bytes += capture.url.len() + 256;
                self.capture(&capture);
            }
            Item::Damaged(damage) => {
                self.rows += 1;
                self.url.append_null();
                self.date.append_null();
                self.status.append_null();
                self.agent.append_null();
                self.complete.append_null();
                self.answers.iter_mut().for_each(StringBuilder::append_null);
                self.because.append_null();
                self.problems.append_null();
                self.damaged(&damage);
            }
            // A newer library may have other items.
            _ => {}
        }
    }

    fn size(&self) -> (usize, usize) {
        (self.rows, self.bytes)
    }

    fn finish(mut self: Box<Self>) -> Result<RecordBatch, ArrowError> {
        let schema = self.schema();
        let mut columns: Vec<ArrayRef> = vec![
            Arc::new(self.url.finish()),
            Arc::new(self.date.finish()),
            Arc::new(self.status.finish()),
            Arc::new(self.agent.finish()),
            Arc::new(self.complete.finish()),
        ];
        columns.extend(self.answers.iter_mut().map(|column| Arc::new(column.finish()) as ArrayRef));
        columns.push(Arc::new(self.because.finish()));
        columns.push(Arc::new(self.problems.finish()));
        columns.push(Arc::new(self.offset.finish()));
        columns.push(Arc::new(self.damage.finish()));
        RecordBatch::try_new(schema, columns)
    }
}
