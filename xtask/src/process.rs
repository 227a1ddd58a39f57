//! Running other programs, and talking to who runs this one.

use std::env;
use std::ffi::OsString;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// How a command ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ended {
    /// All is well.
    Well,
    /// Something that was checked is not as it should be.
    Badly,
    /// Another program ended with this status.
    With(u8),
}

/// How a command ended, or why it could not do its work.
pub(crate) type Outcome = Result<Ended, String>;

/// `Well` if `is`.
pub(crate) fn well(is: bool) -> Outcome {
    Ok(if is { Ended::Well } else { Ended::Badly })
}

/// Prints a line; a reader that went away is no reason to fail.
pub(crate) fn say(line: &str) {
    let _ = writeln!(io::stdout(), "{line}");
}

/// Prints an error.
pub(crate) fn complain(what: &str) {
    let _ = writeln!(io::stderr(), "error: {what}");
}

/// The root of the workspace.
pub(crate) fn root() -> PathBuf {
    let own = Path::new(env!("CARGO_MANIFEST_DIR"));
    own.parent().unwrap_or(own).to_owned()
}

/// A run of cargo, at the root of the workspace.
pub(crate) struct Cargo {
    command: Command,
}

impl Cargo {
    /// With these arguments.
    pub(crate) fn new<'a>(arguments: impl IntoIterator<Item = &'a str>) -> Self {
        let mut command = Command::new(cargo());
        command.args(arguments).current_dir(root());
        Self { command }
    }

    /// Of another toolchain.
    pub(crate) fn of_toolchain<const N: usize>(toolchain: &str, arguments: [&str; N]) -> Self {
        let mut command = Command::new("rustup");
        command.args(["run", toolchain, "cargo"]).args(arguments).current_dir(root());
        // What the cargo that runs this has set holds for its own toolchain.
        for name in ["CARGO", "RUSTC", "RUSTUP_TOOLCHAIN", "RUSTFLAGS"] {
            command.env_remove(name);
        }
        Self { command }
    }

    /// Further arguments.
    pub(crate) fn arguments<S: AsRef<str>>(mut self, arguments: &[S]) -> Self {
        self.command.args(arguments.iter().map(AsRef::as_ref));
        self
    }

    /// A variable of the environment.
    pub(crate) fn with(mut self, name: &str, value: &str) -> Self {
        self.command.env(name, value);
        self
    }

    /// In the folder from which this was started, so that paths in arguments mean what they say.
    pub(crate) fn in_place(mut self) -> Self {
        if let Ok(folder) = env::current_dir() {
            self.command.current_dir(folder);
        }
        self
    }

    /// Runs it, and tells how it ended.
    pub(crate) fn run(mut self) -> Outcome {
        let status = self.command.status().map_err(|error| self.told(&error))?;
        Ok(match status.code() {
            Some(0) => Ended::Well,
            Some(code) => u8::try_from(code).map_or(Ended::Badly, Ended::With),
            None => Ended::Badly,
        })
    }

    /// What it prints; nothing if it fails.
    pub(crate) fn output(mut self) -> Result<Option<String>, String> {
        let output = self.command.stderr(Stdio::inherit()).output().map_err(|error| self.told(&error))?;
        Ok(output.status.success().then(|| String::from_utf8_lossy(&output.stdout).into_owned()))
    }

    fn told(&self, error: &io::Error) -> String {
        format!("{} can't be started: {error}", self.command.get_program().to_string_lossy())
    }
}

fn cargo() -> OsString {
    env::var_os("CARGO").unwrap_or_else(|| "cargo".into())
}

/// What a program prints, if there is such a program and it ends well.
pub(crate) fn printed(program: &str, arguments: &[&str]) -> Option<String> {
    let output =
        Command::new(program).args(arguments).current_dir(root()).stderr(Stdio::null()).output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).into_owned())
}

/// The members of the workspace, lower layers first.
pub(crate) const MEMBERS: [&str; 6] =
    ["robots-syntax", "robots-groups", "robots-match", "robots-fetch", "robots-conformance", "xtask"];

/// Those that need no standard library.
pub(crate) const LOWER: [&str; 3] = ["robots-syntax", "robots-groups", "robots-match"];

/// A file of the workspace as text.
pub(crate) fn text(path: &Path) -> Result<String, String> {
    std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))
}

/// The lines of a section of a manifest, such as `features`, without comments.
pub(crate) fn section<'a>(manifest: &'a str, name: &str) -> Vec<&'a str> {
    let header = format!("[{name}]");
    let lines = manifest.lines().map(|line| line.split('#').next().unwrap_or_default().trim());
    lines
        .skip_while(|line| *line != header)
        .skip(1)
        .take_while(|line| !line.starts_with('['))
        .filter(|line| !line.is_empty())
        .collect()
}

/// The keys of a section of a manifest; `a.workspace = true` has the key `a`.
pub(crate) fn keys<'a>(manifest: &'a str, name: &str) -> Vec<&'a str> {
    let key = |line: &'a str| {
        let (key, _) = line.split_once('=')?;
        Some(key.trim().split('.').next().unwrap_or_default())
    };
    section(manifest, name).into_iter().filter_map(key).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_of_sections() {
        let manifest = "[package]\nname = \"a\"\n[features]\n# a comment\ncli = [\n]\nx = []\n\n[dependencies]\nb.workspace = true\nc = { workspace = true }\n";
        assert_eq!(keys(manifest, "features"), ["cli", "x"]);
        assert_eq!(keys(manifest, "dependencies"), ["b", "c"]);
        assert!(keys(manifest, "dev-dependencies").is_empty());
    }

    #[test]
    fn the_members_are_those_of_the_manifest() {
        let manifest = text(&root().join("Cargo.toml")).unwrap();
        let members = section(&manifest, "workspace").into_iter().find(|line| line.starts_with("members"));
        for member in MEMBERS {
            assert!(members.unwrap().contains(&format!("\"{member}\"")), "{member}");
        }
        assert_eq!(members.unwrap().matches('"').count(), 2 * MEMBERS.len());
    }
}
