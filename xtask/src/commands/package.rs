//! `cargo xtask package`

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use clap::Args;

use crate::help::ending;
use crate::manifest::{self, field, profiles};
use crate::process::{Cargo, Ended, Outcome, say, well};
use crate::test_run::Built;
use crate::workspace::{PUBLISHED, empty_folder, root, target, write};

/// Makes the archives of the published crates, and tests each crate from its archive.
///
/// The archives are unpacked to target/from-archives, so that the tests see only what a user of the
/// published crates has. Needs the program `tar`.
#[derive(Args)]
#[command(verbatim_doc_comment, after_help = ending!("package"))]
pub(crate) struct Package {
    /// Make the archives, but do not test them
    #[arg(long)]
    pub(crate) archives_only: bool,
}

pub(crate) fn package(options: &Package) -> Outcome {
    let archives = archives()?;
    for archive in &archives {
        let size = fs::metadata(archive).map_err(|error| format!("{}: {error}", archive.display()))?.len();
        let name = archive.file_name().unwrap_or_default().to_string_lossy();
        say(&format!("packed  {name}, {} KiB", size.div_ceil(1024)));
    }
    if options.archives_only {
        return Ok(Ended::Well);
    }
    let folder = target().join("from-archives");
    let unpacked = unpack(&archives, &folder)?;
    // Those of members that have no archive are left out.
    let profiles = profiles(&|table| !table.contains("robots-conformance"))?;
    write(&folder.join("Cargo.toml"), &(manifest(&unpacked) + &profiles))?;
    // Versions of dependencies as in the workspace.
    fs::copy(root().join("Cargo.lock"), folder.join("Cargo.lock"))
        .map_err(|error| format!("Cargo.lock: {error}"))?;
    let cargo = || {
        Cargo::new(["test", "--workspace", "--all-features"])
            .in_folder(&folder)
            .with("CARGO_TARGET_DIR", target())
            .with("CARGO_INCREMENTAL", "0")
            .with("INSTA_UPDATE", "no")
            .with("INSTA_WORKSPACE_ROOT", &folder)
    };
    let Some(built) = Built::new(cargo())? else { return Ok(Ended::Badly) };
    let mut tests = built.run(&[("INSTA_WORKSPACE_ROOT", &folder)])?;
    let examples = cargo().arguments(&["--quiet", "--doc", "--no-fail-fast"]).passes()?;
    tests.print();
    well(examples && tests.failed.is_empty())
}

/// Makes the archives and returns their paths, in the order of `PUBLISHED`.
fn archives() -> Result<Vec<PathBuf>, String> {
    let packages = PUBLISHED.iter().flat_map(|member| ["--package", member]);
    // The tests below build from the archives, so cargo need not do that here.
    let packed = Cargo::new(["package", "--quiet", "--no-verify", "--allow-dirty"])
        .arguments(&packages.collect::<Vec<_>>())
        .run()?;
    if packed != Ended::Well {
        return Err("cargo package failed".to_owned());
    }
    let folder = target().join("package");
    let archive = |member: &str| {
        Ok(folder.join(format!("{member}-{}.crate", field(&manifest::manifest(member)?, "version"))))
    };
    PUBLISHED.into_iter().map(archive).collect()
}

/// Unpacks the archives into `folder`, and returns the name of the folder of each.
fn unpack(archives: &[PathBuf], folder: &Path) -> Result<Vec<String>, String> {
    empty_folder(folder)?;
    let mut folders = Vec::new();
    for archive in archives {
        let status = Command::new("tar")
            // Files get the present time: with the fixed time of archives, cargo would take an older build for this one.
            .arg("-xmzf")
            .arg(archive)
            .current_dir(folder)
            .status()
            .map_err(|error| format!("could not start tar: {error}"))?;
        if !status.success() {
            return Err(format!("tar could not unpack {}", archive.display()));
        }
        folders.push(archive.file_stem().unwrap_or_default().to_string_lossy().into_owned());
    }
    Ok(folders)
}

/// Returns the manifest of a workspace of the unpacked crates, in which they depend on each other instead of on
/// published versions.
fn manifest(folders: &[String]) -> String {
    let members = folders.iter().map(|folder| format!("\"{folder}\"")).collect::<Vec<_>>().join(", ");
    let patches: String = PUBLISHED
        .iter()
        .zip(folders)
        .map(|(name, folder)| format!("{name} = {{ path = \"{folder}\" }}\n"))
        .collect();
    format!("[workspace]\nresolver = \"3\"\nmembers = [{members}]\n\n[patch.crates-io]\n{patches}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_workspace_of_archives_has_each_crate_once() {
        let manifest = manifest(&PUBLISHED.map(|name| format!("{name}-1.2.3")));
        for name in PUBLISHED {
            assert_eq!(manifest.matches(&format!("\"{name}-1.2.3\"")).count(), 2, "{manifest}");
            assert!(manifest.contains(&format!("{name} = {{ path = \"{name}-1.2.3\" }}")), "{manifest}");
        }
    }
}
