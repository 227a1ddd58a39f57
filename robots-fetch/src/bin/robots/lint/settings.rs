//! The settings of a run: arguments, and a configuration file.

use std::ffi::{OsStr, OsString};
use std::io;
use std::path::Path;

use robots_match::Document;
use robots_match::lint::{Lint, LintContext, Severity};
use serde::Deserialize;

use super::arguments::Arguments;
use super::baseline::Baseline;
use crate::failure::{Failure, Result, reason};
use crate::source::{self, Admitted};
use crate::text::Text;

/// The name of the configuration file that is read if none is named.
const FILE: &str = ".robots-lint.toml";
/// The size of the largest configuration file, in bytes.
const MAX_SIZE: usize = 1 << 20;

/// The settings of a run. Arguments come before the configuration file; lints to ignore are added.
pub(super) struct Settings {
    pub(super) deny: Severity,
    pub(super) ignored: Vec<Lint>,
    pub(super) parsers: Vec<Document>,
    pub(super) baseline: Option<Baseline>,
}

/// A configuration file.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Configuration {
    deny: Option<String>,
    select: Option<Vec<String>>,
    #[serde(default)]
    ignore: Vec<String>,
    parsers: Option<Vec<String>>,
    baseline: Option<String>,
}

impl Settings {
    /// Returns how files are checked.
    pub(super) fn context(&self, arguments: &Arguments) -> LintContext<'_> {
        let mut context = LintContext::default();
        context.profile = arguments.profile.rules;
        context.parsers = &self.parsers;
        context.ignored = &self.ignored;
        context
    }

    pub(super) fn new(arguments: &Arguments) -> Result<Self> {
        let (file, path) = configuration(arguments.config.as_deref())?;
        let failure = |what: &str, name: &str| {
            Failure::new(format!(
                "{}: unknown {what} `{}`",
                Text(path.as_encoded_bytes()),
                Text(name.as_bytes())
            ))
        };
        let lint = |name: &String| Lint::from_name(name).ok_or_else(|| failure("code", name));
        let lints = |names: &[String]| names.iter().map(lint).collect::<Result<Vec<_>>>();
        let selected = match &*arguments.select {
            [] => file.select.as_deref().map(lints).transpose()?,
            codes => Some(codes.to_vec()),
        };
        let mut ignored = [lints(&file.ignore)?, arguments.ignore.clone()].concat();
        if let Some(selected) = selected {
            ignored.extend(Lint::ALL.iter().filter(|lint| !selected.contains(lint)));
        }
        let severity = |name: &String| {
            let found = Severity::ALL.into_iter().find(|severity| severity.name() == name);
            found.ok_or_else(|| failure("level", name))
        };
        let deny = arguments
            .deny
            .map_or_else(|| file.deny.as_ref().map(severity).transpose(), |deny| Ok(Some(deny)))?;
        let document = |name: &String| match &**name {
            "all" => Ok(Document::ALL.to_vec()),
            name => name.parse().map(|document| vec![document]).map_err(|_| failure("parser", name)),
        };
        let mut parsers = match &*arguments.parsers {
            [] => {
                let names = file
                    .parsers
                    .unwrap_or_else(|| Document::CURRENT.map(|document| document.name().to_owned()).to_vec());
                names.iter().map(document).collect::<Result<Vec<_>>>()?.concat()
            }
            parsers => parsers.iter().flat_map(|parsers| parsers.0).copied().collect(),
        };
        // The document by which the file is read matters.
        parsers.push(arguments.profile.document);
        let baseline = match (&arguments.baseline, file.baseline.map(OsString::from)) {
            (Some(named), _) => Some(Baseline::read(named, Admitted::Any)?),
            (None, Some(of_file)) => Some(Baseline::read(&of_file, Admitted::Regular)?),
            (None, None) => None,
        };
        Ok(Self { deny: deny.unwrap_or(Severity::Warning), ignored, parsers, baseline })
    }
}

/// Reads the configuration file, and returns its name.
fn configuration(named: Option<&OsStr>) -> Result<(Configuration, &OsStr)> {
    let path = named.unwrap_or_else(|| OsStr::new(FILE));
    let failure = |problem: &str| Failure::new(format!("{}: {problem}", Text(path.as_encoded_bytes())));
    // The file of a folder may be of another person, who could let the command read a device for ever.
    let admitted = if named.is_some() { Admitted::Any } else { Admitted::Regular };
    match source::read_within(Path::new(path), admitted, MAX_SIZE) {
        Ok(bytes) if bytes.len() > MAX_SIZE => Err(failure("the configuration file is larger than 1 MiB")),
        Ok(bytes) => {
            let text = core::str::from_utf8(&bytes).map_err(|_| failure("not UTF-8"))?;
            let read = toml::from_str(text).map_err(|error| failure(error.message()));
            Ok((read?, path))
        }
        Err(error) if named.is_none() && error.kind() == io::ErrorKind::NotFound => {
            Ok((Configuration::default(), path))
        }
        Err(error) => {
            Err(Failure::new(format!("can't read {}: {}", Text(path.as_encoded_bytes()), reason(&error))))
        }
    }
}
