//! The benchmark: a workspace of its own, so that nobody else builds the crates it compares with.

use crate::run::{Cargo, Outcome, root};

/// Builds the benchmark for release and runs it with `arguments`, in the folder in which xtask was called.
pub(crate) fn bench(arguments: &[String]) -> Outcome {
    let manifest = root().join("robots-conformance/bench/Cargo.toml");
    Cargo::new([
        "run",
        "--quiet",
        "--release",
        "--locked",
        "--manifest-path",
        &manifest.to_string_lossy(),
        "--",
    ])
    .arguments(arguments)
    .in_place()
    .run()
}
