//! Values as dictionaries.

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

/// Returns members of an object as a dictionary that `json` can write: objects in it are dictionaries, too.
pub(crate) fn dictionary<'py, T>(object: &Bound<'py, T>, members: &[&str]) -> PyResult<Bound<'py, PyDict>> {
    let found = PyDict::new(object.py());
    for member in members {
        found.set_item(member, plain(&object.as_any().getattr(*member)?)?)?;
    }
    Ok(found)
}

fn plain<'py>(value: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    if let Ok(list) = value.cast::<PyList>() {
        let items = list.iter().map(|item| plain(&item)).collect::<PyResult<Vec<_>>>()?;
        return Ok(PyList::new(value.py(), items)?.into_any());
    }
    if value.hasattr("as_dict")? { value.call_method0("as_dict") } else { Ok(value.clone()) }
}
