//! Bodies from Arrow arrays, and from other iterables of Python.

use std::collections::HashMap;
use std::sync::Arc;

use arrow_array::builder::LargeBinaryBuilder;
use arrow_array::cast::AsArray as _;
use arrow_array::types::{Int16Type, Int32Type, Int64Type, RunEndIndexType};
use arrow_array::{Array, ArrayRef, RunArray};
use arrow_schema::DataType;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyBytes, PyFloat, PyMemoryView, PyString};
use pyo3_arrow::PyChunkedArray;
use pyo3_arrow::input::AnyArray;

/// Returns the chunks of an Arrow array or stream, or one chunk of the values of another iterable.
pub(crate) fn chunks(bodies: &Bound<'_, PyAny>) -> PyResult<Vec<ArrayRef>> {
    if bodies.hasattr("__arrow_c_array__")? || bodies.hasattr("__arrow_c_stream__")? {
        return match bodies.extract::<AnyArray>()? {
            AnyArray::Array(array) => Ok(vec![Arc::clone(array.array())]),
            AnyArray::Stream(stream) => {
                let (chunks, _) = PyChunkedArray::into_inner(stream.into_chunked_array()?);
                Ok(chunks)
            }
        };
    }
    let wrong = |found: &Bound<'_, PyAny>| -> PyErr {
        let found = found.get_type().name().map(|name| name.to_string()).unwrap_or_default();
        PyTypeError::new_err(format!(
            "bodies: expected an Arrow array, or an iterable of bytes, str and None, got {found}"
        ))
    };
    let is_one = bodies.is_instance_of::<PyString>() || bodies.is_instance_of::<PyBytes>();
    if is_one {
        return Err(wrong(bodies));
    }
    let mut values = LargeBinaryBuilder::new();
    for value in bodies.try_iter().map_err(|_| wrong(bodies))? {
        let value = value?;
        if let Ok(bytes) = value.cast::<PyBytes>() {
            values.append_value(bytes.as_bytes());
        } else if let Ok(text) = value.cast::<PyString>() {
            let bytes = text.call_method1("encode", ("utf-8", "surrogateescape"));
            let bytes = bytes.or_else(|_| text.call_method1("encode", ("utf-8", "surrogatepass")))?;
            values.append_value(bytes.cast::<PyBytes>()?.as_bytes());
        } else if let Ok(bytes) = value.cast::<PyByteArray>() {
            values.append_value(bytes.to_vec());
        } else if value.is_instance_of::<PyMemoryView>() {
            values.append_value(value.call_method0("tobytes")?.extract::<&[u8]>()?);
        } else if is_missing(&value)? {
            values.append_null();
        } else {
            return Err(wrong(&value));
        }
    }
    Ok(vec![Arc::new(values.finish())])
}

/// Returns whether a value stands for a missing one: `None`, and what pandas has for it.
fn is_missing(value: &Bound<'_, PyAny>) -> PyResult<bool> {
    if value.is_none() {
        return Ok(true);
    }
    if let Ok(number) = value.cast::<PyFloat>() {
        return Ok(number.value().is_nan());
    }
    Ok(matches!(&*value.get_type().name()?.to_string_lossy(), "NAType" | "NaTType"))
}

/// A body that is not null, and where it is among the different values of its chunk, if the chunk says so.
#[derive(Clone, Copy)]
pub(crate) struct Body<'a> {
    pub(crate) bytes: &'a [u8],
    pub(crate) value: Option<usize>,
}

/// Calls `f` for each value of an array; `None` for a null.
///
/// # Errors
///
/// The type of the array, if it has neither bytes nor text.
pub(crate) fn each<'a>(array: &'a dyn Array, f: &mut dyn FnMut(Option<Body<'a>>)) -> Result<(), DataType> {
    if let Some(values) = plain(array) {
        values.into_iter().for_each(|bytes| f(bytes.map(|bytes| Body { bytes, value: None })));
        return Ok(());
    }
    let of = |values: &[Option<&'a [u8]>], index: usize| {
        let bytes = values.get(index).copied().flatten()?;
        Some(Body { bytes, value: Some(index) })
    };
    match array.data_type() {
        DataType::Null => (0..array.len()).for_each(|_| f(None)),
        DataType::Dictionary(_, _) => {
            let dictionary = array.as_any_dictionary();
            let values = all(dictionary.values()).ok_or_else(|| array.data_type().clone())?;
            let keys = dictionary.keys();
            if values.is_empty() {
                (0..keys.len()).for_each(|_| f(None));
                return Ok(());
            }
            for (index, key) in dictionary.normalized_keys().into_iter().enumerate() {
                f(if keys.is_null(index) { None } else { of(&values, key) });
            }
        }
        DataType::RunEndEncoded(ends, _) => {
            let runs = match ends.data_type() {
                DataType::Int16 => runs::<Int16Type>(array),
                DataType::Int32 => runs::<Int32Type>(array),
                DataType::Int64 => runs::<Int64Type>(array),
                _ => None,
            };
            let (values, places) = runs.ok_or_else(|| array.data_type().clone())?;
            places.into_iter().for_each(|place| f(of(&values, place)));
        }
        other => return Err(other.clone()),
    }
    Ok(())
}

/// Returns the values of an array, which may itself be encoded.
fn all(array: &dyn Array) -> Option<Vec<Option<&[u8]>>> {
    let mut values = Vec::with_capacity(array.len());
    each(array, &mut |body| values.push(body.map(|body| body.bytes))).ok()?;
    Some(values)
}

/// Returns the values of an array of bytes or text.
fn plain(array: &dyn Array) -> Option<Vec<Option<&[u8]>>> {
    fn all<'a, B: AsRef<[u8]> + ?Sized + 'a>(
        values: impl Iterator<Item = Option<&'a B>>,
    ) -> Option<Vec<Option<&'a [u8]>>> {
        Some(values.map(|value| value.map(AsRef::as_ref)).collect())
    }
    match array.data_type() {
        DataType::Binary => all(array.as_binary::<i32>().iter()),
        DataType::LargeBinary => all(array.as_binary::<i64>().iter()),
        DataType::BinaryView => all(array.as_binary_view().iter()),
        DataType::FixedSizeBinary(_) => all(array.as_fixed_size_binary().iter()),
        DataType::Utf8 => all(array.as_string::<i32>().iter()),
        DataType::LargeUtf8 => all(array.as_string::<i64>().iter()),
        DataType::Utf8View => all(array.as_string_view().iter()),
        _ => None,
    }
}

/// The different values of an array, and which of them is in each row.
type Runs<'a> = (Vec<Option<&'a [u8]>>, Vec<usize>);

fn runs<R: RunEndIndexType>(array: &dyn Array) -> Option<Runs<'_>> {
    let runs = array.as_any().downcast_ref::<RunArray<R>>()?;
    let values = all(runs.values())?;
    let places = (0..runs.len()).map(|index| runs.get_physical_index(index)).collect();
    Some((values, places))
}

/// What was decided about the different values of a chunk.
pub(crate) type Decided<T> = HashMap<usize, T>;
