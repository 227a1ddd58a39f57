//! The benchmark: a workspace of its own, so that nobody else builds the crates it compares with.

use crate::process::{Cargo, Ended, Outcome, printed, root, say};

/// Builds the benchmark for release and runs it with `arguments`, in the folder in which xtask was called. With `--layers`
/// first, that of each layer's calls, with the other arguments; with `--instructions`, their instructions, where valgrind
/// and the runner of gungraun are installed.
pub(crate) fn bench(arguments: &[String]) -> Outcome {
    let manifest = root().join("robots-conformance/bench/Cargo.toml");
    let manifest = manifest.to_string_lossy();
    let (command, arguments): (&[&str], _) = match arguments.split_first() {
        Some((first, rest)) if first == "--layers" => (&["bench", "--bench", "layers"], rest),
        Some((first, rest)) if first == "--instructions" => {
            for (program, how) in [
                ("valgrind", "from your system"),
                ("gungraun-runner", "cargo install gungraun-runner@0.20.0"),
            ] {
                if printed(program, &["--version"]).is_none() {
                    say(&format!("instructions skipped: {program} is not installed ({how})"));
                    return Ok(Ended::Well);
                }
            }
            (&["bench", "--bench", "instructions"], rest)
        }
        _ => (&["run", "--release"], arguments),
    };
    let common = ["--quiet", "--locked", "--manifest-path", &*manifest, "--"];
    Cargo::new(command.iter().copied().chain(common)).arguments(arguments).in_place().run()
}
