//! Comparison of the profile `google` with recorded verdicts of Google's parser.

use core::fmt;
use std::fs::{self, File};
use std::io::{BufRead, BufReader};
use std::path::Path;

use flate2::read::MultiGzDecoder;
use robots_fetch::matching::{Crawler, KNOWN_NAMES, Robots, RuleSet, path_of};

use crate::escape::shown;
use crate::run::parallel;
use robots_fetch::SiteProfile;

/// The result of a comparison.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Agreement {
    /// How many verdicts were compared.
    pub verdicts: usize,
    /// How many decisions differ.
    pub decisions: usize,
    /// How many verdicts have the same decision and another deciding line.
    pub lines: usize,
    /// A line of text for each difference, in the order of the record.
    pub differences: Vec<String>,
}

impl Agreement {
    /// Returns whether verdicts were compared and none differs.
    #[must_use]
    pub const fn holds(&self) -> bool {
        self.verdicts > 0 && self.decisions == 0 && self.lines == 0
    }

    const SHOWN: usize = 20;
}

impl fmt::Display for Agreement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for difference in self.differences.iter().take(Self::SHOWN) {
            writeln!(f, "{difference}")?;
        }
        let more = self.differences.len().saturating_sub(Self::SHOWN);
        if more > 0 {
            writeln!(f, "... and {more} more")?;
        }
        write!(
            f,
            "{} verdicts compared, {} decisions differ, {} deciding lines differ",
            self.verdicts, self.decisions, self.lines
        )
    }
}

/// A line of the record.
struct Recorded {
    file: String,
    agent: String,
    url: Vec<u8>,
    allowed: bool,
    line: usize,
}

/// Compares all verdicts of `google-verdicts.tsv.gz` in `folder`; their files are in `folder/sites`.
///
/// # Errors
///
/// Returns an error if the record, or a file that it names, can't be read or is malformed.
pub fn agree(folder: &Path) -> Result<Agreement, String> {
    let record = folder.join("google-verdicts.tsv.gz");
    let message = |what: &dyn fmt::Display| format!("{}: {what}", record.display());
    let open = File::open(&record).map_err(|error| message(&error))?;
    let mut recorded = Vec::new();
    for (line, number) in BufReader::new(MultiGzDecoder::new(open)).split(b'\n').zip(1..) {
        let line = line.map_err(|error| message(&error))?;
        recorded.push(Recorded::read(&line).ok_or_else(|| {
            message(&format_args!("line {number} is not `file<TAB>agent<TAB>URL<TAB>1 or 0<TAB>line`"))
        })?);
    }
    let runs: Vec<&[Recorded]> = recorded.chunk_by(|a, b| a.file == b.file && a.agent == b.agent).collect();
    let mut all = Agreement::default();
    for of_run in parallel(&runs, |run| compare(folder, run)) {
        let of_run = of_run?;
        all.verdicts += of_run.verdicts;
        all.decisions += of_run.decisions;
        all.lines += of_run.lines;
        all.differences.extend(of_run.differences);
    }
    Ok(all)
}

impl Recorded {
    /// Parses `file<TAB>agent<TAB>URL<TAB>1 or 0<TAB>line`.
    fn read(line: &[u8]) -> Option<Self> {
        let mut fields = line.split(|&byte| byte == b'\t');
        let mut text = || Some(str::from_utf8(fields.next()?).ok()?.to_owned());
        let (file, agent) = (text()?, text()?);
        let url = fields.next()?.to_owned();
        let allowed = match fields.next()? {
            b"1" => true,
            b"0" => false,
            _ => return None,
        };
        let number = str::from_utf8(fields.next()?).ok()?.trim_end().parse().ok()?;
        let is_name = !file.is_empty() && !file.contains(['/', '\\']) && file != "..";
        (is_name && fields.next().is_none()).then_some(Self { file, agent, url, allowed, line: number })
    }
}

/// Compares verdicts on one file for one agent.
fn compare(folder: &Path, run: &[Recorded]) -> Result<Agreement, String> {
    let mut found = Agreement::default();
    let Some(first) = run.first() else { return Ok(found) };
    let path = folder.join("sites").join(&first.file);
    let body = fs::read(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    let rules = rules(body, &first.agent, SiteProfile::GOOGLE);
    for recorded in run {
        let verdict = rules.check(path_of(&recorded.url, rules.policy()));
        let got = (verdict.is_allowed(), verdict.line().unwrap_or(0));
        found.verdicts += 1;
        if got == (recorded.allowed, recorded.line) {
            continue;
        }
        if got.0 == recorded.allowed {
            found.lines += 1;
        } else {
            found.decisions += 1;
        }
        found.differences.push(format!(
            "{}\t{}\t{}\trecorded {}\tgot {}",
            recorded.file,
            recorded.agent,
            shown(&recorded.url),
            decision(recorded.allowed, recorded.line),
            decision(got.0, got.1),
        ));
    }
    Ok(found)
}

/// Returns the rules for an agent. No line names an agent that is not a product token.
fn rules(body: Vec<u8>, agent: &str, profile: SiteProfile) -> RuleSet {
    let robots = Robots::new(body, profile.rules);
    let crawler = Crawler::parse([agent], &profile.rules.groups, &KNOWN_NAMES);
    robots.rules(&crawler.unwrap_or_else(|_| Crawler::unnamed()))
}

fn decision(allowed: bool, line: usize) -> String {
    format!("{} {line}", if allowed { "allow" } else { "disallow" })
}
