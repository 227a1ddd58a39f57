//! Header fields and URLs in the forms in which Python's clients have them.

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyList, PyString, PyTuple};

/// Returns the fields of a mapping or of pairs of name and value, as `requests`, `httpx`, `aiohttp`, `urllib` and Scrapy have them.
/// Names and values are `str` or `bytes`; a value can be a list of values.
///
/// # Errors
///
/// The object is neither, or a name or value has another type.
pub fn fields(headers: &Bound<'_, PyAny>) -> PyResult<Vec<(String, Vec<u8>)>> {
    let pairs = ["multi_items", "items"].into_iter().find(|name| headers.hasattr(*name).unwrap_or(false));
    let pairs = match pairs {
        Some(method) => headers.call_method0(method)?,
        None => headers.clone(),
    };
    let wrong = |found: &Bound<'_, PyAny>| -> PyErr {
        let found = found.get_type().name().map(|name| name.to_string()).unwrap_or_default();
        PyTypeError::new_err(format!(
            "headers: expected a mapping, or pairs of name and value, such as response.headers.items(); got {found}"
        ))
    };
    if pairs.is_instance_of::<PyString>() || pairs.is_instance_of::<PyBytes>() {
        return Err(wrong(&pairs));
    }
    let mut found = Vec::new();
    for pair in pairs.try_iter().map_err(|_| wrong(&pairs))? {
        let pair = pair?;
        let [name, value]: [Bound<'_, PyAny>; 2] = pair.extract().map_err(|_| wrong(&pair))?;
        let name = String::from_utf8_lossy(&text(&name).ok_or_else(|| wrong(&name))?).into_owned();
        if value.is_instance_of::<PyList>() || value.is_instance_of::<PyTuple>() {
            for value in value.try_iter()? {
                let value = value?;
                found.push((name.clone(), text(&value).ok_or_else(|| wrong(&value))?));
            }
        } else {
            found.push((name, text(&value).ok_or_else(|| wrong(&value))?));
        }
    }
    Ok(found)
}

/// Returns the text of an object of a URL class, such as those of `httpx`, `yarl` and `urllib.parse`, or `None` for other objects.
///
/// # Errors
///
/// The object has the attributes of a URL, but no text.
pub fn url_text<'py>(url: &Bound<'py, PyAny>) -> PyResult<Option<Bound<'py, PyAny>>> {
    if !(url.hasattr("scheme")? && url.hasattr("path")?) {
        return Ok(None);
    }
    if url.hasattr("geturl")? {
        url.call_method0("geturl").map(Some)
    } else {
        Ok(Some(url.str()?.into_any()))
    }
}

/// Returns the bytes of a text. Clients decode fields as ISO 8859-1 (RFC 9110, section 5.5); other characters become UTF-8.
fn text(value: &Bound<'_, PyAny>) -> Option<Vec<u8>> {
    if let Ok(bytes) = value.cast::<PyBytes>() {
        return Some(bytes.as_bytes().to_vec());
    }
    let text = value.cast::<PyString>().ok()?.to_string_lossy().into_owned();
    let latin: Option<Vec<u8>> = text.chars().map(|char| u8::try_from(char).ok()).collect();
    Some(latin.unwrap_or_else(|| text.into_bytes()))
}
