//! How other implementations fare: `cargo xtask peers`.

use std::env;
use std::ffi::OsString;
use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Builds `robots-conformance/peers`, fetches what it compares, and writes `PEERS.md`. Of Python and npm, what is missing
/// is skipped.
pub(crate) fn peers() -> Result<(), String> {
    let own = Path::new(env!("CARGO_MANIFEST_DIR"));
    let root = own.parent().unwrap_or(own);
    let folder = root.join("robots-conformance").join("peers");
    let target = root.join("target").join("peers");
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
        skipped("urllib.robotparser and protego", "there is no python3");
    }
    match found(&["node"]).ok_or_else(|| "there is no node".to_owned()).and_then(|node| {
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

    let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    command.args(["run", "--quiet", "--locked", "--manifest-path"]).arg(folder.join("Cargo.toml"));
    command.arg("--target-dir").arg(&target).args(["--", "report"]).args(options);
    succeeds(&mut command)
}

/// An environment of Python with the packages that `requirements.txt` pins; its interpreter.
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

/// A folder with the packages that `package-lock.json` pins.
fn modules(folder: &Path, target: &Path) -> Result<PathBuf, String> {
    let npm = found(if cfg!(windows) { &["npm.cmd"] } else { &["npm"] }).ok_or("there is no npm")?;
    let modules = target.join("node");
    fs::create_dir_all(&modules).map_err(|error| format!("{}: {error}", modules.display()))?;
    for name in ["package.json", "package-lock.json", ".npmrc"] {
        let from = folder.join("node").join(name);
        fs::copy(&from, modules.join(name)).map_err(|error| format!("{}: {error}", from.display()))?;
    }
    succeeds(Command::new(npm).args(["ci", "--silent"]).current_dir(&modules))?;
    Ok(modules)
}

/// The first of these programs that can be started.
fn found(programs: &[&str]) -> Option<PathBuf> {
    let starts = |program: &&&str| {
        let mut command = Command::new(program);
        command.arg("--version").stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        command.status().is_ok_and(|status| status.success())
    };
    programs.iter().find(starts).map(PathBuf::from)
}

fn skipped(what: &str, why: &str) {
    // A reader that went away is no reason to fail.
    let _ = writeln!(io::stdout(), "{what}: skipped, {why}");
}

fn succeeds(command: &mut Command) -> Result<(), String> {
    let program = command.get_program().to_string_lossy().into_owned();
    match command.stdin(Stdio::null()).status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("{program} failed: {status}")),
        Err(error) => Err(format!("{program} can't be started: {error}")),
    }
}
