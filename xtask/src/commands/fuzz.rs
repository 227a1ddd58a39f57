//! `cargo xtask fuzz`

use std::path::Path;
use std::process::Command;
use std::{fs, io};

use clap::Args;
use serde_json::Value;

use super::limits;
use crate::help::ending;
use crate::process::{Ended, Outcome, printed, say, skipped, well};
use crate::workspace::root;

/// Runs the fuzz targets, and looks for files that cost the commands too much.
///
/// The targets need a nightly toolchain and cargo-fuzz, the files valgrind.
#[derive(Args)]
#[command(after_help = ending!("fuzz groups --seconds 300"))]
pub(crate) struct Fuzz {
    /// Only this target (all if absent)
    target: Option<String>,
    /// Time for each target, in seconds
    #[arg(long, value_name = "N", default_value_t = 60)]
    pub(crate) seconds: u32,
    /// The seed of the changes that are tried (a new one for each run if absent)
    #[arg(long, value_name = "N")]
    seed: Option<u32>,
}

impl Fuzz {
    /// Runs all targets, each for `seconds`, with the same seed each time, so that what fails is the change that is checked.
    pub(crate) fn all(seconds: u32) -> Self {
        Self { target: None, seconds, seed: Some(1) }
    }
}

pub(crate) fn fuzz(options: &Fuzz) -> Outcome {
    let targets = targets(options)?;
    if options.target.is_some() {
        return Ok(targets);
    }
    let costs = limits::search_for(u64::from(options.seconds), options.seed.map(u64::from))?;
    Ok(if targets == Ended::Well { costs } else { targets })
}

fn targets(options: &Fuzz) -> Outcome {
    let seconds = options.seconds;
    let folder = root().join("robots-conformance").join("fuzz");
    let missing = if !folder.join("Cargo.toml").is_file() {
        Some("robots-conformance/fuzz does not exist")
    } else if printed("rustup", &["run", "nightly", "rustc", "--version"]).is_none() {
        Some("no nightly toolchain is installed (rustup toolchain install nightly)")
    } else if printed("cargo", &["fuzz", "--version"]).is_none() {
        Some("cargo-fuzz is not installed (cargo install cargo-fuzz --locked)")
    } else {
        None
    };
    if let Some(missing) = missing {
        skipped("fuzz targets", missing);
        return Ok(Ended::Well);
    }
    let mut targets: Vec<String> = fs::read_dir(folder.join("fuzz_targets"))
        .map_err(|error| format!("fuzz_targets: {error}"))?
        .filter_map(|entry| {
            let name = entry.ok()?.file_name().to_string_lossy().into_owned();
            name.strip_suffix(".rs").map(str::to_owned)
        })
        .collect();
    targets.sort();
    if let Some(target) = &options.target {
        if !targets.contains(target) {
            return Err(format!("unknown target `{target}`; the targets are {}", targets.join(", ")));
        }
        targets = vec![target.clone()];
    }
    let seeds =
        fs::read_to_string(folder.join("seeds.json")).map_err(|error| format!("seeds.json: {error}"))?;
    let seeds: Value = serde_json::from_str(&seeds).map_err(|error| format!("seeds.json: {error}"))?;
    let mut all = true;
    for target in targets {
        // Inputs found by the fuzzer go to `corpus`, which git ignores; seeds and dictionaries are tracked.
        let [corpus, words] = [format!("corpus/{target}"), format!("dictionaries/{target}.dict")];
        write_seeds(&seeds, &target, &folder.join(&corpus)).map_err(|error| format!("{corpus}: {error}"))?;
        let mut command = Command::new("rustup");
        // The code has no `unsafe`. A sanitizer would only find faults of dependencies, and make the build slower.
        command.args(["run", "nightly", "cargo", "fuzz", "run", "--sanitizer", "none"]);
        command.args([&target, &corpus, "--"]);
        if folder.join(&words).is_file() {
            command.arg(format!("-dict={words}"));
        }
        let status = command
            .arg(format!("-max_total_time={seconds}"))
            // Without a line for each input that is found.
            .arg("-verbosity=0")
            .args(options.seed.map(|seed| format!("-seed={seed}")))
            .current_dir(&folder)
            .env_remove("CARGO")
            .env_remove("RUSTUP_TOOLCHAIN")
            .status()
            .map_err(|error| format!("could not start cargo fuzz: {error}"))?;
        say(&format!("{} {target}, {seconds} s", if status.success() { "ok     " } else { "failed:" }));
        all &= status.success();
    }
    well(all)
}

/// Writes the seeds of a target into a folder. The file of seeds has each byte as the character of its number.
fn write_seeds(seeds: &Value, target: &str, folder: &Path) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    for (name, text) in seeds.get(target).and_then(Value::as_object).into_iter().flatten() {
        let bytes = text.as_str().unwrap_or_default().chars().map(|char| char as u8);
        fs::write(folder.join(format!("seed-{name}")), bytes.collect::<Vec<_>>())?;
    }
    Ok(())
}
