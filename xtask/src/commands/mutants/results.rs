//! The file with the results: one JSON object in each line, the first for the commit.

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde_json::{Value, json};

use super::mutant::Mutant;
use crate::workspace::{text, write};

/// Whether the rows noticed a mutant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    /// A row failed, or the runner stopped.
    Caught,
    /// All rows held.
    Missed,
    /// The rows did not end in time.
    Timeout,
    /// It can't be compiled, or not within the time for it.
    Unviable,
}

impl Verdict {
    const ALL: [Self; 4] = [Self::Caught, Self::Missed, Self::Timeout, Self::Unviable];

    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Caught => "caught",
            Self::Missed => "missed",
            Self::Timeout => "timeout",
            Self::Unviable => "unviable",
        }
    }
}

/// The result of trying out one mutant.
pub(super) struct Trial {
    pub(super) verdict: Verdict,
    /// The first row that failed.
    pub(super) row: String,
    pub(super) time: Duration,
}

/// The results of a run, and the file that contains them.
pub(super) struct Results {
    path: PathBuf,
    file: File,
    verdicts: BTreeMap<String, Verdict>,
}

impl Results {
    /// Opens the file. Earlier results are kept with `resume`, if they are those of this commit.
    pub(super) fn open(path: &Path, commit: &str, resume: bool) -> Result<Self, String> {
        let mut verdicts = BTreeMap::new();
        if resume && path.exists() {
            let earlier = text(path)?;
            let of = earlier.lines().next().and_then(|line| serde_json::from_str::<Value>(line).ok());
            let of = of.as_ref().and_then(|value| value.get("commit")?.as_str());
            if of != Some(commit) {
                return Err(format!(
                    "{} is for another commit; run without --resume to begin again",
                    path.display()
                ));
            }
            // A run that was stopped may have written half of its last line.
            verdicts.extend(earlier.lines().skip(1).filter_map(read));
            if !earlier.ends_with('\n') {
                let whole = earlier.rfind('\n').map_or(0, |end| end + 1);
                write(path, earlier.get(..whole).unwrap_or_default())?;
            }
        } else {
            write(path, &format!("{}\n", json!({ "commit": commit })))?;
        }
        let file = OpenOptions::new().append(true).open(path);
        let file = file.map_err(|error| format!("{}: {error}", path.display()))?;
        Ok(Self { path: path.to_owned(), file, verdicts })
    }

    pub(super) fn has(&self, mutant: &Mutant) -> bool {
        self.verdicts.contains_key(mutant.name())
    }

    /// Adds a result and writes it at once, so that a run can be stopped at any time.
    pub(super) fn add(&mut self, mutant: &Mutant, trial: &Trial) -> Result<(), String> {
        let line = json!({
            "mutant": mutant.name(),
            "verdict": trial.verdict.name(),
            "row": trial.row,
            "seconds": trial.time.as_secs(),
        });
        writeln!(self.file, "{line}").map_err(|error| format!("{}: {error}", self.path.display()))?;
        self.verdicts.insert(mutant.name().to_owned(), trial.verdict);
        Ok(())
    }

    /// Returns the names of the mutants with this verdict.
    pub(super) fn names(&self, verdict: Verdict) -> impl Iterator<Item = &str> {
        self.verdicts.iter().filter(move |(_, of)| **of == verdict).map(|(name, _)| &**name)
    }
}

fn read(line: &str) -> Option<(String, Verdict)> {
    let value: Value = serde_json::from_str(line).ok()?;
    let verdict = value.get("verdict")?.as_str()?;
    let verdict = Verdict::ALL.into_iter().find(|known| known.name() == verdict)?;
    Some((value.get("mutant")?.as_str()?.to_owned(), verdict))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn results_of_the_same_commit_are_kept() {
        let path = std::env::temp_dir().join(format!("xtask-mutants-{}.jsonl", std::process::id()));
        let begun = "{\"commit\":\"a\"}\n{\"mutant\":\"m\",\"verdict\":\"missed\"}\n";
        fs::write(&path, format!("{begun}{{\"mutant\":\"n\",\"verd")).unwrap();
        let results = Results::open(&path, "a", true).unwrap();
        assert_eq!(results.names(Verdict::Missed).collect::<Vec<_>>(), ["m"]);
        assert_eq!(results.verdicts.len(), 1);
        assert_eq!(text(&path).unwrap(), begun);
        assert!(Results::open(&path, "b", true).is_err());
        assert_eq!(Results::open(&path, "b", false).unwrap().verdicts.len(), 0);
        assert_eq!(text(&path).unwrap(), "{\"commit\":\"b\"}\n");
        fs::remove_file(path).unwrap();
    }
}
