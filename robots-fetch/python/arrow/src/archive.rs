//! The class `Captures`.

use std::fs::File;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use arrow_array::builder::{BinaryBuilder, StringBuilder, UInt16Builder, UInt64Builder};
use arrow_array::{Array, ArrayRef, RecordBatch};
use arrow_schema::{Field, Schema};
use pyo3::exceptions::{PyOSError, PyValueError};
use pyo3::prelude::*;
use pyo3_arrow::PyRecordBatch;

use robots_fetch::warc::{self, Damage, Item};

/// From this number of bytes on, a batch is complete.
const FULL: usize = 16 << 20;

/// Iterates over the captures of a WARC file, in record batches of at most ``rows`` rows.
///
/// The file is read as a stream. It may consist of gzip members. The columns are ``url``, ``date``, ``status`` (null for records
/// of the type ``resource``), ``body`` (decoded, at most 4 MiB of it), ``offset`` and ``damage``. A damaged record has only the
/// last two, which are null otherwise: its position in the file, and what is wrong. If the body of an answer is cut or can't be
/// decoded, it is null, and they say why. Reading continues after it.
#[pyclass(frozen, module = "robots_exclusion_arrow")]
pub(crate) struct Captures {
    captures: Mutex<warc::Captures<File>>,
    rows: usize,
}

#[pymethods]
impl Captures {
    #[new]
    #[pyo3(signature = (path, *, rows=1000))]
    fn new(path: PathBuf, rows: usize) -> PyResult<Self> {
        if rows == 0 {
            return Err(PyValueError::new_err("rows must be at least 1"));
        }
        let file = File::open(&path)?;
        Ok(Self { captures: Mutex::new(warc::Captures::new(file)), rows })
    }

    const fn __iter__(this: PyRef<'_, Self>) -> PyRef<'_, Self> {
        this
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<PyRecordBatch>> {
        let batch = py.detach(|| {
            let mut captures = self.captures.lock().unwrap_or_else(PoisonError::into_inner);
            let mut columns = Columns::default();
            while columns.rows < self.rows && columns.bytes < FULL {
                match captures.next().transpose().map_err(|error| error.to_string())? {
                    Some(item) => columns.add(item),
                    None => break,
                }
            }
            if columns.rows == 0 { Ok(None) } else { columns.finish().map(Some) }
        });
        batch.map(|batch| batch.map(PyRecordBatch::new)).map_err(PyOSError::new_err)
    }
}

#[derive(Default)]
struct Columns {
    rows: usize,
    bytes: usize,
    url: StringBuilder,
    date: StringBuilder,
    status: UInt16Builder,
    body: BinaryBuilder,
    offset: UInt64Builder,
    damage: StringBuilder,
}

impl Columns {
    fn add(&mut self, item: Item) {
        match item {
            Item::Capture(capture) => {
                self.rows += 1;
                self.url.append_value(String::from_utf8_lossy(&capture.url));
                self.date.append_value(String::from_utf8_lossy(&capture.date));
                self.status.append_option(capture.status);
                match capture.body {
                    Ok(body) => {
                        self.bytes += body.len();
                        self.body.append_value(&body);
                        self.offset.append_null();
                        self.damage.append_null();
                    }
                    Err(Damage { offset, what, .. }) => {
                        self.body.append_null();
                        self.offset.append_value(offset);
                        self.damage.append_value(what);
                    }
                }
            }
            Item::Damaged(Damage { offset, what, .. }) => {
                self.rows += 1;
                self.url.append_null();
                self.date.append_null();
                self.status.append_null();
                self.body.append_null();
                self.offset.append_value(offset);
                self.damage.append_value(what);
            }
            // A newer library may have other items.
            _ => {}
        }
    }

    fn finish(mut self) -> Result<RecordBatch, String> {
        let columns: [(&str, ArrayRef); 6] = [
            ("url", Arc::new(self.url.finish())),
            ("date", Arc::new(self.date.finish())),
            ("status", Arc::new(self.status.finish())),
            ("body", Arc::new(self.body.finish())),
            ("offset", Arc::new(self.offset.finish())),
            ("damage", Arc::new(self.damage.finish())),
        ];
        let fields = columns.iter().map(|(name, column)| Field::new(*name, column.data_type().clone(), true));
        let schema = Schema::new(fields.collect::<Vec<_>>());
        let columns = columns.into_iter().map(|(_, column)| column).collect();
        RecordBatch::try_new(Arc::new(schema), columns).map_err(|error| error.to_string())
    }
}
