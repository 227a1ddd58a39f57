//! `cargo xtask bench`: this stack and others, side by side in one run.

mod corpus;
mod implementation;
mod medians;
mod workloads;

use std::path::PathBuf;
use std::process::ExitCode;

#[global_allocator]
static ALLOCATOR: &stats_alloc::StatsAlloc<std::alloc::System> = &stats_alloc::INSTRUMENTED_SYSTEM;

fn main() -> ExitCode {
    // Some implementations panic on some files; these panics are counted, not shown.
    std::panic::set_hook(Box::new(|_| {}));
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
    let mut json: Option<PathBuf> = None;
    let mut rounds = 7;
    let mut only: Option<String> = None;
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        let mut value = || arguments.next().ok_or_else(|| format!("{argument} needs a value"));
        match argument.as_str() {
            "--corpus" => corpus = Some(value()?.into()),
            "--json" => json = Some(value()?.into()),
            "--only" => only = Some(value()?),
            // For this program itself: it runs each adversarial file in a process that it can kill.
            "--probe" => {
                let implementation = value()?;
                let file = arguments.next().ok_or("--probe needs an implementation and a file")?;
                workloads::probe(&implementation, &file);
                return Ok(());
            }
            "--rounds" => {
                let text = value()?;
                rounds = text.parse().map_err(|_| {
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
    let sites = match &corpus {
        Some(folder) => corpus::read(folder).map_err(|error| format!("{}: {error}", folder.display()))?,
        None => corpus::synthetic(),
    };
    if sites.is_empty() {
        return Err("the corpus has no files; give a folder with files to --corpus".to_owned());
    }
    let bytes: usize = sites.iter().map(|site| site.body.len()).sum();
    let source = corpus.map_or_else(|| "synthetic".to_owned(), |folder| folder.display().to_string());
    println!(
        "corpus {source}: {} files, {bytes} bytes; one thread, medians of {rounds} rounds\n",
        sites.len()
    );
    let results = workloads::all(&sites, rounds, only.as_deref());
    for result in &results {
        println!("{result}");
    }
    if let Some(file) = json {
        let report: Vec<_> = results.iter().map(workloads::Outcome::json).collect();
        let text = serde_json::to_string_pretty(&report).map_err(|error| error.to_string())?;
        std::fs::write(&file, text).map_err(|error| format!("{}: {error}", file.display()))?;
    }
    Ok(())
}
