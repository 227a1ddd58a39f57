//! Bodies from Arrow, and decisions as Arrow.

use std::sync::Arc;

use arrow_array::builder::{BooleanBuilder, StringDictionaryBuilder, UInt32Builder, UInt64Builder};
use arrow_array::cast::AsArray as _;
use arrow_array::types::UInt8Type;
use arrow_array::{Array, ArrayRef, BinaryArray, RecordBatch};
use arrow_schema::{DataType, Field, Schema};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3_arrow::input::AnyArray;
use pyo3_arrow::{PyChunkedArray, PyRecordBatch};
use robots_match::{Crawler, Document, KNOWN_NAMES, Profile};

use robots_fetch::warc::{self, Decided};

/// Decides about each path for each agent in each body, and returns a record batch with one row for each decision. Each body is
/// read once.
///
/// ``bodies`` is an array or a chunked array of binary or string values: anything with ``__arrow_c_array__`` or
/// ``__arrow_c_stream__``. A null has no rows. ``agents`` and ``paths`` are iterables of ``str``. Bodies are read as ``profile``
/// says, up to ``max_size`` bytes if it is given.
///
/// The columns are ``body`` (the index of the body), ``agent``, ``path``, ``allowed``, ``line`` (null if no line decides),
/// ``basis`` (``named``, ``wildcard`` or ``none``), ``reason``, and the flags ``no_group``, ``html``, ``accidental_group``,
/// ``cut`` and ``not_utf8``.
#[pyfunction]
#[pyo3(signature = (bodies, agents, paths, profile="rfc9309", *, max_size=None))]
pub(crate) fn decide(
    py: Python<'_>,
    bodies: AnyArray,
    agents: Vec<String>,
    paths: Vec<String>,
    profile: &str,
    max_size: Option<usize>,
) -> PyResult<PyRecordBatch> {
    let document: Document =
        profile.parse().map_err(|error| PyValueError::new_err(format!("profile {profile:?}: {error}")))?;
    let mut profile = Profile::from(document);
    profile.syntax.max_size = max_size.or(profile.syntax.max_size);
    let crawlers: Vec<Crawler> = agents
        .iter()
        .map(|agent| Crawler::parse([agent], &profile.groups, &KNOWN_NAMES))
        .collect::<Result<_, _>>()
        .map_err(|error| PyValueError::new_err(error.to_string()))?;
    let chunks: Vec<ArrayRef> = match bodies {
        AnyArray::Array(array) => vec![Arc::clone(array.array())],
        AnyArray::Stream(stream) => {
            let (chunks, _) = PyChunkedArray::into_inner(stream.into_chunked_array()?);
            chunks
        }
    };
    let made = py.detach(|| {
        let mut columns = Columns::default();
        let mut first = 0;
        for chunk in &chunks {
            let mut row = |index: usize, body: &[u8]| {
                columns.add(first + index, body, &agents, &crawlers, &paths, &profile)
            };
            each(chunk, &mut row)?;
            first += chunk.len();
        }
        columns.finish()
    });
    Ok(PyRecordBatch::new(made.map_err(|error| match error {
        Error::Type(found) => PyTypeError::new_err(format!("expected binary or string values, got {found}")),
        Error::Arrow(error) => PyValueError::new_err(error.to_string()),
    })?))
}

enum Error {
    Type(DataType),
    Arrow(arrow_schema::ArrowError),
}

/// Calls `f` for each value that is not null, with its index.
fn each(array: &ArrayRef, f: &mut impl FnMut(usize, &[u8])) -> Result<(), Error> {
    /// Calls `f` for the values of an iterator.
    fn all<B: AsRef<[u8]>>(values: impl Iterator<Item = Option<B>>, f: &mut impl FnMut(usize, &[u8])) {
        for (index, value) in values.enumerate() {
            if let Some(value) = value {
                f(index, value.as_ref());
            }
        }
    }
    match array.data_type() {
        DataType::Binary => all(array.as_binary::<i32>().iter(), f),
        DataType::LargeBinary => all(array.as_binary::<i64>().iter(), f),
        DataType::BinaryView => all(array.as_binary_view().iter(), f),
        DataType::Utf8 => all(array.as_string::<i32>().iter(), f),
        DataType::LargeUtf8 => all(array.as_string::<i64>().iter(), f),
        DataType::Utf8View => all(array.as_string_view().iter(), f),
        DataType::Null => all(BinaryArray::new_null(0).iter(), f),
        other => return Err(Error::Type(other.clone())),
    }
    Ok(())
}

/// The columns of the result.
#[derive(Default)]
struct Columns {
    body: UInt64Builder,
    agent: StringDictionaryBuilder<arrow_array::types::Int32Type>,
    path: StringDictionaryBuilder<arrow_array::types::Int32Type>,
    allowed: BooleanBuilder,
    line: UInt32Builder,
    basis: StringDictionaryBuilder<UInt8Type>,
    reason: StringDictionaryBuilder<UInt8Type>,
    no_group: BooleanBuilder,
    html: BooleanBuilder,
    accidental_group: BooleanBuilder,
    cut: BooleanBuilder,
    not_utf8: BooleanBuilder,
}

impl Columns {
    fn add(
        &mut self,
        index: usize,
        body: &[u8],
        agents: &[String],
        crawlers: &[Crawler],
        paths: &[String],
        profile: &Profile,
    ) {
        let mut rows = 0;
        let flags = warc::decide(body, crawlers, paths, profile, |decided: Decided<'_>| {
            rows += 1;
            self.body.append_value(index as u64);
            self.agent.append_value(agents.get(decided.agent).map_or("", |agent| agent));
            self.path.append_value(decided.path);
            self.allowed.append_value(decided.verdict.is_allowed());
            self.line.append_option(decided.verdict.line().and_then(|line| u32::try_from(line).ok()));
            self.basis.append_value(decided.basis.name());
            self.reason.append_value(decided.verdict.reason().code());
            self.no_group.append_value(decided.basis == robots_match::SelectionBasis::None);
            self.accidental_group.append_value(decided.accidental_group);
        });
        self.html.append_n(rows, flags.kind.is_html());
        self.cut.append_n(rows, flags.cut);
        self.not_utf8.append_n(rows, flags.not_utf8);
    }

    fn finish(mut self) -> Result<RecordBatch, Error> {
        let columns: [(&str, ArrayRef); 12] = [
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
        let field = |(name, column): &(&str, ArrayRef)| {
            Field::new(*name, column.data_type().clone(), *name == "line")
        };
        let schema = Schema::new(columns.iter().map(field).collect::<Vec<_>>());
        let columns = columns.into_iter().map(|(_, column)| column).collect();
        RecordBatch::try_new(Arc::new(schema), columns).map_err(Error::Arrow)
    }
}
