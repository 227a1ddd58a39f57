//! What files that were made to hurt cost, in octets of memory and in instructions: the same on every machine that runs the
//! same code.

use std::process::{Command, Stdio};

use crate::process::{Ended, Outcome, printed, root, say, well};

const STAGES: [&str; 4] = ["read", "grammar", "compile", "check"];

/// The sizes that are compared: the limit of RFC 9309, section 2.5, half and a quarter of it.
const SIZES: [usize; 3] = [125 * 1024, 250 * 1024, 500 * 1024];

/// Cost that grows with the size of the input at most doubles with it; sorting adds a logarithm.
const MOST: f64 = 2.3;

/// Counts the memory of each case of the example `limits`, and the instructions of each stage at three sizes; fails if
/// they grow faster than the input. Where valgrind is missing, a line says so.
pub(crate) fn limits(arguments: &[String]) -> Outcome {
    if let Some(argument) = arguments.iter().find(|argument| argument.starts_with('-')) {
        return Err(format!("`{argument}` is not understood: [CASE]..."));
    }
    let built = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
        .args(["build", "--release", "--quiet", "--package", "robots-conformance", "--example", "limits"])
        .current_dir(root())
        .status()
        .map_err(|error| format!("cargo can't be started: {error}"))?;
    if !built.success() {
        return well(false);
    }
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), Into::into);
    let program = target.join("release").join("examples").join("limits").to_string_lossy().into_owned();
    let list = printed(&program, &["list"]).ok_or("the example `limits` does not run")?;
    let cases: Vec<&str> = list.lines().filter_map(|line| line.split('\t').next()).collect();
    if let Some(unknown) = arguments.iter().find(|argument| !cases.contains(&argument.as_str())) {
        return Err(format!("there is no case `{unknown}`: {} are", cases.join(", ")));
    }
    if arguments.is_empty() {
        say(&printed(&program, &["memory"]).ok_or("the example `limits` can't count memory")?);
    }
    if printed("valgrind", &["--version"]).is_none() {
        say("instructions skipped: valgrind is not installed");
        return Ok(Ended::Well);
    }
    say("| file | stage | 125 KiB | 250 KiB | 500 KiB | for each octet more |");
    say("| --- | --- | ---: | ---: | ---: | ---: |");
    let mut all = true;
    for case in
        cases.into_iter().filter(|case| arguments.is_empty() || arguments.iter().any(|name| name == case))
    {
        for stage in STAGES {
            let mut counted = [0.0; 3];
            for (count, size) in counted.iter_mut().zip(SIZES) {
                *count = instructions(&program, &[case, stage, &size.to_string()])?;
            }
            let [one, two, four] = counted;
            // What costs less than an instruction for ten octets does not depend on the size.
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

/// The instructions of the measured function of one run.
fn instructions(program: &str, arguments: &[&str]) -> Result<f64, String> {
    let output = Command::new("valgrind")
        .args(["--tool=callgrind", "--toggle-collect=*measured_*", "--callgrind-out-file=/dev/null", program])
        .args(arguments)
        .stdout(Stdio::null())
        .output()
        .map_err(|error| format!("valgrind can't be started: {error}"))?;
    let text = String::from_utf8_lossy(&output.stderr);
    let count = text.lines().find_map(|line| line.split_once("Collected : ")?.1.trim().parse().ok());
    count.filter(|_| output.status.success()).ok_or_else(|| format!("valgrind counted nothing: {text}"))
}
