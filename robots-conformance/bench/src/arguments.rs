//! The arguments of the programs.

use std::path::PathBuf;
use std::process::ExitCode;

use crate::corpus::{self, Site};

/// The arguments that all programs take.
#[derive(Debug)]
pub struct Arguments {
    /// The folder with files; generated files if absent.
    pub corpus: Option<PathBuf>,
    /// Where the figures are also written as JSON.
    pub json: Option<PathBuf>,
    pub rounds: usize,
    /// A part of the name of the only workload.
    pub only: Option<String>,
}

impl Arguments {
    /// Parses the arguments of the process.
    pub fn parse(arguments: impl IntoIterator<Item = String>) -> Result<Self, String> {
        let mut parsed = Self { corpus: None, json: None, rounds: 7, only: None };
        let mut arguments = arguments.into_iter();
        while let Some(argument) = arguments.next() {
            let mut value = || arguments.next().ok_or_else(|| format!("{argument} needs a value"));
            match argument.as_str() {
                "--corpus" => parsed.corpus = Some(value()?.into()),
                "--json" => parsed.json = Some(value()?.into()),
                "--only" => parsed.only = Some(value()?),
                "--rounds" => {
                    let text = value()?;
                    parsed.rounds = text.parse().map_err(|_| {
                        format!("`{text}` is not a number; give the rounds as a number, such as 7")
                    })?;
                }
                other => {
                    return Err(format!(
                        "unknown argument `{other}`; use --corpus DIR, --json FILE, --rounds N, --only WORKLOAD"
                    ));
                }
            }
        }
        Ok(parsed)
    }

    /// Returns whether a workload was asked for.
    pub fn wants(&self, workload: &str) -> bool {
        self.only.as_deref().is_none_or(|only| workload.contains(only))
    }

    /// Reads the corpus, or generates files.
    pub fn sites(&self) -> Result<Vec<Site>, String> {
        let sites = match &self.corpus {
            Some(folder) => corpus::read(folder).map_err(|error| {
                format!("{}: {error}; give a folder with robots.txt files to --corpus", folder.display())
            })?,
            None => corpus::synthetic(),
        };
        if sites.is_empty() {
            return Err("the corpus has no files; give a folder with files to --corpus".to_owned());
        }
        Ok(sites)
    }

    /// Returns where the files come from, for people.
    pub fn source(&self) -> String {
        self.corpus
            .as_ref()
            .map_or_else(|| "generated files".to_owned(), |folder| folder.display().to_string())
    }
}

/// Runs a program, and shows its error.
pub fn exit(run: impl FnOnce() -> Result<(), String>) -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("bench: {message}");
            ExitCode::from(2)
        }
    }
}
