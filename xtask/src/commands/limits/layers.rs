//! The costs of the layers of the libraries.

use std::process::Command;

use super::MOST;
use crate::process::{Ended, Outcome, cargo, printed, say, skipped, well};
use crate::valgrind::{counted, is_installed};
use crate::workspace::{root, target};

const STAGES: [&str; 4] = ["read", "grammar", "compile", "check"];

/// The sizes that are compared, in bytes: the limit of RFC 9309, section 2.5, half and a quarter of it.
const SIZES: [usize; 3] = [125 * 1024, 250 * 1024, 500 * 1024];

/// Measures each stage for the files with these names, or for all.
pub(super) fn layers(arguments: &[String]) -> Outcome {
    let built = Command::new(cargo())
        .args(["build", "--release", "--quiet", "--package", "robots-conformance", "--example", "limits"])
        .current_dir(root())
        .status()
        .map_err(|error| format!("could not start cargo: {error}"))?;
    if !built.success() {
        return well(false);
    }
    let program = target().join("release").join("examples").join("limits").to_string_lossy().into_owned();
    let list = printed(&program, &["list"]).ok_or("the example `limits` failed")?;
    let cases: Vec<&str> = list.lines().filter_map(|line| line.split('\t').next()).collect();
    if let Some(unknown) = arguments.iter().find(|argument| !cases.contains(&argument.as_str())) {
        return Err(format!("unknown case `{unknown}`; the cases are {}", cases.join(", ")));
    }
    if arguments.is_empty() {
        say(&printed(&program, &["memory"]).ok_or("the example `limits` could not count memory")?);
    }
    if !is_installed() {
        skipped("instructions", "valgrind is not installed");
        return Ok(Ended::Well);
    }
    say("| file | stage | 125 KiB | 250 KiB | 500 KiB | per additional byte |");
    say("| --- | --- | ---: | ---: | ---: | ---: |");
    let mut all = true;
    for case in
        cases.into_iter().filter(|case| arguments.is_empty() || arguments.iter().any(|name| name == case))
    {
        for stage in STAGES {
            let mut counts = [0.0; 3];
            for (count, size) in counts.iter_mut().zip(SIZES) {
                *count = counted(&program, &[case, stage, &size.to_string()])?.instructions;
            }
            let [one, two, four] = counts;
            // Below one instruction per ten bytes, the cost does not depend on the size.
            let grows = [(one, two), (two, four)].iter().all(|(a, b)| *b < 50_000.0 || b / a < MOST);
            #[expect(clippy::cast_precision_loss, reason = "a size of a few mebibytes is exact")]
            let slope = (four - one) / (SIZES[2] - SIZES[0]) as f64;
            let note = if grows { "" } else { " grows faster than the input" };
            say(&format!("| {case} | {stage} | {one} | {two} | {four} | {slope:.1}{note} |"));
            all &= grows;
        }
    }
    well(all)
}
