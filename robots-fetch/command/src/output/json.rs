//! The JSON formats of all commands. Each is a type that derives its schema.

use std::io::{self, BufWriter, Write};

use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema};
use serde::Serialize;

use super::{Printable, print_with};
use crate::failure::{Failure, Result};
use crate::text::escaped_json;

/// Writes `value` and a line end to standard output. Characters that could control a terminal are escaped.
pub(crate) fn print(value: &impl Serialize) -> Result<()> {
    print_with(|out| {
        // The document is written as it is made: it may be much larger than what it is made from.
        let mut out = Escaped(BufWriter::with_capacity(64 << 10, out));
        serde_json::to_writer_pretty(&mut out, value)?;
        out.write_all(b"\n")?;
        out.flush()
    })
}

/// Returns a value on one line with its line end. Characters that could control a terminal are escaped.
pub(crate) fn line(value: &impl Serialize) -> Result<Printable> {
    let text = serde_json::to_string(value).map_err(|error| Failure::new(error.to_string()))?;
    Ok(part(&format!("{text}\n")))
}

/// Returns a part of a document that `serde_json` has written.
pub(crate) fn part(json: &str) -> Printable {
    Printable::new(escaped_json(json))
}

/// A writer of JSON that escapes characters that could control a terminal. A writer of JSON writes whole characters.
struct Escaped<W>(W);

impl<W: Write> Write for Escaped<W> {
    fn write(&mut self, json: &[u8]) -> io::Result<usize> {
        // A writer of JSON writes a text in one part up to its next escape.
        let is_plain = |byte: &u8| matches!(byte, b' '..=b'~' | b'\n');
        match json.iter().all(is_plain) && memchr::memmem::find(json, b"##").is_none() {
            true => self.0.write_all(json)?,
            false => self.0.write_all(escaped_json(&String::from_utf8_lossy(json)).as_bytes())?,
        }
        Ok(json.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

/// Returns the schema of what is written as a `T`.
pub(crate) fn schema<T: JsonSchema>(title: &str, description: &str) -> Schema {
    let mut schema =
        SchemaSettings::draft2020_12().for_serialize().into_generator().into_root_schema_for::<T>();
    schema.insert("title".to_owned(), title.into());
    schema.insert("description".to_owned(), description.into());
    schema
}
