//! Counting instructions with valgrind.

use std::process::{Command, Stdio};

use crate::process::{OFFLINE, printed};

/// The counts within the functions of a program that are named `measured_...`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Counted {
    pub(crate) instructions: f64,
    /// The branches that a simple model of a processor predicts wrongly. The number depends a little on where code lies.
    pub(crate) branch_misses: f64,
}

/// Returns whether valgrind is installed.
pub(crate) fn is_installed() -> bool {
    printed("valgrind", &["--version"]).is_some()
}

/// Runs a program and counts.
pub(crate) fn counted(program: &str, arguments: &[&str]) -> Result<Counted, String> {
    let output = Command::new("valgrind")
        .args(["--tool=callgrind", "--branch-sim=yes", "--toggle-collect=*measured_*"])
        .args(["--callgrind-out-file=/dev/null", program])
        .args(arguments)
        .stdout(Stdio::null())
        .output()
        .map_err(|error| format!("could not start valgrind: {error}"))?;
    let text = String::from_utf8_lossy(&output.stderr);
    // The events are Ir Bc Bcm Bi Bim.
    let events = text.lines().find_map(|line| {
        let counts = line.split_once("Collected : ")?.1.split_whitespace();
        counts.map(|count| count.parse::<f64>().ok()).collect::<Option<Vec<f64>>>()
    });
    match events.as_deref() {
        Some(&[instructions, _, conditional, _, indirect]) if output.status.success() => {
            Ok(Counted { instructions, branch_misses: conditional + indirect })
        }
        _ => Err(format!("valgrind reported no counts: {text}")),
    }
}

/// Runs a program, whatever its exit status, and counts all its instructions; `None` if it was ended after so many seconds of the
/// processor.
pub(crate) fn instructions(
    program: &str,
    arguments: &[&str],
    input: Stdio,
    seconds: u64,
) -> Result<Option<f64>, String> {
    let limited = format!("ulimit -t {seconds}; exec \"$@\"");
    let output = Command::new("sh")
        .args(["-c", &limited, "sh", "valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null"])
        .arg(program)
        .args(arguments)
        .envs(OFFLINE)
        .stdin(input)
        .stdout(Stdio::null())
        .output()
        .map_err(|error| format!("could not start sh: {error}"))?;
    let text = String::from_utf8_lossy(&output.stderr);
    let count = text.lines().find_map(|line| line.split_once("Collected : ")?.1.trim().parse().ok());
    match output.status.code() {
        // A signal has ended it.
        None => Ok(None),
        Some(_) if count.is_some() => Ok(count),
        Some(_) => Err(format!("valgrind reported no counts for {arguments:?}: {text}")),
    }
}
