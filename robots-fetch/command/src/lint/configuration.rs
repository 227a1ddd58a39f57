//! Configuration files.

use core::ops::Range;
use std::ffi::OsStr;
use std::io;
use std::path::Path;

use robots_match::Document;
use robots_match::lint::{Lint, Severity};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::failure::{Failure, Result, reason};
use crate::source::{self, Admitted};
use crate::text::Text;

/// The name of the configuration file that is read if none is named.
const FILE: &str = ".robots-lint.toml";
/// The size of the largest configuration file, in bytes.
///
/// The parser takes hundreds of bytes of memory for a byte of tables in tables.
const MAX_SIZE: usize = 64 << 10;

/// The settings of a configuration file.
#[derive(Debug, Default)]
pub(super) struct Configuration {
    pub(super) deny: Option<Severity>,
    pub(super) select: Option<Vec<Lint>>,
    pub(super) ignore: Vec<Lint>,
    pub(super) parsers: Option<Vec<Document>>,
    pub(super) baseline: Option<String>,
    pub(super) expect: Option<String>,
}

impl Configuration {
    /// Reads the file that the option `--config` names, or the one of the current folder if there is one.
    pub(super) fn read(named: Option<&OsStr>) -> Result<Self> {
        let path = named.unwrap_or_else(|| OsStr::new(FILE));
        source::require_name(path)?;
        let shown = Text(path.as_encoded_bytes());
        // The file of a folder may be of another person, who could let the command read a device for ever.
        let admitted = if named.is_some() { Admitted::Any } else { Admitted::Regular };
        match source::read_within(Path::new(path), admitted, MAX_SIZE) {
            Ok(bytes) if bytes.len() > MAX_SIZE => {
                let most = MAX_SIZE >> 10;
                let problem = format!("the configuration file is larger than {most} KiB; make it shorter");
                Err(Failure::new(format!("{shown}: {problem}")))
            }
            Ok(bytes) => Self::of_bytes(path, &bytes),
            Err(error) if named.is_none() && error.kind() == io::ErrorKind::NotFound => Ok(Self::default()),
            Err(error) if named.is_none() => {
                Err(Failure::new(format!("can't read {shown}: {}", reason(&error))))
            }
            Err(error) => {
                Err(Failure::new(format!("can't read {shown}, which `--config` names: {}", reason(&error))))
            }
        }
    }

    /// Reads the content of a file.
    pub(super) fn of_bytes(path: &OsStr, bytes: &[u8]) -> Result<Self> {
        let text = core::str::from_utf8(bytes).map_err(|_| {
            let shown = Text(path.as_encoded_bytes());
            Failure::new(format!("{shown}: the configuration file is not UTF-8"))
        })?;
        Source { path, text }.configuration()
    }
}

/// The text of a configuration file.
struct Source<'s> {
    path: &'s OsStr,
    text: &'s str,
}

impl Source<'_> {
    fn configuration(&self) -> Result<Configuration> {
        let table = DeTable::parse(self.text).map_err(|error| {
            let message = Text(error.message().as_bytes()).to_string();
            self.failure(&error.span().unwrap_or_default(), &message)
        })?;
        let mut configuration = Configuration::default();
        for (key, value) in table.get_ref() {
            match &**key.get_ref() {
                "deny" => {
                    let find = |name: &str| Severity::ALL.into_iter().find(|level| level.name() == name);
                    let found = value.get_ref().as_str().and_then(find);
                    let levels = Severity::ALL.map(Severity::name).join(", ");
                    configuration.deny = Some(found.ok_or_else(|| {
                        let problem = format!("must be one of {levels}, not {}", shown(value));
                        self.failure(&value.span(), &format!("`deny` {problem}"))
                    })?);
                }
                "select" => {
                    let selected = self.lints("select", value)?;
                    if selected.is_empty() {
                        let problem =
                            "`select` is empty, so nothing would be checked; remove it to report all";
                        return Err(self.failure(&value.span(), problem));
                    }
                    configuration.select = Some(selected);
                }
                "ignore" => configuration.ignore = self.lints("ignore", value)?,
                "parsers" => {
                    let names = Document::ALL.map(Document::name).join(", ");
                    let find = |name: &str| match name {
                        "all" => Some(Document::ALL.to_vec()),
                        name => name.parse().ok().map(|document| vec![document]),
                    };
                    let expected = format!("a list of {names} or all");
                    configuration.parsers = Some(self.list("parsers", value, &expected, find)?.concat());
                }
                "baseline" => configuration.baseline = Some(self.path("baseline", value)?),
                "expect" => configuration.expect = Some(self.path("expect", value)?),
                unknown => {
                    let unknown = Text(unknown.as_bytes());
                    return Err(self.failure(
                        &key.span(),
                        &format!(
                            "unknown key `{unknown}`; the keys are deny, select, ignore, parsers, baseline, expect"
                        ),
                    ));
                }
            }
        }
        Ok(configuration)
    }

    fn path(&self, key: &str, value: &Spanned<DeValue<'_>>) -> Result<String> {
        let path = value.get_ref().as_str().ok_or_else(|| {
            let problem = format!("`{key}` must be the path of a file, not {}", shown(value));
            self.failure(&value.span(), &problem)
        })?;
        Ok(path.to_owned())
    }

    fn lints(&self, key: &str, value: &Spanned<DeValue<'_>>) -> Result<Vec<Lint>> {
        let expected = "a list of codes, which `robots lint --list` prints";
        self.list(key, value, expected, Lint::from_name)
    }

    /// Reads a list of names, each of which `find` knows.
    fn list<T>(
        &self,
        key: &str,
        value: &Spanned<DeValue<'_>>,
        expected: &str,
        find: impl Fn(&str) -> Option<T>,
    ) -> Result<Vec<T>> {
        let failure = |value: &Spanned<DeValue<'_>>| {
            self.failure(&value.span(), &format!("`{key}` must be {expected}, not {}", shown(value)))
        };
        let names = value.get_ref().as_array().ok_or_else(|| failure(value))?;
        let found = names.iter().map(|name| {
            let text = name.get_ref().as_str().ok_or_else(|| failure(name))?;
            find(text).ok_or_else(|| {
                let text = Text(text.as_bytes());
                self.failure(&name.span(), &format!("`{key}` must be {expected}; `{text}` is unknown"))
            })
        });
        found.collect()
    }

    fn failure(&self, span: &Range<usize>, problem: &str) -> Failure {
        let before = self.text.as_bytes().get(..span.start).unwrap_or_default();
        let line = 1 + before.iter().filter(|&&byte| byte == b'\n').count();
        Failure::new(format!("{}:{line}: {problem}", Text(self.path.as_encoded_bytes())))
    }
}

/// A value in a message: a text as it is, and the kind of any other value.
fn shown(value: &Spanned<DeValue<'_>>) -> String {
    match value.get_ref() {
        DeValue::String(text) => format!("`{}`", Text(text.as_bytes())),
        DeValue::Array(_) => "a list".to_owned(),
        DeValue::Table(_) => "a table".to_owned(),
        DeValue::Boolean(_) => "true or false".to_owned(),
        DeValue::Integer(_) | DeValue::Float(_) => "a number".to_owned(),
        DeValue::Datetime(_) => "a date or time".to_owned(),
    }
}
