//! The class `Disk`.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use pyo3::exceptions::PyOSError;
use pyo3::prelude::*;
use robots_fetch::{SiteProfile, Store, StoreError, StoreLimits};

use crate::entry::Entry;
use crate::python::{profile, site};

/// Opens the store at `path`. A damaged one is replaced by an empty one, because its files can be retrieved again.
pub(crate) fn open(path: &Path, profile: SiteProfile) -> PyResult<robots_fetch::Disk> {
    match robots_fetch::Disk::open(path, profile, StoreLimits::DEFAULT) {
        Err(StoreError::Damaged { .. }) => robots_fetch::Disk::recreate(path, profile, StoreLimits::DEFAULT),
        other => other,
    }
    .map_err(|error| failed(&error))
}

fn failed(error: &StoreError) -> PyErr {
    PyOSError::new_err(error.to_string())
}

/// Keeps what is known of sites in a file. Several processes of one machine can open it at the same time. A damaged file is replaced by an empty one.
#[pyclass(frozen, module = "robots_exclusion_sites")]
pub(crate) struct Disk(robots_fetch::Disk);

#[pymethods]
impl Disk {
    #[new]
    #[pyo3(signature = (path, profile="rfc9309"))]
    fn new(py: Python<'_>, path: PathBuf, profile: &str) -> PyResult<Self> {
        let profile = self::profile(profile)?;
        py.detach(|| open(&path, profile)).map(Self)
    }

    /// Returns the entry of the site of a URL, fresh or not, or ``None``.
    fn get(&self, py: Python<'_>, url: &Bound<'_, PyAny>) -> PyResult<Option<Entry>> {
        let (_, origin) = site(url)?;
        let found = py.detach(|| self.0.get(&origin)).map_err(|error| failed(&error))?;
        Ok(found.map(Entry::new))
    }

    /// Keeps the entry of the site of a URL. Waits until the disk has written it, a few milliseconds.
    fn put(&self, py: Python<'_>, url: &Bound<'_, PyAny>, entry: &Entry) -> PyResult<()> {
        let (_, origin) = site(url)?;
        let entry = Arc::clone(entry.inner());
        py.detach(|| self.0.put(&origin, &entry)).map_err(|error| failed(&error))
    }

    fn __len__(&self) -> PyResult<usize> {
        self.0.len().map_err(|error| failed(&error))
    }
}
