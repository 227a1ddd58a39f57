//! `cargo xtask bench`: this stack and others, side by side in one run.

mod contestant;
mod corpus;
mod measure;
mod workloads;

use std::path::PathBuf;
use std::process::ExitCode;

#[global_allocator]
static ALLOCATOR: &stats_alloc::StatsAlloc<std::alloc::System> = &stats_alloc::INSTRUMENTED_SYSTEM;

fn main() -> ExitCode {
    // A contestant that panics on a file has not compiled it; there is no need to show each time.
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
            // What the workload of hurtful files calls itself with.
            "--probe" => {
                let contestant = value()?;
                let file = arguments.next().ok_or("--probe needs a contestant and a file")?;
                workloads::probe(&contestant, &file);
                return Ok(());
            }
            "--rounds" => {
                let text = value()?;
                rounds = text.parse().map_err(|_| format!("`{text}` is no number of rounds"))?;
            }
            other => {
                return Err(format!(
                    "unknown argument `{other}`; there are --corpus DIR, --json FILE, --rounds N, --only WORKLOAD"
                ));
            }
        }
    }
    let sites = match &corpus {
        Some(folder) => corpus::read(folder).map_err(|error| format!("{}: {error}", folder.display()))?,
        None => corpus::synthetic(),
    };
    if sites.is_empty() {
        return Err("the corpus has no files".to_owned());
    }
    let octets: usize = sites.iter().map(|site| site.body.len()).sum();
    let source = corpus.map_or_else(|| "synthetic".to_owned(), |folder| folder.display().to_string());
    println!(
        "corpus {source}: {} files, {octets} octets; one thread, medians of {rounds} rounds\n",
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
