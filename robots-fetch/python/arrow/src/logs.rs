//! Requests of access logs as columns: lines, headers, and verdicts.

use std::collections::HashMap;
use std::sync::Arc;

use arrow_array::builder::{
    BooleanBuilder, Int64Builder, StringBuilder, StringDictionaryBuilder, UInt16Builder, UInt32Builder,
};
use arrow_array::types::Int32Type;
use arrow_array::{Array as _, ArrayRef, Int64Array, RecordBatch};
use arrow_schema::{DataType, Field, Schema, TimeUnit};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3_arrow::input::AnyArray;
use pyo3_arrow::{PyChunkedArray, PyRecordBatch};
use robots_fetch::log::{HeaderSender, LogFormat, LogJudge, LogSetup, sender};
use robots_match::{Document, History, Profile, Robots};

use crate::bodies::{chunks, each};

enum Error {
    Type(DataType),
    Arrow(arrow_schema::ArrowError),
}

/// Calls `f` for each value of a column.
fn values(chunks: &[ArrayRef], mut f: impl FnMut(Option<&[u8]>)) -> Result<(), Error> {
    for chunk in chunks {
        each(chunk, &mut |value| f(value.map(|value| value.bytes))).map_err(Error::Type)?;
    }
    Ok(())
}

fn python(error: Error) -> PyErr {
    match error {
        Error::Type(found) => PyTypeError::new_err(format!("expected binary or string values, got {found}")),
        Error::Arrow(error) => PyValueError::new_err(error.to_string()),
    }
}

fn batch(columns: Vec<(&str, ArrayRef)>) -> Result<RecordBatch, Error> {
    let fields: Vec<Field> =
        columns.iter().map(|(name, array)| Field::new(*name, array.data_type().clone(), true)).collect();
    let arrays = columns.into_iter().map(|(_, array)| array).collect();
    RecordBatch::try_new(Arc::new(Schema::new(fields)), arrays).map_err(Error::Arrow)
}

/// Returns the rows of `robots_exclusion_arrow.identify`.
#[pyfunction]
pub(crate) fn identify(py: Python<'_>, headers: &Bound<'_, PyAny>) -> PyResult<PyRecordBatch> {
    let chunks = chunks(headers)?;
    let made = py.detach(|| {
        let mut crawler = StringDictionaryBuilder::<Int32Type>::new();
        let mut kind = StringDictionaryBuilder::<Int32Type>::new();
        let mut operator = StringDictionaryBuilder::<Int32Type>::new();
        let mut purpose = StringDictionaryBuilder::<Int32Type>::new();
        let mut trigger = StringDictionaryBuilder::<Int32Type>::new();
        values(&chunks, |header| {
            let found = header.map_or(HeaderSender::Other, sender);
            let (name, is, known) = match found {
                HeaderSender::Known(known) => (Some(known.name), "known", Some(known)),
                HeaderSender::Several => (None, "several", None),
                HeaderSender::Unlisted(name) => (Some(name), "unlisted", None),
                _ => (None, "none", None),
            };
            crawler.append_option(name);
            kind.append_value(is);
            operator.append_option(known.and_then(|known| known.operator));
            purpose.append_option(known.map(|known| known.purpose.name()));
            trigger.append_option(known.map(|known| known.trigger.name()));
        })?;
        batch(vec![
            ("crawler", Arc::new(crawler.finish())),
            ("kind", Arc::new(kind.finish())),
            ("operator", Arc::new(operator.finish())),
            ("purpose", Arc::new(purpose.finish())),
            ("trigger", Arc::new(trigger.finish())),
        ])
    });
    Ok(PyRecordBatch::new(made.map_err(python)?))
}

/// Returns the rows of `robots_exclusion_arrow.parse_log`.
#[pyfunction]
#[pyo3(signature = (lines, format))]
pub(crate) fn parse_log(py: Python<'_>, lines: &Bound<'_, PyAny>, format: &str) -> PyResult<PyRecordBatch> {
    let format = LogFormat::parse(format).map_err(|error| PyValueError::new_err(error.to_string()))?;
    if let Some(missing) = format.missing() {
        return Err(PyValueError::new_err(format!("the format {} lacks {missing}", format.name())));
    }
    let chunks = chunks(lines)?;
    let made = py.detach(|| {
        let mut reader = format.reader();
        let mut time = Int64Builder::new();
        let mut status = UInt16Builder::new();
        let [mut address, mut host, mut method, mut target, mut agent] =
            core::array::from_fn(|_| StringBuilder::new());
        values(&chunks, |text| {
            let line = text.and_then(|text| reader.read(text));
            let line = line.as_ref();
            let add = |builder: &mut StringBuilder, field: Option<&[u8]>| {
                builder.append_option(field.map(String::from_utf8_lossy));
            };
            time.append_option(line.map(|line| line.time.millis));
            add(&mut address, line.and_then(|line| line.address.as_deref()));
            add(&mut host, line.and_then(|line| line.host.as_deref()));
            add(&mut method, line.and_then(|line| line.method.as_deref()));
            // What is not UTF-8 stays what it is in a URL.
            target.append_option(line.and_then(|line| line.target.as_deref()).map(encoded));
            status.append_option(line.and_then(|line| line.status));
            add(&mut agent, line.and_then(|line| line.agent.as_deref()));
        })?;
        let time = time.finish();
        let time = arrow_array::TimestampMillisecondArray::new(time.values().clone(), time.nulls().cloned());
        batch(vec![
            ("time", Arc::new(time.with_timezone("UTC"))),
            ("address", Arc::new(address.finish())),
            ("host", Arc::new(host.finish())),
            ("method", Arc::new(method.finish())),
            ("target", Arc::new(target.finish())),
            ("status", Arc::new(status.finish())),
            ("agent", Arc::new(agent.finish())),
        ])
    });
    Ok(PyRecordBatch::new(made.map_err(python)?))
}

/// Returns a target with the bytes that are not UTF-8 percent-encoded.
fn encoded(target: &[u8]) -> String {
    let mut text = String::new();
    for chunk in target.utf8_chunks() {
        text.push_str(chunk.valid());
        for byte in chunk.invalid() {
            text.push_str(&format!("%{byte:02X}"));
        }
    }
    text
}

/// Returns the rows of `robots_exclusion_arrow.judge`.
#[pyfunction]
#[pyo3(signature = (crawlers, targets, times, history, hosts, profile, grace))]
#[expect(clippy::too_many_arguments, reason = "most have names and defaults in Python")]
pub(crate) fn judge(
    py: Python<'_>,
    crawlers: &Bound<'_, PyAny>,
    targets: &Bound<'_, PyAny>,
    times: AnyArray,
    history: Vec<(Option<String>, Option<i64>, Vec<u8>)>,
    hosts: Option<&Bound<'_, PyAny>>,
    profile: &str,
    grace: i64,
) -> PyResult<PyRecordBatch> {
    let document: Document =
        profile.parse().map_err(|error| PyValueError::new_err(format!("profile {profile:?}: {error}")))?;
    let profile = Profile::from(document);
    let mut versions: HashMap<Option<String>, Vec<(i64, Robots)>> = HashMap::new();
    for (host, time, body) in history {
        let time = time.map_or(History::BEGINNING, |time| time.div_euclid(1000));
        versions.entry(host).or_default().push((time, Robots::new(body, profile)));
    }
    let histories: Vec<(Option<String>, History)> = versions
        .into_iter()
        .map(|(host, versions)| History::new(versions).map(|history| (host, history)))
        .collect::<Result<_, _>>()
        .map_err(|error| PyValueError::new_err(error.to_string()))?;
    let (crawlers, targets) = (chunks(crawlers)?, chunks(targets)?);
    let times = times_of(times)?;
    let hosts = hosts.map(chunks).transpose()?;
    let made = py.detach(|| {
        let setup = LogSetup::new(histories.iter().map(|(host, history)| (host.clone(), history)));
        let setup = setup.with_grace(grace);
        let mut judge = LogJudge::new(&setup);
        let all = |chunks: &[ArrayRef]| -> Result<Vec<Option<Vec<u8>>>, Error> {
            let mut all = Vec::new();
            values(chunks, |value| all.push(value.map(<[u8]>::to_vec)))?;
            Ok(all)
        };
        let (crawlers, targets) = (all(&crawlers)?, all(&targets)?);
        let hosts = hosts.as_deref().map(all).transpose()?;
        let lengths = [targets.len(), times.len(), hosts.as_ref().map_or(crawlers.len(), Vec::len)];
        if lengths.iter().any(|length| *length != crawlers.len()) {
            return Err(Error::Arrow(arrow_schema::ArrowError::InvalidArgumentError(
                "the columns have different lengths".to_owned(),
            )));
        }
        let mut disallowed = BooleanBuilder::new();
        let mut disputed = BooleanBuilder::new();
        let mut in_grace = BooleanBuilder::new();
        let mut line = UInt32Builder::new();
        let mut version = UInt32Builder::new();
        for (index, ((crawler, target), time)) in crawlers.iter().zip(&targets).zip(&times).enumerate() {
            let host = hosts.as_ref().and_then(|hosts| hosts.get(index)?.as_deref());
            let verdict =
                crawler.as_deref().zip(target.as_deref()).zip(*time).and_then(|((crawler, target), time)| {
                    judge.request(core::str::from_utf8(crawler).ok()?, target, time, host)
                });
            let number = |number: Option<usize>| number.and_then(|number| u32::try_from(number).ok());
            disallowed.append_option(verdict.map(|verdict| verdict.disallowed));
            disputed.append_option(verdict.map(|verdict| verdict.disputed));
            line.append_option(number(verdict.and_then(|verdict| verdict.line)));
            version.append_option(number(verdict.and_then(|verdict| verdict.version)));
            in_grace.append_option(verdict.map(|verdict| verdict.in_grace));
        }
        batch(vec![
            ("disallowed", Arc::new(disallowed.finish())),
            ("disputed", Arc::new(disputed.finish())),
            ("line", Arc::new(line.finish())),
            ("version", Arc::new(version.finish())),
            ("in_grace", Arc::new(in_grace.finish())),
        ])
    });
    Ok(PyRecordBatch::new(made.map_err(python)?))
}

/// Returns times in milliseconds.
fn times_of(times: AnyArray) -> PyResult<Vec<Option<i64>>> {
    let chunks = match times {
        AnyArray::Array(array) => vec![Arc::clone(array.array())],
        AnyArray::Stream(stream) => PyChunkedArray::into_inner(stream.into_chunked_array()?).0,
    };
    let mut times = Vec::new();
    for chunk in chunks {
        let factor = match chunk.data_type() {
            DataType::Int64 | DataType::Timestamp(TimeUnit::Millisecond, _) => (1, 1),
            DataType::Timestamp(TimeUnit::Second, _) => (1000, 1),
            DataType::Timestamp(TimeUnit::Microsecond, _) => (1, 1000),
            DataType::Timestamp(TimeUnit::Nanosecond, _) => (1, 1_000_000),
            other => {
                return Err(PyTypeError::new_err(format!("expected integers or timestamps, got {other}")));
            }
        };
        // All of them are numbers of 64 bits.
        let data = chunk.to_data().into_builder().data_type(DataType::Int64).build();
        let data = data.map_err(|error| PyValueError::new_err(error.to_string()))?;
        let numbers = Int64Array::from(data);
        times.extend(
            numbers.iter().map(|time| time.map(|time| time.saturating_mul(factor.0).div_euclid(factor.1))),
        );
    }
    Ok(times)
}
