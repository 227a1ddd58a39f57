//! `cargo xtask bench --cache`: how long a question to a cache takes, beside a lock around a map. The program `cache-memory`
//! measures memory, because an allocator that counts would slow down the others.

#![allow(dead_code, reason = "parts are shared with the program that compares implementations")]

#[path = "../../corpus.rs"]
mod corpus;
#[path = "../../implementation.rs"]
mod implementation;
mod origins;
mod turns;
mod workloads;

use std::path::PathBuf;
use std::process::ExitCode;

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("bench: {message}");
            ExitCode::from(2)
        }
    }
}

fn run() -> Result<(), String> {
    let mut corpus: Option<PathBuf> = None;
    let mut rounds = 7;
    let mut only: Option<String> = None;
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        let mut value = || arguments.next().ok_or_else(|| format!("{argument} needs a value"));
        match argument.as_str() {
            "--corpus" => corpus = Some(value()?.into()),
            "--only" => only = Some(value()?),
            "--rounds" => {
                let text = value()?;
                rounds = text.parse().map_err(|_| {
                    format!("`{text}` is not a number; give the rounds as a number, such as 7")
                })?;
            }
            other => {
                return Err(format!(
                    "unknown argument `{other}`; use --corpus DIR, --rounds N, --only WORKLOAD"
                ));
            }
        }
    }
    let bodies = origins::bodies(corpus.as_deref())?;
    let time = if turns::processor_time().is_some() { "processor" } else { "clock" };
    println!("{}\ntime of the {time}, medians of {rounds} rounds, in each of which every candidate has a turn\n", bodies.shown());
    workloads::all(&bodies, rounds, only.as_deref())
}
