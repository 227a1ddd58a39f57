//! `cargo xtask bench --cost`: what depending on each crate costs.

use std::fs;
use std::path::Path;
use std::time::Instant;

use crate::process::{Cargo, Outcome, say, well};
use crate::workspace::{empty_folder, root, target, write};

/// A program that depends on one crate.
struct Program {
    name: &'static str,
    /// The entry in its manifest. `ROOT` stands for the folder of this workspace.
    dependency: &'static str,
    /// The body of its function `main`, which uses the crate for `body`, the first argument.
    main: &'static str,
}

/// The program without a dependency, whose size is subtracted.
const EMPTY: Program = Program { name: "", dependency: "", main: "println!(\"{}\", body.len());" };

/// Reads the programs of `cost.txt`.
fn programs() -> impl Iterator<Item = Program> {
    include_str!("cost.txt").split("\n== ").skip(1).filter_map(|text| {
        let (name, text) = text.split_once('\n')?;
        let (dependency, main) = text.split_once("\n--\n")?;
        Some(Program { name, dependency, main })
    })
}

/// The costs of a program.
struct Cost {
    seconds: f64,
    crates: usize,
    bytes: u64,
}

/// Builds each program in an empty folder, or those whose names contain `only`, and prints a table.
pub(crate) fn cost(only: &str) -> Outcome {
    let folder = target().join("cost");
    let empty = measured(&EMPTY, &folder)?;
    say("| dependency | seconds to build | crates | KiB in a stripped program |");
    say("| --- | ---: | ---: | ---: |");
    let mut all = true;
    let wanted = |program: &Program| program.name.contains(only);
    for program in programs().filter(wanted) {
        match measured(&program, &folder) {
            Ok(Cost { seconds, crates, bytes }) => {
                let more = bytes.saturating_sub(empty.bytes) / 1024;
                say(&format!("| {} | {seconds:.0} | {} | {more} |", program.name, crates - 1));
            }
            Err(why) => {
                say(&format!("| {} | {why} | | |", program.name));
                all = false;
            }
        }
    }
    well(all)
}

/// Builds a program without earlier results, and removes what was built. The packages are downloaded before.
fn measured(program: &Program, folder: &Path) -> Result<Cost, String> {
    empty_folder(folder)?;
    let workspace = root().to_string_lossy().replace('\\', "/");
    let dependency = program.dependency.replace("ROOT", &workspace);
    let manifest = format!(
        "[package]\nname = \"cost\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n[workspace]\n\n\
         [dependencies]\n{dependency}\n\n[profile.release]\nstrip = true\n"
    );
    write(&folder.join("Cargo.toml"), &manifest)?;
    let body = "let body = std::env::args().nth(1).unwrap_or_default();";
    write(&folder.join("src/main.rs"), &format!("fn main() {{\n    {body}\n    {}\n}}\n", program.main))?;
    let run = |arguments: &[&str]| {
        let cargo = Cargo::new(arguments.iter().copied()).in_folder(folder);
        cargo.with("CARGO_TARGET_DIR", folder.join("target")).output()
    };
    let failed = || "does not build".to_owned();
    run(&["fetch", "--quiet"])?.ok_or_else(failed)?;
    let tree = run(&["tree", "--edges", "normal,build", "--prefix", "none", "--format", "{p}"])?;
    let tree = tree.ok_or_else(failed)?;
    let mut crates: Vec<&str> = tree.lines().map(|line| line.trim_end_matches(" (*)")).collect();
    crates.sort_unstable();
    crates.dedup();
    let started = Instant::now();
    run(&["build", "--release", "--quiet"])?.ok_or_else(failed)?;
    let seconds = started.elapsed().as_secs_f64();
    let built = folder.join("target/release").join(format!("cost{}", std::env::consts::EXE_SUFFIX));
    let bytes = fs::metadata(&built).map_err(|error| format!("{}: {error}", built.display()))?.len();
    let crates = crates.len();
    fs::remove_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    Ok(Cost { seconds, crates, bytes })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_program_has_a_dependency_and_a_body() {
        assert!(programs().count() > 8);
        assert!(
            programs().all(|program| program.dependency.contains(" = ") && program.main.contains("body"))
        );
    }
}
