//! Building and running a mutant.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use super::mutant::Mutant;
use super::results::{Trial, Verdict};
use crate::process::{Cargo, Ended};
use crate::workspace::{empty_folder, root, text};

/// The profiles, those with the most rows first: after a row has failed, the others are not run.
const PROFILES: [&str; 4] = ["rfc9309", "google", "koster-1996", "draft-koster-rep-00"];

/// The shortest time after which a run counts as endless.
const SHORTEST_LIMIT: Duration = Duration::from_secs(20);

/// A copy of the last commit, and the folder that it is built into.
pub(super) struct Workshop {
    tree: PathBuf,
    build: PathBuf,
    output: PathBuf,
    commit: String,
}

/// How long the code takes without a change.
pub(super) struct Usual {
    build: Duration,
    run: Duration,
}

impl Usual {
    pub(super) fn total(&self) -> Duration {
        self.build + self.run
    }

    fn limit(&self) -> Duration {
        SHORTEST_LIMIT.max(self.run * 5)
    }
}

/// The time of the processor that each program of a build may take, in seconds: a mutant may have a constant without end.
const BUILD_SECONDS: u32 = 300;

enum Ran {
    Held,
    Failed(String),
    TooLong,
}

impl Workshop {
    /// Copies the last commit to `tree` in `folder`.
    pub(super) fn of_last_commit(folder: &Path) -> Result<Self, String> {
        let (tree, build) = (folder.join("tree"), folder.join("build"));
        empty_folder(&tree)?;
        let commit = git(&["rev-parse", "HEAD"], folder)?;
        git(&["read-tree", "HEAD"], folder)?;
        let prefix = format!("--prefix={}/", tree.display());
        git(&["checkout-index", "--all", "--force", &prefix], folder)?;
        Ok(Self { tree, build, output: folder.join("output.txt"), commit: commit.trim().to_owned() })
    }

    pub(super) fn tree(&self) -> &Path {
        &self.tree
    }

    pub(super) fn commit(&self) -> &str {
        &self.commit
    }

    /// Builds and runs the code without a change. All rows have to hold.
    pub(super) fn unchanged(&self) -> Result<Usual, String> {
        if !self.builds()? {
            return Err("the last commit can't be built".to_owned());
        }
        let started = Instant::now();
        match self.run(Duration::MAX)? {
            Ran::Held => {}
            Ran::Failed(row) => return Err(format!("a row of the last commit fails: {row}")),
            Ran::TooLong => return Err("the rows do not end".to_owned()),
        }
        // The first build also has the dependencies, so that its time says nothing about those of the mutants.
        Ok(Usual { build: Duration::from_secs(20), run: started.elapsed() })
    }

    /// Builds and runs a mutant.
    pub(super) fn try_out(&self, mutant: &Mutant, usual: &Usual) -> Result<Trial, String> {
        let started = Instant::now();
        let path = self.tree.join(mutant.file());
        let original = text(&path)?;
        let changed = mutant
            .applied(&original)
            .ok_or_else(|| format!("the place of the mutant `{}` does not exist", mutant.name()))?;
        let write =
            |text: &str| fs::write(&path, text).map_err(|error| format!("{}: {error}", path.display()));
        write(&changed)?;
        let ran =
            self.builds().and_then(|built| if built { self.run(usual.limit()).map(Some) } else { Ok(None) });
        write(&original)?;
        let (verdict, row) = match ran? {
            None => (Verdict::Unviable, String::new()),
            Some(Ran::Held) => (Verdict::Missed, String::new()),
            Some(Ran::Failed(row)) => (Verdict::Caught, row),
            Some(Ran::TooLong) => (Verdict::Timeout, String::new()),
        };
        Ok(Trial { verdict, row, time: started.elapsed() })
    }

    fn builds(&self) -> Result<bool, String> {
        let manifest = self.tree.join("Cargo.toml");
        let arguments = ["build", "--quiet", "--package", "robots-conformance"];
        let built = Cargo::limited(BUILD_SECONDS, arguments)
            .arguments(&["--bin", "robots-conformance", "--manifest-path"])
            .arguments(&[&manifest])
            // Dependencies are built once, and then the rows run in half of the time.
            .arguments(&["--config", "profile.dev.package.\"*\".opt-level=2"])
            .in_folder(&self.tree)
            .with("CARGO_TARGET_DIR", &self.build)
            .with("CARGO_PROFILE_DEV_DEBUG", "0")
            // Errors of the compiler are expected; a mutant that only has warnings is viable.
            .with("RUSTFLAGS", "--cap-lints=allow")
            .silently()?;
        Ok(built == Ended::Well)
    }

    fn run(&self, limit: Duration) -> Result<Ran, String> {
        let program = self
            .build
            .join("debug")
            .join("robots-conformance")
            .with_extension(std::env::consts::EXE_EXTENSION);
        let started = Instant::now();
        for profile in PROFILES {
            let output =
                File::create(&self.output).map_err(|error| format!("{}: {error}", self.output.display()))?;
            let mut child = bounded(&program)
                .args(["conformance", "--profile", profile])
                .env_remove("ROBOTS_TABLES")
                .stdin(Stdio::null())
                .stdout(output)
                .stderr(Stdio::null())
                .spawn()
                .map_err(|error| format!("could not start {}: {error}", program.display()))?;
            let status = loop {
                if let Some(status) = child.try_wait().map_err(|error| error.to_string())? {
                    break status;
                }
                if started.elapsed() > limit {
                    let _ = child.kill();
                    let _ = child.wait();
                    return Ok(Ran::TooLong);
                }
                sleep(Duration::from_millis(20));
            };
            if !status.success() {
                let report = fs::read(&self.output).unwrap_or_default();
                let report = String::from_utf8_lossy(&report);
                let row = report.lines().find_map(|line| line.strip_prefix("failed: "));
                return Ok(Ran::Failed(row.unwrap_or("the runner stopped").to_owned()));
            }
        }
        Ok(Ran::Held)
    }
}

/// Returns a command for the runner. On Unix it gets at most 8 GiB of memory, because a mutant may ask for memory without end.
fn bounded(program: &Path) -> Command {
    if cfg!(unix) {
        let mut command = Command::new("sh");
        command.args(["-c", "ulimit -v 8388608; exec \"$0\" \"$@\""]).arg(program);
        command
    } else {
        Command::new(program)
    }
}

/// Runs git with an index of its own in `folder`, so that the index of the workspace stays as it is.
fn git(arguments: &[&str], folder: &Path) -> Result<String, String> {
    let output = Command::new("git")
        .args(arguments)
        .current_dir(root())
        .env("GIT_INDEX_FILE", folder.join("index"))
        .output()
        .map_err(|error| format!("could not start git: {error}"))?;
    if output.status.success() {
        Ok(String::from_utf8_lossy(&output.stdout).into_owned())
    } else {
        Err(format!("git {}: {}", arguments.join(" "), String::from_utf8_lossy(&output.stderr).trim()))
    }
}
