//! WARC files as streams of record batches, and the class `Captures`.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use arrow_array::builder::{BinaryBuilder, Int32Builder, Int64Builder, StringBuilder};
use arrow_array::{ArrayRef, RecordBatch, RecordBatchReader};
use arrow_schema::{ArrowError, DataType, Field, Schema, SchemaRef};
use pyo3::exceptions::{PyOSError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use pyo3_arrow::{PyRecordBatch, PyRecordBatchReader};

use robots_fetch::warc::{self, Damage, Item};

/// From this number of bytes on, a batch is complete.
const FULL: usize = 16 << 20;

/// The captures of a WARC file, in record batches. `robots_exclusion_arrow.Captures` documents them.
#[pyclass(frozen, module = "robots_exclusion_arrow")]
pub(crate) struct Captures(Arc<Archive>);

/// A WARC file whose captures become rows.
pub(crate) struct Archive {
    captures: Mutex<warc::Captures<Box<dyn Read + Send>>>,
    rows: usize,
    /// The name of the file, for errors.
    name: Option<PathBuf>,
    /// Creates the columns of a batch.
    columns: Box<dyn Fn() -> Box<dyn Columns> + Send + Sync>,
}

/// The columns of a batch while it grows.
pub(crate) trait Columns {
    /// Returns the names and types.
    fn schema(&self) -> SchemaRef;

    /// Adds what was read: rows of a capture, or one of a damaged record.
    fn add(&mut self, item: Item);

    /// Returns the number of rows, and about how many bytes of bodies they have.
    fn size(&self) -> (usize, usize);

    /// Returns the batch.
    fn finish(self: Box<Self>) -> Result<RecordBatch, ArrowError>;
}

/// A file object of Python.
struct FileObject(Py<PyAny>);

impl Read for FileObject {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = |py: Python<'_>| -> PyResult<usize> {
            let bytes = self.0.bind(py).call_method1("read", (buffer.len(),))?;
            let bytes = bytes.cast::<PyBytes>().map_err(|_| {
                PyValueError::new_err("the file object returns no bytes: open it in binary mode")
            })?;
            let bytes = bytes.as_bytes();
            match buffer.get_mut(..bytes.len()) {
                Some(start) => start.copy_from_slice(bytes),
                None => return Err(PyValueError::new_err("the file object returns more than was asked for")),
            }
            Ok(bytes.len())
        };
        match Python::try_attach(read) {
            Some(result) => result.map_err(io::Error::other),
            None => Err(io::Error::other("the interpreter is ending")),
        }
    }
}

#[pymethods]
impl Captures {
    #[new]
    #[pyo3(signature = (file, *, rows=1000))]
    fn new(file: &Bound<'_, PyAny>, rows: usize) -> PyResult<Self> {
        let columns = || -> Box<dyn Columns> { Box::new(Bodies::default()) };
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

impl Archive {
    /// Opens a path or takes a file object of Python. `columns` creates the columns of a batch, which has at most `rows` captures.
    pub(crate) fn new(
        file: &Bound<'_, PyAny>,
        rows: usize,
        columns: Box<dyn Fn() -> Box<dyn Columns> + Send + Sync>,
    ) -> PyResult<Arc<Self>> {
        if rows == 0 {
            return Err(PyValueError::new_err("rows must be at least 1"));
        }
        let (source, name): (Box<dyn Read + Send>, _) = if file.hasattr("read")? {
            let name = file.getattr("name").ok().and_then(|name| name.extract().ok());
            (Box::new(FileObject(file.clone().unbind())), name)
        } else {
            let path: PathBuf = file.extract()?;
            let opened = File::open(&path).map_err(|error| not_opened(file.py(), &error, &path))?;
            (Box::new(opened), Some(path))
        };
        Ok(Arc::new(Self { captures: Mutex::new(warc::Captures::new(source)), rows, name, columns }))
    }

    /// Returns the next batch for Python's iteration.
    pub(crate) fn next_batch(&self, py: Python<'_>) -> PyResult<Option<PyRecordBatch>> {
        let batch = py.detach(|| self.next());
        batch.map(|batch| batch.map(PyRecordBatch::new)).map_err(PyOSError::new_err)
    }

    /// Returns the remaining batches as a stream of Arrow's C interface.
    pub(crate) fn stream<'py>(
        self: &Arc<Self>,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let stream = Stream { archive: Arc::clone(self), schema: (self.columns)().schema() };
        let reader = Bound::new(py, PyRecordBatchReader::new(Box::new(stream)))?;
        reader.call_method1("__arrow_c_stream__", (requested_schema,))
    }

    /// Returns the next batch.
    fn next(&self) -> Result<Option<RecordBatch>, String> {
        let mut captures = self.captures.lock().unwrap_or_else(PoisonError::into_inner);
        let mut columns = (self.columns)();
        let (mut read, mut bytes) = (0, 0);
        while read < self.rows && bytes < FULL {
            match captures.next().transpose().map_err(|error| self.named(&error.to_string()))? {
                Some(item) => columns.add(item),
                None => break,
            }
            read += 1;
            bytes = columns.size().1;
        }
        if columns.size().0 == 0 && read == 0 {
            return Ok(None);
        }
        columns.finish().map(Some).map_err(|error| self.named(&error.to_string()))
    }

    fn named(&self, error: &str) -> String {
        match &self.name {
            Some(name) => format!("{}: {error}", name.display()),
            None => error.to_owned(),
        }
    }
}

/// Returns the error of a file that can't be opened. With these arguments, Python chooses the class, such as `FileNotFoundError`.
fn not_opened(py: Python<'_>, error: &io::Error, path: &Path) -> PyErr {
    let Some(number) = error.raw_os_error() else {
        return PyOSError::new_err(format!("{}: {error}", path.display()));
    };
    let text = py.import("os").and_then(|os| os.call_method1("strerror", (number,)));
    match text.and_then(|text| text.extract::<String>()) {
        Ok(text) => PyOSError::new_err((number, text, path.as_os_str().to_owned())),
        Err(error) => error,
    }
}

/// The remaining batches of an archive.
struct Stream {
    archive: Arc<Archive>,
    schema: SchemaRef,
}

impl Iterator for Stream {
    type Item = Result<RecordBatch, ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        // A consumer can have the lock of the interpreter, for which another thread that reads from a file object may wait.
        let next = Python::try_attach(|py| py.detach(|| self.archive.next()));
        let next = next.unwrap_or_else(|| self.archive.next());
        next.map_err(|error| ArrowError::IoError(error.clone(), io::Error::other(error))).transpose()
    }
}

impl RecordBatchReader for Stream {
    fn schema(&self) -> SchemaRef {
        Arc::clone(&self.schema)
    }
}

/// The columns of `Captures`.
#[derive(Default)]
struct Bodies {
    rows: usize,
    bytes: usize,
    url: StringBuilder,
    date: StringBuilder,
    status: Int32Builder,
    body: BinaryBuilder,
    offset: Int64Builder,
    damage: StringBuilder,
}

impl Columns for Bodies {
    fn schema(&self) -> SchemaRef {
        let columns = [
            ("url", DataType::Utf8),
            ("date", DataType::Utf8),
            ("status", DataType::Int32),
            ("body", DataType::Binary),
            ("offset", DataType::Int64),
            ("damage", DataType::Utf8),
        ];
        Arc::new(Schema::new(columns.map(|(name, kind)| Field::new(name, kind, true)).to_vec()))
    }

    fn add(&mut self, item: Item) {
        match item {
            Item::Capture(capture) => {
                self.rows += 1;
                self.url.append_value(String::from_utf8_lossy(&capture.url));
                self.date.append_value(String::from_utf8_lossy(&capture.date));
                self.status.append_option(capture.status.map(i32::from));
                match capture.body {
                    Ok(body) => {
                        self.bytes += body.len();
                        self.body.append_value(&body);
                        self.offset.append_null();
                        self.damage.append_null();
                    }
                    Err(Damage { offset, what, .. }) => {
                        self.body.append_null();
                        self.offset.append_option(i64::try_from(offset).ok());
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
                self.offset.append_option(i64::try_from(offset).ok());
                self.damage.append_value(what);
            }
            // A newer library may have other items.
            _ => {}
        }
    }

    fn size(&self) -> (usize, usize) {
        (self.rows, self.bytes)
    }

    fn finish(mut self: Box<Self>) -> Result<RecordBatch, ArrowError> {
        let columns: Vec<ArrayRef> = vec![
            Arc::new(self.url.finish()),
            Arc::new(self.date.finish()),
            Arc::new(self.status.finish()),
            Arc::new(self.body.finish()),
            Arc::new(self.offset.finish()),
            Arc::new(self.damage.finish()),
        ];
        RecordBatch::try_new(self.schema(), columns)
    }
}
