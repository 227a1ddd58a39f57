//! `cargo xtask peers`

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use clap::Args;

use crate::help::ending;
use crate::process::{Ended, Outcome, cargo, found, skipped, succeeds};
use crate::workspace::{root, target};

/// Writes PEERS.md: the results of other implementations with the conformance tables.
///
/// Downloads the other implementations. Those in Python or JavaScript are skipped if python3, node or
/// npm is missing.
#[derive(Args)]
#[command(verbatim_doc_comment, after_help = ending!("peers"))]
pub(crate) struct Peers {}

pub(crate) fn peers() -> Outcome {
    let root = root();
    let folder = root.join("robots-conformance").join("peers");
    let target = target().join("peers");
    fs::create_dir_all(&target).map_err(|error| format!("{}: {error}", target.display()))?;

    let mut options: Vec<OsString> = Vec::new();
    let mut option = |name: &str, value: &Path| options.extend([name.into(), value.into()]);
    if let Some(python) = found(&["python3", "python"]) {
        option("--python", &python);
        match venv(&python, &folder, &target) {
            Ok(venv) => option("--venv", &venv),
            Err(why) => skipped("protego", &why),
        }
    } else {
        skipped("urllib.robotparser and protego", "python3 is not installed");
    }
    match found(&["node"]).ok_or_else(|| "node is not installed".to_owned()).and_then(|node| {
        let modules = modules(&folder, &target)?;
        Ok((node, modules))
    }) {
        Ok((node, modules)) => {
            option("--node", &node);
            option("--modules", &modules);
        }
        Err(why) => skipped("robots-parser", &why),
    }
    option("--out", &root.join("PEERS.md"));

    let mut command = Command::new(cargo());
    command.args(["run", "--quiet", "--locked", "--manifest-path"]).arg(folder.join("Cargo.toml"));
    command.arg("--target-dir").arg(&target).args(["--", "report"]).args(options);
    succeeds(&mut command).map(|()| Ended::Well)
}

/// Makes a virtual environment with the packages that `requirements.txt` pins, and returns its interpreter.
fn venv(python: &Path, folder: &Path, target: &Path) -> Result<PathBuf, String> {
    let venv = target.join("venv");
    let interpreter =
        if cfg!(windows) { venv.join("Scripts").join("python.exe") } else { venv.join("bin").join("python") };
    if !interpreter.exists() {
        succeeds(Command::new(python).args(["-m", "venv"]).arg(&venv))?;
    }
    let mut pip = Command::new(&interpreter);
    pip.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--require-hashes"]);
    succeeds(pip.arg("--requirement").arg(folder.join("python").join("requirements.txt")))?;
    Ok(interpreter)
}

/// Makes a folder with the packages that `package-lock.json` pins, and returns it.
fn modules(folder: &Path, target: &Path) -> Result<PathBuf, String> {
    let npm = found(if cfg!(windows) { &["npm.cmd"] } else { &["npm"] }).ok_or("npm is not installed")?;
    let modules = target.join("node");
    fs::create_dir_all(&modules).map_err(|error| format!("{}: {error}", modules.display()))?;
    for name in ["package.json", "package-lock.json", ".npmrc"] {
        let from = folder.join("node").join(name);
        fs::copy(&from, modules.join(name)).map_err(|error| format!("{}: {error}", from.display()))?;
    }
    succeeds(Command::new(npm).args(["ci", "--silent"]).current_dir(&modules))?;
    Ok(modules)
}
