//! The fuzz targets, where the tools for them are.

use std::fs;
use std::process::Command;

use crate::process::{Ended, Outcome, printed, root, say, well};

/// Runs one target or all, each for `--seconds N` (60 without it). Where a tool is missing, a line says so.
pub(crate) fn fuzz(arguments: &[String]) -> Outcome {
    let mut target = None;
    let mut seconds = 60_u32;
    let mut rest = arguments.iter();
    while let Some(argument) = rest.next() {
        if argument == "--seconds" {
            let value = rest.next().ok_or("--seconds needs a number")?;
            seconds = value.parse().map_err(|_| format!("`{value}` is no number of seconds"))?;
        } else if argument.starts_with('-') || target.is_some() {
            return Err(format!("`{argument}` is not understood: [TARGET] [--seconds N]"));
        } else {
            target = Some(argument.clone());
        }
    }
    let folder = root().join("robots-conformance").join("fuzz");
    let missing = if !folder.join("Cargo.toml").is_file() {
        Some("there are no fuzz targets")
    } else if printed("rustup", &["run", "nightly", "rustc", "--version"]).is_none() {
        Some("no nightly toolchain is installed")
    } else if printed("cargo", &["fuzz", "--version"]).is_none() {
        Some("cargo-fuzz is not installed")
    } else {
        None
    };
    if let Some(missing) = missing {
        say(&format!("fuzz skipped: {missing}"));
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
    if let Some(target) = target {
        if !targets.contains(&target) {
            return Err(format!("there is no target `{target}`: {} are", targets.join(", ")));
        }
        targets = vec![target];
    }
    let mut all = true;
    for target in targets {
        // What is found goes to `corpus`, which is no part of the repository; seeds and words are.
        let [corpus, seeds] = ["corpus", "seeds"].map(|kind| format!("{kind}/{target}"));
        let words = format!("dictionaries/{target}.dict");
        for kind in [&corpus, &seeds] {
            fs::create_dir_all(folder.join(kind)).map_err(|error| format!("{kind}: {error}"))?;
        }
        let mut command = Command::new("rustup");
        command.args(["run", "nightly", "cargo", "fuzz", "run", &target, &corpus, &seeds, "--"]);
        if folder.join(&words).is_file() {
            command.arg(format!("-dict={words}"));
        }
        let status = command
            .arg(format!("-max_total_time={seconds}"))
            .current_dir(&folder)
            .env_remove("CARGO")
            .env_remove("RUSTUP_TOOLCHAIN")
            .status()
            .map_err(|error| format!("cargo fuzz can't be started: {error}"))?;
        say(&format!("{} {target}, {seconds} s", if status.success() { "ok     " } else { "failed:" }));
        all &= status.success();
    }
    well(all)
}
