//! A file of findings that are known, so that only new ones are reported.

use alloc::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::fs;
use std::path::Path;

use robots_match::lint::LintReport;
use serde_json::{Value, json};

use super::fingerprint::fingerprints;
use crate::failure::{Failure, Result, reason};
use crate::source::{self, Admitted};
use crate::text::Text;

/// The size of the largest baseline, in bytes.
const MAX_SIZE: usize = 64 << 20;

/// The findings that are known.
pub(super) struct Baseline {
    /// The name of a file, and the fingerprint of a finding.
    findings: BTreeSet<(String, String)>,
    /// The name of a file and a code, and how many findings a report did not list.
    left_out: BTreeMap<(String, String), usize>,
}

impl Baseline {
    /// Reads the file that [`write()`] has written.
    pub(super) fn read(path: &OsStr, admitted: Admitted) -> Result<Self> {
        let failure =
            |problem: &str| Failure::new(format!("can't read {}: {problem}", Text(path.as_encoded_bytes())));
        let bytes = source::read_within(Path::new(path), admitted, MAX_SIZE);
        let bytes = bytes.map_err(|error| failure(&reason(&error)))?;
        if bytes.len() > MAX_SIZE {
            return Err(failure("larger than 64 MiB"));
        }
        let value: Value = serde_json::from_slice(&bytes)
            .map_err(|_| failure("not JSON; write the file with --write-baseline"))?;
        let text = |entry: &Value, key: &str| Some(entry.get(key)?.as_str()?.to_owned());
        let list = |key: &str| value.get(key).and_then(Value::as_array);
        let findings = list("findings")
            .map(|list| list.iter().map(|entry| Some((text(entry, "file")?, text(entry, "fingerprint")?))));
        let left_out = list("left_out").map(|list| {
            list.iter().map(|entry| {
                let count = usize::try_from(entry.get("count")?.as_u64()?).ok()?;
                Some(((text(entry, "file")?, text(entry, "code")?), count))
            })
        });
        let read = || Some((findings?.collect::<Option<_>>()?, left_out?.collect::<Option<_>>()?));
        let is_known = value.get("version") == Some(&json!(1));
        let (findings, left_out) = read()
            .filter(|_| is_known)
            .ok_or_else(|| failure("not a baseline; write the file with --write-baseline"))?;
        Ok(Self { findings, left_out })
    }

    /// Takes the findings that are known out of a report.
    pub(super) fn hide(&self, name: &str, report: &mut LintReport, body: &[u8]) {
        let mut prints = fingerprints(report, body).into_iter();
        report.findings.retain(|_| {
            let print = prints.next().unwrap_or_default();
            !self.findings.contains(&(name.to_owned(), print))
        });
        report.left_out.retain(|(lint, _), count| {
            let known = self.left_out.get(&(name.to_owned(), lint.name().to_owned()));
            known.is_none_or(|known| *known < *count)
        });
    }
}

/// A file with findings, for a baseline.
pub(super) struct Known<'f> {
    pub(super) name: String,
    pub(super) report: &'f LintReport,
    pub(super) body: &'f [u8],
}

/// Writes all findings of `files` to a file.
pub(super) fn write(path: &OsStr, files: &[Known<'_>]) -> Result<()> {
    let findings = files.iter().flat_map(|file| {
        let prints = fingerprints(file.report, file.body);
        file.report.findings.iter().zip(prints).map(|(finding, print)| {
            json!({ "file": file.name, "code": finding.lint.name(), "fingerprint": print })
        })
    });
    let left_out = files.iter().flat_map(|file| {
        file.report
            .left_out
            .iter()
            .map(|((lint, _), count)| json!({ "file": file.name, "code": lint.name(), "count": count }))
    });
    let value = json!({
        "version": 1,
        "findings": findings.collect::<Vec<_>>(),
        "left_out": left_out.collect::<Vec<_>>(),
    });
    fs::write(path, format!("{value:#}\n")).map_err(|error| {
        Failure::new(format!("can't write {}: {}", Text(path.as_encoded_bytes()), reason(&error)))
    })
}
