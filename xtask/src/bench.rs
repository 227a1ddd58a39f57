//! The benchmark: a workspace of its own, so that nobody else builds the crates it compares with.

use crate::run::{Cargo, Outcome, root};

/// Builds the benchmark for release and runs it with `arguments`, in the folder in which xtask was called. With `--layers`
/// first, that of each layer's calls, with the other arguments.
pub(crate) fn bench(arguments: &[String]) -> Outcome {
    let manifest = root().join("robots-conformance/bench/Cargo.toml");
    let manifest = manifest.to_string_lossy();
    let (command, arguments): (&[&str], _) = match arguments.split_first() {
        Some((first, rest)) if first == "--layers" => (&["bench", "--bench", "layers"], rest),
        _ => (&["run", "--release"], arguments),
    };
    let common = ["--quiet", "--locked", "--manifest-path", &*manifest, "--"];
    Cargo::new(command.iter().copied().chain(common)).arguments(arguments).in_place().run()
}
