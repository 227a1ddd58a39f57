//! `cargo xtask bench`: this stack and others, side by side in one run.

mod workloads;

use std::process::ExitCode;

use robots_bench::arguments::{Arguments, exit};

fn main() -> ExitCode {
    // Some implementations panic on some files; these panics are counted, not shown.
    std::panic::set_hook(Box::new(|_| {}));
    exit(run)
}

fn run() -> Result<(), String> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    // For this program itself: it runs each adversarial file in a process that it can kill.
    if let [probe, implementation, file] = &*arguments
        && probe == "--probe"
    {
        workloads::probe(implementation, file);
        return Ok(());
    }
    let arguments = Arguments::parse(arguments)?;
    let sites = arguments.sites()?;
    let bytes: usize = sites.iter().map(|site| site.body.len()).sum();
    println!(
        "corpus {}: {} files, {bytes} bytes; one thread, medians of {} rounds, in which all take turns\n",
        arguments.source(),
        sites.len(),
        arguments.rounds
    );
    let results = workloads::all(&sites, &arguments);
    for result in &results {
        println!("{result}");
    }
    for result in &results {
        if let Some(line) = result.line() {
            println!("{line}");
        }
    }
    if let Some(file) = &arguments.json {
        let report: Vec<_> = results.iter().map(workloads::Outcome::json).collect();
        let text = serde_json::to_string_pretty(&report).map_err(|error| error.to_string())?;
        std::fs::write(file, text).map_err(|error| format!("{}: {error}", file.display()))?;
    }
    Ok(())
}
